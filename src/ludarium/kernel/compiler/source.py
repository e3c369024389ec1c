"""From a Python function to its syntax tree, the things its names stand for, and a key of all it depends on."""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import gc
import hashlib
import inspect
import linecache
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Number
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ludarium.core.syntax import parse
from ludarium.kernel import types as t
from ludarium.kernel.language import PARAMETERS, RESULTS

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
        return t.KernelError(self.file, *self.position(node), message)

    def position(self, node: ast.AST) -> tuple[int, int]:
        """The line and the column of a part of the tree, as in the file."""
        return self.above + getattr(node, "lineno", self.first - self.above), getattr(node, "col_offset", 0) + 1

    @property
    def above(self) -> int:
        """How many lines of the file stand above the first one that is parsed."""
        return self.first - 1 - self.text[:1].isspace()

    @functools.cached_property
    def tree(self) -> ast.FunctionDef:
        """The syntax tree; its lines are counted from the beginning of the text."""
        body = self._parsed() or self._parsed(carefully=True)
        if not body:
            complaint = f"the source of kernel '{self.name}' cannot be read; put it in a file of its own lines"
            raise self.fault(ast.Pass(), complaint)
        tree = body[0].body[0] if isinstance(body[0], ast.If) else body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise self.fault(tree, "a kernel is a plain function: def name(argument: type, ...) -> type")
        return tree

    def forget(self) -> None:
        """Drop the tree, which takes much memory."""
        self.__dict__.pop("tree", None)

    def _parsed(self, *, carefully: bool = False) -> list[ast.stmt]:
        """The statement that the text is, inside an `if` where it is indented; nothing if it cannot be read."""
        if carefully:
            lines = self._lines[self.first - 1 :]
            self.text = "".join(inspect.getblock(lines)) if lines else ""
        try:
            return parse("if 1:\n" + self.text if self.text[:1].isspace() else self.text).body
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
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else spelled(node)
        try:
            return t.as_type(self._meant(text), text, *allowed)
        except Exception as problem:  # noqa: BLE001
            raise self.fault(node, f"no type: {problem}") from None

    def _meant(self, text: str) -> Any:
        try:
            return self.lookup(text)
        except KeyError:  # no name: an expression such as view[u8]
            return eval(text, self.function.__globals__, self._enclosed)

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


def signature(source: Source) -> tuple[list[tuple[str, t.Kind]], t.Kind]:
    """The parameters and the result type that a kernel announces."""
    tree = source.tree
    wrong = [tree.args.vararg, tree.args.kwarg, *tree.args.kwonlyargs, *tree.args.posonlyargs, *tree.args.defaults]
    for node in filter(None, wrong):
        raise source.fault(node, "kernels take plain positional arguments without defaults")
    params = []
    for arg in tree.args.args:
        if arg.annotation is None:
            raise source.fault(
                arg, f"argument '{arg.arg}' of kernel '{tree.name}' has no type; write '{arg.arg}: i64', say"
            )
        params.append((arg.arg, source.annotation(arg.annotation, *PARAMETERS)))
    if tree.returns is None:
        raise source.fault(tree, f"kernel '{tree.name}' does not say what it returns; write '-> i64', or '-> None'")
    nothing = isinstance(tree.returns, ast.Constant) and tree.returns.value is None
    return params, None if nothing else source.annotation(tree.returns, *RESULTS)


def spelled(node: ast.AST) -> str:
    """How a part of a kernel is written; `ast.unparse` is slow, and most are names."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
        return f"{spelled(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ast.unparse(node)


def _end(code: CodeType, lines: Sequence[str]) -> int:
    """The last line of a function: what comes after its last instruction and is indented as its body is, belongs to it.

    `inspect` would take everything apart to find it, which is slow.
    """
    last = max((line for _, _, line in code.co_lines() if line is not None), default=code.co_firstlineno)
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
    collecting = gc.isenabled()
    gc.disable()  # trees are no garbage, and looking through them again and again takes a quarter of the time
    try:
        yield
    except RecursionError:
        raise source.fault(ast.Pass(), f"kernel '{source.name}' is nested too deeply") from None
    finally:
        if collecting:
            gc.enable()


def _identity(thing: Any, seen: dict[Any, int]) -> str:
    if isinstance(thing, KernelLike):
        if thing in seen:
            return f"kernel {seen[thing]}"
        seen[thing] = len(seen)
        return _interface(thing) if thing.shared else thing.source.digest(seen)
    if isinstance(thing, MethodType):
        return _identity(thing.__self__, seen)
    if isinstance(thing, t.Data):
        return f"data {seen.setdefault(thing, len(seen))} of {thing.element}"
    if t.is_bundle(thing) or t.is_record(thing):
        if thing in seen:
            return f"type {seen[thing]}"
        seen[thing] = len(seen)
        fields = [(name, _identity(kind, seen), at) for name, (kind, at) in thing.fields.items()]
        methods = [
            (k, _identity(m, seen)) for c in thing.__mro__ for k, m in vars(c).items() if isinstance(m, KernelLike)
        ]
        return f"{thing.__name__}{fields}{methods}"
    if isinstance(thing, t.Constant):
        return f"{thing.element}:{hashlib.blake2b(thing.memory, digest_size=16).hexdigest()}"
    if isinstance(thing, t.ArrayType | t.ViewType):
        return f"{thing} {_identity(thing.element, seen)}"
    if isinstance(thing, t.FnType):
        return f"{thing} {[_identity(kind, seen) for kind in thing.params]}"
    if isinstance(thing, t.TupleType):
        return repr(thing)
    return repr(thing) if isinstance(thing, Number | str | tuple | t.Scalar) else type(thing).__name__


def _interface(kernel: KernelLike) -> str:
    """All that those who link to a shared kernel have to know of it."""
    params, result = kernel.signature
    return f"shared {kernel.name} {[_identity(kind, {}) for _, kind in params]} {result} {kernel.facts}"


class KernelLike:
    """A kernel, as the compiler sees it."""

    name: str
    source: Source
    signature: tuple[list[tuple[str, t.Kind]], t.Kind]
    python: Callable[..., Any]
    shared: bool
    """Whether it is compiled on its own, once, and linked to where it is called."""
    facts: str
    """The bytes of its local arrays, and what it writes through, as machine code tells it."""


def times_assigned(body: Sequence[ast.stmt]) -> Counter[str]:
    """How often each local is assigned in statements, and in those within them; to change one in place counts twice."""
    found, left = Counter[str](), list(body)
    while left:
        statement = left.pop()
        match statement:
            case ast.Assign():
                for target in statement.targets:
                    found.update(name.id for name in getattr(target, "elts", [target]) if isinstance(name, ast.Name))
            case ast.For(target=ast.Name(id=name)) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] += 1
            case ast.AugAssign(target=ast.Name(id=name)):
                found[name] += 2
            case _:
                pass
        left += getattr(statement, "body", ())
        left += getattr(statement, "orelse", ())
        left += [inner for case in getattr(statement, "cases", ()) for inner in case.body]
    return found
