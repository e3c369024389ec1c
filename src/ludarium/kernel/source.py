"""From a Python function to its syntax tree, the things its names stand for, and a key of all it depends on."""

from __future__ import annotations

import ast
import builtins
import hashlib
import linecache
import re
import textwrap
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from ludarium.core.errors import LudariumError
from ludarium.kernel import types as t

_WORD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?")


class KernelError(LudariumError):
    """A kernel that cannot be compiled: says where, what, and what was expected."""

    def __init__(self, file: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{file}:{line}:{column}: {message}")
        self.file, self.line, self.column, self.message = file, line, column, message


class Source:
    """The text and surroundings of one kernel."""

    def __init__(self, function: Callable[..., Any], around: Mapping[str, Any]) -> None:
        assert isinstance(function, FunctionType)
        self.function = function
        self.name = function.__name__
        code = function.__code__
        self.file = code.co_filename
        self.first = code.co_firstlineno
        last = max((end for _, end, _, _ in code.co_positions() if end), default=self.first)
        self.text = "".join(linecache.getlines(self.file, function.__globals__)[self.first - 1 : last])
        closure = (cell.cell_contents for cell in function.__closure__ or ())
        self._enclosed = {**around, **dict(zip(code.co_freevars, closure, strict=True))}

    def fault(self, node: ast.AST, message: str) -> KernelError:
        """An error at a place in this kernel."""
        return KernelError(
            self.file, getattr(node, "lineno", self.first), getattr(node, "col_offset", 0) + 1, message
        )

    def tree(self) -> ast.FunctionDef:
        """The syntax tree, with positions as in the file."""
        if not self.text:
            raise KernelError(
                self.file,
                self.first,
                1,
                f"the source of kernel '{self.name}' cannot be read; put it in a file",
            )
        text = textwrap.dedent(self.text)
        indent = len(self.text) - len(self.text.lstrip(" \t"))
        tree = ast.parse(text).body[0]
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.stmt | ast.arg):
                node.lineno += self.first - 1
                node.end_lineno = (node.end_lineno or 1) + self.first - 1
                node.col_offset += indent
                node.end_col_offset = (node.end_col_offset or 0) + indent
        if not isinstance(tree, ast.FunctionDef):
            raise self.fault(tree, "a kernel is a plain function: def name(argument: type, ...) -> type")
        return tree

    def lookup(self, name: str) -> Any:
        """What a name from outside the kernel stands for; KeyError if nothing."""
        for scope in (self._enclosed, self.function.__globals__, vars(builtins)):
            if name in scope:
                return scope[name]
        raise KeyError(name)

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an annotation."""
        scope = {**self.function.__globals__, **self._enclosed}
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = ast.parse(node.value, mode="eval").body
        return eval(compile(ast.Expression(node), self.file, "eval"), scope)

    def digest(self, seen: dict[Any, None] | None = None) -> str:
        """A hash of the text of this kernel and of everything that it refers to."""
        seen = {} if seen is None else seen
        parts = [self.file, str(self.first), self.text]
        for word in dict.fromkeys(_WORD.findall(self.text)):
            name, _, attribute = word.partition(".")
            try:
                thing = self.lookup(name)
            except KeyError:
                continue
            if attribute and isinstance(thing, ModuleType):
                thing = getattr(thing, attribute, None)
            parts.append(f"{word}={_identity(thing, seen)}")
        return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _identity(thing: Any, seen: dict[Any, None]) -> str:
    if isinstance(thing, KernelLike):
        if thing in seen:
            return f"kernel {list(seen).index(thing)}"
        seen[thing] = None
        return thing.source.digest(seen)
    if isinstance(thing, type) and issubclass(thing, t.Record):
        return f"{thing.__name__}{[(k, _identity(kind, seen), o) for k, (kind, o) in thing.fields.items()]}"
    if isinstance(thing, t.Data):
        seen[thing] = None
        return repr(thing)
    if isinstance(thing, t.Constant):
        return hashlib.blake2b(thing.data, digest_size=16).hexdigest()
    if isinstance(thing, t.ArrayType):
        return f"{_identity(thing.element, seen)}*{thing.length}"
    if isinstance(thing, int | float | bool | str | tuple | t.Scalar | t.ViewType | t.FnType):
        return repr(thing)
    return type(thing).__name__


class KernelLike:
    """What names can stand for besides numbers: a kernel, as `source` and `checker` see it."""

    name: str
    source: Source
    signature: tuple[list[tuple[str, Any]], Any]
    typed: Any
