"""From checked kernels to LLVM assembly text.

Every function has one shape: `i64 f(arguments..., result*)`. It answers 0, or the address of a message if something
went wrong, which its callers pass on. So errors cross modules, threads and function pointers, and ctypes can call
anything. Integers travel as i64, bools as i64, views as pointer and length, records and functions as pointers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from ludarium.kernel import language as lang
from ludarium.kernel import types as t
from ludarium.kernel.checker import COMPARISONS, Typed

Value = tuple[str, ...]  # one operand, or pointer and length of a view

_SIMPLE = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_FLOAT = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}


class Module:
    """One unit of compilation: entry kernels and all that they call."""

    def __init__(self, *, check: bool) -> None:
        self.check = check
        self.names: dict[Any, str] = {}
        self.globals: dict[str, str] = {}
        self.declared: set[str] = set()
        self.globals_of_data: set[str] = set()
        self.functions: list[str] = []

    def name_of(self, kernel: Any) -> str:
        """The symbol of a kernel, emitting its code the first time."""
        if kernel not in self.names:
            self.names[kernel] = f"@k{len(self.names)}.{kernel.name}"
            self.functions.append(_Function(self, kernel.typed, self.names[kernel]).text())
        return self.names[kernel]

    def text(self, entries: dict[str, Any]) -> str:
        """The whole module; each entry is exported under its name."""
        exported = [self._export(name, kernel) for name, kernel in entries.items()]
        lines = [f"{name} = private unnamed_addr constant {data}, align 8" for data, name in self.globals.items()]
        lines += [f"declare {d}" for d in sorted(self.declared)]
        for name in sorted(self.globals_of_data):
            lines += [f"@d.{name} = external constant i8", f"@n.{name} = external constant i64"]
        return "\n".join([*lines, *self.functions, *exported, ""])

    def _export(self, name: str, kernel: Any) -> str:
        symbol = self.name_of(kernel)
        params = _parameters(kernel.typed)
        given = ", ".join(params)
        return f"define i64 @{name}({given}) {{\n  %s = tail call i64 {symbol}({given})\n  ret i64 %s\n}}"

    def data(self, content: str) -> str:
        """A constant, once."""
        return self.globals.setdefault(content, f"@c{len(self.globals)}")

    def declare(self, declaration: str) -> None:
        """An external function or an intrinsic."""
        self.declared.add(declaration)


def _abi(kind: Any) -> str:
    return "double" if kind is t.F64 else "i64" if isinstance(kind, t.Scalar) else "ptr"


def _parameters(typed: Typed) -> list[str]:
    out = []
    for name, kind in typed.params:
        out.append(f"{_abi(kind)} %a.{name}")
        if isinstance(kind, t.ViewType):
            out.append(f"i64 %n.{name}")
    return out if typed.result is None else [*out, "ptr %result"]


def _register(kind: Any) -> str:
    """The LLVM type of a value of this type in a register."""
    return "double" if kind is t.F64 else "i1" if kind is t.BOOL else "i64" if isinstance(kind, t.Scalar) else "ptr"


class _Function:
    def __init__(self, module: Module, typed: Typed, symbol: str) -> None:
        self.module, self.typed, self.symbol = module, typed, symbol
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.count = 0
        self.loops: list[tuple[str, str]] = []

    def text(self) -> str:
        for name, kind in self.typed.locals.items():
            storage = kind.llvm if isinstance(kind, t.Scalar) else "ptr"
            self.allocas.append(f"  %v.{name} = alloca {storage}")
            if isinstance(kind, t.ViewType):
                self.allocas.append(f"  %l.{name} = alloca i64")
        for name, kind in self.typed.params:
            value: Value = (f"%a.{name}", f"%n.{name}") if isinstance(kind, t.ViewType) else (f"%a.{name}",)
            if kind is t.BOOL:
                value = (self.op(f"icmp ne i64 {value[0]}, 0"),)
            self.store_local(name, kind, value, self.typed.body[0])
        if self.block(self.typed.body):
            self.put("ret i64 0" if self.typed.result is None else "unreachable")
        head = f"define internal i64 {self.symbol}({', '.join(_parameters(self.typed))}) nounwind {{"
        return "\n".join([head, "entry:", *self.allocas, *self.lines, "}"])

    # Writing lines

    def put(self, line: str) -> None:
        self.lines.append("  " + line)

    def op(self, code: str) -> str:
        self.count += 1
        self.lines.append(f"  %t{self.count} = {code}")
        return f"%t{self.count}"

    def label(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def slot(self, size: int, align: int) -> str:
        self.count += 1
        self.allocas.append(f"  %s{self.count} = alloca [{size} x i8], align {align}")
        return f"%s{self.count}"

    def fail_if(self, condition: str, error: str, node: ast.AST, message: str) -> None:
        """Leave with a message if the condition holds."""
        bad, good = self.label("bad"), self.label("good")
        self.put(f"br i1 {condition}, label %{bad}, label %{good}")
        self.begin(bad)
        place = f"{self.typed.source.file}:{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0) + 1}"
        raw = f"{error}|{place}: {message}".encode() + b"\0"
        text = "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in raw)
        self.put(f'ret i64 ptrtoint (ptr {self.module.data(f"[{len(raw)} x i8] c{chr(34)}{text}{chr(34)}")} to i64)')
        self.begin(good)

    # Statements

    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Emit statements; False if control does not reach the end."""
        return all(getattr(self, f"_{type(statement).__name__}")(statement) is not False for statement in body)

    def _Pass(self, node: ast.Pass) -> None:
        pass

    def _Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _Return(self, node: ast.Return) -> bool:
        if node.value is not None:
            (value,) = self.value(node.value)
            self.put(f"store {_abi(self.typed.result)} {self._to_abi(value, self.typed.result, node)}, ptr %result")
        self.put("ret i64 0")
        return False

    def _to_abi(self, value: str, kind: Any, node: ast.AST) -> str:
        if kind is t.BOOL:
            return self.op(f"zext i1 {value} to i64")
        return self._wrapped(value, kind, node) if kind in t.INTEGERS else value

    def _Assign(self, node: ast.Assign) -> None:
        self._assign(node.targets[0], self.value(node.value), node)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        assert node.value is not None
        self._assign(node.target, self.value(node.value), node)

    def _assign(self, target: ast.expr, value: Value, node: ast.AST) -> None:
        if isinstance(target, ast.Name):
            self.store_local(target.id, self.typed.locals[target.id], value, node)
        else:
            self._put_at(*self.place(target), value[0], node)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        read = node.value
        assert isinstance(read, ast.BinOp)
        if isinstance(node.target, ast.Name):
            return self._assign(node.target, self.value(read), node)
        address, kind = self.place(node.target)
        left = self._converted(read.left, self._get_at(address, kind))
        result = self._converted(read, (self._binary(read, left, self.value(read.right)[0]),))
        return self._put_at(address, kind, result[0], node)

    def store_local(self, name: str, kind: Any, value: Value, node: ast.AST) -> None:
        if isinstance(kind, t.Scalar):
            self._put_at(f"%v.{name}", kind, value[0], node)
            return
        self.put(f"store ptr {value[0]}, ptr %v.{name}")
        if isinstance(kind, t.ViewType):
            self.put(f"store i64 {value[1]}, ptr %l.{name}")

    def _put_at(self, address: str, kind: t.Scalar, value: str, node: ast.AST) -> None:
        if kind is t.BOOL:
            value = self.op(f"zext i1 {value} to i8")
        elif kind in t.INTEGERS and kind.size < 8:
            value = self.op(f"trunc i64 {self._wrapped(value, kind, node, only_check=True)} to {kind.llvm}")
        self.put(f"store {kind.llvm} {value}, ptr {address}")

    def _wrapped(self, value: str, kind: t.Scalar, node: ast.AST, *, only_check: bool = False) -> str:
        """The value cut to the width of a narrow type; an error in check builds if that changes it."""
        if kind.size == 8 or (only_check and not self.module.check):
            return value
        cut = self.op(f"trunc i64 {value} to {kind.llvm}")
        wide = self.op(f"{'sext' if kind.low else 'zext'} {kind.llvm} {cut} to i64")
        if self.module.check:
            self.fail_if(self.op(f"icmp ne i64 {wide}, {value}"), "OverflowError", node, f"the value does not fit {kind}")
        return wide

    def _If(self, node: ast.If) -> bool:
        if node.test in self.typed.constants:
            return self.block(node.body if self.typed.constants[node.test] else node.orelse)
        then, other, end = self.label("then"), self.label("else"), self.label("end")
        self.put(f"br i1 {self.truth(node.test)}, label %{then}, label %{other}")
        reached = False
        for label, body in ((then, node.body), (other, node.orelse)):
            self.begin(label)
            if self.block(body):
                self.put(f"br label %{end}")
                reached = True
        if reached:
            self.begin(end)
        return reached

    def _While(self, node: ast.While) -> bool:
        forever = bool(self.typed.constants.get(node.test, False))
        top, body, end = self.label("while"), self.label("body"), self.label("done")
        self.put(f"br label %{top}")
        self.begin(top)
        self.put(f"br label %{body}" if forever else f"br i1 {self.truth(node.test)}, label %{body}, label %{end}")
        self.begin(body)
        self.loops.append((top, end))
        if self.block(node.body):
            self.put(f"br label %{top}")
        self.loops.pop()
        if forever and not any(f"label %{end}" in line for line in self.lines):
            return False
        self.begin(end)
        return True

    def _For(self, node: ast.For) -> None:
        assert isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)
        bounds = [self.value(a)[0] for a in node.iter.args]
        start, stop = ("0", bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = int(self.typed.constants[node.iter.args[2]]) if len(bounds) == 3 else 1
        self.count += 1
        counter = f"%i{self.count}"
        self.allocas.append(f"  {counter} = alloca i64")
        self.put(f"store i64 {start}, ptr {counter}")
        top, body, more, end = (self.label(x) for x in ("for", "body", "next", "done"))
        self.put(f"br label %{top}")
        self.begin(top)
        now = self.op(f"load i64, ptr {counter}")
        ahead = "slt" if step > 0 else "sgt"
        self.put(f"br i1 {self.op(f'icmp {ahead} i64 {now}, {stop}')}, label %{body}, label %{end}")
        self.begin(body)
        self.store_local(node.target.id, t.I64, (now,), node)
        self.loops.append((more, end))
        if self.block(node.body):
            self.put(f"br label %{more}")
        self.loops.pop()
        self.begin(more)
        following = self.op(f"add {'nsw ' if abs(step) == 1 else ''}i64 {now}, {step}")
        self.put(f"store i64 {following}, ptr {counter}")
        if abs(step) == 1:
            self.put(f"br label %{top}")
        else:  # a counter that would pass the last i64 ends the loop
            past = self.op(f"icmp {ahead} i64 {following}, {now}")
            self.put(f"br i1 {past}, label %{end}, label %{top}")
        self.begin(end)

    def _Break(self, node: ast.Break) -> bool:
        self.put(f"br label %{self.loops[-1][1]}")
        return False

    def _Continue(self, node: ast.Continue) -> bool:
        self.put(f"br label %{self.loops[-1][0]}")
        return False

    def _Assert(self, node: ast.Assert) -> None:
        message = str(node.msg.value) if isinstance(node.msg, ast.Constant) else ast.unparse(node.test)
        self.fail_if(self.op(f"xor i1 {self.truth(node.test)}, true"), "AssertionError", node, message)

    # Places in memory

    def place(self, node: ast.expr) -> tuple[str, t.Scalar]:
        """The address of an element or a field, and what is stored there."""
        if isinstance(node, ast.Attribute):
            kind, offset = self.typed.types[node.value].fields[node.attr]
            (base,) = self.value(node.value)
            return self.op(f"getelementptr inbounds i8, ptr {base}, i64 {offset}"), kind
        assert isinstance(node, ast.Subscript)
        holder = self.typed.types[node.value]
        base = self.value(node.value)
        (index,) = self.value(node.slice)
        length = base[1] if isinstance(holder, t.ViewType) else str(holder.length)
        if self.module.check or (isinstance(holder, t.ViewType) and holder.checked):
            outside = self.op(f"icmp uge i64 {index}, {length}")
            self.fail_if(outside, "IndexError", node, f"index outside '{ast.unparse(node.value)}'")
        element = holder.element
        if isinstance(element, t.Scalar):
            return self.op(f"getelementptr inbounds {element.llvm}, ptr {base[0]}, i64 {index}"), element
        offset = self.op(f"mul i64 {index}, {element.size}")
        return self.op(f"getelementptr inbounds i8, ptr {base[0]}, i64 {offset}"), element

    def _get_at(self, address: str, kind: Any) -> Value:
        if isinstance(kind, type | t.ArrayType):
            return (address,)
        if not isinstance(kind, t.Scalar):
            return (self.op(f"load ptr, ptr {address}"),)
        value = self.op(f"load {kind.llvm}, ptr {address}")
        if kind is t.BOOL:
            return (self.op(f"icmp ne i8 {value}, 0"),)
        if kind.size < 8:
            value = self.op(f"{'sext' if kind.low else 'zext'} {kind.llvm} {value} to i64")
        return (value,)

    # Expressions

    def truth(self, node: ast.expr) -> str:
        (value,) = self.value(node)
        kind = self.typed.convert.get(node, self.typed.types[node])
        if kind is t.BOOL:
            return value
        return self.op(f"fcmp une double {value}, 0.0" if kind is t.F64 else f"icmp ne i64 {value}, 0")

    def value(self, node: ast.expr) -> Value:
        kind = self.typed.types[node]
        if node in self.typed.constants:
            return (_literal(self.typed.constants[node], self.typed.convert.get(node, kind)),)
        return self._converted(node, getattr(self, f"_e_{type(node).__name__}")(node))

    def _converted(self, node: ast.expr, value: Value) -> Value:
        target = self.typed.convert.get(node)
        return value if target is None else (self._convert(value[0], self.typed.types[node], target),)

    def _e_Name(self, node: ast.Name) -> Value:
        if node.id in self.typed.locals:
            kind = self.typed.locals[node.id]
            if isinstance(kind, t.Scalar):
                return self._get_at(f"%v.{node.id}", kind)
            pointer = self.op(f"load ptr, ptr %v.{node.id}")
            return (pointer, self.op(f"load i64, ptr %l.{node.id}")) if isinstance(kind, t.ViewType) else (pointer,)
        return self._outside(node)

    def _outside(self, node: ast.expr) -> Value:
        thing = self.typed.kernels[ast.unparse(node)]
        if isinstance(thing, t.Data):
            self.module.globals_of_data.add(thing.name)
            return (f"@d.{thing.name}", self.op(f"load i64, ptr @n.{thing.name}"))
        if not isinstance(thing, t.Constant):
            return (self.module.name_of(thing),)
        element = thing.element
        cells = ", ".join(f"{element.llvm} {_literal(v, t.F64 if element is t.F64 else t.I64)}" for v in thing.values)
        return (self.module.data(f"[{len(thing)} x {element.llvm}] [{cells}]"),)

    def _e_Attribute(self, node: ast.Attribute) -> Value:
        if ast.unparse(node) in self.typed.kernels:
            return self._outside(node)
        return self._get_at(*self.place(node))

    def _e_Subscript(self, node: ast.Subscript) -> Value:
        if not isinstance(node.slice, ast.Slice):
            return self._get_at(*self.place(node))
        holder = self.typed.types[node.value]
        base = self.value(node.value)
        length = base[1] if isinstance(holder, t.ViewType) else str(holder.length)
        start = self.value(node.slice.lower)[0] if node.slice.lower else "0"
        stop = self.value(node.slice.upper)[0] if node.slice.upper else length
        if self.module.check or (isinstance(holder, t.ViewType) and holder.checked):
            late = self.op(f"icmp ugt i64 {stop}, {length}")
            outside = self.op(f"or i1 {late}, {self.op(f'icmp ugt i64 {start}, {stop}')}")
            self.fail_if(outside, "IndexError", node, f"slice outside '{ast.unparse(node.value)}'")
        offset = self.op(f"mul i64 {start}, {holder.element.size}")
        pointer = self.op(f"getelementptr inbounds i8, ptr {base[0]}, i64 {offset}")
        return pointer, self.op(f"sub i64 {stop}, {start}")

    def _e_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return (self.op(f"xor i1 {self.truth(node.operand)}, true"),)
        (value,) = self.value(node.operand)
        kind = self.typed.types[node]
        if isinstance(node.op, ast.Invert):
            return (self.op(f"xor i64 {value}, -1"),)
        if isinstance(node.op, ast.UAdd):
            return (value,)
        if kind is t.F64:
            return (self.op(f"fneg double {value}"),)
        return (self._arithmetic("sub", "0", value, kind, node),)

    def _e_BinOp(self, node: ast.BinOp) -> Value:
        left = self.value(node.left)
        return (self._binary(node, left, self.value(node.right)[0]),)

    def _binary(self, node: ast.BinOp, left_value: Value, right: str) -> str:
        kind, (left,) = self.typed.types[node], left_value
        if kind is t.F64:
            return self.op(f"{_FLOAT[type(node.op)]} double {left}, {right}")
        if isinstance(node.op, ast.LShift | ast.RShift):
            return self._shift(node, left, right, kind)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            return self._divide(node, left, right, kind)
        return self._arithmetic(_SIMPLE[type(node.op)], left, right, kind, node)

    def _arithmetic(self, code: str, left: str, right: str, kind: t.Scalar, node: ast.AST) -> str:
        if self.module.check and kind is t.I64 and code in ("add", "sub", "mul"):
            self.module.declare(f"{{i64, i1}} @llvm.s{code}.with.overflow.i64(i64, i64)")
            pair = self.op(f"call {{i64, i1}} @llvm.s{code}.with.overflow.i64(i64 {left}, i64 {right})")
            self.fail_if(self.op(f"extractvalue {{i64, i1}} {pair}, 1"), "OverflowError", node, "the result does not fit i64")
            return self.op(f"extractvalue {{i64, i1}} {pair}, 0")
        return self.op(f"{code} {_register(kind)} {left}, {right}")

    def _shift(self, node: ast.BinOp, left: str, right: str, kind: t.Scalar) -> str:
        if node.right not in self.typed.constants:
            if self.module.check:
                self.fail_if(self.op(f"icmp ugt i64 {right}, 63"), "OverflowError", node, "a shift goes from 0 to 63")
            right = self.op(f"and i64 {right}, 63")
        else:
            right = str(int(right) & 63)
        if isinstance(node.op, ast.RShift):
            return self.op(f"{'ashr' if kind is t.I64 else 'lshr'} i64 {left}, {right}")
        result = self.op(f"shl i64 {left}, {right}")
        if self.module.check and kind is t.I64:
            lost = self.op(f"icmp ne i64 {self.op(f'ashr i64 {result}, {right}')}, {left}")
            self.fail_if(lost, "OverflowError", node, "the result does not fit i64")
        return result

    def _divide(self, node: ast.BinOp, left: str, right: str, kind: t.Scalar) -> str:
        known = self.typed.constants.get(node.right)
        floor = isinstance(node.op, ast.FloorDiv)
        if not known:
            self.fail_if(self.op(f"icmp eq i64 {right}, 0"), "ZeroDivisionError", node, "division by zero")
        if kind is t.U64:
            return self.op(f"{'udiv' if floor else 'urem'} i64 {left}, {right}")
        if known and known > 0 and known & (known - 1) == 0:
            if floor:
                return self.op(f"ashr i64 {left}, {known.bit_length() - 1}")
            return self.op(f"and i64 {left}, {known - 1}")
        # -1 is set aside because the machine traps on lowest / -1.
        minus = self.op(f"icmp eq i64 {right}, -1")
        divisor = self.op(f"select i1 {minus}, i64 1, i64 {right}")
        remainder = self.op(f"srem i64 {left}, {divisor}")
        signs = self.op(f"icmp slt i64 {self.op(f'xor i64 {remainder}, {divisor}')}, 0")
        adjust = self.op(f"and i1 {signs}, {self.op(f'icmp ne i64 {remainder}, 0')}")
        if not floor:
            fixed = self.op(f"add i64 {remainder}, {self.op(f'select i1 {adjust}, i64 {divisor}, i64 0')}")
            return self.op(f"select i1 {minus}, i64 0, i64 {fixed}")
        if self.module.check:
            lowest = self.op(f"icmp eq i64 {left}, {t.I64.low}")
            self.fail_if(self.op(f"and i1 {minus}, {lowest}"), "OverflowError", node, "the result does not fit i64")
        quotient = self.op(f"sdiv i64 {left}, {divisor}")
        fixed = self.op(f"add i64 {quotient}, {self.op(f'sext i1 {adjust} to i64')}")
        return self.op(f"select i1 {minus}, i64 {self.op(f'sub i64 0, {left}')}, i64 {fixed}")

    def _e_BoolOp(self, node: ast.BoolOp) -> Value:
        slot = self.label("%b")
        self.allocas.append(f"  {slot} = alloca i1")
        end = self.label("joined")
        for value in node.values:
            truth = self.truth(value)
            self.put(f"store i1 {truth}, ptr {slot}")
            more = self.label("and" if isinstance(node.op, ast.And) else "or")
            targets = (more, end) if isinstance(node.op, ast.And) else (end, more)
            self.put(f"br i1 {truth}, label %{targets[0]}, label %{targets[1]}")
            self.begin(more)
        self.put(f"br label %{end}")
        self.begin(end)
        return (self.op(f"load i1, ptr {slot}"),)

    def _e_Compare(self, node: ast.Compare) -> Value:
        parts = [node.left, *node.comparators]
        kind = self.typed.convert.get(parts[0], self.typed.types[parts[0]])
        left = self.value(parts[0])[0]
        if len(node.ops) == 1:
            return (self.op(_comparison(COMPARISONS[type(node.ops[0])][0], kind, left, self.value(parts[1])[0])),)
        slot, end = self.label("%c"), self.label("compared")
        self.allocas.append(f"  {slot} = alloca i1")
        for op, part in zip(node.ops, parts[1:], strict=True):
            right = self.value(part)[0]
            holds, more = self.op(_comparison(COMPARISONS[type(op)][0], kind, left, right)), self.label("chain")
            self.put(f"store i1 {holds}, ptr {slot}")
            self.put(f"br i1 {holds}, label %{more}, label %{end}")
            self.begin(more)
            left = right
        self.put(f"br label %{end}")
        self.begin(end)
        return (self.op(f"load i1, ptr {slot}"),)

    def _e_IfExp(self, node: ast.IfExp) -> Value:
        if node.test in self.typed.constants:
            return self.value(node.body if self.typed.constants[node.test] else node.orelse)
        kind = self.typed.types[node]
        slot = self.label("%x")
        self.allocas.append(f"  {slot} = alloca {_register(kind)}")
        labels = [self.label(x) for x in ("yes", "no", "either")]
        self.put(f"br i1 {self.truth(node.test)}, label %{labels[0]}, label %{labels[1]}")
        for label, part in zip(labels, (node.body, node.orelse), strict=False):
            self.begin(label)
            self.put(f"store {_register(kind)} {self.value(part)[0]}, ptr {slot}")
            self.put(f"br label %{labels[2]}")
        self.begin(labels[2])
        return (self.op(f"load {_register(kind)}, ptr {slot}"),)

    # Calls

    def _e_Call(self, node: ast.Call) -> Value:
        call = self.typed.calls[node]
        if call.what == "convert":
            have = self.typed.convert.get(node.args[0], self.typed.types[node.args[0]])
            return (self._convert(self.value(node.args[0])[0], have, call.target),)
        if call.what == "builtin":
            return self._builtin(node, call.target)
        if call.what == "new":
            slot = self.slot(call.target.size, call.target.align)
            self.put(f"call void @llvm.memset.p0.i64(ptr {slot}, i8 0, i64 {call.target.size}, i1 false)")
            self.module.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
            return (slot,)
        if call.what == "recast":
            pointer, length = self.value(node.args[1])
            return (pointer, self.op(f"udiv i64 {length}, {call.target.element.size}"))
        if call.what == "cast":
            pointer, length = self.value(node.args[0])
            if self.module.check:
                short = self.op(f"icmp ult i64 {length}, {call.target.size}")
                self.fail_if(short, "IndexError", node, f"too few bytes for a {call.target.__name__}")
            return (pointer,)
        return self._call(node)

    def _call(self, node: ast.Call) -> Value:
        kind = self.typed.types[node.func]
        (function,) = self.value(node.func)
        given: list[str] = []
        for argument, param in zip(node.args, kind.params, strict=True):
            value = self.value(argument)
            if isinstance(param, t.ViewType):
                have = self.typed.types[argument]
                length = value[1] if isinstance(have, t.ViewType) else str(have.length)
                given += [f"ptr {value[0]}", f"i64 {length}"]
            else:
                given.append(f"{_abi(param)} {self._to_abi(value[0], param, argument)}")
        slot = ""
        if kind.result is not None:
            slot = self.label("%r")
            self.allocas.append(f"  {slot} = alloca {_abi(kind.result)}")
            given.append(f"ptr {slot}")
        status = self.op(f"call i64 {function}({', '.join(given)})")
        bad, good = self.label("passed"), self.label("good")
        self.put(f"br i1 {self.op(f'icmp ne i64 {status}, 0')}, label %{bad}, label %{good}")
        self.begin(bad)
        self.put(f"ret i64 {status}")
        self.begin(good)
        if kind.result is None:
            return ()
        value_ = self.op(f"load {_abi(kind.result)}, ptr {slot}")
        return (self.op(f"icmp ne i64 {value_}, 0") if kind.result is t.BOOL else value_,)

    def _builtin(self, node: ast.Call, thing: Any) -> Value:
        if thing is lang.copy:
            return self._copy(node)
        values = [self.value(argument) for argument in node.args]
        kind = self.typed.types[node]
        if thing is len:
            return (values[0][1],)
        operands = [value[0] for value in values]
        if thing in (min, max):
            result = operands[0]
            for other in operands[1:]:
                better = self.op(_comparison("lt" if thing is min else "gt", kind, other, result))
                result = self.op(f"select i1 {better}, {_register(kind)} {other}, {_register(kind)} {result}")
            return (result,)
        if thing is lang.mulhi:
            wide = [self.op(f"zext i64 {x} to i128") for x in operands]
            high = self.op(f"lshr i128 {self.op(f'mul i128 {wide[0]}, {wide[1]}')}, 64")
            return (self.op(f"trunc i128 {high} to i64"),)
        if thing is abs and kind is t.I64:
            negative = self.op(f"icmp slt i64 {operands[0]}, 0")
            opposite = self._arithmetic("sub", "0", operands[0], t.U64, node)
            if self.module.check:
                lowest = self.op(f"icmp eq i64 {operands[0]}, {t.I64.low}")
                self.fail_if(lowest, "OverflowError", node, "the result does not fit i64")
            return (self.op(f"select i1 {negative}, i64 {opposite}, i64 {operands[0]}"),)
        if thing is abs and kind is t.U64:
            return (operands[0],)
        return (self._intrinsic(thing, operands[0]),)

    def _intrinsic(self, thing: Any, operand: str) -> str:
        if thing in lang.BITS:
            name, extra = f"llvm.{lang.BITS[thing]}.i64", "" if thing is lang.popcount else ", i1"
            self.module.declare(f"i64 @{name}(i64{extra})")
            return self.op(f"call i64 @{name}(i64 {operand}{extra + ' false' if extra else ''})")
        name = "llvm.fabs.f64" if thing is abs else lang.MATH[thing]
        if name in ("sqrt", "floor"):
            name = f"llvm.{name}.f64"
        self.module.declare(f"double @{name}(double)")
        return self.op(f"call double @{name}(double {operand})")

    def _copy(self, node: ast.Call) -> Value:
        kind = self.typed.types[node.args[0]]
        target, source = (self.value(argument) for argument in node.args)
        if isinstance(kind, type):
            length = str(kind.size)
        else:
            counts = []
            for value, argument in zip((target, source), node.args, strict=True):
                have = self.typed.types[argument]
                counts.append(value[1] if isinstance(have, t.ViewType) else str(have.length))
            self.fail_if(self.op(f"icmp ugt i64 {counts[1]}, {counts[0]}"), "IndexError", node, "copy into a shorter view")
            length = self.op(f"mul i64 {counts[1]}, {kind.element.size}")
        self.module.declare("void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
        self.put(f"call void @llvm.memmove.p0.p0.i64(ptr {target[0]}, ptr {source[0]}, i64 {length}, i1 false)")
        return ()

    def _convert(self, value: str, have: t.Scalar, want: t.Scalar) -> str:
        if have is want.value and want.size == 8:
            return value
        if want is t.BOOL:
            if have is t.BOOL:
                return value
            return self.op(f"fcmp une double {value}, 0.0" if have is t.F64 else f"icmp ne i64 {value}, 0")
        if have is t.BOOL:
            return self.op(f"uitofp i1 {value} to double" if want is t.F64 else f"zext i1 {value} to i64")
        if want is t.F64:
            return self.op(f"{'uitofp' if have is t.U64 else 'sitofp'} i64 {value} to double")
        if have is t.F64:
            name = f"llvm.fpto{'u' if want is t.U64 else 's'}i.sat.i64.f64"
            self.module.declare(f"i64 @{name}(double)")
            value = self.op(f"call i64 @{name}(double {value})")
        if want.size == 8:
            return value
        cut = self.op(f"trunc i64 {value} to {want.llvm}")
        return self.op(f"{'sext' if want.low else 'zext'} {want.llvm} {cut} to i64")


def _comparison(name: str, kind: t.Scalar, left: str, right: str) -> str:
    if kind is t.F64:
        return f"fcmp {'une' if name == 'ne' else 'o' + name} double {left}, {right}"
    sign = "" if name in ("eq", "ne") else "s" if kind is t.I64 else "u"
    return f"icmp {sign}{name} {_register(kind)} {left}, {right}"


def _literal(value: Any, kind: t.Scalar) -> str:
    if kind is t.F64:
        import struct

        return f"0x{struct.unpack('>Q', struct.pack('>d', float(value)))[0]:016X}"
    if kind is t.BOOL:
        return "true" if value else "false"
    value = int(value)
    return str(value - (1 << 64) if value > t.I64.high else value)
