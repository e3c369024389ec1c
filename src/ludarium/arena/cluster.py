"""Workers on a cluster: Ray places them on machines, tells when one is lost, and carries jobs and results.

Every machine needs Ludarium. A Ray actor keeps a worker process of its own, as on one machine, so faults are treated the
same. What an actor was playing when its machine was lost is played again by another.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from ludarium.arena.extras import needs
from ludarium.arena.jobs import Job, Result
from ludarium.arena.supervisor import Supervisor
from ludarium.core import BadParameter, LudariumError


_LOOK_SECONDS = 0.02


class ClusterError(LudariumError):
    """A cluster that cannot be reached."""


class Seat:
    """What runs on the cluster: a supervisor, and the worker that it watches."""

    def __init__(self, patience: float, memory: int) -> None:
        self._supervisor = Supervisor(patience=patience, memory=memory)

    def greet(self) -> None:
        """Answer, which says that there is room for it."""

    def play(self, data: dict[str, Any]) -> list[Result]:
        """Play a job."""
        return self._supervisor.play(Job.read(data))


class Cluster:
    """As many seats as there are workers, spread over the machines of a Ray cluster; each plays one job at a time."""

    def __init__(self, count: int, on: str, *, patience: float, memory: int) -> None:
        with needs("ray"):
            import ray  # noqa: PLC0415
        self._ray: Any = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            _connect(ray, on)
        have = int(ray.cluster_resources().get("CPU", 0))
        if count > have:
            self._leave()
            raise BadParameter(f"the cluster has {have} processors: no room for {count} workers")
        self._jobs: SimpleQueue[_Work | None] = SimpleQueue()
        self._dealer = Thread(target=self._deal, args=(count, patience, memory), daemon=True)
        self._dealer.start()

    def submit(self, job: Job) -> Future[list[Result]]:
        """Put a job in line."""
        work = _Work(job, Future())
        self._jobs.put(work)
        return work.future

    def close(self, *, now: bool) -> None:  # noqa: ARG002
        """Leave the cluster; what is under way there ends."""
        self._jobs.put(None)
        self._dealer.join()
        self._leave()

    def _leave(self) -> None:
        if self._mine:
            self._ray.shutdown()

    def _deal(self, count: int, patience: float, memory: int) -> None:
        """Hand jobs to seats and take in what becomes of them, until somebody says that it is enough."""
        ray, line, free = self._ray, deque[_Work](), list[Any]()
        kind = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(Seat)
        asked: dict[Any, tuple[Any, _Work | None]] = {}  # by what Ray will answer: the seat, and what it plays

        def invite() -> None:
            seat = kind.remote(patience, memory)  # which comes when the cluster has room for it
            asked[seat.greet.remote()] = (seat, None)

        for _ in range(count):
            invite()
        while self._more(line, wait=_LOOK_SECONDS if free else 0.0):
            while free and line:
                work = line.popleft()
                if work.future.running() or work.future.set_running_or_notify_cancel():
                    seat = free.pop()
                    asked[seat.play.remote(work.job.data)] = (seat, work)
            done, _ = ray.wait(list(asked), timeout=0.0 if free else 10 * _LOOK_SECONDS) if asked else ([], [])
            for answer in done:
                seat, work = asked.pop(answer)
                try:
                    results = ray.get(answer)
                except ray.exceptions.RayActorError:  # it is lost, and what it was playing is for another
                    line.extendleft([work] if work else [])
                    invite()
                    continue
                except ray.exceptions.RayError as problem:
                    if work is not None:
                        work.future.set_exception(problem)
                    results = None
                free.append(seat)
                if work is not None and results is not None:
                    work.future.set_result(results)
        for seat in [*free, *(seat for seat, _ in asked.values())]:
            with suppress(Exception):  # it may be gone
                ray.kill(seat)

    def _more(self, line: deque[_Work], wait: float) -> bool:
        """Take in new jobs, and wait a little for them if nothing else can be done; False at the end."""
        with suppress(Empty):
            while True:
                work = self._jobs.get(timeout=wait if wait and not line else None, block=bool(wait and not line))
                if work is None:
                    return False
                line.append(work)
        return True


@dataclass(frozen=True)
class _Work:
    job: Job
    future: Future[list[Result]]


def _connect(ray: Any, on: str) -> None:
    try:
        if on == "ray":
            ray.init(log_to_driver=False, logging_level="error", include_dashboard=False)
        else:
            ray.init(address=on, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError) as problem:
        raise ClusterError(f"no Ray cluster answers at {on}: {problem}") from problem
