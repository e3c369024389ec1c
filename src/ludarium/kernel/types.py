"""The types of the kernel language, and the memory they stand for when kernels run as plain Python.

Values in registers are `i64`, `u64`, `f64`, `bool`, references and functions. The narrow integers are storage types: of
record fields, array elements and annotated locals. Reading one gives an `i64`; storing wraps to its width.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self


@dataclass(frozen=True)
class Scalar:
    """A number type; calling it converts: integers wrap, floats are cut towards zero and saturate."""

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
            return self._from_float(value)
        return ((int(value) - self.low) & (self.high - self.low)) + self.low

    def _from_float(self, value: float) -> int:
        wide = self if self in (I64, U64) else I64
        if value != value:
            return 0
        whole = wide.low if value < wide.low else wide.high if value > wide.high else int(value)
        return int(self(min(max(whole, wide.low), wide.high)))

    def __repr__(self) -> str:
        return self.name

    @property
    def align(self) -> int:
        """Numbers lie on multiples of their size."""
        return self.size

    @property
    def value(self) -> Scalar:
        """The type that a stored number has once it is read."""
        return self if self in (U64, F64, BOOL) else I64

    @property
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

    params: tuple[Any, ...]
    result: Any

    size: ClassVar[int] = 8
    align: ClassVar[int] = 8

    def __repr__(self) -> str:
        return f"fn[[{', '.join(map(type_name, self.params))}], {type_name(self.result)}]"


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
        listed: dict[str, Any] = {}
        for name, annotation in cls.__dict__.get("__annotations__", {}).items():
            listed[name] = as_type(_evaluated(annotation, cls), f"{cls.__name__}.{name}")
        listed |= {k: v for k, v in cls.__dict__.items() if isinstance(v, ArrayType)}
        cls.fields = {}
        offset = 0
        for name, kind in sorted(listed.items(), key=lambda item: -item[1].align):
            cls.fields[name] = (kind, offset)
            setattr(cls, name, _field(name, kind, offset))
            offset += kind.size
        cls.align = max((kind.align for kind in listed.values()), default=1)
        cls.size = -(-offset // cls.align) * cls.align

    @classmethod
    def at(cls, memory: Any) -> Self:
        """Look at memory as this record."""
        return cls(memory)


ElementType = Scalar | type[Record]


class Span:
    """A view when kernels run as plain Python: elements of one type in somebody's memory, every index checked."""

    __slots__ = ("element", "length", "memory", "numbers")

    def __init__(self, memory: Any, element: ElementType, length: int | None = None) -> None:
        raw = as_bytes(memory)
        self.element = element
        self.length = len(raw) // element.size if length is None else length
        self.memory = raw[: self.length * element.size]
        self.numbers = self.memory.cast(element.code) if isinstance(element, Scalar) else None  # type: ignore[call-overload]

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            start = 0 if index.start is None else index.start
            stop = self.length if index.stop is None else index.stop
            if not 0 <= start <= stop <= self.length:
                raise IndexError(f"slice {start}:{stop} of a view of {self.length}")
            size = self.element.size
            return Span(self.memory[start * size : stop * size], self.element, stop - start)
        if not 0 <= index < self.length:
            raise IndexError(f"index {index} of a view of {self.length}")
        if self.numbers is not None:
            return self.numbers[index]
        size = self.element.size
        return self.element.at(self.memory[index * size : (index + 1) * size])  # type: ignore[union-attr]

    def __setitem__(self, index: int, value: Any) -> None:
        if not 0 <= index < self.length:
            raise IndexError(f"index {index} of a view of {self.length}")
        assert self.numbers is not None, "records are copied with copy(), not assigned"
        self.numbers[index] = value


class Constant:
    """A read-only table of numbers that is compiled into the kernels that use it."""

    def __init__(self, element: Scalar, values: Iterable[Any]) -> None:
        self.element = element
        self.values = tuple(values)
        self.data = struct.pack(f"{len(self.values)}{element.code}", *self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> Any:
        if not 0 <= index < len(self.values):
            raise IndexError(f"index {index} of a constant of {len(self.values)}")
        return self.values[index]

    def __repr__(self) -> str:
        return f"constant({self.element}, {len(self.values)} values)"


class Data:
    """A table that kernels refer to by address: its content is no part of their code, so the code serves many tables.

    Within one unit every table has a name of its own. Kernels only read it.
    """

    def __init__(self, name: str, element: Scalar, memory: Any) -> None:
        self.name, self.element = name, element
        self.memory = memoryview(bytearray(as_bytes(memory)) or bytearray(8))
        self.span = Span(self.memory, element)

    def __repr__(self) -> str:
        return f"data({self.name}, {self.element})"


def as_bytes(memory: Any) -> memoryview:
    """The bytes behind any buffer, view, record or random generator."""
    for _ in range(2):
        if isinstance(memory, memoryview | bytearray | bytes):
            break
        memory = getattr(memory, "memory", getattr(memory, "words", memory))
    raw = memoryview(memory)
    return raw if raw.format == "B" and raw.ndim == 1 else raw.cast("B")


def as_type(annotation: Any, where: str) -> Any:
    """Turn what an annotation evaluates to into a type."""
    known = {bool: BOOL, int: I64, float: F64, None: None}
    if isinstance(annotation, Scalar | ViewType | ArrayType | FnType):
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    if annotation in (bool, None):
        return known[annotation]
    raise TypeError(
        f"{where}: {annotation!r} is no kernel type; use i8..u64, f64, bool, view[...], a Record or fn[...]"
    )


def type_name(kind: Any) -> str:
    """How a type is called in messages."""
    return "None" if kind is None else kind.__name__ if isinstance(kind, type) else repr(kind)


# Functions in memory are numbers; with kernels as plain Python the number is a place in this list.
FUNCTIONS: list[Callable[..., Any]] = []


def function_number(function: Callable[..., Any]) -> int:
    """The number under which a Python function can be stored in a record."""
    FUNCTIONS.append(function)
    return len(FUNCTIONS)


def _field(name: str, kind: Any, offset: int) -> property:
    if isinstance(kind, ArrayType):
        return property(
            lambda self: Span(self.memory[offset : offset + kind.size], kind.element, kind.length)
        )
    if isinstance(kind, type):
        return property(lambda self: kind.at(self.memory[offset : offset + kind.size]))
    form = struct.Struct("Q" if isinstance(kind, FnType) else kind.code)

    def store(self: Record, value: Any) -> None:
        form.pack_into(self.memory, offset, value)

    if isinstance(kind, FnType):
        return property(lambda self: FUNCTIONS[form.unpack_from(self.memory, offset)[0] - 1], store)
    return property(lambda self: form.unpack_from(self.memory, offset)[0], store)


def _evaluated(annotation: Any, cls: type) -> Any:
    if not isinstance(annotation, str):
        return annotation
    import sys

    return eval(annotation, vars(sys.modules[cls.__module__]))
