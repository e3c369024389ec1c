"""Play a plan: hand out what is not in the store yet, and store each match as soon as it is finished."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from types import FrameType
from typing import Any

from ludarium.arena.plan.plan import Pairing, Plan
from ludarium.arena.store.store import Store
from ludarium.arena.tournament.jobs import BATCH, Failure, Job, Result, in_batches
from ludarium.arena.tournament.workers import PROCESSES, Workers, check_options
from ludarium.arena.tournament.workers import workers as start_workers
from ludarium.core import BadParameter, Match

_AHEAD = 2  # jobs per worker that are handed out, so that none waits for the next one
_LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    match: Match | None
    """The match that was finished last; None at the beginning, and after one that could not be played."""

    played: int
    """Matches that this run has finished."""

    before: int
    """Matches that were in the store before."""

    total: int
    seconds: float
    """Since the beginning of the run."""

    stopping: bool = False
    """Whether Ctrl-C was pressed: the matches under way are the last ones. This is told at once."""

    @property
    def done(self) -> int:
        """Matches of the plan that are in the store."""
        return self.before + self.played


@dataclass(frozen=True)
class Outcome:
    """What a run has done."""

    total: int
    before: int
    """Matches that were in the store before."""

    played: int
    elsewhere: int
    """Matches that other processes have played meanwhile, or are still playing."""

    failed: dict[str, str] = field(default_factory=dict)
    """Matches that could not be played, with the reason."""

    interrupted: bool = False
    seconds: float = 0.0

    @property
    def left(self) -> int:
        """Matches that are still to be played when the plan is run again."""
        return self.total - self.before - self.played - self.elsewhere


def run(
    plan: Plan,
    store: Store | str | Path,
    workers: int | None = 2,
    on: str = PROCESSES,
    *,
    progress: Callable[[Progress], None] = lambda _: None,
    extend: bool = False,
    patience: float = 300.0,
    memory: int | None = None,
    command: str = "",
    apart: bool = False,
) -> Outcome:
    """Play the matches of a plan that a store does not hold yet.

    `on` says where: "processes", "threads", "ray" or the address of a Ray cluster; it changes no result, nor do the
    number of workers (None: one per processor) and the order. Ctrl-C lets the matches under way come to their end; a
    second one stops at once. Who answers nothing for `patience` seconds beyond the clock is taken to hang; `memory` is the
    most that a worker may take, in bytes (by default a fair share of the machine's). A store that was begun with another
    plan takes this one only if it is to be extended. `command` is noted there as what repeats the run.
    With `apart` every agent sits in a process of its own, and not in the one that holds the state.
    """
    check_options(patience, memory)
    if apart and any(pairing.terms.cheating for pairing in plan.pairings):
        raise BadParameter("who sits apart is shown no state: a plan with cheating cannot be played so")
    if not isinstance(store, Store):
        with Store(store) as opened:
            options: dict[str, Any] = {"extend": extend, "patience": patience, "memory": memory, "command": command}
            options["apart"] = apart
            return run(plan, opened, workers, on, progress=progress, **options)
    plan = store.begin(plan, extend=extend, command=command, apart=apart)
    with Interrupts() as interrupts:
        running = _Run(plan, store, progress, interrupts, apart=apart)
        interrupts.tell = running.tell
        hands = start_workers(workers, on, patience=patience, memory=memory)
        finished = False
        try:
            running.play(hands)
            finished = True
        finally:
            hands.close(now=not finished)
            store.release()
    return running.outcome()


class _Run:
    """A plan that is being played."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        progress: Callable[[Progress], None],
        interrupts: Interrupts,
        *,
        apart: bool = False,
    ) -> None:
        self.apart = apart
        self.plan, self.store, self.progress, self.interrupts = plan, store, progress, interrupts
        self.total, self.started = len(plan), perf_counter()
        self.known = store.ids()
        self.before = sum(fixture.id in self.known for fixture in plan) if self.known else 0
        self.played = self.elsewhere = 0
        self.failed: dict[str, str] = {}
        self.futures: set[Future[list[Result]]] = set()
        self.tell()

    def play(self, hands: Workers) -> None:
        """Hand out jobs and take in results until nothing is left, or somebody says stop."""
        left: list[Job] = []
        for job in self._jobs():
            if self.interrupts.wanted:
                break
            mine = self._claimed(job)
            if len(mine.numbers) < len(job.numbers):
                left.append(job)
            if mine.numbers:
                self.futures.add(hands.submit(mine))
            while len(self.futures) >= _AHEAD * hands.count:
                self._take()
        while self.futures:
            self._take()
        self._finish(hands, left)

    def _finish(self, hands: Workers, left: list[Job]) -> None:
        """See to what other processes had claimed: some may have ended since."""
        while left and not self.interrupts.wanted:
            again = []
            taken = False
            for job in left:
                mine = self._claimed(job)
                if mine.numbers:
                    taken = True
                    self.futures.add(hands.submit(mine))
                if any(fixture.id not in self.store for fixture in job.fixtures):
                    again.append(job)
            while self.futures:
                self._take()
            left = again if taken else []
        self.elsewhere = max(0, len(self.store.ids() - self.known) - self.played)

    def _jobs(self) -> Iterator[Job]:
        for together in self.plan.by_game():
            many = [pairing for pairing in together if in_batches(pairing)]
            for pairing in many:
                for first in range(0, pairing.matches, BATCH):
                    yield from self._open(pairing, range(first, min(first + BATCH, pairing.matches)))
            single = [pairing for pairing in together if not in_batches(pairing)]
            for number in range(max((pairing.matches for pairing in single), default=0)):
                for pairing in single:
                    if number < pairing.matches:
                        yield from self._open(pairing, range(number, number + 1))

    def _open(self, pairing: Pairing, numbers: range) -> Iterator[Job]:
        """Leave out what is in the store."""
        wanted = [number for number in numbers if pairing[number].id not in self.known]
        if wanted:
            yield Job(pairing, wanted, apart=self.apart)

    def _claimed(self, job: Job) -> Job:
        taken = set(self.store.claim(fixture.id for fixture in job.fixtures if fixture.id not in self.failed))
        return replace(job, numbers=[fixture.number for fixture in job.fixtures if fixture.id in taken])

    def _take(self) -> None:
        """Wait for a job, and store what became of its matches."""
        done, self.futures = wait(self.futures, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
        if self.interrupts.wanted:
            for future in [future for future in self.futures if future.cancel()]:
                self.futures.discard(future)
        for future in done:
            try:
                results = future.result()
            except CancelledError:
                continue
            matches = [result for result in results if not isinstance(result, Failure)]
            for match in self.store.add_new(matches):
                self.played += 1
                self.tell(match)
            for failure in (result for result in results if isinstance(result, Failure)):
                self.failed[failure.id] = failure.reason
                self.store.fail(failure.id, failure.reason)
                self.tell()

    def tell(self, match: Match | None = None) -> None:
        """Say how far the run is."""
        seconds, stopping = perf_counter() - self.started, self.interrupts.wanted
        self.progress(Progress(match, self.played, self.before, self.total, seconds, stopping))

    def outcome(self) -> Outcome:
        """Sum up."""
        seconds = perf_counter() - self.started
        interrupted = self.interrupts.wanted
        return Outcome(self.total, self.before, self.played, self.elsewhere, self.failed, interrupted, seconds)


class Interrupts:
    """Takes Ctrl-C as a wish at first, and as an order the second time."""

    def __init__(self) -> None:
        self.wanted = False
        self.tell: Callable[[], None] = lambda: None
        self._before: object = None

    def __enter__(self) -> Interrupts:
        if current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True
        self.tell()
