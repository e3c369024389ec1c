"""Kernels as LLVM assembly.

Every function has one shape: `i64 f(arguments..., result*)`. It answers 0, or the address of a message if something
went wrong, which its callers pass on. So errors cross modules, threads and function pointers, and ctypes can call
anything. Integers and bools travel as i64, views as pointer and length, records and functions as pointers.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping
from typing import Any

from ludarium.kernel import addresses
from ludarium.kernel import types as t
from ludarium.kernel.compiler.arguments import facts_of, read_facts
from ludarium.kernel.compiler.arithmetic import Arithmetic
from ludarium.kernel.compiler.assembly import Parts, abi, literal, parameters, plain, register
from ludarium.kernel.compiler.backend import Code, Run
from ludarium.kernel.compiler.checker import Program
from ludarium.kernel.compiler.expressions import Compiled
from ludarium.kernel.compiler.source import KernelLike, spelled, times_assigned

MOST_INLINED = 450  # lines of assembly


class Module(Program):
    """One unit of compilation: entry kernels and all that they call."""

    def __init__(self, tables: dict[Any, int], *, check: bool) -> None:
        super().__init__()
        self.tables, self.check = tables, check
        self.globals: dict[str, str] = {}
        self.externals: set[str] = set()
        self.functions: list[str] = []
        self.inlined: dict[str, int] = {}  # lines that a call of each function may become
        self.number = itertools.count().__next__

    def writer(self, kernel: KernelLike) -> _Writer:
        """Write one kernel."""
        return _Writer(self, kernel)

    links = True

    def linked(self, kernel: KernelLike) -> Compiled:
        """A shared kernel: its address is in a cell, where better code may take its place."""
        place = self.tables[kernel]
        self.externals.add(f"@shared{place} = external global ptr")
        return Compiled(f"@shared{place}", *read_facts(kernel.facts))

    def text(self, entries: Mapping[str, KernelLike]) -> str:
        """The whole module; each entry is exported, with a string of 1 for every argument that it writes through."""
        for kernel in entries.values():  # an entry that is shared is not one to link to
            if kernel.shared:
                self.include(kernel)
        exported = []
        for place, kernel in enumerate(entries.values()):
            compiled, given = self.include(kernel), ", ".join(parameters(kernel))
            call = f"  %s = tail call i64 {compiled.code}({given})\n  ret i64 %s"
            exported.append(f"define i64 @entry{place}({given}) {{\n{call}\n}}")
            facts = facts_of(compiled.written, compiled.stack)
            exported.append(f'@facts{place} = constant [{len(facts) + 1} x i8] c"{facts}\\00"')
        lines = [f"{name} = private unnamed_addr constant {data}, align 8" for data, name in self.globals.items()]
        return "\n".join([*lines, *sorted(self.externals), *self.functions, *exported, "!0 = !{}", ""])

    def data(self, content: str) -> str:
        """A constant, once."""
        return self.globals.setdefault(content, f"@c{len(self.globals)}")


class _Writer(Arithmetic):
    """Writes assembly line by line; the code of an expression is the operand that holds it, of a view two."""

    def __init__(self, module: Module, kernel: KernelLike) -> None:
        super().__init__(kernel, module.externals, module.data, check=module.check)
        self.module = module
        self.symbol = f"@k{module.number()}.{plain(kernel.name)}"
        self.callees: list[str] = []
        self.known: set[str] = set()
        self.times = times_assigned(kernel.source.tree.body)
        self.times.update(name for name, _ in kernel.signature[0])
        self.values: dict[str, Code] = {}  # of locals that are assigned once: they need no room in memory
        self.labels: list[tuple[str, ...]] = []
        self.loops: list[tuple[str, str]] = []
        for name, kind in kernel.signature[0]:
            local = plain(name)
            code: Code = (f"%a.{local}", f"%n.{local}") if isinstance(kind, t.ViewType) else f"%a.{local}"
            self.put(name, kind, self.op(f"icmp ne i64 {code}, 0") if kind is t.BOOL else code)

    def finish(self) -> str:
        # LLVM inlines whatever is called once, and tidies up after each step: without a limit that is quadratic.
        size = len(self.lines) + sum(self.module.inlined.get(callee, 0) for callee in self.callees)
        inline = size < MOST_INLINED
        self.module.inlined[self.symbol] = size if inline else 0
        attributes = "nounwind" if inline else "nounwind noinline"
        head = f"define internal i64 {self.symbol}({', '.join(parameters(self.kernel))}) {attributes} {{"
        # LLVM turns what lies on the stack into values from the last to the first, and sorts the operands of chains of
        # operations by their order: with the first one last, values are in the order of the text, and what stands together
        # there is joined.
        self.module.functions.append("\n".join([head, "entry:", *reversed(self.heads), *self.lines, "}"]))
        return self.symbol

    # Statements

    def at(self, statement: ast.AST) -> None:
        pass

    evaluate = at

    def give_back(self, code: Code, kind: t.Kind) -> None:
        if isinstance(kind, t.TupleType):
            for place, (part, item) in enumerate(zip(code, kind.items, strict=True)):
                self._result(part, item, self.op(f"getelementptr inbounds i64, ptr %result, i64 {place}"))
        elif isinstance(kind, t.Scalar):
            self._result(code, kind, "%result")
        self.line("ret i64 0")

    def _result(self, code: str, kind: t.Scalar, place: str) -> None:
        code = self.op(f"zext i1 {code} to i64") if kind is t.BOOL else self.cut(code, kind)
        self.line(f"store {abi(kind)} {code}, ptr {place}")

    def group(self, codes: list[str]) -> list[str]:
        return codes

    def unpack(self, code: list[str], count: int) -> list[str]:
        return code

    def begin_if(self, test: str) -> None:
        then, other, end = self.label("then"), self.label("else"), self.label("end")
        self.branch(test, then, other)
        self.begin(then)
        self.labels.append((other, end))

    def begin_else(self, reached: bool) -> None:
        other, end = self.labels[-1]
        if reached:
            self.line(f"br label %{end}")
        self.begin(other)

    def end_if(self, first: bool, second: bool) -> None:
        _, end = self.labels.pop()
        if second:
            self.line(f"br label %{end}")
        if first or second:
            self.begin(end)

    def begin_match(self, code: str, cases: list[list[int] | None]) -> None:
        labels, end = [self.label("case") for _ in cases], self.label("end")
        arms = [f"i64 {literal(n, t.I64)}, label %{at}" for at, ns in zip(labels, cases, strict=True) for n in ns or ()]
        others = labels[-1] if cases[-1] is None else end
        self.line(f"switch i64 {code}, label %{others} [{' '.join(arms)}]")
        self.labels.append((*labels, end))

    def begin_case(self, place: int) -> None:
        self.begin(self.labels[-1][place])

    def end_case(self, reached: bool) -> None:
        if reached:
            self.line(f"br label %{self.labels[-1][-1]}")

    def end_match(self, reached: bool) -> None:
        end = self.labels.pop()[-1]
        if reached:
            self.begin(end)

    def begin_loop(self) -> None:
        top, end = self.label("loop"), self.label("done")
        self.line(f"br label %{top}")
        self.begin(top)
        self.loops.append((top, end))

    def end_loop(self, reached: bool, goes_on: bool) -> None:
        top, end = self.loops.pop()
        if reached:
            self.line(f"br label %{top}")
        self.begin(end)
        if not goes_on:
            self.line("unreachable")

    def begin_for(self, name: str, start: str, stop: str, step: int) -> None:
        counter = self.slot("i64")
        self.line(f"store i64 {start}, ptr {counter}")
        top, body, more, end = (self.label(x) for x in ("for", "body", "next", "done"))
        self.line(f"br label %{top}")
        self.begin(top)
        now = self.op(f"load i64, ptr {counter}")
        ahead = "slt" if step > 0 else "sgt"
        self.branch(self.op(f"icmp {ahead} i64 {now}, {stop}"), body, end)
        with self.apart() as following:
            self.begin(more)
            if abs(step) == 1:
                self.line(f"store i64 {self.op(f'add nsw i64 {now}, {step}')}, ptr {counter}")
                self.line(f"br label %{top}")
            else:  # a counter that would pass the last i64 ends the loop
                then = self.op(f"add i64 {now}, {step}")
                self.line(f"store i64 {then}, ptr {counter}")
                self.branch(self.op(f"icmp {ahead} i64 {then}, {now}"), end, top)
            self.begin(end)
        self.begin(body)
        self.put(name, t.I64, now)
        self.loops.append((more, end))
        self.labels.append(tuple(following))

    def end_for(self, reached: bool) -> None:
        if reached:
            self.go_on()
        self.loops.pop()
        self.lines += self.labels.pop()

    def leave(self) -> None:
        self.line(f"br label %{self.loops[-1][1]}")

    def go_on(self) -> None:
        self.line(f"br label %{self.loops[-1][0]}")

    # Order of evaluation: that of the lines

    def twice(self, code: Code) -> tuple[Code, Code]:
        return code, code

    place_twice = twice

    def choose(self, kind: t.Scalar, test: str, yes_part: Parts, yes: str, no_part: Parts, no: str) -> str:
        slot, end, labels = self.slot(register(kind)), self.label("either"), (self.label("yes"), self.label("no"))
        self.branch(test, *labels)
        for label, part, code in ((labels[0], yes_part, yes), (labels[1], no_part, no)):
            self.begin(label)
            self.splice(part)
            self.line(f"store {register(kind)} {code}, ptr {slot}")
            self.line(f"br label %{end}")
        self.begin(end)
        return self.op(f"load {register(kind)}, ptr {slot}")

    # Locals and memory; nothing is taken to be aligned, since any bytes may be looked at as a record

    def get(self, name: str, kind: t.Kind) -> Code:
        if name in self.values:
            return self.values[name]
        local = plain(name)
        if isinstance(kind, t.Scalar):
            return self._widened(self.op(f"load {kind.llvm}, ptr %v.{local}"), kind)
        pointer = self.op(f"load ptr, ptr %v.{local}")
        return (pointer, self.op(f"load i64, ptr %l.{local}")) if isinstance(kind, t.ViewType) else pointer

    def put(self, name: str, kind: t.Kind, code: Code) -> None:
        if self.times[name] == 1:  # and so before every use, as the checker sees to it that there is a value
            if isinstance(kind, t.Scalar) and kind.narrow and kind is not t.BOOL:
                code = self._widened(self._stored(code, kind), kind)
            self.values[name] = code
            return
        local, view = plain(name), isinstance(kind, t.ViewType)
        if name not in self.known:
            self.known.add(name)
            self.heads.append(f"  %v.{local} = alloca {kind.llvm if isinstance(kind, t.Scalar) else 'ptr'}")
            if view:
                self.heads.append(f"  %l.{local} = alloca i64")
        if isinstance(kind, t.Scalar):
            self.line(f"store {kind.llvm} {self._stored(code, kind)}, ptr %v.{local}")
            return
        self.line(f"store ptr {code[0] if view else code}, ptr %v.{local}")
        if view:
            self.line(f"store i64 {code[1]}, ptr %l.{local}")

    def linked(self, cell: str) -> str:
        return self.op(f"load ptr, ptr {cell}") if cell.startswith("@shared") else cell

    def field(self, base: str, name: str, offset: int) -> str:
        return self.op(f"getelementptr inbounds i8, ptr {base}, i64 {offset}")

    def element(self, node: ast.Subscript, base: Code, kind: Run, index: str) -> str:
        pointer, length = self._run(base, kind)
        if self._careful(kind):
            outside = self.op(f"icmp uge i64 {index}, {length}")
            self.fail_if(outside, _index_error(kind), node, f"index outside '{spelled(node.value)}'")
        if isinstance(kind.element, t.Scalar):
            return self.op(f"getelementptr inbounds {kind.element.llvm}, ptr {pointer}, i64 {index}")
        offset = self.op(f"mul i64 {index}, {kind.element.size}")
        return self.op(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}")

    def load(self, node: ast.AST, place: str, kind: t.Kind) -> str:
        if isinstance(kind, type | t.ArrayType):
            return place
        if isinstance(kind, t.Scalar):
            return self._widened(self.op(f"load {kind.llvm}, ptr {place}, align 1"), kind)
        return self._function(node, self.op(f"load i64, ptr {place}, align 1"))

    def held(self, node: ast.AST, place: str, kind: t.Kind) -> Code:
        """What a field of a bundle leads to: it stays the same while kernels run, so it need not be read again."""
        if isinstance(kind, t.FnType):
            return self._function(node, self.op(f"load i64, ptr {place}, align 8, !invariant.load !0"))
        pointer = self.op(f"load ptr, ptr {place}, align 8, !invariant.load !0")
        if not isinstance(kind, t.ViewType):
            return pointer
        behind = self.op(f"getelementptr inbounds i8, ptr {place}, i64 8")
        return pointer, self.op(f"load i64, ptr {behind}, align 8, !invariant.load !0")

    def _function(self, node: ast.AST, number: str) -> str:
        nothing = self.op(f"icmp ult i64 {number}, {addresses.LOWEST_ADDRESS}")
        self.fail_if(nothing, "TypeError", node, "there is no machine code in this field")
        return self.op(f"inttoptr i64 {number} to ptr")

    def store(self, place: str, kind: t.Scalar, code: str) -> None:
        self.line(f"store {kind.llvm} {self._stored(code, kind)}, ptr {place}, align 1")

    def _stored(self, code: str, kind: t.Scalar) -> str:
        if kind is t.BOOL:
            return self.op(f"zext i1 {code} to i8")
        return self.op(f"trunc i64 {code} to {kind.llvm}") if kind.narrow else code

    def _widened(self, code: str, kind: t.Scalar) -> str:
        if kind is t.BOOL:
            return self.op(f"icmp ne i8 {code}, 0")
        return self.op(f"{'sext' if kind.low else 'zext'} {kind.llvm} {code} to i64") if kind.narrow else code

    def _careful(self, kind: t.Kind) -> bool:
        return self.check or (isinstance(kind, t.ViewType) and kind.checked)

    def _run(self, code: Code, kind: Run) -> tuple[str, str]:
        return (code, str(kind.length)) if isinstance(kind, t.ArrayType) else code

    def slice(self, node: ast.Subscript, base: Code, kind: Run, start: str | None, stop: str | None) -> tuple[str, str]:
        pointer, length = self._run(base, kind)
        start, stop = start or "0", stop or length
        if self._careful(kind):
            late = self.op(f"icmp ugt i64 {stop}, {length}")
            outside = self.op(f"or i1 {late}, {self.op(f'icmp ugt i64 {start}, {stop}')}")
            self.fail_if(outside, _index_error(kind), node, f"slice outside '{spelled(node.value)}'")
        offset = self.op(f"mul i64 {start}, {kind.element.size}")
        return self.op(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}"), self.op(f"sub i64 {stop}, {start}")

    def view(self, code: Code, have: Run, want: t.ViewType) -> tuple[str, str]:
        pointer, length = self._run(code, have)
        if have.element is want.element:
            return pointer, length
        return pointer, self.op(f"udiv i64 {length}, {want.element.size}")

    def length(self, code: Code, kind: Run) -> str:
        return self._run(code, kind)[1]

    def table(self, table: t.Constant | t.Data) -> Code:
        if isinstance(table, t.Data):
            place = self.module.tables[table]
            self.externals |= {f"@data{place} = external constant i8", f"@length{place} = external constant i64"}
            return f"@data{place}", self.op(f"load i64, ptr @length{place}")
        element: Any = table.element
        stored = t.F64 if element is t.F64 else t.I64
        cells = ", ".join(f"{element.llvm} {literal(stored(table[k]), stored)}" for k in range(len(table)))
        return self.module.data(f"[{len(table)} x {element.llvm}] [{cells}]")

    def new(self, kind: t.ArrayType | type[t.Record], *, zeroed: bool) -> str:
        slot = self.slot(f"[{kind.size} x i8], align {kind.align}")
        if zeroed or self.check:
            self.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
            fill = 0 if zeroed else t.UNWRITTEN
            self.line(f"call void @llvm.memset.p0.i64(ptr {slot}, i8 {fill}, i64 {kind.size}, i1 false)")
        return slot

    def cast(self, node: ast.AST, record: type[t.Record], kind: t.Kind, code: tuple[str, str]) -> str:
        if self._careful(kind):
            short = self.op(f"icmp ult i64 {code[1]}, {record.size}")
            self.fail_if(short, "IndexError", node, f"too few bytes for a {record.__name__}")
        return code[0]

    def cast_bundle(self, node: ast.AST, bundle: type[t.BundleLike], code: str) -> str:
        tag = self.op(f"load i64, ptr {code}, align 8, !invariant.load !0")
        self.fail_if(
            self.op(f"icmp ne i64 {tag}, {bundle.tag}"), "TypeError", node, f"this bundle is no {bundle.__name__}"
        )
        return code

    def copy(self, node: ast.AST, into: Code, into_kind: t.Kind, source: Code, source_kind: t.Kind) -> None:
        if isinstance(into_kind, Run) and isinstance(source_kind, Run):
            (into, room), (source, length) = self._run(into, into_kind), self._run(source, source_kind)
            self.fail_if(
                self.op(f"icmp ugt i64 {length}, {room}"), _index_error(into_kind), node, "copy into too few elements"
            )
            size = self.op(f"mul i64 {length}, {into_kind.element.size}")
        else:
            assert t.is_record(into_kind)
            size = str(into_kind.size)
        self.declare("void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
        self.line(f"call void @llvm.memmove.p0.p0.i64(ptr {into}, ptr {source}, i64 {size}, i1 false)")

    def call(self, function: str, kind: t.FnType, codes: list[Code]) -> Code:
        given = []
        for code, param in zip(codes, kind.params, strict=True):
            if isinstance(param, t.ViewType):
                given += [f"ptr {code[0]}", f"i64 {code[1]}"]
            else:
                given.append(f"{abi(param)} {self.op(f'zext i1 {code} to i64') if param is t.BOOL else code}")
        result = kind.result
        items = result.items if isinstance(result, t.TupleType) else () if result is None else (result,)
        slot = self.slot(f"[{len(items)} x i64], align 8") if items else ""
        if slot:
            given.append(f"ptr {slot}")
        self.callees.append(function)
        status = self.op(f"call i64 {function}({', '.join(given)})")
        bad, good = self.label("passed"), self.label("good")
        self.branch(self.op(f"icmp ne i64 {status}, 0"), bad, good)
        self.begin(bad)
        self.line(f"ret i64 {status}")
        self.begin(good)
        answers = []
        for place, item in enumerate(items):
            where = self.op(f"getelementptr inbounds i64, ptr {slot}, i64 {place}") if place else slot
            answer = self.op(f"load {abi(item)}, ptr {where}")
            answers.append(self.op(f"icmp ne i64 {answer}, 0") if item is t.BOOL else answer)
        if isinstance(result, t.TupleType):
            return answers
        return answers[0] if answers else None


def _index_error(kind: t.Kind) -> str:
    return "CapacityError" if isinstance(kind, t.ViewType) and kind.checked else "IndexError"
