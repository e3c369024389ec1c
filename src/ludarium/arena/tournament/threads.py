"""Threads that a program does not wait for when it ends: whoever presses Ctrl-C twice wants no more of them.

A `ThreadPoolExecutor` waits for its threads when Python exits, however long what runs in them sleeps.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any


class Threads:
    """Some threads that run what is submitted, first come, first served."""

    def __init__(self, count: int) -> None:
        self._waiting: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(count)]
        for each in self._threads:
            each.start()

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        """Run something as soon as a thread is free."""
        future: Future[Any] = Future()
        self._waiting.put((future, work))
        return future

    def close(self, *, now: bool) -> None:
        """Begin nothing more, and wait for what has begun, unless it has to be `now`."""
        with suppress(Empty):
            while True:
                if (found := self._waiting.get_nowait()) is not None:
                    found[0].cancel()
        for _ in self._threads:
            self._waiting.put(None)
        for each in () if now else self._threads:
            each.join()

    def _work(self) -> None:
        while (found := self._waiting.get()) is not None:
            future, work = found
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as problem:  # noqa: BLE001  # whoever waits for the result is told
                future.set_exception(problem)
