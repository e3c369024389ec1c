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
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from ludarium.core.limits import LimitExceeded, Limits, limits
from ludarium.core.problems import Place
from ludarium.gdl.text.syntax import NOWHERE

_LOOK = 0.05  # seconds between two looks
_AGAIN = 2.0  # seconds of processor time after which something may have kept the exception: freeing gigabytes takes some, too
_MEMORY = Path("/proc/self/statm")
_WATCHED = threading.local()
_NAME = "watch"
T = TypeVar("T")


class _Enough(BaseException):
    """Raised from outside where work has to end; no `except Exception` may keep it."""


def within_limits(what: str, work: Callable[[], T]) -> T:
    """Do work that may take no more than the limits allow; within other such work, that one's count."""
    if getattr(_WATCHED, "now", False):
        return work()
    watch = _Watch(what)
    try:
        try:
            return work()
        finally:
            watch.end()
    except (_Enough, MemoryError) as stopped:
        watch.end()
        raise watch.error(stopped) from None


class _Watch:
    """The thread that looks, and what it has seen."""

    def __init__(self, what: str) -> None:
        self._what, self._limits = what, limits()
        self._raised = False
        self._exceeded = ""
        self._thread, self._done, self._changing = threading.get_ident(), threading.Event(), threading.Lock()
        _WATCHED.now, _WATCHED.end = True, time.thread_time() + self._limits.seconds
        clock = _clock(self._thread)
        begun = clock, _seconds(clock), _megabytes()
        threading.Thread(target=self._watch, args=begun, daemon=True, name=_NAME).start()

    def end(self) -> None:
        """Look no more; what was raised last and has not come yet comes here."""
        with self._changing:
            self._done.set()
        _WATCHED.now = False
        if self._raised:
            self._raised = False
            _take_back(self._thread)

    def error(self, stopped: BaseException) -> LimitExceeded:
        """Say what took too much, and the rule that was being worked on."""
        while isinstance(stopped.__context__, _Enough):  # the first of them was where the work was
            stopped = stopped.__context__
        where = _place(stopped.__traceback__) or self._what
        if self._exceeded == "seconds":
            told = f"loading takes more than {self._limits.seconds:g} seconds of processor time"
        else:
            told = f"loading takes more than {self._limits.megabytes} megabytes of memory"
        return LimitExceeded(self._exceeded or "megabytes", told, where)

    def _watch(self, clock: int | None, started: float, before: float) -> None:
        due = 0.0
        while not self._done.wait(_LOOK):
            try:
                now = _seconds(clock)
            except OSError:  # the thread that worked has ended, and its clock with it
                return
            self._exceeded = self._exceeded or _exceeded(self._limits, now - started, _megabytes() - before)
            if self._exceeded and now >= due:
                due = now + _AGAIN
                with self._changing:
                    if not self._done.is_set():
                        self._raised = True
                        _raise_in(self._thread)


def seconds_left() -> float:
    """The processor time that is left for loading, for what is done in another process."""
    usual = limits().seconds
    return max(1.0, min(usual, _WATCHED.end - time.thread_time())) if getattr(_WATCHED, "now", False) else usual


def alone() -> bool:
    """Whether no thread is here but the one that works and the one that looks; False where that cannot be told."""
    ours = {
        each.native_id for each in threading.enumerate() if each.name == _NAME or each is threading.current_thread()
    }
    try:
        return ours >= {int(task.name) for task in Path("/proc/self/task").iterdir()}
    except OSError:
        return False


def data_bytes() -> int:
    """The bytes of data that this process has, as the system limits them; 0 where that cannot be told."""
    try:
        return int(_MEMORY.read_text(encoding="utf-8").split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


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
