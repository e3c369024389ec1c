"""What a game is, in a few letters: games with the same fingerprint are played by the same rules.

A fingerprint is made from content and never from names: from the text of rules as it is understood, or from the Python
code of a game and of what it imports from beside it, without comments and layout, and the parameters that it was given.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ludarium.core.syntax import parse

ENGINE = 1
"""Counts up whenever Ludarium comes to play unchanged rules otherwise: all fingerprints change with it, so that what was
played before is kept apart."""

_OURS = "ludarium."
_GAMES = "ludarium.games."
_LABELS = ("name", "spec", "made_with")  # what a game is called, and how it was asked for, is not what it is
_SIMPLE = (bool, int, float, str, bytes, type(None))


def digest(parts: Iterable[str]) -> str:
    """Give the fingerprint of some texts, in their order, as this engine plays them.

    >>> digest(["(role x)"]), digest(["(role y)"])
    ('5e9ec9ed08ea12b8', '103839b838478e47')
    """
    made = blake2b(digest_size=8, person=(ENGINE - 1).to_bytes(16, "little"))
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        made.update(len(text).to_bytes(8, "little") + text)
    return made.hexdigest()


def code_parts(modules: Iterable[str]) -> Iterator[str]:
    """Give the code of modules, and of those beside them that they import; none of what every game shares."""
    found: dict[str, ModuleType] = {}
    for name in modules:
        _collect(name, Path(), found)
    called = {_called(name, module): module for name, module in found.items()}
    for name in sorted(called):
        yield from (name.rpartition(".")[2], _code(called[name]))


def given(thing: Any) -> dict[str, Any]:
    """Give what a thing was made with: its attributes, without those that are worked out when somebody asks."""
    return {
        name: value
        for name, value in vars(thing).items()
        if not isinstance(getattr(type(thing), name, None), cached_property)
    }


def value_parts(values: dict[str, Any]) -> Iterator[str]:
    """Give what can be written down of some values, by their names."""
    for name in sorted(values):
        if name not in _LABELS and (text := _written(values[name])) is not None:
            yield f"{name}={text}"


def class_parts(kind: type) -> Iterator[str]:
    """Give the code of a class whose file cannot be read, and of all that was typed in with it."""
    methods = [thing for thing in vars(kind).values() if isinstance(thing, FunctionType)]
    around: dict[str, Any] = {kind.__name__: kind, **(methods[0].__globals__ if methods else {})}
    yield from value_parts({name: value for name, value in around.items() if not name.startswith("__")})
    for name, thing in sorted(around.items()):
        if getattr(thing, "__module__", None) == kind.__module__:
            yield from _functions(name, thing)


def _functions(name: str, thing: Any) -> Iterator[str]:
    if isinstance(thing, property):
        yield from _functions(name, thing.fget)
    elif isinstance(thing, FunctionType):
        yield f"{name}={_compiled(thing.__code__)}"
    elif isinstance(thing, type):
        for part, inner in sorted(vars(thing).items()):
            yield from _functions(f"{name}.{part}", inner)


def _collect(name: str, beside: Path, found: dict[str, ModuleType]) -> None:
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if module is None or not file or name in found or (name.startswith(_OURS) and not name.startswith(_GAMES)):
        return
    folder = Path(file).resolve().parent
    if beside != Path() and beside != folder and beside not in folder.parents:
        return
    found[name] = module
    for other in _imported(module):
        _collect(other, folder if beside == Path() else beside, found)


def _called(name: str, module: ModuleType) -> str:
    """Name a module by its file: the same one is `__main__` where it is run, and may have a name of its own elsewhere."""
    file = Path(str(module.__file__))
    last = file.parent.name if file.stem == "__init__" else file.stem
    return f"{name.rpartition('.')[0]}.{last}".lstrip(".")


def _imported(module: ModuleType) -> Iterator[str]:
    tree = _tree(module)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.__package__ or module.__name__.rpartition(".")[0]
            try:
                source = resolve_name("." * node.level + (node.module or ""), package or None)
            except (ImportError, ValueError):
                continue
            yield source
            yield from (f"{source}.{each.name}" for each in node.names)


def _tree(module: ModuleType) -> ast.Module | None:
    try:
        return parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None


def _code(module: ModuleType) -> str:
    """Write the code of a module without comments, layout and docstrings."""
    tree = _tree(module)
    if tree is None:
        return ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _written(value: Any) -> str | None:
    if isinstance(value, _SIMPLE):
        return repr(value)
    if isinstance(value, (tuple, list, frozenset, set)):
        parts = [_written(each) for each in value]
        told = [each for each in parts if each is not None]
        if isinstance(value, (set, frozenset)):
            told.sort()
        return f"[{', '.join(told)}]" if len(told) == len(parts) else None
    if isinstance(value, dict):
        return _written([list(each) for each in value.items()])
    return None


def _compiled(code: CodeType) -> str:
    constants = [_compiled(each) if isinstance(each, CodeType) else _written(each) for each in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"
