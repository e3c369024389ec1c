"""Evaluations in a line: several are under way at once, each is stored when it is over, and they are taken out in order."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from ludarium.arena.store.database import StoreError
from ludarium.core import LudariumError
from ludarium.tune.evaluations import Evaluations, Row
from ludarium.tune.outcome import CHECK
from ludarium.tune.problem import Attempt, Bench, Config, Evaluation, Problem, TuneError
from ludarium.tune.space import Point

_CHECK_FROM = 1 << 40  # the numbers of evaluations that check are no numbers of evaluations that search
_LOOK_SECONDS = 0.2


@dataclass
class Place:
    """An evaluation in the line."""

    number: int
    config: Config
    point: Point | None
    attempt: Attempt | None = None
    evaluation: Evaluation | None = None
    dropped: bool = False

    @property
    def over(self) -> bool:
        """Whether nothing is to be waited for any more."""
        return self.dropped or self.evaluation is not None


class Line:
    """The evaluations of one phase."""

    def __init__(self, problem: Problem, bench: Bench, evaluations: Evaluations, phase: str) -> None:
        self.problem, self.bench, self.evaluations, self.phase = problem, bench, evaluations, phase
        self.failure: LudariumError | None = None
        """What went wrong first; those under way are still stored."""

        self._places: deque[Place] = deque()

    def __len__(self) -> int:
        return len(self._places)

    def begin(self, number: int, config: Config, point: Point | None, stored: Row | None) -> None:
        """Add an evaluation; one that is stored is over at once."""
        place = Place(number, config, point)
        if stored is None:
            place.attempt = self.bench.begin(config, number + (_CHECK_FROM if self.phase == CHECK else 0))
        elif stored.config != in_words(config):
            raise StoreError(
                f"{self.evaluations.path}: evaluation {number + 1} is of another configuration than the search asks for: "
                "another version has made it; use another file"
            )
        else:
            place.evaluation = Evaluation(stored.fitness, json.loads(stored.detail))
        self._places.append(place)

    def first(self, stopping: Callable[[], bool]) -> Place:
        """Take out the first, when it is over; if it is time to stop, those that have not begun are dropped."""
        while not self._places[0].over:
            attempts = [(place, place.attempt) for place in self._places if place.attempt and not place.over]
            futures: set[Future[Any]] = {future for _, attempt in attempts for future in attempt.futures}
            if self.failure or stopping():
                for future in futures:
                    future.cancel()
            wait({each for each in futures if not each.done()}, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for place, attempt in attempts:
                if all(each.done() for each in attempt.futures):
                    self._take(place, attempt)
        return self._places.popleft()

    def _take(self, place: Place, attempt: Attempt) -> None:
        if any(each.cancelled() for each in attempt.futures):
            place.dropped = True
            return
        try:
            made = attempt.finish([each.result() for each in attempt.futures])
        except Exception as problem:  # noqa: BLE001
            place.dropped = True
            self.failure = self.failure or self._failure(place.config, problem)
        else:
            place.evaluation = self.evaluations.add(self.phase, place.number, in_words(place.config), made)

    def _failure(self, config: Config, problem: Exception) -> LudariumError:
        if isinstance(problem, LudariumError):
            return problem
        error = TuneError(f"the fitness of {self.problem.named(config)} failed: {type(problem).__name__}: {problem}")
        error.__cause__ = problem
        return error


def in_words(config: Config) -> str:
    """Write a configuration as JSON; what JSON does not know by how Python writes it."""
    return json.dumps(dict(config), default=repr)
