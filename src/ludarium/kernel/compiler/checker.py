"""The kernel language's checker: one walk over a kernel, which a back end writes out on the way.

The walk knows the language: types, constants, what may be read, the order of evaluation. A back end (`native` or
`debug`) knows how to say things: it never meets an ill-typed kernel. Everything wrong with a kernel is said here, with
its place.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from ludarium.kernel import types as t
from ludarium.kernel.compiler.arguments import Written
from ludarium.kernel.compiler.backend import Backend, Code, Part
from ludarium.kernel.compiler.calls import Calls
from ludarium.kernel.compiler.expressions import LOCAL, Compiled, Value
from ludarium.kernel.compiler.patterns import read_cases
from ludarium.kernel.compiler.source import KernelLike, spelled
from ludarium.kernel.language import PARAMETERS

MOST_STACK = 1 << 20  # bytes of local arrays, along a chain of calls; threads have a few megabytes
MOST_LINES = 5000  # of a kernel: optimising it takes longer than many small ones, and more than twice as long for twice the lines


class Program(ABC):
    """What kernels are written into: each one once, after those that it uses."""

    def __init__(self) -> None:
        self.done: dict[KernelLike, Compiled] = {}
        self._open: list[KernelLike] = []

    @abstractmethod
    def writer(self, kernel: KernelLike) -> Backend:
        """The back end for one kernel."""

    links = False
    """Whether shared kernels are compiled elsewhere."""

    def linked(self, kernel: KernelLike) -> Compiled:
        """A shared kernel, which is compiled elsewhere."""
        raise NotImplementedError

    def include(self, kernel: KernelLike) -> Compiled:
        """Check a kernel and write it out, if that is not done yet."""
        if kernel not in self.done and kernel.shared and self._open and self.links:
            self.done[kernel] = self.linked(kernel)
        elif kernel not in self.done:
            self._open.append(kernel)
            self.done[kernel] = _Checker(self, kernel).compiled()
            self._open.pop()
            kernel.source.forget()
        return self.done[kernel]

    def forbid_recursion(self, kernel: KernelLike, node: ast.AST) -> None:
        """Refuse a kernel that is just being written out."""
        if kernel in self._open:
            chain = " -> ".join(k.name for k in [*self._open[self._open.index(kernel) :], kernel])
            message = (
                f"'{kernel.name}' leads back to itself ({chain}); kernels cannot recurse, keep a stack in an array"
            )
            raise self._open[-1].source.fault(node, message)


def _path(origin: Hashable) -> tuple[Any, ...]:
    """A root and the fields that lead on from there."""
    return (*_path(origin[0]), origin[1]) if isinstance(origin, tuple) else (origin,)


class _Checker(Calls):
    """Statements; `block` answers whether control can reach the end."""

    def __init__(self, program: Program, kernel: KernelLike) -> None:
        self.program, self.source = program, kernel.source
        self.tree = kernel.source.tree
        self.params, self.result = kernel.signature
        self.out = program.writer(kernel)
        self.locals = dict(self.params)
        self.assigned = set(self.locals)
        self.stored = set(kernel.source.function.__code__.co_varnames)
        self.loops: list[list[set[str]]] = []  # what is assigned at each `break`
        self.stack = self.deepest = 0
        self.aliases: dict[
            Hashable, dict[Hashable, ast.AST]
        ] = {}  # what memory a local may refer to, and where it came to
        self.writes: list[tuple[Hashable, ast.AST, bool]] = []

    def compiled(self) -> Compiled:
        """Check the whole kernel."""
        if (lines := (self.tree.end_lineno or 0) - self.tree.lineno + 1) > MOST_LINES:
            message = f"kernel '{self.tree.name}' has {lines} lines, more than {MOST_LINES}; make several kernels of it"
            raise self.fault(self.tree, message)
        if self.block(self.tree.body):
            if self.result is not None:
                raise self.fault(self.tree, f"kernel '{self.tree.name}' can end without returning a {self.result}")
            self.out.give_back(None, None)
        written = self._written()
        used = self.stack + self.deepest
        if used > MOST_STACK:
            raise self.fault(
                self.tree, f"local arrays take {used} bytes, more than {MOST_STACK}; pass big ones in as views"
            )
        return Compiled(self.out.finish(), written, used)

    def include(self, kernel: KernelLike, node: ast.AST) -> Compiled:
        """Take a kernel that this one uses into the program."""
        self.program.forbid_recursion(kernel, node)
        callee = self.program.include(kernel)
        self.deepest = max(self.deepest, callee.stack)
        return callee

    # Memory that is written

    def write(self, roots: frozenset[Hashable], node: ast.AST, *, surely: bool = True) -> None:
        """Note that memory is written, or may be by a function that is not known."""
        self.writes += [(root, node, surely) for root in roots]

    def _written(self) -> Written:
        """The parameters, and the fields of bundles, that are written through; constants must not be."""
        places = {name: place for place, (name, _) in enumerate(self.params)}
        written = set()
        for root, node, surely in self.writes:
            for origin in self._origins(root):
                if isinstance(origin, t.Span):
                    raise self.fault(node, "this would write to a constant; copy it to an array first")
                start, *way = _path(origin)
                if start in places and surely:
                    written.add((places[start], *way))
        for name, node in [pair for origins in self.aliases.values() for pair in origins.items()]:
            if isinstance(name, str) and any(isinstance(origin, ast.Call) for origin in self._origins(name)):
                raise self.fault(node, f"'{name}' is made anew in each round of a loop, so it can have no second name")
        return frozenset(written)

    def _origins(self, root: Hashable) -> set[Hashable]:
        found, left = set(), [root]
        while left:
            if (origin := left.pop()) not in found:
                found.add(origin)
                left += self._second_names(origin)
        return found

    def _second_names(self, origin: Hashable) -> Iterable[Hashable]:
        if isinstance(origin, tuple):
            return [(holder, origin[1]) for holder in self._second_names(origin[0])]
        return self.aliases.get(origin, ())

    # Statements

    def block(self, body: list[ast.stmt]) -> bool:
        """Check statements one after the other, up to one that does not go on to the next."""
        for statement in body:
            visit = getattr(self, f"_{type(statement).__name__}", None)
            if visit is None:
                word = ast.unparse(statement).split()[0].rstrip(":")
                raise self.fault(statement, f"kernels cannot use '{word}' statements ({type(statement).__name__})")
            self.out.at(statement)
            if not visit(statement):
                return False
        return True

    def _Pass(self, node: ast.Pass) -> bool:
        return True

    def _Expr(self, node: ast.Expr) -> bool:
        if not isinstance(node.value, ast.Constant):
            value = self.value(node.value)
            if not isinstance(node.value, ast.Call):
                raise self.fault(node, "this expression has no effect; only calls stand alone")
            self.out.evaluate(value.code)
        return True

    def _Return(self, node: ast.Return) -> bool:
        if (node.value is None) != (self.result is None):
            raise self.fault(node, f"this kernel returns {t.type_name(self.result)}")
        code = None
        if isinstance(node.value, ast.Tuple) or isinstance(self.result, t.TupleType):
            code = self._returned(node, self.result)
        elif node.value is not None:
            code = self.fit(self.value(node.value), self.result, "the returned value")
            code = self.out.narrow(node, code, self.result)
        self.out.give_back(code, self.result)
        return False

    def _returned(self, node: ast.Return, kind: t.Kind) -> Code:
        """Several results: a tuple of as many values, or what another kernel returns."""
        assert node.value is not None
        if not isinstance(node.value, ast.Tuple):
            return self.fit(self.value(node.value), kind, "what is returned")
        items = kind.items if isinstance(kind, t.TupleType) else ()
        if len(node.value.elts) != len(items):
            raise self.fault(node, f"this kernel returns {t.type_name(kind)}, not {len(node.value.elts)} values")
        codes = []
        for place, (element, item) in enumerate(zip(node.value.elts, items, strict=True)):
            code = self.fit(self.value(element), item, f"returned value {place + 1}")
            codes.append(self.out.narrow(element, code, item))
        return self.out.group(codes)

    def _Assign(self, node: ast.Assign) -> bool:
        if len(node.targets) != 1:
            raise self.fault(node, "assign to one target at a time")
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            return self._unpack(node, target)
        value = self.value(node.value)
        if isinstance(target, ast.Name):
            return self._assign(target, value)
        if not isinstance(target, ast.Subscript | ast.Attribute) or self.outside(target) is not LOCAL:
            raise self.fault(target, "assign to a name, an element or a field, one at a time")
        with self.out.apart() as part:  # the place is evaluated after the value has been cut to its width
            place = self.place(target)
        self._put(place, value, part)
        return True

    def _put(self, place: Value, value: Value, part: Part) -> None:
        if isinstance(place.kind, t.Held):
            raise self.fault(place.node, f"'{spelled(place.node)}' is filled in by Python; kernels cannot replace it")
        if not isinstance(place.kind, t.Scalar):
            raise self.fault(place.node, f"{t.type_name(place.kind)} cannot be assigned; use copy(target, source)")
        code = self.fit(value, place.kind, place.node)
        code = self.out.narrow(place.node, code, place.kind)
        self.out.splice(part)
        self.out.store(place.code, place.kind, code)
        self.write(place.roots, place.node)

    def _unpack(self, node: ast.Assign, target: ast.Tuple) -> bool:
        """Several values at once: those of a tuple, or of a kernel with several results."""
        names = [element for element in target.elts if isinstance(element, ast.Name)]
        if len(names) < len(target.elts):
            raise self.fault(target, "several values are assigned to as many names")
        if isinstance(node.value, ast.Tuple):
            values = [self.value(element) for element in node.value.elts]
            for value in (value for value in values if not isinstance(value.kind, t.Scalar)):
                raise self.fault(value.node, "several values at once are numbers; assign references one at a time")
            kinds, code = tuple(value.kind for value in values), self.out.group([value.code for value in values])
        else:
            value = self.value(node.value)
            if not isinstance(value.kind, t.TupleType):
                raise self.fault(node.value, f"this is {t.type_name(value.kind)}, not {len(names)} values")
            kinds, code = value.kind.values, value.code
        if len(kinds) != len(names):
            raise self.fault(node, f"{len(kinds)} values for {len(names)} names")
        for name, kind, part in zip(names, kinds, self.out.unpack(code, len(kinds)), strict=True):
            self._assign(name, Value(node.value, kind, part))
        return True

    def _assign(self, target: ast.Name, value: Value) -> bool:
        name = target.id
        if value.kind is None or isinstance(value.kind, t.TupleType):
            gives = "no value" if value.kind is None else f"{len(value.kind.items)} values; write 'a, b = ...'"
            raise self.fault(value.node, f"'{ast.unparse(value.node)}' gives {gives}")
        kind = self.locals.setdefault(name, value.kind)
        code = self.out.narrow(target, self.fit(value, kind, f"'{name}'"), kind)
        self.out.put(name, kind, code)
        self.assigned.add(name)
        if not isinstance(kind, t.Scalar):
            origins = self.aliases.setdefault(name, {})
            origins |= dict.fromkeys(value.roots, value.node)
        return True

    def _AnnAssign(self, node: ast.AnnAssign) -> bool:
        if not isinstance(node.target, ast.Name) or node.value is None:
            raise self.fault(node, "an annotated assignment names a local and gives it a value")
        kind = self.source.annotation(node.annotation, *PARAMETERS)
        if self.locals.setdefault(node.target.id, kind) != kind:
            raise self.fault(node, f"'{node.target.id}' is {t.type_name(self.locals[node.target.id])} already")
        return self._assign(node.target, self.value(node.value))

    def _AugAssign(self, node: ast.AugAssign) -> bool:
        target = node.target
        if isinstance(target, ast.Name):
            left = self.value(target)
            return self._assign(target, self.binary(node, node.op, left, self.value(node.value)))
        place = self.place(target)
        first, again = self.out.place_twice(place.code)
        left = self.loaded(Value(target, place.kind, first))
        result = self.binary(node, node.op, left, self.value(node.value))
        self._put(Value(target, place.kind, again, roots=place.roots), result, [])
        return True

    def _If(self, node: ast.If) -> bool:
        test = self.truth(node.test)
        if test.known is not None:
            return self.block(node.body if test.known else node.orelse)
        before = set(self.assigned)
        self.out.begin_if(test.code)
        first = self.block(node.body)
        after_first, self.assigned = self.assigned, before
        self.out.begin_else(first)
        second = self.block(node.orelse)
        self.out.end_if(first, second)
        if first:
            self.assigned = self.assigned & after_first if second else after_first
        return first or second

    def _Match(self, node: ast.Match) -> bool:
        subject = self.value(node.subject)
        if subject.kind not in (t.I64, t.U64):
            raise self.fault(node.subject, f"'match' is over an integer, not {t.type_name(subject.kind)}")
        cases = read_cases(self, node, subject.kind)
        if subject.known is not None:
            for numbers, body in cases:
                if numbers is None or subject.known in numbers:
                    return self.block(body)
            return True
        before = set(self.assigned)
        self.out.begin_match(subject.code, [numbers for numbers, _ in cases])
        ends = [] if cases[-1][0] is None else [before]  # what is assigned where control goes on
        for place, (_, body) in enumerate(cases):
            self.assigned = set(before)
            self.out.begin_case(place)
            reached = self.block(body)
            self.out.end_case(reached)
            if reached:
                ends.append(self.assigned)
        self.out.end_match(bool(ends))
        self.assigned = set.intersection(*ends) if ends else before
        return bool(ends)

    def _While(self, node: ast.While) -> bool:
        if node.orelse:
            raise self.fault(node.orelse[0], "kernels cannot use 'else' on loops")
        before = set(self.assigned)
        self.loops.append([])
        self.out.begin_loop()
        test = self.truth(node.test)
        self._unless(test, self.out.leave)
        reached = self.block(node.body)
        breaks = self.loops.pop()
        goes_on = not test.known or bool(breaks)
        self.out.end_loop(reached, goes_on)
        self.assigned = set.intersection(*breaks) if test.known and breaks else before
        return goes_on

    def _unless(self, test: Value, leave: Callable[[], None]) -> None:
        """Leave the loop or the kernel unless a condition holds."""
        if not test.known:
            self.out.begin_if(test.code)
            self.out.begin_else(True)
            leave()
            self.out.end_if(True, False)

    def _For(self, node: ast.For) -> bool:
        if node.orelse:
            raise self.fault(node.orelse[0], "kernels cannot use 'else' on loops")
        call, target = node.iter, node.target
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and self.outside(call.func) is range):
            raise self.fault(node.iter, "kernels loop over range(...) only")
        if not isinstance(target, ast.Name):
            raise self.fault(target, "the loop variable is one name")
        if call.keywords or not 1 <= len(call.args) <= 3:
            raise self.fault(call, "range takes one to three values")
        bounds = [self.value(argument) for argument in call.args]
        codes = [self.fit(bound, t.I64, "a bound of range") for bound in bounds]
        if len(bounds) == 3 and not bounds[2].known:
            raise self.fault(call.args[2], "the step of a range is a constant other than 0")
        if self.locals.setdefault(target.id, t.I64) is not t.I64:
            raise self.fault(target, f"'{target.id}' is {t.type_name(self.locals[target.id])}, a loop variable is i64")
        before = set(self.assigned)
        self.assigned.add(target.id)
        self.loops.append([])
        start = codes[0] if len(codes) > 1 else self.out.literal(0, t.I64)
        self.out.begin_for(target.id, start, codes[len(codes) > 1], int(bounds[2].known) if len(bounds) == 3 else 1)
        self.out.end_for(self.block(node.body))
        self.loops.pop()
        self.assigned = before
        return True

    def _Break(self, node: ast.Break) -> bool:
        self.loops[-1].append(set(self.assigned))
        self.out.leave()
        return False

    def _Continue(self, node: ast.Continue) -> bool:
        self.out.go_on()
        return False

    def _Assert(self, node: ast.Assert) -> bool:
        test = self.truth(node.test)
        if node.msg is None:
            message = ast.unparse(node.test)
        elif isinstance(node.msg, ast.Constant) and isinstance(node.msg.value, str):
            message = node.msg.value
        else:
            raise self.fault(node.msg, "the message of an assert is a plain string")
        if test.known is False:
            self.out.fail(node, "AssertionError", message)
            return False
        self._unless(test, lambda: self.out.fail(node, "AssertionError", message))
        return True
