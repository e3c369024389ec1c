"""Checked kernels as plain Python: the same statements, with every width, index and overflow tested.

The syntax tree stays as written but for the arithmetic, which is wrapped in tests of its range, so a debugger steps
through the kernel's own lines. This is the reference that machine code is compared with.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from ludarium.kernel import language as lang
from ludarium.kernel import types as t
from ludarium.kernel.checker import Typed


def as_python(kernel: Any, *, wrap: bool = False) -> Callable[..., Any]:
    """Make a Python function of a kernel; `wrap` lets integers wrap as release builds do, else that is an error."""
    typed: Typed = kernel.typed
    writer = _Writer(typed, wrap=wrap)
    narrow = [(name, kind) for name, kind in typed.params if isinstance(kind, t.Scalar) and kind in t.INTEGERS]
    fits = [_call(f"__fit_{kind.name}", ast.Name(name, ast.Load())) for name, kind in narrow]
    body: list[ast.stmt] = [
        ast.Assign([ast.Name(name, ast.Store())], fit) for (name, _), fit in zip(narrow, fits, strict=True)
    ]
    arguments = ast.arguments([], [ast.arg(name) for name, _ in typed.params], None, [], [], None, [])
    function = ast.FunctionDef(typed.source.name, arguments, body + writer.block(typed.body), [])
    tree = ast.fix_missing_locations(ast.Module([ast.copy_location(function, typed.body[0])], []))
    scope = {**typed.source.function.__globals__, **writer.scope}
    exec(compile(tree, typed.source.file, "exec"), scope)
    made: Callable[..., Any] = scope[typed.source.name]
    return made


class _Writer:
    """Writes the statements anew; the checked tree is only read."""

    def __init__(self, typed: Typed, *, wrap: bool) -> None:
        self.typed, self.wrap = typed, wrap
        self.scope: dict[str, Any] = {"__divide": _divide, "__assert": _assert}
        self.scope |= {f"__to_{k.name}": k for k in (*t.INTEGERS, t.F64, t.BOOL)}
        for kind in t.INTEGERS:
            fit = kind if wrap or kind is t.U64 else _fitting(kind)
            self.scope[f"__fit_{kind.name}"] = fit
            self.scope[f"__left_{kind.name}"] = _shifting(fit, operator.lshift, wrap=wrap)
            self.scope[f"__right_{kind.name}"] = _shifting(fit, operator.rshift, wrap=wrap)
        self.outside: dict[str, str] = {}
        for place, (text, thing) in enumerate(typed.kernels.items()):
            self.outside[text] = f"__outside{place}"
            used = thing.span if isinstance(thing, t.Data) else thing
            if not isinstance(thing, t.Constant | t.Data):
                used = as_python(thing, wrap=wrap)
            self.scope[f"__outside{place}"] = used

    # Statements

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made = [ast.copy_location(new, old) for old in body for new in self._statement(old)]
        return made or [ast.Pass()]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        write = getattr(self, f"_{type(node).__name__}", None)
        return write(node) if write else [node]  # pass, break, continue stand as they are

    def _Expr(self, node: ast.Expr) -> list[ast.stmt]:
        return [] if isinstance(node.value, ast.Constant) else [ast.Expr(self.value(node.value))]

    def _Return(self, node: ast.Return) -> list[ast.stmt]:
        return [ast.Return(node.value and self._fit(self.value(node.value), self.typed.result))]

    def _Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return self._store(node.targets[0], node.value)

    def _AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        assert node.value is not None
        return self._store(node.target, node.value)

    def _store(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        if isinstance(target, ast.Name):
            place: ast.expr = target
            kind = self.typed.locals[target.id]
        else:
            place, kind = self._place(target, lambda part: self.value(part))
        return [ast.Assign([place], self._fit(self.value(value), kind))]

    def _place(self, target: ast.expr, write: Callable[[ast.expr], ast.expr]) -> tuple[Any, Any]:
        """The element or field that is stored to, and what it holds."""
        if isinstance(target, ast.Subscript):
            kind = self.typed.types[target.value].element
            return ast.Subscript(write(target.value), write(target.slice), ast.Store()), kind
        assert isinstance(target, ast.Attribute)
        kind = self.typed.types[target.value].fields[target.attr][0]
        return ast.Attribute(write(target.value), target.attr, ast.Store()), kind

    def _AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        read = node.value
        assert isinstance(read, ast.BinOp)
        if isinstance(node.target, ast.Name):
            return self._store(node.target, read)
        before: list[ast.stmt] = []

        def once(part: ast.expr) -> ast.expr:
            name = f"__part{len(before)}"
            before.append(ast.Assign([ast.Name(name, ast.Store())], self.value(part)))
            return ast.Name(name, ast.Load())

        place, kind = self._place(node.target, once)
        now = ast.copy_location(type(place)(*[getattr(place, f) for f in place._fields[:-1]], ast.Load()), node)
        result = self._binary(read, self._converted(read.left, now), self.value(read.right))
        return [*before, ast.Assign([place], self._fit(self._converted(read, result), kind))]

    def _If(self, node: ast.If) -> list[ast.stmt]:
        if node.test in self.typed.constants:
            return self.block(node.body if self.typed.constants[node.test] else node.orelse)
        return [ast.If(self.value(node.test), self.block(node.body), self.block(node.orelse) if node.orelse else [])]

    def _While(self, node: ast.While) -> list[ast.stmt]:
        return [ast.While(self.value(node.test), self.block(node.body), [])]

    def _For(self, node: ast.For) -> list[ast.stmt]:
        assert isinstance(node.iter, ast.Call)
        bounds = ast.Call(ast.Name("range", ast.Load()), [self.value(a) for a in node.iter.args], [])
        return [ast.For(node.target, bounds, self.block(node.body), [])]

    def _Assert(self, node: ast.Assert) -> list[ast.stmt]:
        message = node.msg or ast.Constant(ast.unparse(node.test))
        return [ast.Expr(_call("__assert", self.value(node.test), message))]

    # Expressions

    def value(self, node: ast.expr) -> ast.expr:
        known = self.typed.constants.get(node)
        if known is not None:
            return ast.copy_location(ast.Constant(self.typed.convert.get(node, lambda x: x)(known)), node)
        write = getattr(self, f"_e_{type(node).__name__}")
        return ast.copy_location(self._converted(node, write(node)), node)

    def _converted(self, node: ast.expr, made: ast.expr) -> ast.expr:
        target = self.typed.convert.get(node)
        return made if target is None else _call(f"__to_{target.name}", made)

    def _fit(self, value: ast.expr, kind: Any) -> ast.expr:
        narrow = isinstance(kind, t.Scalar) and kind in t.INTEGERS and kind.size < 8
        return _call(f"__fit_{kind.name}", value) if narrow else value

    def _e_Name(self, node: ast.Name) -> ast.expr:
        return node if node.id in self.typed.locals else ast.Name(self.outside[node.id], ast.Load())

    def _e_Attribute(self, node: ast.Attribute) -> ast.expr:
        if ast.unparse(node) in self.outside:
            return ast.Name(self.outside[ast.unparse(node)], ast.Load())
        return ast.Attribute(self.value(node.value), node.attr, ast.Load())

    def _e_Subscript(self, node: ast.Subscript) -> ast.expr:
        return ast.Subscript(self.value(node.value), self.value(node.slice), ast.Load())

    def _e_Slice(self, node: ast.Slice) -> ast.expr:
        return ast.Slice(node.lower and self.value(node.lower), node.upper and self.value(node.upper))

    def _e_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self._binary(node, self.value(node.left), self.value(node.right))

    def _binary(self, node: ast.BinOp, left: ast.expr, right: ast.expr) -> ast.expr:
        kind = self.typed.types[node]
        if isinstance(node.op, ast.Div):
            return _call("__divide", left, right)
        if isinstance(node.op, ast.LShift | ast.RShift):
            return _call(f"__{'left' if isinstance(node.op, ast.LShift) else 'right'}_{kind.name}", left, right)
        return self._ranged(ast.BinOp(left, node.op, right), kind)

    def _ranged(self, made: ast.expr, kind: t.Scalar) -> ast.expr:
        return made if kind in (t.F64, t.BOOL) else _call(f"__fit_{kind.name}", made)

    def _e_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self._ranged(ast.UnaryOp(node.op, self.value(node.operand)), self.typed.types[node])

    def _e_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return ast.BoolOp(node.op, [self.value(v) for v in node.values])

    def _e_Compare(self, node: ast.Compare) -> ast.expr:
        return ast.Compare(self.value(node.left), node.ops, [self.value(c) for c in node.comparators])

    def _e_IfExp(self, node: ast.IfExp) -> ast.expr:
        if node.test in self.typed.constants:
            return self.value(node.body if self.typed.constants[node.test] else node.orelse)
        return ast.IfExp(self.value(node.test), self.value(node.body), self.value(node.orelse))

    def _e_Call(self, node: ast.Call) -> ast.expr:
        call = self.typed.calls[node]
        if call.what == "recast":
            self.scope["__recast"] = lang.recast
            element = ast.Name(f"__to_{call.target.element.name}", ast.Load())
            return _call("__recast", element, self.value(node.args[1]))
        arguments = [] if call.what == "new" else [self.value(a) for a in node.args]
        if call.what == "convert":
            return _call(f"__to_{call.target.name}", *arguments)
        if call.what == "function":
            return ast.Call(self.value(node.func), arguments, [])
        name = f"__thing{len(self.scope)}"
        self.scope[name] = _array_maker(call.target) if isinstance(call.target, t.ArrayType) else call.target
        made = _call(name, *arguments)
        return self._ranged(made, self.typed.types[node]) if call.target is abs else made


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _array_maker(kind: t.ArrayType) -> Callable[[], t.Span]:
    return lambda: t.Span(bytearray(kind.size), kind.element, kind.length)


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


def _assert(condition: Any, message: str) -> None:
    if not condition:
        raise AssertionError(message)
