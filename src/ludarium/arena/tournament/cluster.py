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
from socket import create_connection
from threading import Thread
from typing import Any

from ludarium.arena.extras import needs
from ludarium.arena.tournament.jobs import Job, Result
from ludarium.arena.tournament.supervisor import Supervisor
from ludarium.core import BadParameter, LudariumError

_LOOK_SECONDS = 0.02
_KNOCK_SECONDS = 10.0


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

    def __init__(self, count: int | None, on: str, *, patience: float, memory: int) -> None:
        with needs("ray"):
            import ray  # noqa: PLC0415
        self._ray: Any = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            _connect(ray, on)
        have = int(ray.cluster_resources().get("CPU", 0))
        self.count = count or max(1, have)
        if self.count > have:
            self._leave()
            raise BadParameter(f"the cluster has {have} processors: no room for {self.count} workers")
        self._jobs: SimpleQueue[_Work | None] = SimpleQueue()
        dealer = _Dealer(ray, self._jobs, (patience, memory))
        self._dealer = Thread(target=dealer.run, args=(self.count,), daemon=True)
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


@dataclass(frozen=True)
class _Work:
    job: Job
    future: Future[list[Result]]


class _Dealer:
    """Hands jobs to seats, and takes in what becomes of them; the only thread that talks to Ray."""

    def __init__(self, ray: Any, jobs: SimpleQueue[_Work | None], options: tuple[float, int]) -> None:
        self.ray, self.jobs, self.options = ray, jobs, options
        self.kind = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(Seat)
        self.line: deque[_Work] = deque()
        self.free: list[Any] = []
        self.asked: dict[Any, tuple[Any, _Work | None]] = {}  # by what Ray will answer: a seat, and what it plays

    def run(self, count: int) -> None:
        """Go on until somebody says that it is enough; who waits for a result is told if the cluster is gone."""
        try:
            self.deal(count)
        except Exception as problem:  # noqa: BLE001
            for work in [*self.line, *(work for _, work in self.asked.values() if work is not None)]:
                if not work.future.done():
                    work.future.set_exception(ClusterError(f"the cluster is lost: {problem}"))
        for seat in [*self.free, *(seat for seat, _ in self.asked.values())]:
            with suppress(Exception):  # it may be gone
                self.ray.kill(seat)

    def deal(self, count: int) -> None:
        """Hand out and take in."""
        for _ in range(count):
            self.invite()
        while self.more():
            while self.free and self.line:
                self.hand_out(self.line.popleft())
            if self.asked:
                wait = 0.0 if self.free else 10 * _LOOK_SECONDS
                for answer in self.ray.wait(list(self.asked), timeout=wait)[0]:
                    self.take_in(answer)

    def invite(self) -> None:
        """Ask for a seat, which comes when the cluster has room for it."""
        seat = self.kind.remote(*self.options)
        self.asked[seat.greet.remote()] = (seat, None)

    def more(self) -> bool:
        """Take in new jobs, and wait a little for them if nothing else can be done; False at the end."""
        idle = bool(self.free) and not self.line
        with suppress(Empty):
            while True:
                work = self.jobs.get(block=idle, timeout=_LOOK_SECONDS)
                if work is None:
                    return False
                self.line.append(work)
                idle = False
        return True

    def hand_out(self, work: _Work) -> None:
        if work.future.running() or work.future.set_running_or_notify_cancel():
            seat = self.free.pop()
            self.asked[seat.play.remote(work.job.data)] = (seat, work)

    def take_in(self, answer: Any) -> None:
        seat, work = self.asked.pop(answer)
        try:
            results = self.ray.get(answer)
        except self.ray.exceptions.RayActorError:  # it is lost, and what it was playing is for another
            if work is not None:
                self.line.appendleft(work)
            self.invite()
            return
        except Exception as problem:  # noqa: BLE001
            if work is not None:
                work.future.set_exception(problem)
        else:
            if work is not None:
                work.future.set_result(results)
        self.free.append(seat)


def _connect(ray: Any, on: str) -> None:
    try:
        if on == "ray":
            ray.init(log_to_driver=False, logging_level="error", include_dashboard=False)
        else:
            _knock(on)
            ray.init(address=on, log_to_driver=False, logging_level="error")
    except (OSError, ValueError, RuntimeError) as problem:
        raise ClusterError(f"no Ray cluster answers at {on}: {problem}") from problem


def _knock(address: str) -> None:
    """See whether anybody is there at all: Ray itself asks again and again, for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    with create_connection((host.strip("[]"), int(port)), timeout=_KNOCK_SECONDS):
        pass
