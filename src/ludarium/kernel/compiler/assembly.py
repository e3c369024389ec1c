"""LLVM assembly, line by line: instructions, labels, room on the stack, and messages for what goes wrong."""

from __future__ import annotations

import ast
import contextlib
import struct
from collections.abc import Callable, Iterator

from ludarium.kernel import types as t
from ludarium.kernel.compiler.source import KernelLike

Parts = list[str]
_ESCAPED = {b: f"\\{b:02X}" for b in range(256) if not 32 <= b < 127 or b in b'"\\'}


def register(kind: t.Kind) -> str:
    """The LLVM type of a value of this type in a register."""
    return "double" if kind is t.F64 else "i1" if kind is t.BOOL else "i64" if isinstance(kind, t.Scalar) else "ptr"


def literal(known: float, kind: t.Scalar) -> str:
    """A number as LLVM writes it."""
    if kind is t.F64:
        return f"0x{struct.unpack('>Q', struct.pack('>d', float(known)))[0]:016X}"
    if kind is t.BOOL:
        return "true" if known else "false"
    return str(known if known <= t.I64.high else t.I64(known))


def abi(kind: t.Kind) -> str:
    """The LLVM type in which a value travels."""
    return "double" if kind is t.F64 else "i64" if isinstance(kind, t.Scalar) else "ptr"


def plain(name: str) -> str:
    """A name in letters that LLVM takes."""
    return name if name.isascii() else "".join(c if c.isascii() else f"${ord(c):x}" for c in name)


def parameters(kernel: KernelLike) -> list[str]:
    """The parameters of a kernel, as LLVM writes them."""
    params, result = kernel.signature
    out = []
    for name, kind in params:
        out.append(f"{abi(kind)} %a.{plain(name)}")
        if isinstance(kind, t.ViewType):
            out.append(f"i64 %n.{plain(name)}")
    return out if result is None else [*out, "ptr %result"]


class Lines:
    """The lines of a kernel; `externals` and `constant` are those of the unit that it belongs to."""

    def __init__(self, kernel: KernelLike, externals: set[str], constant: Callable[[str], str], *, check: bool) -> None:
        self.kernel, self.externals, self.constant, self.check = kernel, externals, constant, check
        self.heads: list[str] = []  # what lies on the stack
        self.lines: Parts = []
        self.count = 0

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append("  " + text)

    def op(self, code: str) -> str:
        """Write an instruction, and name its result."""
        self.count += 1
        self.lines.append(f"  %t{self.count} = {code}")
        return f"%t{self.count}"

    def label(self, hint: str) -> str:
        """Make a label of its own."""
        self.count += 1
        return f"{hint}{self.count}"

    def begin(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")

    def slot(self, kind: str) -> str:
        """Make room on the stack."""
        self.count += 1
        self.heads.append(f"  %s{self.count} = alloca {kind}")
        return f"%s{self.count}"

    def declare(self, declaration: str) -> None:
        """Announce an external function."""
        self.externals.add(f"declare {declaration}")

    def branch(self, test: str, yes: str, no: str) -> None:
        """Go one of two ways."""
        self.line(f"br i1 {test}, label %{yes}, label %{no}")

    def fail(self, node: ast.AST, error: str, message: str) -> None:
        """Leave the kernel with a message."""
        line, column = self.kernel.source.position(node)
        raw = f"{error}|{self.kernel.source.file}:{line}:{column}: {message}".encode() + b"\0"
        text = raw.decode("latin1").translate(_ESCAPED)
        data = self.constant(f'[{len(raw)} x i8] c"{text}"')
        self.line(f"ret i64 ptrtoint (ptr {data} to i64)")

    def fail_if(self, condition: str, error: str, node: ast.AST, message: str) -> None:
        """Leave the kernel with a message if a condition holds."""
        bad, good = self.label("bad"), self.label("good")
        self.branch(condition, bad, good)
        self.begin(bad)
        self.fail(node, error, message)
        self.begin(good)

    @contextlib.contextmanager
    def apart(self, part: Parts | None = None) -> Iterator[Parts]:
        """Write lines that are put in their place later."""
        outer, self.lines = self.lines, [] if part is None else part
        yield self.lines
        self.lines = outer

    def splice(self, part: Parts) -> None:
        """Put lines in their place."""
        self.lines += part
