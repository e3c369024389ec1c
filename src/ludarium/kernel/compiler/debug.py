"""Kernels as plain Python: the same statements, with every width, index and overflow tested.

The lines stay where they are, so a debugger steps through the kernel as it is written. This is the reference that
machine code is compared with.
"""

from __future__ import annotations

import ast
import contextlib
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ludarium.kernel import language as lang
from ludarium.kernel import types as t
from ludarium.kernel.compiler.backend import Code, Run
from ludarium.kernel.compiler.checker import Program
from ludarium.kernel.compiler.expressions import OPERATORS, Compiled
from ludarium.kernel.compiler.source import KernelLike, deeply


def as_python(
    kernel: KernelLike, *, wrap: bool = False, instead: Mapping[KernelLike, Callable[..., Any]] | None = None
) -> Callable[..., Any]:
    """Make a Python function of a kernel; `wrap` lets integers wrap as release builds do, else that is an error.

    Where it calls a kernel that is listed in `instead`, it calls that Python function.
    """
    program = _Python(wrap=wrap)
    for other, function in (instead or {}).items():
        program.done[other] = Compiled(program.name(function), frozenset(), 0)
    with deeply(kernel.source):
        compiled = program.include(kernel)
    made: Callable[..., Any] = program.scope[compiled.code.id]
    made.written = compiled.written  # type: ignore[attr-defined]
    return made


class _Python(Program):
    """Python functions, and the names that they use."""

    def __init__(self, *, wrap: bool) -> None:
        super().__init__()
        self.scope: dict[str, Any] = {"__/_f64": _divide, "__range": range, "__len": len}
        self.scope |= {f"__to_{kind}": kind for kind in (*t.INTEGERS, t.F64, t.BOOL)}
        self.scope |= {f"__raise_{name}": error for name, error in t.ERRORS.items()}
        for kind in t.INTEGERS:
            fit = kind if wrap or kind is t.U64 else _fitting(kind)
            self.scope[f"__fit_{kind}"] = fit
            self.scope[f"__<<_{kind}"] = _shifting(fit, operator.lshift, wrap=wrap)
            self.scope[f"__>>_{kind}"] = _shifting(fit, operator.rshift, wrap=wrap)

    def writer(self, kernel: KernelLike) -> _Writer:
        """Write one kernel."""
        return _Writer(self, kernel)

    def name(self, thing: Any) -> ast.Name:
        """A name for a thing."""
        name = f"__thing{len(self.scope)}"
        self.scope[name] = thing
        return ast.Name(name, ast.Load())


class _Apart(ast.NodeTransformer):
    """Makes a name of its own for each place that names something: else all of them would be where the first one is."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(node.id, node.ctx)


class _Writer:
    """Writes Python syntax; the code of an expression is its tree."""

    def __init__(self, program: _Python, kernel: KernelLike) -> None:
        self.program, self.kernel = program, kernel
        self.bodies: list[list[ast.stmt]] = [[]]
        self.statement: ast.AST = kernel.source.tree
        self.count = 0

    def finish(self) -> ast.Name:
        source, params = self.kernel.source, self.kernel.signature[0]
        arguments = ast.arguments([], [ast.arg(name) for name, _ in params], None, [], [], None, [])
        function = ast.FunctionDef(source.name, arguments, self.bodies[0], [])
        function.lineno = function.end_lineno = source.first
        function.col_offset = function.end_col_offset = 0
        scope = {**source.function.__globals__, **self.program.scope}
        module = ast.fix_missing_locations(_Apart().visit(ast.Module([function], [])))
        exec(compile(module, source.file, "exec"), scope)
        return self.program.name(scope[source.name])

    # Statements

    def at(self, statement: ast.stmt) -> None:
        self.statement = statement

    def write(self, statement: Any) -> Any:
        ast.copy_location(statement, self.statement)
        statement.lineno += self.kernel.source.above
        statement.end_lineno = statement.lineno  # Python takes calls in the head of a block to be where the block ends
        statement.end_col_offset = statement.col_offset
        self.bodies[-1].append(statement)
        return statement

    def close(self) -> None:
        body = self.bodies.pop()
        if not body:
            body.append(ast.Pass())

    def evaluate(self, code: ast.expr) -> None:
        self.write(ast.Expr(code))

    def give_back(self, code: ast.expr | None, kind: t.Kind) -> None:
        self.write(ast.Return(code))

    def group(self, codes: list[ast.expr]) -> ast.expr:
        return ast.Tuple(codes, ast.Load())

    def unpack(self, code: ast.expr, count: int) -> list[ast.expr]:
        self.count += 1
        name = f"__part{self.count}"
        self.write(ast.Assign([ast.Name(name, ast.Store())], code))
        return [_subscript(ast.Name(name, ast.Load()), ast.Constant(place)) for place in range(count)]

    def put(self, name: str, kind: t.Kind, code: ast.expr) -> None:
        self.write(ast.Assign([ast.Name(name, ast.Store())], code))

    def store(self, place: Code, kind: t.Scalar, code: ast.expr) -> None:
        place.ctx = ast.Store()
        self.write(ast.Assign([place], code))

    def begin_if(self, test: ast.expr) -> None:
        made = self.write(ast.If(test, [], []))
        self.bodies += [made.orelse, made.body]

    def begin_else(self, reached: bool) -> None:
        self.close()

    def end_if(self, first: bool, second: bool) -> None:
        self.bodies.pop()

    def begin_match(self, code: ast.expr, cases: list[list[int] | None]) -> None:
        patterns = [_pattern(numbers) for numbers in cases]
        made = self.write(ast.Match(code, [ast.match_case(pattern, None, []) for pattern in patterns]))
        self.bodies += [case.body for case in reversed(made.cases)]

    def begin_case(self, place: int) -> None:
        pass

    def end_case(self, reached: bool) -> None:
        self.close()

    def end_match(self, reached: bool) -> None:
        pass

    def begin_loop(self) -> None:
        self.bodies.append(self.write(ast.While(ast.Constant(True), [], [])).body)

    def end_loop(self, reached: bool, goes_on: bool) -> None:
        self.close()

    def begin_for(self, name: str, start: ast.expr, stop: ast.expr, step: int) -> None:
        bounds = _call("__range", start, stop, ast.Constant(step))
        self.bodies.append(self.write(ast.For(ast.Name(name, ast.Store()), bounds, [], [])).body)

    def end_for(self, reached: bool) -> None:
        self.close()

    def leave(self) -> None:
        self.write(ast.Break())

    def go_on(self) -> None:
        self.write(ast.Continue())

    def fail(self, node: ast.AST, error: str, message: str) -> None:
        self.write(ast.Raise(_call(f"__raise_{error}", ast.Constant(message))))

    # Order of evaluation: that of the tree

    @contextlib.contextmanager
    def apart(self, part: Any = None) -> Iterator[None]:
        yield

    def splice(self, part: Any) -> None:
        pass

    def twice(self, code: ast.expr) -> tuple[ast.expr, ast.expr]:
        self.count += 1
        name = f"__part{self.count}"
        return ast.NamedExpr(ast.Name(name, ast.Store()), code), ast.Name(name, ast.Load())

    def place_twice(self, place: Code) -> tuple[ast.expr, ast.expr]:
        base, base_again = self.twice(place.value)
        if isinstance(place, ast.Attribute):
            return _attribute(base, place.attr), _attribute(base_again, place.attr)
        index, index_again = self.twice(place.slice)
        return _subscript(base, index), _subscript(base_again, index_again)

    def choose(self, kind: t.Kind, test: ast.expr, _: Any, yes: ast.expr, __: Any, no: ast.expr) -> ast.expr:
        return ast.IfExp(test, yes, no)

    # Values

    def literal(self, known: float, kind: t.Scalar) -> ast.expr:
        return ast.Constant(kind(known))

    def table(self, constant: t.Span) -> ast.expr:
        return self.program.name(constant)

    def get(self, name: str, kind: t.Kind) -> ast.expr:
        return ast.Name(name, ast.Load())

    def field(self, base: ast.expr, name: str, offset: int) -> ast.expr:
        return _attribute(base, name)

    def element(self, node: ast.AST, base: ast.expr, kind: Run, index: ast.expr) -> ast.expr:
        return _subscript(base, index)

    def load(self, node: ast.AST, place: ast.expr, kind: t.Kind) -> ast.expr:
        return place

    held = load

    def linked(self, code: ast.expr) -> ast.expr:
        return code

    def slice(
        self, node: ast.AST, base: ast.expr, kind: Run, start: ast.expr | None, stop: ast.expr | None
    ) -> ast.expr:
        return _subscript(base, ast.Slice(start, stop))

    def view(self, code: ast.expr, have: Run, want: t.ViewType) -> ast.expr:
        if have == want:
            return code
        return ast.Call(self.program.name(lambda span: t.Span(span, want.element, checked=want.checked)), [code], [])

    def length(self, code: ast.expr, kind: Run) -> ast.expr:
        return _call("__len", code)

    def new(self, kind: t.ArrayType | type[t.Record], *, zeroed: bool) -> ast.expr:
        if isinstance(kind, t.ArrayType):
            fill = bytes([0 if zeroed else t.UNWRITTEN]) * kind.size
            return ast.Call(self.program.name(lambda: t.Span(bytearray(fill), kind.element)), [], [])
        return ast.Call(self.program.name(kind), [], [])

    def cast(self, node: ast.AST, record: type[t.Record], kind: t.Kind, code: ast.expr) -> ast.expr:
        return ast.Call(self.program.name(record), [code], [])

    def cast_bundle(self, node: ast.AST, bundle: type[t.BundleLike], code: ast.expr) -> ast.expr:
        return ast.Call(self.program.name(bundle.of), [code], [])

    def copy(self, node: ast.AST, into: ast.expr, into_kind: t.Kind, source: ast.expr, source_kind: t.Kind) -> ast.expr:
        return ast.Call(self.program.name(lang.copy), [into, source], [])

    def call(self, function: ast.expr, kind: t.FnType, codes: list[ast.expr]) -> ast.expr:
        return ast.Call(function, codes, [])

    def narrow(self, node: ast.AST, code: ast.expr, kind: t.Kind) -> ast.expr:
        return _call(f"__fit_{kind}", code) if isinstance(kind, t.Scalar) and kind.narrow else code

    def convert(self, code: ast.expr, have: t.Scalar, want: t.Scalar) -> ast.expr:
        return _call(f"__to_{want}", code)

    def _ranged(self, code: ast.expr, kind: t.Scalar) -> ast.expr:
        return _call(f"__fit_{kind}", code) if kind in t.INTEGERS else code

    def operator(
        self, node: ast.AST, sign: str, kind: t.Scalar, a: ast.expr, b: ast.expr, known: float | None
    ) -> ast.expr:
        if sign in ("/", "<<", ">>"):
            return _call(f"__{sign}_{kind}", a, b)
        op = _SIGNS[sign]()
        if isinstance(op, ast.cmpop):
            return ast.Compare(a, [op], [b])
        return self._ranged(ast.BinOp(a, op, b), kind)

    def builtin(self, node: ast.AST, function: Any, kind: t.Scalar, codes: list[ast.expr]) -> ast.expr:
        made = ast.Call(self.program.name(function), codes, [])
        return self._ranged(made, kind) if function is abs else made


_SIGNS: dict[str, Any] = {sign: op for op, (sign, _) in OPERATORS.items() if not issubclass(op, ast.unaryop)}


def _pattern(numbers: list[int] | None) -> ast.pattern:
    if numbers is None:
        return ast.MatchAs()
    values: list[ast.pattern] = [ast.MatchValue(ast.Constant(number)) for number in numbers]
    return ast.MatchOr(values) if len(values) > 1 else values[0]


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _attribute(base: ast.expr, name: str) -> ast.Attribute:
    return ast.Attribute(base, name, ast.Load())


def _subscript(base: ast.expr, index: ast.expr) -> ast.Subscript:
    return ast.Subscript(base, index, ast.Load())


def _fitting(kind: t.Scalar) -> Callable[[int], int]:
    def fit(value: int) -> int:
        if not kind.low <= value <= kind.high:
            raise OverflowError(f"{value} does not fit {kind}")
        return int(value)

    return fit


def _shifting(fit: Callable[[int], int], move: Callable[[int, int], int], *, wrap: bool) -> Callable[[int, int], int]:
    def shift(value: int, count: int) -> int:
        if not 0 <= count <= 63 and not wrap:
            raise OverflowError(f"a shift by {count}; it goes from 0 to 63")
        return fit(move(value, count & 63))

    return shift


def _divide(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a) or math.isnan(b):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)
