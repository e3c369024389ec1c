"""Expressions of the kernel language: each is checked, and written out by a back end as soon as it is understood."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar

from ludarium.kernel import types as t
from ludarium.kernel.compiler.arguments import Written
from ludarium.kernel.compiler.backend import Backend, Code
from ludarium.kernel.compiler.source import KernelLike, Source, spelled

OPERATORS: dict[type[ast.AST], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add), ast.Sub: ("-", operator.sub), ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv), ast.FloorDiv: ("//", operator.floordiv), ast.Mod: ("%", operator.mod),
    ast.LShift: ("<<", operator.lshift), ast.RShift: (">>", operator.rshift), ast.Pow: ("**", operator.pow),
    ast.BitAnd: ("&", operator.and_), ast.BitOr: ("|", operator.or_), ast.BitXor: ("^", operator.xor),
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge),
    ast.USub: ("-", lambda _, x: -x), ast.UAdd: ("+", lambda _, x: +x),
    ast.Invert: ("~", lambda _, x: ~int(x) if isinstance(x, int) else ~x),
}  # fmt: skip
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LOCAL = object()  # what `outside` answers for names that belong to the kernel


@dataclass(frozen=True)
class Compiled:
    """A kernel that is written out: its name, what it writes through, the bytes of its local arrays."""

    code: Code
    written: Written
    stack: int


@dataclass(slots=True, eq=False)
class Value:
    """A checked expression: its type, what the back end made of it, and its value if that is known now."""

    node: ast.expr
    kind: t.Kind
    code: Code = None
    known: Any = None
    roots: frozenset[Hashable] = (
        frozenset()
    )  # what memory a reference leads to: names, constants, (root, field of a bundle)
    callee: Compiled | None = None


class Expressions:
    """The part of the checker that deals with values; `out` is the back end."""

    source: Source
    out: Backend
    locals: dict[str, t.Kind]
    assigned: set[str]
    stored: set[str]

    _visits: ClassVar[dict[type[ast.AST], Callable[..., Value]]]

    def __init_subclass__(cls) -> None:
        visits = [name for name in dir(cls) if name.startswith("_e_")]
        cls._visits = {getattr(ast, name.removeprefix("_e_")): getattr(cls, name) for name in visits}

    def fault(self, node: ast.AST, message: str) -> t.KernelError:
        """An error at a place."""
        return self.source.fault(node, message)

    def include(self, kernel: KernelLike, node: ast.AST) -> Compiled:
        """Take a kernel that this one uses into the program."""
        raise NotImplementedError

    def value(self, node: ast.expr) -> Value:
        """Check an expression and write it out."""
        visit = self._visits.get(type(node))
        if visit is None:
            raise self.fault(node, f"kernels cannot use '{ast.unparse(node)}' ({type(node).__name__})")
        return visit(self, node)

    def fit(self, value: Value, kind: t.Kind, what: str | ast.expr) -> Code:
        """Check that a value fits a type, and give the code that converts it."""
        have = value.kind
        if have is kind:
            return value.code
        if isinstance(what, ast.expr):
            what = f"'{spelled(what)}'"
        if isinstance(kind, t.Scalar) and isinstance(have, t.Scalar):
            want = kind.value
            if isinstance(value.known, int) and not isinstance(value.known, bool) and kind in t.INTEGERS:
                if not kind.low <= value.known <= kind.high:
                    raise self.fault(value.node, f"{value.known} does not fit {what}, which is {kind}")
                return self.out.literal(value.known, want)
            if have is want:
                return value.code
            if want is t.F64 or (have is t.BOOL and want is not t.BOOL):
                return self.out.convert(value.code, have, want)
            raise self.fault(value.node, f"{what} is {kind}, but this is {have}; convert it with {want}(...)")
        if isinstance(kind, t.ViewType) and isinstance(have, t.ViewType | t.ArrayType) and kind.element == have.element:
            return self.out.view(value.code, have, kind)
        if t.is_bundle(kind) and not kind.fields and t.is_bundle(have):
            return value.code
        if kind != have:
            raise self.fault(value.node, f"{what} is {t.type_name(kind)}, but this is {t.type_name(have)}")
        return value.code

    def common(self, node: ast.AST, values: Iterable[Value], what: str) -> t.Scalar:
        """The type in which an operator works: f64 if any operand is, else the integer type; constants adapt."""
        kinds, firm = set(), set()
        for value in values:
            if not isinstance(value.kind, t.Scalar):
                raise self.fault(value.node, f"{what} takes numbers, not {t.type_name(value.kind)}")
            kinds.add(value.kind)
            if value.known is None and value.kind is not t.BOOL:
                firm.add(value.kind)
        if t.F64 in kinds:
            return t.F64
        if len(firm) == 2:
            raise self.fault(node, f"{what} mixes i64 and u64; convert one of them with i64(...) or u64(...)")
        return firm.pop() if firm else t.U64 if t.U64 in kinds else t.I64

    def truth(self, node: ast.expr) -> Value:
        """A condition, as a bool."""
        value = self.value(node)
        if not isinstance(value.kind, t.Scalar):
            raise self.fault(node, f"a condition is a bool or a number, not {t.type_name(value.kind)}")
        if value.known is not None:
            return self.constant(node, bool(value.known))
        return Value(node, t.BOOL, self.out.convert(value.code, value.kind, t.BOOL))

    # Constants and names

    def constant(self, node: ast.expr, known: Any) -> Value:
        """A value that is known now; integers have no firm type until they are used."""
        if isinstance(known, bool):
            kind = t.BOOL
        elif isinstance(known, int) or isinstance(known, Integral):  # noqa: SIM101  (the second test is slow)
            known = int(known)
            if not t.I64.low <= known <= t.U64.high:
                raise self.fault(node, f"{known} does not fit 64 bits")
            kind = t.I64 if known <= t.I64.high else t.U64
        elif isinstance(known, float):
            known, kind = float(known), t.F64
        else:
            raise self.fault(node, f"kernels know numbers, True and False; not {known!r}")
        return Value(node, kind, self.out.literal(known, kind), known)

    def _folded(self, node: ast.expr, op: ast.AST, left: Any, right: Any) -> Value:
        try:
            if isinstance(op, ast.Pow) and isinstance(left, int) and abs(left) > 1 and right > 64:
                raise OverflowError("the result does not fit 64 bits")
            return self.constant(node, OPERATORS[type(op)][1](left, right))
        except (ArithmeticError, TypeError, ValueError) as problem:
            raise self.fault(node, f"'{ast.unparse(node)}': {problem}") from None

    def outside(self, node: ast.expr) -> Any:
        """What a name, or a name in a module, stands for; LOCAL if it is the kernel's own."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self.locals or root.id in self.stored:
            return LOCAL
        try:
            return self.source.lookup(spelled(node))
        except KeyError:
            raise self.fault(node, f"'{spelled(node)}' is not defined") from None

    def _e_Constant(self, node: ast.Constant) -> Value:
        return self.constant(node, node.value)

    def _e_Name(self, node: ast.Name) -> Value:
        name = node.id
        thing = self.outside(node)
        if thing is not LOCAL:
            return self.from_outside(node, thing)
        if name not in self.assigned:
            raise self.fault(node, f"'{name}' may be read before it is assigned")
        kind = self.locals[name]
        if isinstance(kind, t.Scalar):
            return Value(node, kind.value, self.out.get(name, kind))
        return Value(node, kind, self.out.get(name, kind), roots=frozenset([name]))

    def from_outside(self, node: ast.expr, thing: Any) -> Value:
        """A number, table or kernel that a name from outside the kernel stands for."""
        if isinstance(thing, Integral | float):
            return self.constant(node, thing)
        if isinstance(thing, tuple) and thing and all(isinstance(x, Integral | float) for x in thing):
            whole = t.U64 if max(thing) > t.I64.high else t.I64
            try:
                thing = t.Constant(t.F64 if any(isinstance(x, float) for x in thing) else whole, thing)
            except ValueError as problem:
                raise self.fault(node, str(problem)) from None
        if isinstance(thing, t.Constant | t.Data):
            data = isinstance(thing, t.Data)
            kind = t.ViewType(thing.element) if data else t.ArrayType(thing.element, len(thing))
            return Value(node, kind, self.out.table(thing), roots=frozenset([thing]))
        if isinstance(thing, KernelLike):
            params, result = thing.signature
            callee = self.include(thing, node)
            code = self.out.linked(callee.code) if thing.shared else callee.code
            return Value(node, t.FnType(tuple(kind for _, kind in params), result), code, callee=callee)
        what = f"'{spelled(node)}' is a {type(thing).__name__}"
        raise self.fault(node, f"{what}; kernels can use numbers, tuples of numbers, constants, records and kernels")

    # Memory

    def place(self, node: ast.expr) -> Value:
        """An element or a field: the type as it is stored, and where."""
        assert isinstance(node, ast.Attribute | ast.Subscript)
        holder = self.value(node.value)
        if isinstance(node, ast.Attribute):
            return self.field(node, holder)
        if not isinstance(holder.kind, t.ViewType | t.ArrayType):
            raise self.fault(node, f"{t.type_name(holder.kind)} cannot be indexed")
        if isinstance(node.slice, ast.Slice):
            raise self.fault(node, "a slice cannot be assigned; use copy(target, source)")
        index = self.value(node.slice)
        if index.kind not in (t.I64, t.U64):
            raise self.fault(node.slice, f"an index is an integer, not {t.type_name(index.kind)}")
        if (
            isinstance(holder.kind, t.ArrayType)
            and index.known is not None
            and not 0 <= index.known < holder.kind.length
        ):
            raise self.fault(node.slice, f"index {index.known} is outside {holder.kind}")
        code = self.out.element(node, holder.code, holder.kind, index.code)
        return Value(node, holder.kind.element, code, roots=holder.roots)

    def field(self, node: ast.Attribute, holder: Value) -> Value:
        """A field of a record or bundle: the type as it is stored, and where."""
        bundle = t.is_bundle(holder.kind)
        fields = holder.kind.fields if t.is_bundle(holder.kind) or t.is_record(holder.kind) else {}
        if node.attr not in fields:
            has = f"; it has {', '.join(fields)}" if fields else ""
            raise self.fault(node, f"{t.type_name(holder.kind)} has no field '{node.attr}'{has}")
        kind, offset = fields[node.attr]
        code = self.out.field(holder.code, node.attr, offset)
        if bundle and not isinstance(kind, t.Scalar):
            return Value(node, t.Held(kind), code, roots=frozenset((root, node.attr) for root in holder.roots))
        return Value(node, kind, code, roots=holder.roots)

    def loaded(self, place: Value) -> Value:
        """What a place holds."""
        if isinstance(place.kind, t.Held):
            code = self.out.held(place.node, place.code, place.kind.kind)
            return Value(place.node, place.kind.kind, code, roots=place.roots)
        kind = place.kind.value if isinstance(place.kind, t.Scalar) else place.kind
        return Value(place.node, kind, self.out.load(place.node, place.code, place.kind), roots=place.roots)

    def _e_Attribute(self, node: ast.Attribute) -> Value:
        thing = self.outside(node)
        return self.loaded(self.place(node)) if thing is LOCAL else self.from_outside(node, thing)

    def _e_Subscript(self, node: ast.Subscript) -> Value:
        if not isinstance(node.slice, ast.Slice):
            return self.loaded(self.place(node))
        holder = self.value(node.value)
        if not isinstance(holder.kind, t.ViewType | t.ArrayType):
            raise self.fault(node, f"{t.type_name(holder.kind)} cannot be sliced")
        if node.slice.step is not None:
            raise self.fault(node.slice.step, "slices have no step")
        bounds = [
            bound and self.fit(self.value(bound), t.I64, "a bound of a slice")
            for bound in (node.slice.lower, node.slice.upper)
        ]
        kind = holder.kind if isinstance(holder.kind, t.ViewType) else t.ViewType(holder.kind.element)
        return Value(node, kind, self.out.slice(node, holder.code, holder.kind, *bounds), roots=holder.roots)

    # Operators

    def _e_BinOp(self, node: ast.BinOp) -> Value:
        left = self.value(node.left)
        return self.binary(node, node.op, left, self.value(node.right))

    def binary(self, node: Any, op: ast.AST, left: Value, right: Value) -> Value:
        """Write an operator; of `x op= y`, too."""
        sign = OPERATORS.get(type(op), ("@", None))[0]
        if sign in ("<<", ">>") and right.known is not None and not 0 <= right.known <= 63:
            raise self.fault(right.node, f"a shift goes from 0 to 63, not by {right.known}")
        if left.known is not None and right.known is not None and sign != "@":
            return self._folded(node, op, left.known, right.known)
        if sign in ("@", "**"):
            raise self.fault(node, f"kernels have no operator '{sign}'; for powers multiply, or use exp and log")
        if sign in ("<<", ">>"):
            kind = self.common(node, [left], f"'{sign}'")
            right = replace(right, kind=kind if right.kind in (t.I64, t.U64) else right.kind, known=None)
        else:
            kind = self.common(node, (left, right), f"'{sign}'")
        if left.kind is t.BOOL and right.kind is t.BOOL and sign in "&|^":
            kind = t.BOOL
        elif sign == "/":
            kind = t.F64
        elif kind is t.F64 and sign not in ("+", "-", "*"):
            raise self.fault(node, f"'{sign}' takes integers, not f64")
        return self.operator(node, sign, kind, left, right)

    def operator(self, node: ast.expr, sign: str, kind: t.Scalar, left: Value, right: Value) -> Value:
        """Write an operator whose operands are of one type."""
        a, b = self.fit(left, kind, f"'{sign}'"), self.fit(right, kind, f"'{sign}'")
        result = t.BOOL if sign in _COMPARISONS else kind
        return Value(node, result, self.out.operator(node, sign, kind, a, b, right.known))

    def _e_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            test = self.truth(node.operand)
            if test.known is not None:
                return self.constant(node, not test.known)
            return self.operator(node, "==", t.BOOL, test, self.constant(node, False))
        operand = self.value(node.operand)
        if operand.known is not None:
            return self._folded(node, node.op, 0, operand.known)
        sign = OPERATORS[type(node.op)][0]
        kind = self.common(node, [operand], f"'{sign}'")
        if sign == "+":
            return Value(node, kind, self.fit(operand, kind, "'+'"))
        if sign == "-":
            return self.operator(node, "-", kind, self.constant(node, -0.0 if kind is t.F64 else 0), operand)
        if kind is t.F64:
            raise self.fault(node, "'~' takes integers, not f64")
        return self.operator(node, "^", kind, operand, self.constant(node, t.U64.high if kind is t.U64 else -1))

    # What is evaluated only if needed

    def _e_BoolOp(self, node: ast.BoolOp) -> Value:
        return self._joined(node, node.values)

    def _joined(self, node: ast.BoolOp, values: list[ast.expr]) -> Value:
        first = self.value(values[0])
        if first.kind is not t.BOOL:
            raise self.fault(
                values[0], f"'and' and 'or' join bools; this is {t.type_name(first.kind)}, compare it with 0"
            )
        if len(values) == 1:
            return first
        decisive = isinstance(node.op, ast.Or)
        if first.known is not None:
            return first if first.known is decisive else self._joined(node, values[1:])
        with self.out.apart() as part:
            rest = self._joined(node, values[1:])
        end = self.out.literal(decisive, t.BOOL)
        sides = ([], end, part, rest.code) if decisive else (part, rest.code, [], end)
        return Value(node, t.BOOL, self.out.choose(t.BOOL, first.code, *sides))

    def _e_Compare(self, node: ast.Compare) -> Value:
        return self._compared(node, self.value(node.left), list(zip(node.ops, node.comparators, strict=True)))

    def _compared(self, node: ast.Compare, left: Value, rest: list[tuple[ast.cmpop, ast.expr]]) -> Value:
        op, comparator = rest.pop(0)
        if OPERATORS.get(type(op), ("",))[0] not in _COMPARISONS:
            raise self.fault(node, f"kernels compare numbers with == != < <= > >=, not '{ast.unparse(node)}'")
        right = again = self.value(comparator)
        if rest and right.known is None:
            first, second = self.out.twice(right.code)
            right, again = replace(right, code=first), replace(right, code=second)
        kind = self.common(node, (left, right), "a comparison")
        if left.known is not None and right.known is not None:
            test = self._folded(node, op, left.known, right.known)
        else:
            test = self.operator(node, OPERATORS[type(op)][0], kind, left, right)
        if not rest or test.known is False:
            return test
        if test.known:
            return self._compared(node, again, rest)
        with self.out.apart() as part:
            tail = self._compared(node, again, rest)
        never = self.out.literal(False, t.BOOL)
        return Value(node, t.BOOL, self.out.choose(t.BOOL, test.code, part, tail.code, [], never))

    def _e_IfExp(self, node: ast.IfExp) -> Value:
        test = self.truth(node.test)
        if test.known is not None:
            return self.value(node.body if test.known else node.orelse)
        sides = []
        for branch in (node.body, node.orelse):
            with self.out.apart() as part:
                sides.append((part, self.value(branch)))
        kind = self.common(node, [value for _, value in sides], "'... if ... else ...'")
        if all(value.kind is t.BOOL for _, value in sides):
            kind = t.BOOL
        codes = []
        for part, value in sides:
            with self.out.apart(part):
                codes += [part, self.fit(value, kind, "'... if ... else ...'")]
        return Value(node, kind, self.out.choose(kind, test.code, *codes))
