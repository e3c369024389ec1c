"""A worker and whoever watches over it: what ends or stops the worker is a fault of the agent that did it.

A match that ended its process is played again from its beginning in a new one. The guilty role is asked up to the move
that it did not survive, and from there on its moves are drawn: with limits other than clocks, all else goes as before.
A worker that was killed by a signal may have been killed by somebody else: the match is played again as it was, and only if
it does not survive that either somebody is guilty. A worker is a group of processes, which is ended whole.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from tempfile import NamedTemporaryFile, TemporaryFile
from threading import Thread
from time import monotonic
from typing import IO, Any

from ludarium.arena.memory import USUAL_MEMORY
from ludarium.arena.play import Absence
from ludarium.arena.tournament.jobs import LOADING, Failure, Job, Result, in_batches, read_result
from ludarium.arena.tournament.worker import DONE, NO_ROOM, READY, STATUS, end_group
from ludarium.core import LudariumError
from ludarium.core.match import CRASH, SEATING, TIMEOUT, Terms

_STARTING_SECONDS = 120.0
_LOOK_SECONDS = 0.25
_UNNAMED = os.name == "posix"  # a file without a name is gone when its processes are, however they end
_TRIES = 3  # workers that end before they begin


class WorkerError(LudariumError):
    """Workers cannot be started here."""


class Supervisor:
    """Plays jobs in a worker of its own; if that ends, in another."""

    def __init__(self, *, patience: float, memory: int = 0) -> None:
        self.patience, self.memory = patience, memory
        self._worker: _Worker | None = None
        self._closed = False

    def play(self, job: Job) -> list[Result]:
        """Play the matches of a job."""
        results: list[Result] = []
        for rest in self._attempts(job, results):
            self._attempt(rest, results)
        return results

    def close(self) -> None:
        """End the worker at once."""
        self._closed = True
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def _attempts(self, job: Job, results: list[Result]) -> Iterator[Job]:
        """Give what is left of a job until nothing is."""
        total, killed = len(job.numbers), set[str]()
        while len(results) < total and not self._closed:
            before = len(results)
            yield job
            if len(results) >= total or self._closed:
                return
            assert self._worker is not None
            played = len(results) - before
            job = replace(job, numbers=job.numbers[played:], absent={} if played else job.absent)
            number, ply, role = self._worker.status()[1:]
            fault, detail = self._worker.end
            first = job.pairing[job.numbers[0]].id
            if self._worker.killed and first not in killed:
                killed.add(first)
            elif in_batches(job.pairing) or ply == LOADING or number != job.numbers[0]:
                results.append(Failure(job.pairing[job.numbers[0]].id, self._told(detail)))
                job = replace(job, numbers=job.numbers[1:], absent={})
            else:
                # Against the clock it may fail at another move every time: the second failure is the last.
                since = SEATING if role in job.absent else ply
                job = replace(job, absent={**job.absent, role: Absence(since, fault, detail)})
            self._worker = None

    def _attempt(self, job: Job, results: list[Result]) -> None:
        """Play until the job is done or the worker is gone."""
        if self._worker is None:
            self._worker = self._started()
        worker = self._worker
        if self._closed:  # meanwhile
            worker.kill()
        worker.send(job.data)
        seen, since, total = worker.status(), monotonic(), len(results) + len(job.numbers)
        while True:
            told = worker.receive(_LOOK_SECONDS)
            if told == DONE or worker.gone:
                return
            if told is not None:
                results.append(read_result(told))
                if len(results) > total:  # more than was asked for
                    worker.kill()
                    return
                seen, since = worker.status(), monotonic()
            elif (now := worker.status()) != seen:
                seen, since = now, monotonic()
            elif monotonic() - since > self._allowed(job.pairing.terms, seen[2]):
                worker.stop(monotonic() - since)
                return

    def _allowed(self, terms: Terms, ply: int) -> float:
        """How long one question may take."""
        clock = terms.limit.seconds if ply >= 0 else terms.start_seconds
        return self.patience + (clock or 0.0)

    def _started(self) -> _Worker:
        reason = ""
        for _ in range(_TRIES):
            worker = _Worker(self.memory)
            said = worker.receive(_STARTING_SECONDS)
            if said == READY:
                return worker
            worker.kill()
            if said == NO_ROOM:
                raise WorkerError(f"a worker does not start: {self.memory >> 20} MB of memory are too few for it")
            reason = worker.end[1]
        raise WorkerError(f"a worker does not start: {reason}")

    def _told(self, detail: str) -> str:
        """Say how a process ended while no agent had a hold of the match; with little memory, that may be the reason."""
        told = detail if detail.startswith("its process") else f"its process ended: {detail}"
        little = 0 < self.memory < USUAL_MEMORY
        return (
            f"{told}: {self.memory >> 20} MB of memory may be too few for it, --memory gives more" if little else told
        )


class _Worker:
    """A process, and the pipes to and from it."""

    def __init__(self, memory: int) -> None:
        self._status = _status_file()
        self._seen = (0, 0, LOADING, 0)
        self._reason: tuple[str, str] | None = None
        self.gone = self._stopped = False
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "ludarium.arena.tournament.worker", *self._arguments(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # a group of its own; and Ctrl-C is for whoever started it
            pass_fds=(self._status.fileno(),) if _UNNAMED else (),
        )
        self._lines: SimpleQueue[str] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()

    def send(self, what: Any) -> None:
        with suppress(BrokenPipeError):  # it has ended, and receiving will tell
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()

    def receive(self, seconds: float) -> Any:
        """Give what it says next; None if it says nothing for so long, or nothing more."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            return None
        if line.endswith("\n"):
            with suppress(ValueError):
                return json.loads(line)
            self._reason = (CRASH, "something else wrote where its process writes results")
        self.kill()
        return None

    def status(self) -> tuple[int, int, int, int]:
        """Give the counter, the number of the match, the ply and the role that it tells of."""
        if not self.gone:
            self._status.seek(0)
            counter, number, ply, role = STATUS.unpack(self._status.read(STATUS.size))
            self._seen = (counter, number, ply, role)
        return self._seen

    def stop(self, seconds: float) -> None:
        """End it because it does not answer."""
        self._reason = (TIMEOUT, f"no answer for {seconds:.0f} s: its process was stopped")
        self.kill()

    def kill(self) -> None:
        if self.gone:
            return
        with suppress(OSError):
            self.status()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        self._stopped = process.poll() is None and not process.stdout.closed
        if process.stdout.closed:  # it is about to end by itself, in a way that tells why
            with suppress(subprocess.TimeoutExpired):
                process.wait(1.0)
        process.kill()
        process.wait()
        end_group(process.pid)  # what its agents have started ends with it
        self.gone = True
        with suppress(OSError):  # what is still in the pipe has nowhere to go
            process.stdin.close()
        self._status.close()

    @property
    def killed(self) -> bool:
        """Whether a signal has ended it that was not sent from here."""
        code = self._process.returncode
        return self._reason is None and not self._stopped and code is not None and code < 0

    @property
    def end(self) -> tuple[str, str]:
        """The fault that it ended with, in one word and in a sentence."""
        if self._reason is not None:
            return self._reason
        code = self._process.returncode
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
        return CRASH, f"its process {how}"

    def _arguments(self, memory: int) -> list[str]:
        return [str(self._status.fileno()) if _UNNAMED else self._status.name, str(memory)]

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._process.stdout.close()
        self._lines.put("")


def _status_file() -> IO[bytes]:
    """Make the file in which a worker says who has a hold of the match."""
    make: Any = TemporaryFile if _UNNAMED else NamedTemporaryFile
    file: IO[bytes] = make(prefix="ludarium-", buffering=0)  # what the worker writes is read each time
    file.write(STATUS.pack(0, 0, LOADING, 0))
    return file
