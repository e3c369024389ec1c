"""Calling kernels from Python: arguments on the way in, results and exceptions on the way out."""

from __future__ import annotations

import ctypes
import operator
import struct
import threading
from collections.abc import Callable
from typing import Any

from ludarium.kernel import addresses
from ludarium.kernel import types as t
from ludarium.kernel.compiler.source import KernelLike
from ludarium.kernel.places import name_place, placed

_kept = threading.local()  # an exception that a Python function raised below a kernel
_CALLBACK_TEXT = ctypes.create_string_buffer(b"callback")
_CALLBACK = ctypes.addressof(_CALLBACK_TEXT)

# The formats in which Python's buffers announce each type; which letter is 64 bits wide depends on the platform.
_FORMATS = {
    kind: {c for c in ("BHILQ" if kind.code.isupper() else "bhilq") if struct.calcsize(c) == kind.size}
    for kind in t.INTEGERS
} | {t.F64: {"d"}, t.BOOL: {"?"}}

_RAISED = tuple(t.ERRORS.values())


def facts_of(written: Written, stack: int) -> str:
    """What machine code tells of a kernel: the bytes of its local arrays, and what it writes through."""
    return " ".join([str(stack), *sorted(".".join(map(str, path)) for path in written)])


def read_facts(text: str) -> tuple[Written, int]:
    """Read what `facts_of` has written."""
    stack, *paths = text.split()
    return frozenset((int(place), *names) for place, *names in (path.split(".") for path in paths)), int(stack)


_HOLDERS = (t.Span, t.Record)
_NUMBER, _FUNCTION, _BUNDLE, _RECORD = -1, -2, -3, 0  # how an argument is handed over; a view by its elements' size

Written = frozenset[tuple[Any, ...]]
"""What a kernel writes through: the place of a parameter, and the fields that lead on from there if it is a bundle."""


def python_caller(k: KernelLike, function: Callable[..., Any], written: Written) -> Callable[..., Any]:
    """Call a kernel as plain Python."""
    prepare = [_prepared(k, place, written) for place in range(len(k.signature[0]))]
    kinds = [kind for _, kind in k.signature[0]]

    def call(*args: Any) -> Any:
        _count(k, args, kinds)
        given = [_as_python(kind, p(a)) for kind, p, a in zip(kinds, prepare, args, strict=True)]
        try:
            return function(*given)
        except _RAISED as problem:
            name_place(problem)
            raise

    return call


def _as_python(kind: Any, given: Any) -> Any:
    if isinstance(kind, t.ViewType):
        return t.Span(given, kind.element, checked=kind.checked)
    if isinstance(kind, t.FnType):
        return given.python
    return kind(given) if t.is_record(kind) else given


def native_caller(k: KernelLike, address: int, written: Written, way: str) -> Callable[..., Any]:
    """Call a kernel's machine code; the lock of the interpreter is released meanwhile."""
    params, result = k.signature
    kinds = [kind for _, kind in params]
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *slots(kinds, result))(address)
    prepare = [_prepared(k, place, written) for place in range(len(kinds))]
    ways = [_handed(kind) for kind in kinds]
    answer = _answer(result)
    several = list(enumerate(result.items)) if isinstance(result, t.TupleType) else []

    def call(*args: Any) -> Any:
        _count(k, args, kinds)
        held = [p(a) for p, a in zip(prepare, args, strict=True)]  # buffers cannot move while they are held
        given: list[Any] = []
        for how, value in zip(ways, held, strict=True):
            if how == _NUMBER:
                given.append(value)
            elif how == _BUNDLE:
                given.append(value.address)
            elif how == _FUNCTION:
                given.append(value.unit(way).addresses[value.name])
            else:
                given.append(addresses.address_of(value))
                if how != _RECORD:
                    given.append(value.nbytes // how)
        if answer is None:
            status = function(*given)
            return _raise(status) if status else None
        out = answer()
        status = function(*given, ctypes.addressof(out))
        if status:
            _raise(status)
        if several:
            return tuple(
                getattr(out, f"item{k}") if item is not t.BOOL else bool(getattr(out, f"item{k}"))
                for k, item in several
            )
        return bool(out.value) if result is t.BOOL else out.value

    return call


def _answer(result: Any) -> Any:
    """The ctype of what a kernel answers."""
    if isinstance(result, t.TupleType):
        fields = [(f"item{k}", _answer(item)) for k, item in enumerate(result.items)]
        return type("Answer", (ctypes.Structure,), {"_fields_": fields})
    return {None: None, t.F64: ctypes.c_double, t.U64: ctypes.c_uint64}.get(result, ctypes.c_int64)


def _handed(kind: Any) -> int:
    if isinstance(kind, t.ViewType):
        return int(kind.element.size)
    if t.is_bundle(kind):
        return _BUNDLE
    return _NUMBER if isinstance(kind, t.Scalar) else _FUNCTION if isinstance(kind, t.FnType) else _RECORD


def slots(kinds: list[Any], result: Any) -> list[Any]:
    """The ctypes of a kernel's arguments, as `native` lays them out."""
    out: list[Any] = []
    for kind in kinds:
        number = ctypes.c_double if kind is t.F64 else ctypes.c_int64
        out.append(number if isinstance(kind, t.Scalar) else ctypes.c_void_p)
        if isinstance(kind, t.ViewType):
            out.append(ctypes.c_int64)
    return out if result is None else [*out, ctypes.c_void_p]


def keep_exception(problem: BaseException) -> int:
    """Remember what a Python function raised below a kernel, and give the status that says so."""
    _kept.problem = problem
    return _CALLBACK


def _raise(status: int) -> None:
    if status == _CALLBACK:
        problem, _kept.problem = _kept.problem, None
        raise problem
    kind, _, message = ctypes.string_at(status).decode(errors="replace").partition("|")
    raise t.ERRORS[kind](placed(message))


def _count(k: KernelLike, args: tuple[Any, ...], kinds: list[Any]) -> None:
    if len(args) != len(kinds):
        raise TypeError(f"kernel '{k.name}' takes {len(kinds)} arguments, got {len(args)}")


def _prepared(k: KernelLike, place: int, written: Written) -> Callable[[Any], Any]:
    """What checks an argument: numbers become ints and floats, memory a memoryview of its bytes."""
    name, kind = k.signature[0][place]
    what = f"argument '{name}' of kernel '{k.name}'"
    if isinstance(kind, t.Scalar):
        return lambda given: _number(kind, given, what)
    if isinstance(kind, t.FnType):
        return lambda given: function_of_type(kind, given, what)
    if t.is_bundle(kind):
        held: dict[tuple[str, ...], frozenset[str]] = {}  # what is written, by the bundle that holds it
        for _, *way, last in (path for path in written if path[0] == place and len(path) > 1):
            held[*way,] = held.get((*way,), frozenset()) | {last}
        return lambda given: _bundle(kind, given, what, list(held.items()))
    into = (place,) in written
    bytes_do = isinstance(kind, t.ViewType) and "B" in _formats(kind.element)

    def memory(given: Any) -> memoryview:
        if bytes_do and type(given) is bytearray:  # what most arguments are
            return memoryview(given)
        return memory_of_type(kind, given, what, written=into)

    return memory


def _formats(element: Any) -> set[str]:
    return _FORMATS.get(element, {"B"})


def _number(kind: t.Scalar, given: Any, what: str) -> Any:
    try:
        if kind is t.F64:
            return given.__float__()
        number = int(given) if kind is t.BOOL and given in (False, True) else operator.index(given)
    except (TypeError, AttributeError):
        raise TypeError(f"{what} is {kind}, not {given!r}") from None
    low, high = (0, 1) if kind is t.BOOL else (kind.low, kind.high)
    if not low <= number <= high:
        raise OverflowError(f"{what}: {number} does not fit {kind}")
    return bool(number) if kind is t.BOOL else number


def function_of_type(kind: t.FnType, given: Any, what: str) -> Any:
    """A kernel that takes and answers what is expected."""
    if isinstance(given, KernelLike):
        params, result = given.signature
        if t.FnType(tuple(param for _, param in params), result) == kind:
            return given
    raise TypeError(f"{what} is a kernel of type {kind}, not {given!r}")


def _bundle(kind: type[t.BundleLike], given: Any, what: str, held: list[tuple[tuple[str, ...], frozenset[str]]]) -> Any:
    if not isinstance(given, kind):
        raise TypeError(f"{what} is a {t.type_name(kind)}, not {given!r}")
    for way, written in held:
        holder = given
        for name in way:
            holder = getattr(holder, name)
        if wrong := holder.readonly & written:
            path = ".".join([*way, min(wrong)])
            raise TypeError(f"{what}: '{path}' is written to, but this memory is read-only")
    return given


def memory_of_type(kind: Any, given: Any, what: str, *, written: bool = False) -> memoryview:
    """The bytes of an array or a record that is what the kernel takes it for."""
    element: Any = kind.element if isinstance(kind, t.ViewType) else kind
    if isinstance(given, _HOLDERS):
        if element is not (given.element if isinstance(given, t.Span) else type(given)):
            raise TypeError(f"{what} is {t.type_name(kind)}, not {given!r}")
        raw = given.memory
    else:
        try:
            raw = memoryview(given if isinstance(kind, t.ViewType) else getattr(given, "words", given))
        except TypeError:
            raise TypeError(f"{what} is {t.type_name(kind)}, not {given!r}") from None
        if (isinstance(kind, t.ViewType) and raw.format not in _formats(element)) or not raw.c_contiguous:
            raise TypeError(f"{what} is a contiguous array of {t.type_name(element)}, not of format '{raw.format}'")
        raw = addresses.as_bytes(raw)
    if written and raw.readonly and raw.nbytes:
        raise TypeError(f"{what} is written to, but this memory is read-only")
    if t.is_record(kind) and raw.nbytes < kind.size:
        raise IndexError(f"{what}: a {kind.__name__} takes {kind.size} bytes, got {raw.nbytes}")
    return raw
