"""Numbers as LLVM assembly: what the operators, conversions and built-in functions of the language come to."""

from __future__ import annotations

import ast
from typing import Any

from ludarium.kernel import language as lang
from ludarium.kernel import types as t
from ludarium.kernel.compiler.assembly import Lines, literal, register
from ludarium.kernel.compiler.backend import Code
from ludarium.kernel.compiler.selection import nth_here

_INTEGER = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
_FLOAT = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARISON = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Arithmetic(Lines):
    """The part of the back end that deals with numbers."""

    literal = staticmethod(literal)

    def cut(self, code: str, kind: t.Scalar) -> str:
        """A value wrapped to the width of its type."""
        if not kind.narrow:
            return code
        cut = self.op(f"trunc i64 {code} to {kind.llvm}")
        return self.op(f"{'sext' if kind.low else 'zext'} {kind.llvm} {cut} to i64")

    def narrow(self, node: ast.AST, code: Code, kind: t.Kind) -> Code:
        """Test that a value fits a narrow type; release builds cut it where it is stored."""
        if self.check and isinstance(kind, t.Scalar) and kind.narrow:
            changed = self.op(f"icmp ne i64 {self.cut(code, kind)}, {code}")
            self.fail_if(changed, "OverflowError", node, f"the value does not fit {kind}")
        return code

    def convert(self, code: str, have: t.Scalar, want: t.Scalar) -> str:
        """A conversion, as `types.Scalar` does it."""
        if want is t.BOOL:
            if have is t.BOOL:
                return code
            return self.op(f"fcmp une double {code}, 0.0" if have is t.F64 else f"icmp ne i64 {code}, 0")
        if have is t.BOOL:
            return self.op(f"uitofp i1 {code} to double" if want is t.F64 else f"zext i1 {code} to i64")
        if want is t.F64:
            return code if have is t.F64 else self.op(f"{'uitofp' if have is t.U64 else 'sitofp'} i64 {code} to double")
        if have is t.F64:
            code = self._call("i64", f"llvm.fpto{'u' if want is t.U64 else 's'}i.sat.i64.f64", f"double {code}")
        return self.cut(code, want)

    def _call(self, result: str, name: str, *given: str) -> str:
        self.declare(f"{result} @{name}({', '.join(g.split()[0] for g in given)})")
        return self.op(f"call {result} @{name}({', '.join(given)})")

    # Operators

    def operator(self, node: ast.AST, sign: str, kind: t.Scalar, a: str, b: str, known: Any) -> str:
        """Two operands of one type; `known` is the second one if that is a constant."""
        if sign in _COMPARISON:
            return self._compare(sign, kind, a, b)
        if kind is t.F64:
            return self.op(f"{_FLOAT[sign]} double {a}, {b}")
        if sign in ("//", "%"):
            return self._divide(node, sign, kind, a, b, known)
        if sign in ("<<", ">>"):
            return self._shift(node, sign, kind, a, b)
        code = _INTEGER[sign]
        if not (self.check and kind is t.I64 and sign in "+-*"):
            return self.op(f"{code} {register(kind)} {a}, {b}")
        pair = self._call("{i64,i1}", f"llvm.s{code}.with.overflow.i64", f"i64 {a}", f"i64 {b}")
        self.fail_if(
            self.op(f"extractvalue {{i64,i1}} {pair}, 1"), "OverflowError", node, "the result does not fit i64"
        )
        return self.op(f"extractvalue {{i64,i1}} {pair}, 0")

    def _compare(self, sign: str, kind: t.Scalar, a: str, b: str) -> str:
        name = _COMPARISON[sign]
        if kind is t.F64:  # nothing but != holds for nan
            return self.op(f"fcmp {'une' if name == 'ne' else 'o' + name} double {a}, {b}")
        if kind is t.BOOL and name == "eq" and b == "false":  # "not", in a form that takes LLVM less to translate
            return self.op(f"xor i1 {a}, true")
        signed = "" if name in ("eq", "ne") else "s" if kind is t.I64 else "u"
        return self.op(f"icmp {signed}{name} {register(kind)} {a}, {b}")

    def _shift(self, node: ast.AST, sign: str, kind: t.Scalar, a: str, b: str) -> str:
        """Shifts by 0 to 63; in release builds by the lowest six bits of the count."""
        if self.check:
            self.fail_if(self.op(f"icmp ugt i64 {b}, 63"), "OverflowError", node, "a shift goes from 0 to 63")
        count = self.op(f"and i64 {b}, 63")
        if sign == ">>":
            return self.op(f"{'ashr' if kind is t.I64 else 'lshr'} i64 {a}, {count}")
        result = self.op(f"shl i64 {a}, {count}")
        if self.check and kind is t.I64:
            lost = self.op(f"icmp ne i64 {self.op(f'ashr i64 {result}, {count}')}, {a}")
            self.fail_if(lost, "OverflowError", node, "the result does not fit i64")
        return result

    def _divide(self, node: ast.AST, sign: str, kind: t.Scalar, a: str, b: str, known: Any) -> str:
        """Division that rounds down, as in Python; the machine's rounds towards zero."""
        if not known:
            self.fail_if(self.op(f"icmp eq i64 {b}, 0"), "ZeroDivisionError", node, "division by zero")
        if kind is t.U64:
            return self.op(f"{'udiv' if sign == '//' else 'urem'} i64 {a}, {b}")
        if known and known > 0 and known & (known - 1) == 0:
            return self.op(f"ashr i64 {a}, {known.bit_length() - 1}" if sign == "//" else f"and i64 {a}, {known - 1}")
        # -1 is set aside because the machine traps on lowest / -1.
        minus = self.op(f"icmp eq i64 {b}, -1")
        divisor = self.op(f"select i1 {minus}, i64 1, i64 {b}")
        remainder = self.op(f"srem i64 {a}, {divisor}")
        signs = self.op(f"icmp slt i64 {self.op(f'xor i64 {remainder}, {divisor}')}, 0")
        adjust = self.op(f"and i1 {signs}, {self.op(f'icmp ne i64 {remainder}, 0')}")
        if sign == "%":
            fixed = self.op(f"add i64 {remainder}, {self.op(f'select i1 {adjust}, i64 {divisor}, i64 0')}")
            return self.op(f"select i1 {minus}, i64 0, i64 {fixed}")
        if self.check:
            lowest = self.op(f"icmp eq i64 {a}, {t.I64.low}")
            self.fail_if(self.op(f"and i1 {minus}, {lowest}"), "OverflowError", node, "the result does not fit i64")
        quotient = self.op(f"sdiv i64 {a}, {divisor}")
        fixed = self.op(f"add i64 {quotient}, {self.op(f'sext i1 {adjust} to i64')}")
        return self.op(f"select i1 {minus}, i64 {self.op(f'sub i64 0, {a}')}, i64 {fixed}")

    # Functions

    def builtin(self, node: ast.AST, function: Any, kind: t.Scalar, codes: list[str]) -> str:
        """A function of the language on numbers of one type."""
        first = codes[0]
        if function in (min, max):
            for other in codes[1:]:
                better = self._compare("<" if function is min else ">", kind, other, first)
                first = self.op(f"select i1 {better}, {register(kind)} {other}, {register(kind)} {first}")
            return first
        if function is abs and kind is not t.F64:
            if kind is t.U64:
                return first
            negative = self.op(f"icmp slt i64 {first}, 0")
            factor = self.op(f"select i1 {negative}, i64 -1, i64 1")
            return self.operator(node, "*", kind, first, factor, None)
        if function is lang.mulhi:
            a, b = (self.op(f"zext i64 {code} to i128") for code in codes)
            high = self.op(f"lshr i128 {self.op(f'mul i128 {a}, {b}')}, 64")
            return self.op(f"trunc i128 {high} to i64")
        if function is lang.nth:
            self.declare("i64 @llvm.cttz.i64(i64, i1)")
            self.externals.add(nth_here())
            return self.op(f"call i64 @nth(i64 {codes[0]}, i64 {codes[1]})")
        if function is lang.popcount:
            return self._call("i64", "llvm.ctpop.i64", f"i64 {first}")
        if function in (lang.ctz, lang.clz):
            return self._call("i64", f"llvm.ct{'t' if function is lang.ctz else 'l'}z.i64", f"i64 {first}", "i1 false")
        intrinsic = {abs: "llvm.fabs.f64", lang.sqrt: "llvm.sqrt.f64", lang.floor: "llvm.floor.f64"}
        return self._call("double", intrinsic.get(function, function.__name__), f"double {first}")
