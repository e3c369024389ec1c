"""Keeping an eye on what loading a game costs: the safety net below all counts.

A second thread looks at the processor time of the one that works and at the memory of the process. Too much of either is
raised in the thread that works, wherever it is, and becomes an error that names the rule that was being worked on.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Self

from ludarium.core.limits import LimitExceeded, Limits, limits
from ludarium.core.problems import Place
from ludarium.gdl.text.syntax import NOWHERE

_LOOK = 0.05  # seconds between two looks
_MEMORY = Path("/proc/self/statm")
_WATCHED = threading.local()


class _Enough(BaseException):
    """Raised from outside where work has to end; no `except Exception` may keep it."""


class watched:  # noqa: N801  # a context, written as the verb that it is
    """Let loading take no more than the limits allow; within another one, that one counts."""

    def __init__(self, what: str) -> None:
        self._what, self._limits = what, limits()
        self._outermost = False
        self._raised = False
        self._exceeded = ""

    def __enter__(self) -> Self:
        if not getattr(_WATCHED, "now", False):
            self._outermost = _WATCHED.now = True
            self._thread, self._done, self._changing = threading.get_ident(), threading.Event(), threading.Lock()
            _WATCHED.end = time.thread_time() + self._limits.seconds
            threading.Thread(target=self._watch, args=(_clock(self._thread),), daemon=True, name="watch").start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self._outermost:
            return
        try:
            self._end()
        except _Enough:  # it came in the very last moment
            self._end()
        if self._raised:
            _take_back(self._thread)
        _WATCHED.now = False
        if kind is not None and issubclass(kind, (_Enough, MemoryError)):
            raise self._error(at) from None

    def _end(self) -> None:
        with self._changing:
            self._done.set()

    def _error(self, at: TracebackType | None) -> LimitExceeded:
        where = _place(at) or self._what
        if self._exceeded == "seconds":
            told = f"loading takes more than {self._limits.seconds:g} seconds of processor time"
        else:
            told = f"loading takes more than {self._limits.megabytes} megabytes of memory"
        return LimitExceeded(self._exceeded or "megabytes", told, where)

    def _watch(self, clock: int | None) -> None:
        before, started = _megabytes(), _seconds(clock)
        while not self._done.wait(_LOOK):
            self._exceeded = self._exceeded or _exceeded(self._limits, _seconds(clock) - started, _megabytes() - before)
            if self._exceeded:
                with self._changing:
                    if not self._done.is_set():
                        self._raised = True
                        _raise_in(self._thread)


def seconds_left() -> float:
    """The processor time that is left for loading, for what is done in another process."""
    usual = limits().seconds
    return max(1.0, min(usual, _WATCHED.end - time.thread_time())) if getattr(_WATCHED, "now", False) else usual


def _exceeded(most: Limits, seconds: float, megabytes: float) -> str:
    return "seconds" if seconds > most.seconds else "megabytes" if megabytes > most.megabytes else ""


def _raise_in(thread: int) -> None:
    """Raise `_Enough` in a thread, as soon as it comes to its next jump or call."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Enough))


def _take_back(thread: int) -> None:
    """Let the exception come that this thread may not have noticed yet.

    CPython can drop it (by raising nothing), but 3.11 then looks for it at every jump and call ever after, which is slow,
    and does not end at all under a profiler.
    """
    try:
        _raise_in(thread)
        while True:
            pass
    except _Enough:
        pass


def _clock(thread: int) -> int | None:
    """The clock of a thread's processor time, where there is one."""
    return time.pthread_getcpuclockid(thread) if hasattr(time, "pthread_getcpuclockid") else None


def _seconds(clock: int | None) -> float:
    return time.process_time() if clock is None else time.clock_gettime(clock)


def _megabytes() -> float:
    """The memory of this process; 0 where that cannot be told, and the other limits have to do."""
    try:
        return int(_MEMORY.read_text(encoding="utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0


def _place(at: TracebackType | None) -> Place | None:
    """The rule that was being worked on: the innermost that a function on the way held."""
    found, step = None, at
    while step is not None:
        for value in list(step.tb_frame.f_locals.values()):
            if "place" in getattr(type(value), "__dataclass_fields__", ()) and value.place != NOWHERE:
                found = value.place
        step = step.tb_next
    traceback.clear_frames(at)  # all that was made so far, which may be gigabytes
    return found
