"""The `@kernel` decorator: a function in the kernel language, callable from Python and from other kernels."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from ludarium.core.errors import BadParameter
from ludarium.kernel import checker, debug
from ludarium.kernel import types as t
from ludarium.kernel.engine import Code
from ludarium.kernel.native import Module
from ludarium.kernel.source import KernelLike, Source

R = TypeVar("R")
MODES = ("native", "check", "python")
_ERRORS: dict[str, type[Exception]] = {
    e.__name__: e for e in (IndexError, OverflowError, ZeroDivisionError, AssertionError)
}
_mode = os.environ.get("LUDARIUM_KERNEL") or "native"
if _mode not in MODES:
    raise BadParameter(f"LUDARIUM_KERNEL is '{_mode}'; expected one of {', '.join(MODES)}")
_LOCK = threading.RLock()
_kept = threading.local()  # an exception that a Python function raised below a kernel


def mode() -> str:
    """How kernels run now: `native`, `check` (machine code with tests) or `python`."""
    return _mode


@contextlib.contextmanager
def using(wanted: str) -> Iterator[None]:
    """Run kernels another way for a while; games keep the way they were loaded with."""
    global _mode
    before, _mode = _mode, wanted
    try:
        yield
    finally:
        _mode = before


def kernel(function: Callable[..., R]) -> Kernel[R]:
    """Make a kernel of an annotated function."""
    frame = sys._getframe(1)
    return Kernel(function, {} if frame.f_locals is frame.f_globals else dict(frame.f_locals))


class Kernel(KernelLike, Generic[R]):
    """A function that runs as machine code, or as plain Python for debugging."""

    def __init__(self, function: Callable[..., R], around: Mapping[str, Any]) -> None:
        self.function = function
        self._around = around  # names that only annotations use are not in a function's closure
        functools.update_wrapper(self, function)
        self.name = function.__name__
        self._units: dict[str, Unit] = {}

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    @functools.cached_property
    def source(self) -> Source:  # type: ignore[override]
        """The text, and what its names stand for."""
        return Source(self.function, self._around)

    @functools.cached_property
    def signature(self) -> tuple[list[tuple[str, Any]], Any]:  # type: ignore[override]
        """Parameters and result."""
        return checker.signature(self.source, self.source.tree())

    @functools.cached_property
    def typed(self) -> checker.Typed:  # type: ignore[override]
        """The checked kernel, once nothing that it calls leads back to it."""
        typed = checker.check(self.source)
        _forbid_recursion(self, typed, [self])
        return typed

    @functools.cached_property
    def python(self) -> Callable[..., R]:
        """This kernel as a Python function with every index and overflow checked."""
        return debug.as_python(self)

    def __call__(self, *args: Any) -> R:
        """Run it on numbers, arrays, records and random generators."""
        way = _mode
        if way not in self._units:
            with _LOCK:
                self._units.setdefault(way, Unit({self.name: self}, way))
        result: R = self._units[way].call(self.name, *args)
        return result


class Unit:
    """Kernels compiled together: their entry points by name, callable from Python and from other kernels."""

    def __init__(self, kernels: dict[str, Kernel[Any]], way: str | None = None) -> None:
        self.kernels = kernels
        self.mode = way or _mode
        self._callers: dict[str, Callable[..., Any]] = {}
        if self.mode == "python":
            self.addresses = {name: t.function_number(k.python) for name, k in kernels.items()}
            self._callers = {name: _python_caller(k) for name, k in kernels.items()}
            return
        self.code = self._code()
        self._wire()
        self.code.when_improved(self._wire)

    def _code(self) -> Code:
        check = self.mode == "check"
        seen: dict[Any, None] = {}
        parts = [f"{name}:{k.source.digest(seen)}" for name, k in self.kernels.items()]
        tables = {x.name: (x.memory, len(x.span)) for x in seen if isinstance(x, t.Data)}
        return Code(tuple(self.kernels), f"{check}|{'|'.join(parts)}", self.assembly, tables)

    def assembly(self) -> str:
        """The LLVM assembly of this unit, before optimisation."""
        return Module(check=self.mode == "check").text(self.kernels)

    def when_improved(self, listener: Callable[[], None]) -> None:
        """Call back when better machine code has taken the place of this one's."""
        if self.mode != "python":
            self.code.when_improved(listener)

    def _wire(self) -> None:
        self.addresses = self.code.addresses
        for name, k in self.kernels.items():
            self._callers[name] = _native_caller(self.addresses[name], k)

    def call(self, name: str, *args: Any) -> Any:
        """Call an entry point with Python values."""
        return self._callers[name](*args)


def _forbid_recursion(start: Kernel[Any], typed: checker.Typed, path: list[Kernel[Any]]) -> None:
    for text, thing in typed.kernels.items():
        if not isinstance(thing, Kernel):
            continue
        if thing in path:
            chain = " -> ".join(k.name for k in [*path[path.index(thing) :], thing])
            node = next((c for c, call in typed.calls.items() if call.target is thing), typed.body[0])
            raise typed.source.fault(node, f"'{text}' calls itself ({chain}); kernels cannot recurse, keep a stack in an array")
        if "typed" not in thing.__dict__:
            _forbid_recursion(start, checker.check(thing.source), [*path, thing])


# Calling from Python


def keep_exception(problem: BaseException) -> int:
    """Remember what a Python function raised below a kernel, and give the status that says so."""
    _kept.problem = problem
    return _CALLBACK_ADDRESS


_CALLBACK_TEXT = ctypes.create_string_buffer(b"callback")
_CALLBACK_ADDRESS = ctypes.addressof(_CALLBACK_TEXT)


def _raise(status: int) -> None:
    if status == _CALLBACK_ADDRESS:
        problem = _kept.problem
        _kept.problem = None
        raise problem
    kind, _, message = ctypes.string_at(status).decode(errors="replace").partition("|")
    raise _ERRORS[kind](message)


def _python_caller(k: Kernel[Any]) -> Callable[..., Any]:
    prepare = [_python_argument(kind) for _, kind in k.signature[0]]

    def call(*args: Any) -> Any:
        _count(k, args, prepare)
        return k.python(*[p(a) for p, a in zip(prepare, args, strict=True)])

    return call


def _python_argument(kind: Any) -> Callable[[Any], Any]:
    if isinstance(kind, t.Scalar):
        return _number(kind)
    if isinstance(kind, t.ViewType):
        return lambda a: a if isinstance(a, t.Span) else t.Span(_checked(a, kind.element), kind.element)
    if isinstance(kind, t.FnType):
        return lambda a: a.python if isinstance(a, Kernel) else t.FUNCTIONS[a - 1] if isinstance(a, int) else a
    return lambda a: kind.at(a)


def _native_caller(address: int, k: Kernel[Any]) -> Callable[..., Any]:
    params, result = k.signature
    slots: list[Any] = []
    for _, kind in params:
        slots.append(ctypes.c_double if kind is t.F64 else ctypes.c_int64 if isinstance(kind, t.Scalar) else ctypes.c_void_p)
        if isinstance(kind, t.ViewType):
            slots.append(ctypes.c_int64)
    if result is not None:
        slots.append(ctypes.c_void_p)
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *slots)(address)
    prepare = [_native_argument(kind) for _, kind in params]
    answer = None if result is None else ctypes.c_double if result is t.F64 else ctypes.c_uint64 if result is t.U64 else ctypes.c_int64

    def call(*args: Any) -> Any:
        _count(k, args, prepare)
        given: list[Any] = []
        for p, a in zip(prepare, args, strict=True):
            given.extend(p(a))
        if answer is None:
            status = function(*given)
            return _raise(status) if status else None
        out = answer()
        status = function(*given, ctypes.addressof(out))
        if status:
            _raise(status)
        return bool(out.value) if result is t.BOOL else out.value

    return call


def _native_argument(kind: Any) -> Callable[[Any], Sequence[Any]]:
    if isinstance(kind, t.Scalar):
        number = _number(kind)
        return lambda a: (number(a),)
    if isinstance(kind, t.ViewType):
        size = kind.element.size
        return lambda a: (address_of(checked := _checked(a, kind.element)), checked.nbytes // size)
    if isinstance(kind, t.FnType):
        return lambda a: (a if isinstance(a, int) else function_address(a),)

    def record(a: Any) -> Sequence[Any]:
        memory = t.as_bytes(a)
        if memory.nbytes < kind.size:
            raise IndexError(f"a {kind.__name__} takes {kind.size} bytes, got {memory.nbytes}")
        return (address_of(memory),)

    return record


def function_address(k: Kernel[Any]) -> int:
    """The address of a kernel's machine code, compiled on its own."""
    k._units.setdefault(_mode, Unit({k.name: k}, _mode))
    return k._units[_mode].addresses[k.name]


def address_of(memory: Any) -> int:
    """Where the bytes of a buffer lie; it must be contiguous."""
    held = _PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(memory), ctypes.byref(held), 0)
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(held))
    return held.address or 0


class _PyBuffer(ctypes.Structure):
    """The head of CPython's Py_buffer: ctypes itself gives no address of read-only memory."""

    _fields_ = (("address", ctypes.c_void_p), ("rest", ctypes.c_byte * 128))


def _number(kind: t.Scalar) -> Callable[[Any], Any]:
    if kind is t.F64:
        return float
    if kind is t.BOOL:
        return bool

    def fitting(value: Any) -> int:
        number = value.__index__()
        if not kind.low <= number <= kind.high:
            raise OverflowError(f"{number} does not fit {kind}")
        return int(number)

    return fitting


def _checked(array: Any, element: Any) -> memoryview:
    """The bytes of an array whose elements are what the kernel takes them for."""
    if isinstance(array, t.Span):
        return array.memory
    raw = memoryview(getattr(array, "memory", array))
    same = raw.itemsize == element.size and struct.calcsize(raw.format.lstrip("<=@") or "B") == element.size if isinstance(element, t.Scalar) else True
    kinds = {"d": "f", "?": "?"}
    if isinstance(element, t.Scalar) and same:
        have = raw.format.lstrip("<=@")
        floats = have in "fd"
        same = floats == (element is t.F64) and (have == "?") == (element is t.BOOL) and (
            floats or have == "?" or have.isupper() == element.code.isupper()
        )
    if not same or not raw.c_contiguous:
        raise TypeError(f"expected a contiguous array of {t.type_name(element)}, got format '{raw.format}'")
    assert kinds
    return raw.cast("B") if raw.format != "B" or raw.ndim != 1 else raw


def _count(k: Kernel[Any], args: Sequence[Any], prepare: Sequence[Any]) -> None:
    if len(args) != len(prepare):
        raise TypeError(f"kernel '{k.name}' takes {len(prepare)} arguments, got {len(args)}")
