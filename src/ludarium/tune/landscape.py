"""What a tuning has seen of its space: how each value of each parameter did, and how good all configurations are in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludarium.tune.measure import Measure, measure
from ludarium.tune.outcome import Tuned
from ludarium.tune.space import Point, Space


@dataclass(frozen=True)
class Mark:
    """How a value of a parameter did, whatever the others were."""

    name: str
    value: Any
    measure: Measure | None
    """None if it was never tried."""

    best: bool
    """Whether the best configuration has it."""


def marks(tuned: Tuned) -> list[list[Mark]]:
    """Average the evaluations by the values of each parameter that has several.

    A search does not try all values with the same others: a value that it kept for good configurations looks better than it is.
    """
    space, share, best = tuned.problem.space, tuned.problem.share, tuned.best.point
    found = []
    for place, (name, values) in enumerate(space.values.items()):
        if len(values) < 2:
            continue
        seen = by_value(space, tuned.evaluated, place)
        column = [
            Mark(name, value, measure(results, share=share) if results else None, best[place] == at)
            for at, (value, results) in enumerate(zip(values, seen, strict=True))
        ]
        found.append(column)
    return found


def by_value(space: Space, evaluated: Sequence[tuple[Point, float]], place: int) -> list[list[float]]:
    """Sort evaluations by the value of a parameter."""
    seen: list[list[float]] = [[] for _ in range(space.sizes[place])]
    for point, fitness in evaluated:
        seen[point[place]].append(fitness)
    return seen


def ordered(tuned: Tuned) -> list[float]:
    """Give the estimates of all configurations that were evaluated, the best first."""
    return sorted((guess.estimate for guess in tuned.ranking), reverse=True)
