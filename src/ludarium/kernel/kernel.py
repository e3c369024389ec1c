"""The `@kernel` decorator: a function in the kernel language, callable from Python and from other kernels.

Code that is stored is loaded without the compiler, which is imported when something has to be compiled.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any, Generic, TypeVar, overload

from ludarium.core.errors import BadParameter
from ludarium.kernel import addresses
from ludarium.kernel import types as t
from ludarium.kernel.compiler import arguments
from ludarium.kernel.compiler.source import KernelLike, Source, deeply, signature
from ludarium.kernel.machine.engine import Code

R = TypeVar("R")
MODES = ("native", "check", "python")
_LOCK = threading.RLock()


def _valid(way: str, where: str) -> str:
    if way not in MODES:
        raise BadParameter(f"{where} is '{way}'; expected one of {', '.join(MODES)}")
    return way


_mode = _valid(os.environ.get("LUDARIUM_KERNEL") or "native", "LUDARIUM_KERNEL")


def mode() -> str:
    """How kernels run now: `native`, `check` (machine code with tests) or `python`."""
    return _mode


@contextlib.contextmanager
def using(wanted: str) -> Iterator[None]:
    """Run kernels another way for a while, in all threads; games keep the way they were loaded with."""
    global _mode  # noqa: PLW0603
    before, _mode = _mode, _valid(wanted, "the way to run kernels")
    try:
        yield
    finally:
        _mode = before


def kernel(function: Callable[..., R]) -> Kernel[R]:
    """Make a kernel of an annotated function."""
    return _decorated(function, sys._getframe(1))


def shared(function: Callable[..., R]) -> Kernel[R]:
    """Make a kernel that is compiled on its own, once, and linked to wherever it is called: for what many games share."""
    made = _decorated(function, sys._getframe(1))
    made.shared = True
    return made


def _decorated(function: Callable[..., R], frame: Any) -> Kernel[R]:
    if not isinstance(function, FunctionType):
        raise TypeError(f"@kernel takes a Python function, not {function!r}")
    return Kernel(function, {} if frame.f_locals is frame.f_globals else dict(frame.f_locals))


class Kernel(KernelLike, Generic[R]):
    """A function that runs as machine code, or as plain Python for debugging."""

    shared = False

    def __init__(self, function: FunctionType, around: Mapping[str, Any]) -> None:
        self.function = function
        self._around = around  # names that only annotations use are not in a function's closure
        functools.update_wrapper(self, function)
        self.name = function.__name__
        self._units: dict[tuple[str, bool], Unit] = {}

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    @functools.cached_property
    def source(self) -> Source:  # type: ignore[override]
        """The text, and what its names stand for."""
        return Source(self.function, self._around)

    @functools.cached_property
    def signature(self) -> tuple[list[tuple[str, t.Kind]], t.Kind]:  # type: ignore[override]
        """Parameters and result."""
        return signature(self.source)

    @functools.cached_property
    def python(self) -> Callable[..., R]:  # type: ignore[override]
        """This kernel as a Python function with every index and overflow checked."""
        from ludarium.kernel.compiler.debug import as_python

        return as_python(self)

    @property
    def facts(self) -> str:  # type: ignore[override]
        """What its machine code tells of it."""
        return self.unit("native").facts[self.name]

    @overload
    def __get__(self, holder: t.Record | t.BundleLike, owner: Any = None) -> Callable[..., R]: ...

    @overload
    def __get__(self, holder: object, owner: Any = None) -> Kernel[R]: ...

    def __get__(self, holder: Any, owner: Any = None) -> Callable[..., R] | Kernel[R]:
        """A kernel in the class of a record or bundle is a method of it."""
        return functools.partial(self, holder) if isinstance(holder, t.Record | t.BundleLike) else self

    def unit(self, way: str, *, hurry: bool = False) -> Unit:
        """This kernel compiled on its own; whoever has the kernel may use its addresses."""
        if (way, hurry) not in self._units:
            with _LOCK:
                if (way, hurry) not in self._units:
                    self._units[way, hurry] = Unit({self.name: self}, way, hurry=hurry)
        return self._units[way, hurry]

    def __call__(self, *args: Any) -> R:
        """Run it on numbers, arrays, records and random generators."""
        result: R = self.unit(_mode).call(self.name, *args)
        return result


class Unit:
    """Kernels compiled together: their entry points by name, callable from Python and from other kernels.

    If there is a `hurry`, they run before they are optimised; those that run `brief`ly never are.
    """

    def __init__(
        self, kernels: dict[str, Kernel[Any]], way: str | None = None, *, hurry: bool = False, brief: bool = False
    ) -> None:
        self.kernels = kernels
        self.mode = way or _mode
        self.addresses: dict[str, int] = {}
        self.written: dict[str, arguments.Written] = {}
        self.facts: dict[str, str] = {}
        self.cells: dict[str, ctypes.c_int64] = {}  # what other units find the addresses in
        self._callers: dict[str, Callable[..., Any]] = {}
        if self.mode == "python":
            for name, k in kernels.items():
                self.addresses[name] = addresses.function_number(k.python)
                self.written[name] = k.python.written  # type: ignore[attr-defined]
                self._callers[name] = arguments.python_caller(k, k.python, self.written[name])
            return
        shared_entries = [k for k in kernels.values() if k.shared]  # which are written out here, not linked to
        self._seen: dict[Any, int] = {k: place for place, k in enumerate(shared_entries)}
        with deeply(next(iter(kernels.values())).source):
            key = "|".join([self.mode, *(k.source.digest(self._seen) for k in kernels.values())])
        tables = {place: thing for thing, place in self._seen.items() if isinstance(thing, t.Data)}
        others = [k for k in self._seen if isinstance(k, Kernel) and k.shared and k not in shared_entries]
        cells = {self._seen[k]: k.unit(self.mode).cells[k.name] for k in others}
        names = [k.name for k in kernels.values()]
        self.code = Code(names, key, self.assembly, tables, cells, hurry=hurry, brief=brief)
        self.code.watch(self._wire)

    def assembly(self) -> str:
        """The LLVM assembly of this unit, before optimisation."""
        from ludarium.kernel.compiler.native import Module

        with deeply(next(iter(self.kernels.values())).source):
            return Module(self._seen, check=self.mode == "check").text(self.kernels)

    def watch(self, listener: Callable[[], None]) -> None:
        """Call now, and when better machine code has taken the place of this one's."""
        if self.mode == "python":
            listener()
        else:
            self.code.watch(listener)

    def finish(self) -> None:
        """Wait for the best machine code, for those who measure how fast it is."""
        if self.mode != "python":
            self.code.finish()

    def _wire(self) -> None:
        for place, (name, k) in enumerate(self.kernels.items()):
            self.addresses[name] = self.code.addresses[place]
            self.cells.setdefault(name, ctypes.c_int64()).value = self.addresses[name]
            self.facts[name] = self.code.facts[place]
            self.written[name], _ = arguments.read_facts(self.facts[name])
            self._callers[name] = arguments.native_caller(k, self.addresses[name], self.written[name], self.mode)

    def call(self, name: str, *args: Any) -> Any:
        """Call an entry point with Python values."""
        return self._callers[name](*args)
