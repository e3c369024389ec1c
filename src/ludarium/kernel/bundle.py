"""Bundles: all that a search or a game needs, under names, behind one pointer.

Python owns what a bundle leads to: it fills the fields in, and fills them in again when memory has to grow. Kernels read
and write through them, but cannot make a bundle or replace what it leads to, so machine code may keep what it has read.
"""

from __future__ import annotations

import hashlib
import struct
import weakref
from typing import Any, ClassVar, Self

from ludarium.kernel import addresses
from ludarium.kernel import types as t
from ludarium.kernel.compiler.arguments import function_of_type, memory_of_type
from ludarium.kernel.kernel import mode

_WORD = struct.Struct("Q")
_RUN = struct.Struct("QQ")
_TAKEN = ("fields", "tag", "size", "address", "of", "fill", "grow", "readonly")


class Bundle(t.BundleLike):
    """Views, records, bundles, functions and numbers; subclasses list their fields.

    Every view, bundle and function is given when a bundle is made; records and numbers are made of zeros where they are not.

    >>> from ludarium.kernel import i64, kernel, view
    >>> class Sums(Bundle):
    ...     values: view[i64]
    ...     total: i64
    >>> @kernel
    ... def add_up(sums: Sums) -> None:
    ...     for k in range(len(sums.values)):
    ...         sums.total += sums.values[k]
    >>> from array import array
    >>> sums = Sums(values=array("q", [1, 2, 3]))
    >>> add_up(sums)
    >>> sums.total
    6
    >>> sums.fill(values=array("q", [10, 20]))
    >>> add_up(sums)
    >>> sums.total
    36
    """

    __slots__ = ("__weakref__", "_held", "_memory", "address", "readonly")
    size: ClassVar[int] = _WORD.size

    def __init__(self, **given: Any) -> None:
        self._memory = memoryview(bytearray(self.size))
        self.address = addresses.address_of(self._memory)
        self._held: dict[str, Any] = {}
        self.readonly = frozenset()
        _WORD.pack_into(self._memory, 0, self.tag)
        for name, (kind, _) in self.fields.items():
            if name not in given:
                if t.is_record(kind):
                    given[name] = kind()
                elif not isinstance(kind, t.Scalar):
                    raise TypeError(f"a {type(self).__name__} is made with {name}=..., which is {t.type_name(kind)}")
        self.fill(**given)

    def __init_subclass__(cls) -> None:
        """Lay the fields out, largest first, behind the tag."""
        listed = t.listed_fields(cls, "bundle", _TAKEN, t.Scalar, t.ViewType, type, t.BundleLike, t.FnType)
        cls.fields = {}
        offset = _WORD.size
        for name, kind in sorted(listed.items(), key=lambda item: -_room(item[1])):
            cls.fields[name] = (kind, offset)
            setattr(cls, name, _field(name, kind, offset))
            offset += _room(kind)
        cls.size = -(-offset // _WORD.size) * _WORD.size
        text = f"{cls.__name__}: {[(name, t.type_name(kind), at) for name, (kind, at) in cls.fields.items()]}"
        cls.tag = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self.fields)}>"

    @classmethod
    def of(cls, bundle: t.BundleLike) -> Self:
        """Say that a bundle of any kind is one of this kind; a TypeError if it is not."""
        if not isinstance(bundle, cls):
            raise TypeError(f"this bundle is no {cls.__name__}")
        return bundle

    def fill(self, **given: Any) -> None:
        """Lead fields to other memory, or to other bundles and functions."""
        for name, value in given.items():
            if name not in self.fields:
                has = ", ".join(self.fields)
                raise TypeError(f"{type(self).__name__} has no field '{name}'; it has {has}")
            setattr(self, name, value)

    def grow(self, name: str, length: int) -> None:
        """Give a view more room; what is in it stays, and what is new is zero."""
        old = self._held[name]
        memory = zeros(old.element, length)
        if len(old):
            addresses.as_bytes(memory)[: len(old.memory)] = old.memory
        setattr(self, name, memory)

    def _hold(self, name: str, raw: memoryview, held: Any) -> None:
        self._held[name] = held
        if raw.readonly and raw.nbytes:
            self.readonly |= {name}
        elif name in self.readonly:
            self.readonly -= {name}


def zeros(element: Any, length: int) -> memoryview:
    """Make room for elements of a view.

    >>> from ludarium.kernel import u64
    >>> zeros(u64, 3).tolist()
    [0, 0, 0]
    """
    memory = memoryview(bytearray(length * element.size))
    code: Any = getattr(element, "code", "B")
    return memory.cast(code)


def _room(kind: Any) -> int:
    """The bytes of a field: two words for a view, one for what is somewhere else."""
    if isinstance(kind, t.ViewType):
        return _RUN.size
    return kind.size if isinstance(kind, t.Scalar) else _WORD.size


def _field(name: str, kind: Any, offset: int) -> property:
    def put(self: Bundle, number: int) -> None:
        # One store of the whole word: a kernel on another thread may be reading a function just now.
        self._memory[offset : offset + 8].cast("Q")[0] = number

    def held(self: Bundle) -> Any:
        return self._held[name]

    if isinstance(kind, t.Scalar):
        packed = struct.Struct(kind.code)

        def number(self: Bundle) -> Any:
            return packed.unpack_from(self._memory, offset)[0]

        def set_number(self: Bundle, value: Any) -> None:
            packed.pack_into(self._memory, offset, value)

        return property(number, set_number)

    if isinstance(kind, t.ViewType):

        def set_view(self: Bundle, memory: Any) -> None:
            raw = memory_of_type(kind, memory, f"'{name}' of a {type(self).__name__}")
            span = t.Span(raw, kind.element, checked=kind.checked)  # holds the memory, which now cannot move
            _RUN.pack_into(self._memory, offset, addresses.address_of(raw), len(span))
            self._hold(name, raw, span)

        return property(held, set_view)

    if isinstance(kind, t.FnType):

        def set_function(self: Bundle, given: Any) -> None:
            if isinstance(given, int):
                put(self, given)
                return
            called = function_of_type(kind, given, f"'{name}' of a {type(self).__name__}")
            unit, reached = called.unit(mode()), weakref.ref(self)
            self._held[name] = called

            def follow() -> None:
                bundle = reached()
                if bundle is not None and bundle._held.get(name) is called:
                    put(bundle, unit.addresses[given.name])

            unit.watch(follow)

        def function(self: Bundle) -> Any:
            return addresses.function_at(_WORD.unpack_from(self._memory, offset)[0])

        return property(function, set_function)

    def set_reference(self: Bundle, given: Any) -> None:
        what = f"'{name}' of a {type(self).__name__}"
        if t.is_record(kind):
            raw = memory_of_type(kind, given, what)
            put(self, addresses.address_of(raw))
            self._hold(name, raw, given if isinstance(given, kind) else kind(raw))
            return
        if not isinstance(given, kind):
            raise TypeError(f"{what} is a {t.type_name(kind)}, not {given!r}")
        put(self, given.address)
        self._held[name] = given

    return property(held, set_reference)
