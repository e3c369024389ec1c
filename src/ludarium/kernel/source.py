"""From a Python function to its syntax tree, the things its names stand for, and a key of all it depends on."""

from __future__ import annotations

import ast
import builtins
import contextlib
import hashlib
import inspect
import linecache
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Number
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ludarium.core.syntax import parse
from ludarium.kernel import types as t

_DEEPEST = 20_000  # Python frames
_WORD = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class Source:
    """The text and surroundings of one kernel."""

    def __init__(self, function: FunctionType, around: Mapping[str, Any]) -> None:
        self.function = function
        self.name = function.__name__
        code = function.__code__
        self.file, self.first = code.co_filename, code.co_firstlineno
        self._lines = linecache.getlines(self.file, function.__globals__)
        self.text = "".join(self._lines[self.first - 1 : _end(code, self._lines)])
        self._enclosed = dict(around)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                self._enclosed[name] = cell.cell_contents
            except ValueError:  # not assigned yet
                self._enclosed.pop(name, None)

    def fault(self, node: ast.AST, message: str) -> t.KernelError:
        """An error at a place in this kernel."""
        line, column = getattr(node, "lineno", self.first), getattr(node, "col_offset", 0)
        return t.KernelError(self.file, line, column + 1, message)

    def tree(self) -> ast.FunctionDef:
        """The syntax tree, with positions as in the file."""
        body = self._parsed() or self._parsed(carefully=True)
        if not body:
            place = ast.Pass(lineno=self.first, col_offset=0)
            raise self.fault(
                place, f"the source of kernel '{self.name}' cannot be read; put it in a file of its own lines"
            )
        tree = body[0].body[0] if isinstance(body[0], ast.If) else body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise self.fault(tree, "a kernel is a plain function: def name(argument: type, ...) -> type")
        return tree

    def _parsed(self, *, carefully: bool = False) -> list[ast.stmt]:
        """The statement that the text is, inside an `if` where it is indented; nothing if it cannot be read."""
        if carefully:
            lines = self._lines[self.first - 1 :]
            self.text = "".join(inspect.getblock(lines)) if lines else ""
        indented = self.text[:1].isspace()
        above = "\n" * (self.first - 1 - indented) + ("if 1:\n" if indented else "")
        try:
            return parse(above + self.text).body
        except SyntaxError:
            return []

    def lookup(self, path: str) -> Any:
        """What a name from outside the kernel stands for, or a name in a module or class; KeyError if nothing."""
        name, *attributes = path.split(".")
        for scope in (self._enclosed, self.function.__globals__, vars(builtins)):
            if name in scope:
                thing = scope[name]
                break
        else:
            raise KeyError(name)
        for attribute in attributes:
            if not isinstance(thing, ModuleType | type) or not hasattr(thing, attribute):
                raise KeyError(path)
            thing = getattr(thing, attribute)
        return thing

    def annotation(self, node: ast.expr, *allowed: type) -> Any:
        """The type that an annotation means, one of the allowed kinds."""
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)
        try:
            return t.as_type(eval(text, {**self.function.__globals__, **self._enclosed}), text, *allowed)
        except Exception as problem:  # noqa: BLE001
            raise self.fault(node, f"no type: {problem}") from None

    def digest(self, seen: dict[Any, int]) -> str:
        """A hash of the text of this kernel and of everything that it refers to."""
        parts = [self.file, str(self.first), self.text]
        for word in dict.fromkeys(_WORD.findall(self.text)):
            while word:  # of a.b.c: the whole, else a.b, else a
                try:
                    parts.append(f"{word}={_identity(self.lookup(word), seen)}")
                    break
                except KeyError:
                    word = word.rpartition(".")[0]
        return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _end(code: CodeType, lines: Sequence[str]) -> int:
    """The last line of a function: what comes after its last instruction and is indented as its body is, belongs to it.

    `inspect` would take everything apart to find it, which is slow.
    """
    last = max((end for _, end, _, _ in code.co_positions() if end is not None), default=code.co_firstlineno)
    first = lines[code.co_firstlineno - 1] if len(lines) >= code.co_firstlineno else ""
    indent = len(first) - len(first.lstrip())
    while last < len(lines) and (not lines[last].strip() or len(lines[last]) - len(lines[last].lstrip()) > indent):
        last += 1
    return last


@contextlib.contextmanager
def deeply(source: Source) -> Iterator[None]:
    """Let long chains of calls and operators be worked on, and refuse endless ones."""
    # It stays: to set it back while another thread parses makes that thread fail.
    if sys.getrecursionlimit() < _DEEPEST:
        sys.setrecursionlimit(_DEEPEST)
    try:
        yield
    except RecursionError:
        raise source.fault(ast.Pass(), f"kernel '{source.name}' is nested too deeply") from None


def _identity(thing: Any, seen: dict[Any, int]) -> str:
    if isinstance(thing, KernelLike):
        if thing in seen:
            return f"kernel {seen[thing]}"
        seen[thing] = len(seen)
        return thing.source.digest(seen)
    if isinstance(thing, t.Data):
        return f"data {seen.setdefault(thing, len(seen))} of {thing.element}"
    if isinstance(thing, type) and issubclass(thing, t.Record):
        return f"{thing.__name__}{[(k, _identity(kind, seen), at) for k, (kind, at) in thing.fields.items()]}"
    if isinstance(thing, t.Constant):
        return f"{thing.element}:{hashlib.blake2b(thing.memory, digest_size=16).hexdigest()}"
    if isinstance(thing, t.ArrayType | t.ViewType):
        return f"{thing} {_identity(thing.element, seen)}"
    if isinstance(thing, t.FnType):
        return f"{thing} {[_identity(kind, seen) for kind in thing.params]}"
    return repr(thing) if isinstance(thing, Number | str | tuple | t.Scalar) else type(thing).__name__


class KernelLike:
    """A kernel, as the compiler sees it."""

    name: str
    source: Source
    signature: tuple[list[tuple[str, Any]], Any]
    python: Callable[..., Any]
