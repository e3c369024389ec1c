"""The kernel language's type checker: what each expression is, before any code is made from it.

Both back ends (`native` and `debug`) work from its result, `Typed`. Everything wrong with a kernel is said here, with
its place; the back ends never meet an ill-typed kernel.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from ludarium.kernel import language as lang
from ludarium.kernel import types as t
from ludarium.kernel.source import KernelLike, Source

OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.Pow: ("**", operator.pow),
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le),
    ast.Gt: ("gt", operator.gt),
    ast.GtE: ("ge", operator.ge),
}
_INTEGER_ONLY = (ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)


@dataclass(frozen=True)
class Call:
    """What a call expression turned out to be: `what` is one of kernel, pointer, convert, math, bits, new, cast..."""

    what: str
    target: Any = None


@dataclass
class Typed:
    """A checked kernel: its signature, its locals, and a type for every expression."""

    source: Source
    params: list[tuple[str, Any]]
    result: Any
    body: list[ast.stmt]
    locals: dict[str, Any] = field(default_factory=dict)
    types: dict[ast.expr, Any] = field(default_factory=dict)
    constants: dict[ast.expr, Any] = field(default_factory=dict)
    calls: dict[ast.Call, Call] = field(default_factory=dict)
    convert: dict[ast.expr, t.Scalar] = field(default_factory=dict)
    kernels: dict[str, Any] = field(default_factory=dict)


def signature(source: Source, tree: ast.FunctionDef) -> tuple[list[tuple[str, Any]], Any]:
    """The parameters and the result type that a kernel announces."""
    wrong = tree.args.vararg or tree.args.kwarg or next(iter(tree.args.kwonlyargs + tree.args.posonlyargs), None)
    if wrong or tree.args.defaults:
        raise source.fault(wrong or tree.args.defaults[0], "kernels take plain positional arguments without defaults")
    params = []
    for arg in tree.args.args:
        if arg.annotation is None:
            raise source.fault(arg, f"argument '{arg.arg}' of kernel '{tree.name}' has no type; write '{arg.arg}: i64', say")
        kind = _annotation(source, arg.annotation)
        if kind is None or isinstance(kind, t.ArrayType):
            raise source.fault(arg, f"argument '{arg.arg}' cannot be {t.type_name(kind)}; arrays are passed as view[...]")
        params.append((arg.arg, kind))
    if tree.returns is None:
        raise source.fault(tree, f"kernel '{tree.name}' does not say what it returns; write '-> i64', or '-> None'")
    result = _annotation(source, tree.returns)
    if not (result is None or isinstance(result, t.Scalar)):
        raise source.fault(tree.returns, f"kernels return a number, a bool or None, not {t.type_name(result)}")
    return params, result


def check(source: Source) -> Typed:
    """Type-check a kernel."""
    tree = source.tree()
    params, result = signature(source, tree)
    typed = Typed(source, params, result, tree.body, locals=dict(params))
    checker = _Checker(typed)
    if checker.block(tree.body) and result is not None:
        raise source.fault(tree, f"kernel '{tree.name}' can end without returning a {t.type_name(result)}")
    return typed


def _annotation(source: Source, node: ast.expr) -> Any:
    try:
        return t.as_type(source.evaluate(node), ast.unparse(node))
    except KernelErrors as problem:
        raise source.fault(node, str(problem)) from None
    except Exception as problem:
        raise source.fault(node, f"cannot evaluate the type '{ast.unparse(node)}': {problem}") from None


KernelErrors = (TypeError,)


class _Checker:
    """One walk over a kernel's statements; `block` answers whether control can reach the end."""

    def __init__(self, typed: Typed) -> None:
        self.typed = typed
        self.source = typed.source
        self.assigned = {name for name, _ in typed.params}
        self.loops: list[list[set[str]]] = []
        names = (n for s in typed.body for n in ast.walk(s) if isinstance(n, ast.Name))
        self.stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}

    # Statements

    def block(self, body: list[ast.stmt]) -> bool:
        reachable = True
        for statement in body:
            visit = getattr(self, f"_{type(statement).__name__}", None)
            if visit is None:
                word = ast.unparse(statement).split()[0]
                raise self.source.fault(statement, f"kernels cannot use '{word}' ({type(statement).__name__}) statements")
            reachable = visit(statement) and reachable
        return reachable

    def _Pass(self, node: ast.Pass) -> bool:
        return True

    def _Expr(self, node: ast.Expr) -> bool:
        if not isinstance(node.value, ast.Constant):
            if not isinstance(node.value, ast.Call):
                raise self.source.fault(node, "this expression has no effect; only calls stand alone")
            self.expression(node.value)
        return True

    def _Return(self, node: ast.Return) -> bool:
        if node.value is None or self.typed.result is None:
            if node.value is not None or self.typed.result is not None:
                raise self.source.fault(node, f"this kernel returns {t.type_name(self.typed.result)}")
            return False
        self.want(node.value, self.typed.result, "the returned value")
        return False

    def _Assign(self, node: ast.Assign) -> bool:
        if len(node.targets) != 1:
            raise self.source.fault(node, "assign to one target at a time")
        self._store(node.targets[0], node.value)
        return True

    def _AnnAssign(self, node: ast.AnnAssign) -> bool:
        if not isinstance(node.target, ast.Name) or node.value is None:
            raise self.source.fault(node, "an annotated assignment names a local and gives it a value")
        kind = _annotation(self.source, node.annotation)
        if self.typed.locals.setdefault(node.target.id, kind) != kind:
            raise self.source.fault(node, f"'{node.target.id}' is {t.type_name(self.typed.locals[node.target.id])} already")
        self._store(node.target, node.value)
        return True

    def _AugAssign(self, node: ast.AugAssign) -> bool:
        read = ast.copy_location(ast.BinOp(_as_load(node.target), node.op, node.value), node)
        node.value = read  # the back ends see `target op= target op value`, and evaluate the target once
        self._store(node.target, read)
        return True

    def _store(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            name = target.id
            if name not in self.typed.locals:
                kind = self._type_of_new_local(value)
                self.typed.locals[name] = kind
            self.want(value, self.typed.locals[name], f"'{name}'")
            self.assigned.add(name)
            return
        if not isinstance(target, ast.Subscript | ast.Attribute):
            raise self.source.fault(target, "assign to a name, an element or a field, one at a time")
        place = self.expression(target)
        stored = self.storage(target)
        if not isinstance(stored, t.Scalar):
            raise self.source.fault(target, f"{t.type_name(place)} cannot be assigned; use copy(target, source)")
        self.want(value, stored, f"'{ast.unparse(target)}'")

    def _type_of_new_local(self, value: ast.expr) -> Any:
        kind = self.expression(value)
        if kind is None or kind == "module":
            raise self.source.fault(value, f"'{ast.unparse(value)}' gives no value")
        if value in self.typed.constants and kind is t.I64 and self.typed.constants[value] > t.I64.high:
            return t.U64
        return kind

    def storage(self, node: ast.expr) -> Any:
        """The type as it lies in memory, of an element or a field."""
        if isinstance(node, ast.Subscript):
            holder = self.typed.types[node.value]
            return holder.element
        assert isinstance(node, ast.Attribute)
        holder = self.typed.types[node.value]
        return holder.fields[node.attr][0]

    def _If(self, node: ast.If) -> bool:
        self.condition(node.test)
        if node.test in self.typed.constants:
            return self.block(node.body if self.typed.constants[node.test] else node.orelse)
        before = set(self.assigned)
        first = self.block(node.body)
        after_first, self.assigned = self.assigned, set(before)
        second = self.block(node.orelse)
        if first and second:
            self.assigned &= after_first
        elif first:
            self.assigned = after_first
        return first or second

    def _While(self, node: ast.While) -> bool:
        if node.orelse:
            raise self.source.fault(node.orelse[0], "kernels cannot use 'else' on loops")
        self.condition(node.test)
        forever = bool(self.typed.constants.get(node.test, False))
        before = set(self.assigned)
        self.loops.append([])
        self.block(node.body)
        breaks = self.loops.pop()
        if forever:
            self.assigned = set.intersection(*breaks) if breaks else before
            return bool(breaks)
        self.assigned = before
        return True

    def _For(self, node: ast.For) -> bool:
        if node.orelse:
            raise self.source.fault(node.orelse[0], "kernels cannot use 'else' on loops")
        call = node.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and call.args):
            raise self.source.fault(node.iter, "kernels loop over range(...) only")
        if not isinstance(node.target, ast.Name):
            raise self.source.fault(node.target, "the loop variable is one name")
        if call.keywords or len(call.args) > 3:
            raise self.source.fault(call, "range takes one to three values")
        for argument in call.args:
            self.want(argument, t.I64, "a bound of range")
        if len(call.args) == 3 and not self.typed.constants.get(call.args[2]):
            raise self.source.fault(call.args[2], "the step of a range is a constant other than 0")
        name = node.target.id
        if self.typed.locals.setdefault(name, t.I64) is not t.I64:
            raise self.source.fault(node.target, f"'{name}' is {t.type_name(self.typed.locals[name])}, a loop variable is i64")
        before = set(self.assigned)
        self.assigned.add(name)
        self.loops.append([])
        self.block(node.body)
        self.loops.pop()
        self.assigned = before
        return True

    def _Break(self, node: ast.Break) -> bool:
        self.loops[-1].append(set(self.assigned))
        return False

    def _Continue(self, node: ast.Continue) -> bool:
        return False

    def _Assert(self, node: ast.Assert) -> bool:
        self.condition(node.test)
        if node.msg is not None and not (isinstance(node.msg, ast.Constant) and isinstance(node.msg.value, str)):
            raise self.source.fault(node.msg, "the message of an assert is a plain string")
        return self.typed.constants.get(node.test, True) is not False

    # Expressions

    def condition(self, node: ast.expr) -> None:
        kind = self.expression(node)
        if not isinstance(kind, t.Scalar):
            raise self.source.fault(node, f"a condition is a bool or a number, not {t.type_name(kind)}")

    def want(self, node: ast.expr, kind: Any, what: str) -> None:
        """Check that an expression fits a type, and note the conversion that it takes."""
        have = self.typed.types.get(node) or self.expression(node)
        constant = self.typed.constants.get(node)
        if isinstance(kind, t.Scalar) and isinstance(have, t.Scalar):
            value = kind.value
            if isinstance(constant, int) and kind in t.INTEGERS and not isinstance(constant, bool):
                if not kind.low <= constant <= kind.high:
                    raise self.source.fault(node, f"{constant} does not fit {what}, which is {kind}")
                self.typed.types[node] = value
                return
            if have is value:
                return
            if value is t.F64 or (have is t.BOOL and value in (t.I64, t.U64)):
                self.typed.convert[node] = value
                return
            raise self.source.fault(node, f"{what} is {kind}, but this is {have}; convert it with {value}(...)")
        same_view = isinstance(kind, t.ViewType) and isinstance(have, t.ViewType) and kind.element == have.element
        if kind != have and not same_view:
            raise self.source.fault(node, f"{what} is {t.type_name(kind)}, but this is {t.type_name(have)}")

    def expression(self, node: ast.expr) -> Any:
        visit = getattr(self, f"_e_{type(node).__name__}", None)
        if visit is None:
            raise self.source.fault(node, f"kernels cannot use '{ast.unparse(node)}' ({type(node).__name__})")
        kind = visit(node)
        self.typed.types[node] = kind
        return kind

    def constant(self, node: ast.expr, value: Any) -> Any:
        """Note that an expression is known now; integers have no type until they are used."""
        self.typed.constants[node] = value
        if isinstance(value, bool):
            return t.BOOL
        if isinstance(value, int):
            if not t.I64.low <= value <= t.U64.high:
                raise self.source.fault(node, f"{value} does not fit 64 bits")
            return t.I64 if value <= t.I64.high else t.U64
        return t.F64

    def _e_Constant(self, node: ast.Constant) -> Any:
        if not isinstance(node.value, int | float):
            raise self.source.fault(node, f"kernels know numbers, True and False; not {node.value!r}")
        return self.constant(node, node.value)

    def _e_Name(self, node: ast.Name) -> Any:
        name = node.id
        if name in self.typed.locals or name in self.stored:
            if name not in self.assigned:
                raise self.source.fault(node, f"'{name}' may be read before it is assigned")
            return self._value(self.typed.locals[name])
        try:
            thing = self.source.lookup(name)
        except KeyError:
            raise self.source.fault(node, f"'{name}' is not defined") from None
        return self._outside(node, thing)

    def _outside(self, node: ast.expr, thing: Any) -> Any:
        if isinstance(thing, bool | int | float):
            return self.constant(node, thing)
        if isinstance(thing, tuple) and thing and all(isinstance(x, int | float) for x in thing):
            thing = t.Constant(t.F64 if any(isinstance(x, float) for x in thing) else t.I64, thing)
        if isinstance(thing, t.Constant):
            self.typed.kernels[ast.unparse(node)] = thing
            return t.ArrayType(thing.element, len(thing))
        if isinstance(thing, t.Data):
            self.typed.kernels[ast.unparse(node)] = thing
            return t.ViewType(thing.element)
        if isinstance(thing, KernelLike):
            self.typed.kernels[ast.unparse(node)] = thing
            params, result = thing.signature
            return t.FnType(tuple(kind for _, kind in params), result)
        if isinstance(thing, ModuleType):
            return "module"
        raise self.source.fault(node, f"'{ast.unparse(node)}' is a {type(thing).__name__}; kernels can use numbers, constants, kernels")

    def _value(self, kind: Any) -> Any:
        return kind.value if isinstance(kind, t.Scalar) else kind

    def _e_Attribute(self, node: ast.Attribute) -> Any:
        holder = self.expression(node.value)
        if holder == "module":
            assert isinstance(node.value, ast.Name)
            module = self.source.lookup(node.value.id)
            if not hasattr(module, node.attr):
                raise self.source.fault(node, f"module '{node.value.id}' has no '{node.attr}'")
            return self._outside(node, getattr(module, node.attr))
        if not (isinstance(holder, type) and node.attr in holder.fields):
            fields = f"; it has {', '.join(holder.fields)}" if isinstance(holder, type) else ""
            raise self.source.fault(node, f"{t.type_name(holder)} has no field '{node.attr}'{fields}")
        return self._value(holder.fields[node.attr][0])

    def _e_Subscript(self, node: ast.Subscript) -> Any:
        holder = self.expression(node.value)
        if not isinstance(holder, t.ViewType | t.ArrayType):
            raise self.source.fault(node, f"{t.type_name(holder)} cannot be indexed")
        if isinstance(node.slice, ast.Slice):
            for bound in (node.slice.lower, node.slice.upper):
                if bound is not None:
                    self.want(bound, t.I64, "a bound of a slice")
            if node.slice.step is not None:
                raise self.source.fault(node.slice.step, "slices have no step")
            return holder if isinstance(holder, t.ViewType) else t.ViewType(holder.element)
        self._index(node.slice, holder)
        return self._value(holder.element)

    def _index(self, node: ast.expr, holder: Any) -> None:
        kind = self.expression(node)
        if kind not in (t.I64, t.U64):
            raise self.source.fault(node, f"an index is an integer, not {t.type_name(kind)}")
        constant = self.typed.constants.get(node)
        if isinstance(holder, t.ArrayType) and constant is not None and not 0 <= constant < holder.length:
            raise self.source.fault(node, f"index {constant} is outside {holder}")

    def _e_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.expression(node.left), self.expression(node.right)
        sign, compute = OPERATORS.get(type(node.op), ("@", None))
        constants = self.typed.constants
        if node.left in constants and node.right in constants and compute:
            try:
                return self.constant(node, compute(constants[node.left], constants[node.right]))
            except (ArithmeticError, TypeError, ValueError) as problem:
                raise self.source.fault(node, f"'{ast.unparse(node)}': {problem}") from None
        if compute is None or isinstance(node.op, ast.Pow):
            raise self.source.fault(node, f"kernels have no operator '{sign}'; for powers multiply, or use exp and log")
        if left is t.BOOL and right is t.BOOL and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
            return t.BOOL
        if isinstance(node.op, ast.LShift | ast.RShift):
            if left is t.BOOL:
                self.typed.convert[node.left] = t.I64
            if right is t.BOOL:
                self.typed.convert[node.right] = t.I64
            kind = left if left in (t.I64, t.U64) else t.I64
            if {left, right} - {t.I64, t.U64, t.BOOL}:
                raise self.source.fault(node, f"'{sign}' takes integers, not {t.type_name(left)} and {t.type_name(right)}")
            return kind
        kind = self.common(node, [node.left, node.right], f"'{sign}'")
        if isinstance(node.op, _INTEGER_ONLY) and kind is t.F64:
            raise self.source.fault(node, f"'{sign}' takes integers, not f64")
        if isinstance(node.op, ast.Div):
            for side in (node.left, node.right):
                self.want(side, t.F64, "'/'")
            return t.F64
        return kind

    def common(self, node: ast.expr, parts: list[ast.expr], what: str) -> t.Scalar:
        """The type in which an operator works, with every operand converted to it."""
        kinds = [self.typed.types[p] for p in parts]
        if not all(isinstance(k, t.Scalar) for k in kinds):
            named = " and ".join(t.type_name(k) for k in kinds)
            raise self.source.fault(node, f"{what} takes numbers, not {named}")
        firm = {k for p, k in zip(parts, kinds, strict=True) if p not in self.typed.constants and k is not t.BOOL}
        if t.F64 in kinds:
            kind = t.F64
        elif firm == {t.I64, t.U64}:
            raise self.source.fault(node, f"{what} mixes i64 and u64; convert one of them with i64(...) or u64(...)")
        else:
            kind = next(iter(firm), t.U64 if t.U64 in kinds else t.I64)
        for part in parts:
            self.want(part, kind, what)
        return kind

    def _e_UnaryOp(self, node: ast.UnaryOp) -> Any:
        kind = self.expression(node.operand)
        known = self.typed.constants.get(node.operand)
        if isinstance(node.op, ast.Not):
            self.condition(node.operand)
            return t.BOOL if known is None else self.constant(node, not known)
        if known is not None:
            value = -known if isinstance(node.op, ast.USub) else ~known if isinstance(node.op, ast.Invert) else +known
            return self.constant(node, value)
        if kind is t.BOOL:
            self.typed.convert[node.operand] = kind = t.I64
        if not isinstance(kind, t.Scalar) or (kind is t.F64 and isinstance(node.op, ast.Invert)):
            raise self.source.fault(node, f"'{ast.unparse(node)}' is not defined for {t.type_name(kind)}")
        return kind

    def _e_BoolOp(self, node: ast.BoolOp) -> Any:
        kinds = [self.expression(value) for value in node.values]
        for value, kind in zip(node.values, kinds, strict=True):
            if kind is not t.BOOL:
                raise self.source.fault(value, f"'and' and 'or' join bools; this is {t.type_name(kind)}, compare it with 0")
        known = [self.typed.constants.get(value) for value in node.values]
        decisive = not isinstance(node.op, ast.And)
        if known[0] is decisive:
            return self.constant(node, decisive)
        if None not in known:
            return self.constant(node, any(known) if decisive else all(known))
        return t.BOOL

    def _e_Compare(self, node: ast.Compare) -> Any:
        parts = [node.left, *node.comparators]
        for part in parts:
            self.expression(part)
        for op in node.ops:
            if type(op) not in COMPARISONS:
                raise self.source.fault(node, f"kernels compare numbers with == != < <= > >=, not '{ast.unparse(node)}'")
        if all(p in self.typed.constants for p in parts):
            values = [self.typed.constants[p] for p in parts]
            pairs = zip(node.ops, values, values[1:], strict=False)
            return self.constant(node, all(COMPARISONS[type(op)][1](a, b) for op, a, b in pairs))
        self.common(node, parts, "a comparison")
        return t.BOOL

    def _e_IfExp(self, node: ast.IfExp) -> Any:
        self.condition(node.test)
        known = self.typed.constants.get(node.test)
        if known is not None:
            chosen = node.body if known else node.orelse
            kind = self.expression(chosen)
            return self.constant(node, self.typed.constants[chosen]) if chosen in self.typed.constants else kind
        kinds = [self.expression(node.body), self.expression(node.orelse)]
        if kinds[0] == kinds[1] and kinds[0] in (t.BOOL, t.F64):
            return kinds[0]
        return self.common(node, [node.body, node.orelse], "'... if ... else ...'")

    # Calls

    def _e_Call(self, node: ast.Call) -> Any:
        if node.keywords:
            raise self.source.fault(node.keywords[0].value, "kernels call with positional arguments")
        thing: Any = None
        if isinstance(node.func, ast.Name) and node.func.id not in self.typed.locals:
            try:
                thing = self.source.lookup(node.func.id)
            except KeyError:
                raise self.source.fault(node.func, f"'{node.func.id}' is not defined") from None
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            owner = node.func.value.id
            if owner not in self.typed.locals:
                try:
                    thing = getattr(self.source.lookup(owner), node.func.attr, None)
                except KeyError:
                    thing = None
        for accept in (self._call_convert, self._call_builtin, self._call_memory):
            done, kind = accept(node, thing)
            if done:
                return kind
        return self._call_function(node, thing)

    def _arity(self, node: ast.Call, count: int) -> None:
        if len(node.args) != count:
            name = ast.unparse(node.func)
            raise self.source.fault(node, f"'{name}' takes {count} argument{'s' * (count != 1)}, got {len(node.args)}")

    def _call_convert(self, node: ast.Call, thing: Any) -> tuple[bool, Any]:
        kind = t.BOOL if thing is bool else thing
        if not isinstance(kind, t.Scalar):
            return False, None
        self._arity(node, 1)
        have = self.expression(node.args[0])
        if not isinstance(have, t.Scalar):
            raise self.source.fault(node, f"{t.type_name(have)} cannot become {kind}")
        self.typed.calls[node] = Call("convert", kind)
        return True, kind.value

    def _call_builtin(self, node: ast.Call, thing: Any) -> tuple[bool, Any]:
        try:
            known = thing in lang.MATH or thing in lang.BITS or thing in (min, max, abs, len, lang.mulhi, lang.copy)
        except TypeError:
            return False, None
        if not known:
            return False, None
        if thing in (min, max):
            if len(node.args) < 2:
                raise self.source.fault(node, f"'{thing.__name__}' takes two numbers or more")
            for argument in node.args:
                self.expression(argument)
            kind: Any = self.common(node, node.args, f"'{thing.__name__}'")
        elif thing is lang.copy:
            self._arity(node, 2)
            kinds = [self.expression(argument) for argument in node.args]
            elements = [k.element if isinstance(k, t.ViewType | t.ArrayType) else k for k in kinds]
            if elements[0] != elements[1] or isinstance(elements[0], t.Scalar) != isinstance(kinds[0], t.ViewType | t.ArrayType):
                raise self.source.fault(node, f"copy takes two of the same kind, not {t.type_name(kinds[0])} and {t.type_name(kinds[1])}")
            kind = None
        else:
            self._arity(node, 2 if thing is lang.mulhi else 1)
            kind = self._one_argument(node, thing)
        self.typed.calls[node] = Call("builtin", thing)
        return True, kind

    def _one_argument(self, node: ast.Call, thing: Any) -> Any:
        have = [self.expression(argument) for argument in node.args][0]
        if thing in lang.MATH:
            self.want(node.args[0], t.F64, f"the argument of '{thing.__name__}'")
            return t.F64
        if thing is lang.mulhi:
            for argument in node.args:
                self.want(argument, t.U64, "an argument of 'mulhi'")
            return t.U64
        if thing is len:
            if not isinstance(have, t.ViewType | t.ArrayType):
                raise self.source.fault(node, f"len takes a view or an array, not {t.type_name(have)}")
            return t.I64 if isinstance(have, t.ViewType) else self.constant(node, have.length)
        if have not in ((t.I64, t.U64) if thing in lang.BITS else (t.I64, t.U64, t.F64)):
            raise self.source.fault(node, f"'{thing.__name__}' takes a number, not {t.type_name(have)}")
        return t.I64 if thing in lang.BITS else have

    def _call_memory(self, node: ast.Call, thing: Any) -> tuple[bool, Any]:
        if thing is lang.array:
            self._arity(node, 2)
            kind: Any = _annotation(self.source, node)
            if not kind.length > 0:
                raise self.source.fault(node, "an array has at least one element")
            self.typed.calls[node] = Call("new", kind)
            return True, kind
        if thing is lang.recast:
            self._arity(node, 2)
            self.want(node.args[1], t.ViewType(t.U8), "what is recast")
            kind = t.ViewType(_annotation(self.source, node.args[0]))
            self.typed.calls[node] = Call("recast", kind)
            return True, kind
        if not (isinstance(thing, type) and issubclass(thing, t.Record)):
            return False, None
        if node.args:
            self._arity(node, 1)
            self.want(node.args[0], t.ViewType(t.U8), f"the memory of a {thing.__name__}")
        self.typed.calls[node] = Call("cast" if node.args else "new", thing)
        return True, thing

    def _call_function(self, node: ast.Call, thing: Any) -> Any:
        kind = self.expression(node.func)
        name = ast.unparse(node.func)
        if not isinstance(kind, t.FnType):
            raise self.source.fault(node, f"'{name}' cannot be called from a kernel")
        self._arity(node, len(kind.params))
        for number, (argument, param) in enumerate(zip(node.args, kind.params, strict=True), 1):
            have = self.expression(argument)
            if isinstance(have, t.ArrayType) and isinstance(param, t.ViewType) and have.element == param.element:
                continue
            self.want(argument, param, f"argument {number} of '{name}'")
        self.typed.calls[node] = Call("function", thing)
        return None if kind.result is None else kind.result.value


def _as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Subscript):
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    return target
