"""Where jobs are played: in threads, in processes, or on a cluster with Ray; the results are the same everywhere.

Processes are the default: an agent that ends its process, hangs or eats memory harms nothing but its match. Threads start
at once, and share all of that with the program they run in.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from math import inf
from threading import Lock, local
from typing import Any, Protocol

from ludarium.arena.memory import USUAL_MEMORY
from ludarium.arena.tournament.jobs import Job, Result, Shelf, played
from ludarium.arena.tournament.supervisor import Supervisor
from ludarium.arena.tournament.threads import Threads
from ludarium.core import BadParameter

WORKER = "ludarium.arena.tournament.worker"
_MOST_MEMORY = 1 << 50  # bytes
_LEAST_MEMORY = 32 << 20  # less no worker starts with; compiled games need about 300 MB, others were played with 40
PROCESSES, THREADS, RAY = "processes", "threads", "ray"


class Workers(Protocol):
    """Plays jobs side by side."""

    count: int

    def submit(self, job: Job) -> Future[list[Result]]:
        """Begin a job, or put it in line."""
        ...

    def close(self, *, now: bool) -> None:
        """End the workers: after what they are doing, or now."""
        ...


def workers(count: int | None, on: str, *, patience: float, memory: int | None) -> Workers:
    """Start workers: "processes", "threads", "ray" (a cluster that is there, or else this machine), or an address.

    Without a count there is one per processor, of this machine or of the cluster.
    """
    if count is not None and count < 1:
        raise BadParameter(f"workers is {count}; expected 1 or more")
    check_options(patience, memory)
    if on != THREADS and getattr(sys.modules["__main__"].__spec__, "name", "") == WORKER:
        # A worker looks for a game in a script, and running that begins the tournament anew, in ever more workers.
        raise BadParameter(
            'a worker is no place for a tournament: write what a script does below if __name__ == "__main__":'
        )
    here = count or processors()
    if on == THREADS:
        return _Threads(here)
    if on == PROCESSES:
        return _Processes(here, patience, _fair_share(here) if memory is None else memory)
    if on == RAY or ":" in on:
        from ludarium.arena.tournament.cluster import Cluster  # noqa: PLC0415

        return Cluster(count, on, patience=patience, memory=memory or 0)
    raise BadParameter(
        f"no workers on '{on}': there are {PROCESSES}, {THREADS}, {RAY}, or the address of a Ray cluster"
    )


def check_options(patience: float, memory: int | None) -> None:
    """Refuse a patience or a limit of memory that nothing can be measured against."""
    if not 0 < patience < inf:
        raise BadParameter(f"patience is {patience}; expected a positive number of seconds")
    if memory is not None and not 0 <= memory <= _MOST_MEMORY:
        raise BadParameter(f"memory is {memory}; expected a number of bytes up to {_MOST_MEMORY:,}, 0 for no limit")
    if memory and memory < _LEAST_MEMORY:
        told = (
            f"a worker needs {_LEAST_MEMORY >> 20} MB to start, and about {USUAL_MEMORY >> 20} to load a compiled game"
        )
        raise BadParameter(f"memory is {memory / (1 << 20):.3g} MB; {told}")


def processors() -> int:
    """Count the processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class _Threads:
    """Threads of this process; searches release the interpreter, so they run side by side."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = Threads(count)
        self._own = local()

    def submit(self, job: Job) -> Future[list[Result]]:
        return self._pool.submit(partial(self._play, job))

    def close(self, *, now: bool) -> None:
        self._pool.close(now=now)

    def _play(self, job: Job) -> list[Result]:
        if not hasattr(self._own, "shelf"):
            self._own.shelf = Shelf()  # a game each: what one thread does with it is no business of another
        process = os.getpid()

        def asking(*_: int) -> None:
            if os.getpid() != process:
                os._exit(0)  # an agent has forked, and this is the copy

        return list(played(job, self._own.shelf, asking))


class _Processes:
    """A thread per worker process, which waits for it and watches it."""

    def __init__(self, count: int, patience: float, memory: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count)
        self._options: dict[str, Any] = {"patience": patience, "memory": memory}
        self._own = local()
        self._all: list[Supervisor] = []
        self._lock = Lock()
        self._closed = False

    def submit(self, job: Job) -> Future[list[Result]]:
        return self._pool.submit(self._play, job)

    def close(self, *, now: bool) -> None:
        if not now:
            self._pool.shutdown(cancel_futures=True)
        with self._lock:
            self._closed = True
            for supervisor in self._all:
                supervisor.close()
        self._pool.shutdown(cancel_futures=True)

    def _play(self, job: Job) -> list[Result]:
        if not hasattr(self._own, "supervisor"):
            with self._lock:
                if self._closed:
                    return []
                self._own.supervisor = Supervisor(**self._options)
                self._all.append(self._own.supervisor)
        made: Supervisor = self._own.supervisor
        return made.play(job)


def _fair_share(count: int) -> int:
    """Most of the machine's memory, divided among the workers; no limit where the system does not tell."""
    if sys.platform == "win32":
        return 0
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0
    return max(1 << 31, int(0.8 * whole / count))
