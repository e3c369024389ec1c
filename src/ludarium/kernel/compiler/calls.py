"""Calls in the kernel language: conversions, built-in functions, memory, other kernels and function references."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from types import MethodType
from typing import Any

from ludarium.kernel import language as lang
from ludarium.kernel import types as t
from ludarium.kernel.compiler.expressions import LOCAL, Expressions, Value
from ludarium.kernel.compiler.source import KernelLike, spelled


class Calls(Expressions):
    """The part of the checker that deals with calls."""

    stack: int
    loops: list[list[set[str]]]

    def write(self, roots: frozenset[Hashable], node: ast.AST, *, surely: bool = True) -> None:
        """Note that memory is written, or may be by a function that is not known."""
        raise NotImplementedError

    def _e_Call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self.fault(node.keywords[0].value, "kernels call with positional arguments")
        thing = self.outside(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else LOCAL
        if thing is bool or isinstance(thing, t.Scalar):
            return self._conversion(node, t.BOOL if thing is bool else thing)
        if t.is_record(thing):
            return self._record(node, thing)
        if t.is_bundle(thing):
            made = f"a {thing.__name__} is made in Python; {thing.__name__}.of(bundle) says that a bundle is one"
            raise self.fault(node, made)
        if isinstance(thing, MethodType) and t.is_bundle(thing.__self__) and thing.__name__ == "of":
            return self._bundle(node, thing.__self__)
        count, write = _BUILTIN.get(id(thing), (None, None))
        if write is None:
            return self._function(node)
        if count is not None:
            self._arity(node, count)
        result: Value = write(self, node, thing)
        return result

    def _arity(self, node: ast.Call, count: int) -> None:
        if len(node.args) != count:
            name, ending = spelled(node.func), "s" * (count != 1)
            raise self.fault(node, f"'{name}' takes {count} argument{ending}, got {len(node.args)}")

    def _conversion(self, node: ast.Call, kind: t.Scalar) -> Value:
        self._arity(node, 1)
        value = self.value(node.args[0])
        if not isinstance(value.kind, t.Scalar):
            raise self.fault(node, f"{t.type_name(value.kind)} cannot become {kind}")
        return Value(node, kind.value, self.out.convert(value.code, value.kind, kind))

    def _function(self, node: ast.Call) -> Value:
        function, given = self._called(node.func)
        kind, name = function.kind, spelled(node.func)
        if not isinstance(kind, t.FnType):
            raise self.fault(node, f"'{name}' cannot be called from a kernel")
        self._arity(node, len(kind.params) - len(given))
        codes = []
        for place, param in enumerate(kind.params):
            value = given[place] if place < len(given) else self.value(node.args[place - len(given)])
            code = self.fit(value, param, f"argument {place - len(given) + 1} of '{name}'")
            codes.append(self.out.narrow(value.node, code, param))
            if function.callee is None:
                self.write(value.roots, value.node, surely=False)
            else:
                for path in (path for path in function.callee.written if path[0] == place):
                    self.write(frozenset(_along(root, path[1:]) for root in value.roots), value.node)
        result = kind.result.value if isinstance(kind.result, t.Scalar) else kind.result
        return Value(node, result, self.out.call(function.code, kind, codes))

    def _called(self, node: ast.expr) -> tuple[Value, list[Value]]:
        """What is called; of a method, also the record or bundle that it is a method of."""
        if not isinstance(node, ast.Attribute) or self.outside(node) is not LOCAL:
            return self.value(node), []
        holder = self.value(node.value)
        kind = holder.kind
        if (t.is_record(kind) or t.is_bundle(kind)) and node.attr not in kind.fields:
            method = getattr(kind, node.attr, None)
            if isinstance(method, KernelLike):
                return self.from_outside(node, method), [holder]
        return self.loaded(self.field(node, holder)), []

    # Memory

    def _record(self, node: ast.Call, record: type[t.Record]) -> Value:
        if not node.args:
            return self._new(node, record)
        self._arity(node, 1)
        memory = self.value(node.args[0])
        code = self.fit(memory, t.ViewType(t.U8, checked=_checked(memory.kind)), f"the memory of a {record.__name__}")
        return Value(node, record, self.out.cast(node, record, memory.kind, code), roots=memory.roots)

    def _bundle(self, node: ast.Call, bundle: type[t.BundleLike]) -> Value:
        self._arity(node, 1)
        value = self.value(node.args[0])
        if not t.is_bundle(value.kind) or value.kind.fields:
            raise self.fault(
                node, f"{t.type_name(value.kind)} cannot become a {bundle.__name__}; a Bundle of any kind can"
            )
        return Value(node, bundle, self.out.cast_bundle(node, bundle, value.code), roots=value.roots)

    def _array(self, node: ast.Call, thing: Any) -> Value:
        element = self.source.annotation(node.args[0], t.Scalar, type)
        length = self.value(node.args[1])
        if not isinstance(length.known, int) or length.known < 1:
            raise self.fault(node.args[1], "the length of an array is a constant from 1 on")
        return self._new(node, t.ArrayType(element, length.known), zeroed=thing is lang.array)

    def _new(self, node: ast.Call, kind: t.ArrayType | type[t.Record], *, zeroed: bool = True) -> Value:
        self.stack += kind.size
        return Value(node, kind, self.out.new(kind, zeroed=zeroed), roots=frozenset([node] if self.loops else ()))

    def _recast(self, node: ast.Call, thing: Any) -> Value:
        element = self.source.annotation(node.args[0], t.Scalar, type)
        memory = self.value(node.args[1])
        kind = t.ViewType(element, checked=_checked(memory.kind))
        have = t.ViewType(t.U8, checked=kind.checked)
        code = self.out.view(self.fit(memory, have, "what is recast"), have, kind)
        return Value(node, kind, code, roots=memory.roots)

    def _copy(self, node: ast.Call, thing: Any) -> Value:
        into, source = (self.value(argument) for argument in node.args)
        kinds = [getattr(v.kind, "element", v.kind) for v in (into, source)]
        runs = [isinstance(v.kind, t.ViewType | t.ArrayType) for v in (into, source)]
        if kinds[0] != kinds[1] or runs[0] != runs[1] or not (runs[0] or t.is_record(kinds[0])):
            names = f"{t.type_name(into.kind)} and {t.type_name(source.kind)}"
            raise self.fault(node, f"copy takes two records or two views of the same type, not {names}")
        self.write(into.roots, node)
        return Value(node, None, self.out.copy(node, into.code, into.kind, source.code, source.kind))

    def _len(self, node: ast.Call, thing: Any) -> Value:
        value = self.value(node.args[0])
        if isinstance(value.kind, t.ArrayType):
            return self.constant(node, value.kind.length)
        if not isinstance(value.kind, t.ViewType):
            raise self.fault(node, f"len takes a view or an array, not {t.type_name(value.kind)}")
        return Value(node, t.I64, self.out.length(value.code, value.kind))

    # Numbers

    def _extreme(self, node: ast.Call, thing: Any) -> Value:
        if len(node.args) < 2:
            raise self.fault(node, f"'{thing.__name__}' takes two numbers or more")
        values = [self.value(argument) for argument in node.args]
        return self._builtin(node, thing, self.common(node, values, f"'{thing.__name__}'"), values)

    def _abs(self, node: ast.Call, thing: Any) -> Value:
        value = self.value(node.args[0])
        return self._builtin(node, thing, self.common(node, [value], "'abs'"), [value])

    def _bits(self, node: ast.Call, thing: Any) -> Value:
        value = self.value(node.args[0])
        kind = t.U64 if value.kind is t.U64 else t.I64
        return Value(node, t.I64, self._builtin(node, thing, kind, [value]).code)

    def _nth(self, node: ast.Call, thing: Any) -> Value:
        bits, number = (self.value(argument) for argument in node.args)
        what = "what 'nth' takes"
        codes = [self.fit(bits, t.U64, what), self.fit(number, t.I64, what)]
        return Value(node, t.I64, self.out.builtin(node, thing, t.I64, codes))

    def _mulhi(self, node: ast.Call, thing: Any) -> Value:
        return self._builtin(node, thing, t.U64, [self.value(argument) for argument in node.args])

    def _math(self, node: ast.Call, thing: Any) -> Value:
        return self._builtin(node, thing, t.F64, [self.value(node.args[0])])

    def _builtin(self, node: ast.Call, function: Any, kind: t.Scalar, values: list[Value]) -> Value:
        codes = [self.fit(value, kind, f"what '{function.__name__}' takes") for value in values]
        return Value(node, kind, self.out.builtin(node, function, kind, codes))


def _along(root: Hashable, names: tuple[str, ...]) -> Hashable:
    """What fields of bundles lead to, one after the other."""
    for name in names:
        root = (root, name)
    return root


def _checked(kind: t.Kind) -> bool:
    return isinstance(kind, t.ViewType) and kind.checked


_BUILTIN: dict[int, tuple[int | None, Callable[..., Value]]] = {
    id(min): (None, Calls._extreme),
    id(max): (None, Calls._extreme),
    id(abs): (1, Calls._abs),
    id(len): (1, Calls._len),
    id(lang.array): (2, Calls._array),
    id(lang.empty): (2, Calls._array),
    id(lang.copy): (2, Calls._copy),
    id(lang.recast): (2, Calls._recast),
    id(lang.nth): (2, Calls._nth),
    id(lang.mulhi): (2, Calls._mulhi),
    **{id(function): (1, Calls._bits) for function in lang.BITS},
    **{id(function): (1, Calls._math) for function in lang.MATH},
}
