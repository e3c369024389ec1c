"""Workers on a cluster: Ray places them on machines, starts them again if a machine is lost, and carries the results.

Every machine needs Ludarium. A Ray actor keeps a worker process of its own, as on one machine, so faults are treated the
same.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from ludarium.arena.extras import needs
from ludarium.arena.jobs import Job, Result
from ludarium.arena.supervisor import Supervisor
from ludarium.core import BadParameter, LudariumError


class Seat:
    """What runs on the cluster: a supervisor, and the worker that it watches."""

    def __init__(self, patience: float, memory: int) -> None:
        self._supervisor = Supervisor(patience=patience, memory=memory)

    def play(self, data: dict[str, Any]) -> list[Result]:
        """Play a job."""
        return self._supervisor.play(Job.read(data))


class Cluster:
    """As many seats as there are workers, spread over the machines of a Ray cluster."""

    def __init__(self, count: int, on: str, *, patience: float, memory: int) -> None:
        with needs("ray"):
            import ray  # noqa: PLC0415
        self._ray: Any = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            _connect(ray, on)
        have = int(ray.cluster_resources().get("CPU", 0))
        if count > have:
            self.close(now=True)
            raise BadParameter(f"the cluster has {have} processors: no room for {count} workers")
        # A seat that is lost with its machine is made again elsewhere, and what it was playing is played again.
        options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": -1, "scheduling_strategy": "SPREAD"}
        made = ray.remote(**options)(Seat)
        self._seats = [made.remote(patience, memory) for _ in range(count)]
        self._waiting = [0] * count

    def submit(self, job: Job) -> Future[list[Result]]:
        """Give a job to the seat with the fewest."""
        least = min(range(len(self._seats)), key=self._waiting.__getitem__)
        self._waiting[least] += 1
        future: Future[list[Result]] = self._seats[least].play.remote(job.data).future()
        future.add_done_callback(lambda _: self._finished(least))
        return future

    def close(self, *, now: bool) -> None:  # noqa: ARG002
        """Leave the cluster; what is under way there ends."""
        for seat in getattr(self, "_seats", []):
            self._ray.kill(seat)
        if self._mine:
            self._ray.shutdown()

    def _finished(self, seat: int) -> None:
        self._waiting[seat] -= 1


def _connect(ray: Any, on: str) -> None:
    try:
        if on == "ray":
            ray.init(log_to_driver=False, logging_level="error", include_dashboard=False, configure_logging=False)
        else:
            ray.init(address=on, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError) as problem:
        raise ClusterError(f"no Ray cluster answers at {on}: {problem}") from problem


class ClusterError(LudariumError):
    """A cluster that cannot be reached."""
