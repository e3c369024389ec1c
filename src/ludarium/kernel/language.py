"""The words that kernels are written in, each with its meaning under plain Python.

Type checkers see ordinary Python types (`i64` is `int`); the kernel compiler sees `types.Scalar` objects.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, overload

from ludarium.kernel import addresses
from ludarium.kernel import types as t

__all__ = [
    "array", "buffer", "clz", "constant", "copy", "cos", "ctz", "data", "empty", "exp", "f64", "floor", "fn", "i8", "i16", "i32",
    "i64", "log", "mulhi", "nth", "popcount", "recast", "sin", "sqrt", "tanh", "u8", "u16", "u32", "u64", "view",
]  # fmt: skip
T = TypeVar("T")

PARAMETERS = (t.Scalar, t.ViewType, type, t.BundleLike, t.FnType)
RESULTS = (t.Scalar, t.TupleType)

if TYPE_CHECKING:
    i8: TypeAlias = int
    i16: TypeAlias = int
    i32: TypeAlias = int
    i64: TypeAlias = int
    u8: TypeAlias = int
    u16: TypeAlias = int
    u32: TypeAlias = int
    u64: TypeAlias = int
    f64: TypeAlias = float
    from collections.abc import Callable as fn  # noqa: N813

    class view(Generic[T]):  # noqa: D101
        memory: memoryview

        @overload
        def __getitem__(self, index: int) -> T: ...
        @overload
        def __getitem__(self, index: slice) -> view[T]: ...
        def __getitem__(self, index: Any) -> Any: ...
        def __setitem__(self, index: int, value: T) -> None: ...
        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[T]: ...

    buffer = view
else:
    i8, i16, i32, i64 = t.I8, t.I16, t.I32, t.I64
    u8, u16, u32, u64 = t.U8, t.U16, t.U32, t.U64
    f64 = t.F64

    class view:
        """A view onto memory: `view[u8]`; indices are checked in debug and check builds."""

        def __class_getitem__(cls, element: Any) -> t.ViewType:
            return t.ViewType(t.as_type(element, "view[...]", t.Scalar, type))

    class buffer:
        """A view whose indices are checked in every build: a write past the end is an exception."""

        def __class_getitem__(cls, element: Any) -> t.ViewType:
            return t.ViewType(t.as_type(element, "buffer[...]", t.Scalar, type), checked=True)

    class fn:
        """A function reference: `fn[[i64, view[u8]], f64]`."""

        def __class_getitem__(cls, signature: Any) -> t.FnType:
            params, result = signature
            given = tuple(t.as_type(param, "fn[...]", *PARAMETERS) for param in params)
            return t.FnType(given, None if result is None else t.as_type(result, "fn[...]", *RESULTS))


def array(element: type[T], length: int) -> view[T]:
    """Declare a field of `length` elements in a record, or make a local array of zeros in a kernel."""
    if type(length) is not int or length < 1:
        raise TypeError(f"array(...): a length is a whole number from 1 on, not {length!r}")
    return t.ArrayType(t.as_type(element, "array(...)", t.Scalar, type), length)  # type: ignore[return-value]


def empty(element: type[T], length: int) -> view[T]:
    """Make a local array in a kernel that costs nothing: what is in it is undefined until it is written."""
    raise TypeError("empty(...) is for local arrays of kernels; a field of a record is an array(...)")


def constant(element: type[T], values: Any) -> view[T]:
    """Make a read-only table that kernels can index."""
    return t.Constant(t.as_type(element, "constant(...)", t.Scalar), values)  # type: ignore[return-value]


def data(name: str, element: type[T], memory: Any) -> view[T]:
    """Make a table that kernels use by address; kernels that differ only in such tables share their machine code."""
    return t.Data(name, t.as_type(element, "data(...)", t.Scalar), memory)  # type: ignore[return-value]


def recast(element: type[T], bytes_: view[int]) -> view[T]:
    """Look at a view of bytes as a view of other elements."""
    return t.Span(bytes_, t.as_type(element, "recast(...)", t.Scalar, type))  # type: ignore[return-value]


def copy(target: Any, source: Any) -> None:
    """Copy a record or a view over another one of the same type; the target may be longer than the source."""
    into, out = addresses.as_bytes(target), addresses.as_bytes(source)
    if len(out) > len(into):
        raise getattr(target, "error", IndexError)(f"copy of {len(out)} bytes into {len(into)}")
    into[: len(out)] = bytes(out)


def popcount(value: int) -> int:
    """Count the bits that are set."""
    return (value & t.U64.high).bit_count()


def ctz(value: int) -> int:
    """Count the zero bits below the lowest set one; 64 for zero."""
    value &= t.U64.high
    return (value & -value).bit_length() - 1 if value else 64


def clz(value: int) -> int:
    """Count the zero bits above the highest set one; 64 for zero."""
    return 64 - (value & t.U64.high).bit_length()


def nth(bits: int, number: int) -> int:
    """The place of a set bit that has so many set ones below it (modulo 64); 64 if there is none."""
    bits &= t.U64.high
    for _ in range(min(number & 63, bits.bit_count())):
        bits &= bits - 1
    return ctz(bits)


def mulhi(a: int, b: int) -> int:
    """Return the upper 64 bits of a product of two u64."""
    return (a * b) >> 64


def log(x: float) -> float:
    """Natural logarithm; -inf at zero and nan below it."""
    return math.log(x) if x > 0 else -math.inf if x == 0 else math.nan


def sqrt(x: float) -> float:
    """Square root; nan below zero."""
    return math.sqrt(x) if x >= 0 else math.nan


def exp(x: float) -> float:
    """Exponential; inf where it does not fit."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def tanh(x: float) -> float:
    """Hyperbolic tangent."""
    return math.tanh(x)


def sin(x: float) -> float:
    """Sine of an angle in radians; nan at infinity."""
    return math.sin(x) if math.isfinite(x) else math.nan


def cos(x: float) -> float:
    """Cosine of an angle in radians; nan at infinity."""
    return math.cos(x) if math.isfinite(x) else math.nan


def floor(x: float) -> float:
    """The largest whole number that is not above x, as f64."""
    return math.copysign(math.floor(x), x) if math.isfinite(x) else x


MATH = (log, sqrt, exp, tanh, sin, cos, floor)
BITS = (popcount, ctz, clz)
