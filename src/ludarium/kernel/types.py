"""The types of the kernel language, and the memory they stand for when kernels run as plain Python.

Values in registers are `i64`, `u64`, `f64`, `bool`, references and functions. The narrow integers are storage types:
of record fields, array elements, annotated locals, parameters and results. Reading one gives an `i64`; storing wraps
to its width in release builds, and is an `OverflowError` otherwise if that changes the value.
"""

from __future__ import annotations

import inspect
import math
import struct
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self, TypeAlias, TypeGuard, get_args, get_origin

from ludarium.core.errors import GameError, LudariumError
from ludarium.kernel.addresses import as_bytes, function_at
from ludarium.kernel.places import place


class KernelError(LudariumError):
    """A kernel that cannot be compiled: says where, what, and what was expected."""

    def __init__(self, file: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{place(file, line, column)}: {message}")
        self.file, self.line, self.column, self.message = file, line, column, message


class CapacityError(GameError, IndexError):
    """More was written than a `buffer` has room for."""


_RAISED = (IndexError, OverflowError, ZeroDivisionError, AssertionError, TypeError, CapacityError)
ERRORS: dict[str, type[Exception]] = {error.__name__: error for error in _RAISED}


@dataclass(frozen=True, eq=False)
class Scalar:
    """A number type; calling it converts: integers wrap, floats are cut towards zero and saturate at 64 bits."""

    name: str
    size: int
    code: str
    low: int = 0
    high: int = 0

    def __call__(self, value: Any = 0) -> Any:
        """Convert a value as compiled code does."""
        if self is F64:
            return float(value)
        if self is BOOL:
            return bool(value)
        if isinstance(value, float):
            wide = self.value
            value = 0 if math.isnan(value) else int(min(max(value, wide.low), wide.high))
        return ((int(value) - self.low) & (self.high - self.low)) + self.low

    def __repr__(self) -> str:
        return self.name

    @property
    def align(self) -> int:
        """Numbers lie on multiples of their size."""
        return self.size

    @cached_property
    def value(self) -> Scalar:
        """The type that a stored number has once it is read."""
        return self if self in (U64, F64, BOOL) else I64

    @cached_property
    def narrow(self) -> bool:
        """Whether storing can cut something off."""
        return self.size < 8 and self is not BOOL

    @cached_property
    def llvm(self) -> str:
        """The type in memory."""
        return "double" if self is F64 else f"i{8 * self.size}"


I8 = Scalar("i8", 1, "b", -(1 << 7), (1 << 7) - 1)
I16 = Scalar("i16", 2, "h", -(1 << 15), (1 << 15) - 1)
I32 = Scalar("i32", 4, "i", -(1 << 31), (1 << 31) - 1)
I64 = Scalar("i64", 8, "q", -(1 << 63), (1 << 63) - 1)
U8 = Scalar("u8", 1, "B", 0, (1 << 8) - 1)
U16 = Scalar("u16", 2, "H", 0, (1 << 16) - 1)
U32 = Scalar("u32", 4, "I", 0, (1 << 32) - 1)
U64 = Scalar("u64", 8, "Q", 0, (1 << 64) - 1)
F64 = Scalar("f64", 8, "d")
BOOL = Scalar("bool", 1, "?")
INTEGERS = (I8, I16, I32, I64, U8, U16, U32, U64)


@dataclass(frozen=True)
class ViewType:
    """A run of elements somewhere in memory; `checked` ones (`buffer`) test every index in release builds too."""

    element: ElementType
    checked: bool = False

    def __repr__(self) -> str:
        return f"{'buffer' if self.checked else 'view'}[{type_name(self.element)}]"


@dataclass(frozen=True)
class ArrayType:
    """A fixed number of elements, inside a record or local to a kernel."""

    element: ElementType
    length: int

    def __repr__(self) -> str:
        return f"array({type_name(self.element)}, {self.length})"

    @property
    def size(self) -> int:
        """Bytes in all."""
        return self.element.size * self.length

    @property
    def align(self) -> int:
        """As its elements."""
        return self.element.align


@dataclass(frozen=True)
class FnType:
    """A reference to a function."""

    params: tuple[Kind, ...]
    result: Kind

    size: ClassVar[int] = 8
    align: ClassVar[int] = 8

    def __repr__(self) -> str:
        return f"fn[[{', '.join(map(type_name, self.params))}], {type_name(self.result)}]"


@dataclass(frozen=True)
class TupleType:
    """Several numbers that a kernel returns at once; they are taken apart where they arrive."""

    items: tuple[Scalar, ...]

    def __repr__(self) -> str:
        return f"tuple[{', '.join(map(type_name, self.items))}]"

    @property
    def values(self) -> tuple[Scalar, ...]:
        """The types of the numbers once they are read."""
        return tuple(item.value for item in self.items)


@dataclass(frozen=True)
class Held:
    """A field of a bundle that leads to memory which Python owns: kernels use it, and cannot replace it."""

    kind: Kind


class Record:
    """A struct with named fields, always handled by reference; subclasses list their fields.

    >>> class Point(Record):
    ...     x: I32
    ...     cells = ArrayType(U8, 3)
    >>> point = Point()
    >>> point.x, point.cells[2] = -5, 7
    >>> bytes(point.memory).hex()
    'fbffffff00000700'
    """

    __slots__ = ("memory",)
    fields: ClassVar[dict[str, tuple[Any, int]]] = {}
    size: ClassVar[int] = 0
    align: ClassVar[int] = 1
    memory: memoryview

    def __init__(self, memory: Any = None) -> None:
        given = memoryview(bytearray(self.size)) if memory is None else as_bytes(memory)
        if len(given) < self.size:
            raise IndexError(f"{type(self).__name__} needs {self.size} bytes, got {len(given)}")
        self.memory = given[: self.size]

    def __init_subclass__(cls) -> None:
        """Lay the fields out, largest alignment first, so that no byte between them is undefined."""
        listed = listed_fields(cls, "record", _TAKEN, Scalar, FnType, type)
        cls.fields = {}
        offset = 0
        for name, kind in sorted(listed.items(), key=lambda item: -item[1].align):
            cls.fields[name] = (kind, offset)
            setattr(cls, name, _field(kind, offset))
            offset += kind.size
        cls.align = max((kind.align for kind in listed.values()), default=1)
        cls.size = -(-offset // cls.align) * cls.align

    @classmethod
    def at(cls, memory: Any) -> Self:
        """Look at memory as this record."""
        return cls(memory)


def listed_fields(cls: Any, what: str, taken: tuple[str, ...], *allowed: type) -> dict[str, Any]:
    """The fields that a class lists, and those of the class that it extends."""
    frame = sys._getframe(2)
    listed = {name: kind for name, (kind, _) in cls.fields.items()}
    try:
        for name, written in inspect.get_annotations(cls).items():
            if "ClassVar" not in str(written):
                kind = eval(written, frame.f_globals, frame.f_locals) if isinstance(written, str) else written
                listed[name] = as_type(kind, name, *allowed)
        listed |= {name: kind for name, kind in cls.__dict__.items() if isinstance(kind, ArrayType)}
        if wrong := [name for name in listed if name in taken]:
            raise TypeError(f"a field cannot be called '{wrong[0]}'; {what}s use that name themselves")
    except (TypeError, NameError, SyntaxError, AttributeError) as problem:
        place = frame.f_code.co_filename, frame.f_lineno, 1
        raise KernelError(*place, f"{what} '{cls.__name__}': {problem}") from None
    return listed


def is_record(kind: Any) -> TypeGuard[type[Record]]:
    """Whether a type is a record."""
    return isinstance(kind, type) and issubclass(kind, Record)


class BundleLike:
    """A bundle, as the compiler sees it; `bundle.Bundle` is the class that others extend."""

    __slots__ = ()

    of: ClassVar[Callable[..., Any]]
    fields: ClassVar[dict[str, tuple[Any, int]]] = {}
    size: ClassVar[int]
    tag: ClassVar[int] = 0
    """What the memory of a bundle begins with: says which bundle it is."""
    address: int
    readonly: frozenset[str]
    """The fields whose memory must not be written to."""


def is_bundle(kind: Any) -> TypeGuard[type[BundleLike]]:
    """Whether a type is a bundle."""
    return isinstance(kind, type) and issubclass(kind, BundleLike)


Kind: TypeAlias = Scalar | ViewType | ArrayType | FnType | TupleType | Held | type[Record] | type[BundleLike] | None
"""What something in a kernel can be; None where there is no value."""

_TAKEN = ("memory", "fields", "size", "align", "at")
ElementType = Scalar | type[Record]


# What bytes of an empty(...) array are until they are written, if that is tested: no index, no code, a huge number.
UNWRITTEN = 0xF5


class Span:
    """A view when kernels run as plain Python: elements of one type in somebody's memory, every index checked."""

    __slots__ = ("element", "error", "length", "memory", "numbers")

    def __init__(self, memory: Any, element: ElementType, *, checked: bool = False) -> None:
        self.memory, self.element = as_bytes(memory), element
        self.length = len(self.memory) // element.size
        self.error: type[IndexError] = CapacityError if checked else IndexError
        code: Any = getattr(element, "code", None)
        self.numbers = self.memory[: self.length * element.size].cast(code) if code else None

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: Any) -> Any:
        size = self.element.size
        if isinstance(index, slice):
            start = 0 if index.start is None else index.start
            stop = self.length if index.stop is None else index.stop
            if not 0 <= start <= stop <= self.length:
                raise self.error(f"slice {start}:{stop} of a view of {self.length}")
            part = self.memory[start * size : stop * size]
            return Span(part, self.element, checked=self.error is CapacityError)
        if not 0 <= index < self.length:
            raise self.error(f"index {index} of a view of {self.length}")
        if self.numbers is not None:
            return self.numbers[index]
        return self.element.at(self.memory[index * size : (index + 1) * size])  # type: ignore[union-attr]

    def __setitem__(self, index: int, value: Any) -> None:
        if not 0 <= index < self.length:
            raise self.error(f"index {index} of a view of {self.length}")
        if self.numbers is None:
            raise TypeError("records are copied with copy(), not assigned")
        self.numbers[index] = value


class Constant(Span):
    """A read-only table of numbers that is compiled into the kernels that use it."""

    __slots__ = ()

    def __init__(self, element: Scalar, values: Iterable[Any]) -> None:
        values = tuple(values)
        try:
            super().__init__(struct.pack(f"{len(values)}{element.code}", *values), element)
        except struct.error as problem:
            raise ValueError(f"a constant of {element}: {problem}") from None

    def __repr__(self) -> str:
        return f"constant({self.element}, {self.length} values)"


class Data(Span):
    """A table that kernels read by address: its content is no part of their code, so the code serves many tables."""

    __slots__ = ("name",)

    def __init__(self, name: str, element: Scalar, memory: Any) -> None:
        self.name = name
        super().__init__(bytes(as_bytes(memory)), element)

    def __repr__(self) -> str:
        return f"data({self.name}, {self.element})"


def as_type(annotation: Any, where: str, *allowed: type) -> Any:
    """Turn what an annotation evaluates to into a type, one of the allowed kinds."""
    kind = BOOL if annotation is bool else annotation
    if get_origin(kind) is tuple and TupleType in allowed and len(get_args(kind)) > 1:
        return TupleType(tuple(as_type(item, where, Scalar) for item in get_args(kind)))
    if isinstance(kind, type):
        fits = (is_record(kind) and type in allowed) or (is_bundle(kind) and BundleLike in allowed)
    else:
        fits = isinstance(kind, allowed)
    if not fits:
        expected = ", ".join(_TYPE_NAMES[a] for a in allowed)
        raise TypeError(f"{where}: {annotation!r} is not a type that can be used here; use {expected}")
    return kind


_TYPE_NAMES = {
    Scalar: "i8..u64, f64, bool",
    ViewType: "view[...]",
    type: "a Record",
    BundleLike: "a Bundle",
    FnType: "fn[...]",
    TupleType: "tuple[...]",
}


def type_name(kind: Any) -> str:
    """How a type is called in messages."""
    return "None" if kind is None else kind.__name__ if isinstance(kind, type) else repr(kind)


def _field(kind: Any, offset: int) -> property:
    end = offset + kind.size
    if isinstance(kind, ArrayType):
        return property(lambda self: Span(self.memory[offset:end], kind.element))
    if is_record(kind):
        return property(lambda self: kind.at(self.memory[offset:end]))
    code: Any = "Q" if isinstance(kind, FnType) else kind.code

    def number(self: Record) -> Any:
        return self.memory[offset:end].cast(code)[0]

    def store(self: Record, value: Any) -> None:
        # One store of the whole number: a kernel on another thread may be reading a function just now.
        self.memory[offset:end].cast(code)[0] = value

    def function(self: Record) -> Callable[..., Any]:
        return function_at(number(self))

    return property(function if isinstance(kind, FnType) else number, store)
