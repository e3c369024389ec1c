"""How far a tuning is, and what came out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludarium.tune.measure import Measure
from ludarium.tune.problem import Problem, TuneError
from ludarium.tune.searches.search import Guess, Method
from ludarium.tune.space import Point

SEARCH, CHECK = "search", "check"


@dataclass(frozen=True)
class Progress:
    """How far a tuning is."""

    phase: str
    """`SEARCH` or `CHECK`."""

    done: int
    before: int
    """Evaluations of the phase that were stored before."""

    total: int
    seconds: float
    """Since the beginning of the phase."""

    ranking: Callable[[], list[Guess]]
    """Gives what the search thinks so far; it takes a moment."""

    stopping: bool = False
    """Whether Ctrl-C was pressed: the evaluations under way are the last ones."""


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """What came out."""

    problem: Problem
    method: Method
    ranking: list[Guess]
    """All points that were evaluated, the best first."""

    evaluated: list[tuple[Point, float]]
    """The evaluations of the search, in order."""

    budget: int
    """The evaluations that the search was to make."""

    measured: Measure | None = None
    """What the best is worth in evaluations that the search has not seen."""

    given: Measure | None = None
    """The same of what there was before tuning."""

    interrupted: bool = False
    new: int = 0
    """Evaluations that were not stored before."""

    seconds: float = 0.0
    thinking: float = 0.0
    """Seconds that the search itself took to choose and to learn."""

    faults: int = 0
    """Evaluations in which an agent did something wrong."""

    @property
    def best(self) -> Guess:
        """The best point, and its estimate."""
        if not self.ranking:
            raise TuneError("nothing was evaluated yet")
        return self.ranking[0]

    @property
    def config(self) -> dict[str, Any]:
        """The best configuration."""
        return self.problem.space.config(self.best.point)

    @property
    def name(self) -> str:
        """The best configuration as one would write it."""
        return self.problem.named(self.config)
