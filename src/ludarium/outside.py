"""Code from outside the package: what `my/game.py:Race` and `package.module:name` mean, and where such code fails.

Files and modules are looked for in the current folder and in those that `search` was told: the folder of a plan, wherever
its matches are played. A file is the module that Python itself would make of it, so that nothing is there twice.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from functools import reduce
from hashlib import blake2b
from importlib import import_module, invalidate_caches
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from ludarium.core import BadParameter, LudariumError, UnknownName

_OURS = Path(__file__).parent
_MAIN = "__main__"
_WRITE = "write it into a file, not inside a function"
_INSTALLED = {"site-packages", "dist-packages"}

_PLACED = re.compile(r"(/.*?\.py)(:\d+:\d+): (.*)", re.DOTALL)  # what a kernel says that fails

_LOADING = RLock()
_NO_NAME = (OSError, ValueError, RuntimeError)  # what asking for a file with an impossible name leads to
_LONG = 200  # characters of a name that are worth reading
_FOLDERS: list[Path] = []
_FILES: dict[str, Path] = {}  # modules that were asked for as files
_ROOTS: set[Path] = set()  # files and folders of others whose code was asked for


class CodeError(LudariumError):
    """Code from outside that fails: its file and line, and what Python says."""


def search(*folders: str | Path, code: bool = True) -> None:
    """Look for files in these folders, too, and for modules if their code is trusted."""
    for each in folders:
        folder = Path(each).resolve()
        if folder not in _FOLDERS:
            _FOLDERS.append(folder)
        if code:
            _import_from(folder)


def folders() -> list[str]:
    """List the folders that are searched, the current one first."""
    return list(dict.fromkeys(map(str, (*_here(), *_FOLDERS))))


def find(path: str | Path) -> Path:
    """Find a file in the folders that are searched; if it is in none, where it should have been."""
    with suppress(*_NO_NAME):
        return next((file for each in folders() if (file := Path(each) / Path(path).expanduser()).exists()), Path(path))
    return Path(path)


def load(place: str) -> Any:
    """Give what `module:name` or `path/to/file.py:Name` stands for.

    >>> load("ludarium.agents.flat:Flat")().name
    'flat'
    """
    where, _, name = place.rpartition(":")
    module = _file(where) if where.endswith(".py") else _module(where)
    try:
        return reduce(getattr, name.split("."), module)
    except AttributeError:
        if where == _MAIN:
            raise BadParameter(f"{name} was typed in, where other processes cannot find it: {_WRITE}") from None
        known = [each for each in vars(module) if not each.startswith("_")]
        raise UnknownName(f"name in {where}", name, known) from None


def place_of(kind: Any) -> str:
    """Write where a class or a function is, as `load` reads it, in this process or another."""
    name, module = kind.__qualname__, kind.__module__
    try:
        found = reduce(getattr, name.split("."), sys.modules[module])
    except (KeyError, AttributeError):
        found = None
    if found is not kind:
        raise BadParameter(f"{name} is not at the top of {module}, where other processes could find it: {_WRITE}")
    file = getattr(sys.modules[_MAIN], "__file__", None) if module == _MAIN else _FILES.get(module)
    return f"{_shown(Path(file).resolve()) if file and Path(file).is_file() else module}:{name}"


def blame(problem: BaseException) -> str:
    """Say where code from outside has failed, and how; nothing if it was not such code."""
    if isinstance(problem, SyntaxError) and problem.filename and _is_theirs(Path(problem.filename)):
        return f"{_shown(Path(problem.filename))}:{problem.lineno}: this is not Python: {problem.msg}"
    import traceback  # noqa: PLC0415 (seldom wanted)

    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if _is_theirs(Path(frame.filename)):
            place = f"{_shown(Path(frame.filename))}:{frame.lineno}: in {frame.name}"
            return f"{place}: {type(problem).__name__}: {problem}".removesuffix(": ")
    if (placed := _PLACED.match(str(problem))) and _is_theirs(Path(placed[1])):  # it happened in machine code
        return f"{_shown(Path(placed[1]))}{placed[2]}: {type(problem).__name__}: {placed[3]}"
    return blame(problem.__cause__) if problem.__cause__ is not None else ""


def _here() -> list[Path]:
    """The current folder, unless somebody has removed it."""
    try:
        return [Path.cwd()]
    except OSError:
        return []


def _import_from(*folders: Path) -> None:
    for folder in folders:
        if str(folder) in sys.path:
            continue
        sys.path.append(str(folder))  # at the end: what is installed is not to be hidden by a file of the same name
        invalidate_caches()


def _module(name: str) -> ModuleType:
    ours = name.partition(".")[0] == _OURS.name
    if not ours:
        _import_from(*_here())
    try:
        module = import_module(name)
    except (Exception, SystemExit) as problem:
        missing = (problem.name or name) if isinstance(problem, ModuleNotFoundError) else ""
        if missing and f"{name}.".startswith(f"{missing}."):
            told = f"there is no module '{name}'"
            raise BadParameter(f"{told}: it is not installed, nor in {', '.join(folders())}") from None
        if ours:
            raise
        _trust(name)
        raise _failed(name, problem) from problem
    if not ours:
        _trust(name)
    return module


def _file(path: str) -> ModuleType:
    found, is_folder = None, False
    with suppress(*_NO_NAME):
        found, is_folder = file if (file := find(path).resolve()).is_file() else None, file.is_dir()
    if is_folder:
        raise BadParameter(f"'{path}' is a folder; expected a file of Python code")
    if found is None:
        raise BadParameter(
            f"there is no file {ascii(path) if len(path) < _LONG else 'of that name'} in {', '.join(folders())}"
        )
    main = sys.modules[_MAIN]
    if getattr(main, "__file__", None) and Path(str(main.__file__)).resolve() == found:
        return main
    with _LOADING:
        known = next((name for name, file in _FILES.items() if file == found and name in sys.modules), None)
        return sys.modules[known] if known else _loaded(found)


def _loaded(file: Path) -> ModuleType:
    """Import a file by the name that its folders give it; where that name means another module, by one of its own."""
    folder, name = file.parent, file.stem
    while (folder / "__init__.py").exists():
        folder, name = folder.parent, f"{folder.name}.{name}"
    _ROOTS.add(folder)
    _import_from(folder)  # where its author looks for what it imports
    own = f"{file.stem}_{blake2b(str(file).encode(), digest_size=6).hexdigest()}"
    try:
        spec = find_spec(name) if all(part.isidentifier() for part in name.split(".")) else None
        same = spec is not None and spec.origin is not None and Path(spec.origin).resolve() == file
        _FILES[name if same else own] = file  # before it runs: what it makes is to be named as ever
        return import_module(name) if same else _alone(file, own)
    except (Exception, SystemExit) as problem:
        raise _failed(str(file), problem) from problem


def _alone(file: Path, name: str) -> ModuleType:
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _failed(what: str, problem: BaseException) -> LudariumError:
    """Tell of a module that cannot be imported; its author's line, not ours."""
    if isinstance(problem, LudariumError):
        return problem
    return CodeError(blame(problem) or f"{what} cannot be imported: {type(problem).__name__}: {problem}")


def _trust(name: str) -> None:
    """Note whose code a module is, also of one that cannot be imported."""
    try:
        spec = find_spec(name.partition(".")[0])
    except (ImportError, ValueError, AttributeError):
        return
    if spec is None or not spec.origin or name.partition(".")[0] in sys.stdlib_module_names:
        return
    file = Path(spec.origin).resolve()
    alone = file.parent.name in _INSTALLED  # there is much of others in its folder
    _ROOTS.add(file if alone else file.parent)


def _is_theirs(file: Path) -> bool:
    if file.is_relative_to(_OURS):
        return False
    return any(file.is_relative_to(root) and not _INSTALLED & set(file.relative_to(root).parts) for root in _ROOTS)


def _shown(file: Path) -> str:
    """Write a file as it is found from here."""
    inside = (file.relative_to(each) for each in folders() if file.is_relative_to(each))
    return next((each for each in inside if find(each).resolve() == file), file).as_posix()
