"""What is known about a space, piece by piece: the mean of what was told for every value, pair of values, ... of points.

A tuple is a choice of parameters; each combination of their values has a row with the sum and the number of the results
seen. A point has one row per tuple, so what one point teaches is known of all that share something with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from ludarium.tune.searches.search import Guess
from ludarium.tune.space import Point

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]

_DENSE = 1 << 16  # combinations of a tuple that all get a row; of larger tuples only those that were seen do


class NTuples:
    """A model of a noisy fitness, as in Lucas, Liu and Perez-Liebana (2018)."""

    def __init__(self, sizes: Sequence[int], orders: Iterable[int]) -> None:
        free = [place for place, size in enumerate(sizes) if size > 1]  # what cannot change teaches nothing
        wanted = sorted({order for order in orders if 0 < order <= len(free)}) or [0]  # 0: one mean for all
        tuples = [parts for order in wanted for parts in combinations(free, order)]
        dense = [parts for parts in tuples if prod(sizes[place] for place in parts) <= _DENSE]
        self._sparse = [list(parts) for parts in tuples if parts not in set(dense)]
        self._slots: list[dict[Point, int]] = [{} for _ in self._sparse]
        # The row of a dense tuple is a number whose digits are the values; row 0 belongs to nobody.
        self._steps = np.zeros((len(sizes), len(dense)), np.int64)
        self._first = np.zeros(len(dense), np.int64)
        rows = 1
        for column, parts in enumerate(dense):
            self._first[column] = rows
            step = 1
            for place in reversed(parts):
                self._steps[place, column] = step
                step *= sizes[place]
            rows += step
        self._rows = rows
        self._sums = np.zeros(rows)
        self._counts = np.zeros(rows)
        self._awaited = np.zeros(rows)
        self.results = 0
        self.waiting = 0

    def expect(self, point: Point) -> None:
        """Count a point that is being evaluated as tried, whatever it will be worth."""
        rows = self._own(point)
        self._awaited[rows] += 1
        self.waiting += 1

    def tell(self, point: Point, fitness: float, *, expected: bool) -> None:
        """Learn what a point was worth."""
        rows = self._own(point)
        self._sums[rows] += fitness
        self._counts[rows] += 1
        self.results += 1
        if expected:
            self._awaited[rows] -= 1
            self.waiting -= 1

    def estimates(self, points: Sequence[Point]) -> Numbers:
        """Average the means of a point's tuples, as far as there are any."""
        return self._means(self._find(points))

    def ranking(self, tries: Mapping[Point, int]) -> list[Guess]:
        """Put points in order, the best first."""
        estimates = self.estimates(list(tries)).tolist() if tries else []
        guesses = [Guess(point, each, tries[point]) for point, each in zip(tries, estimates, strict=True)]
        return sorted(guesses, key=lambda guess: (-guess.estimate, -guess.tries, guess.point))

    def bounds(self, points: Sequence[Point], k: float, epsilon: float) -> Numbers:
        """Add to the estimates what may still be hidden: more where less was tried."""
        rows = self._find(points)
        tries = self._counts[rows] + self._awaited[rows]
        doubt = np.sqrt(np.log1p(self.results + self.waiting) / (tries + epsilon))
        bounds: Numbers = self._means(rows) + k * np.mean(doubt, axis=1)
        return bounds

    def _means(self, rows: Rows) -> Numbers:
        counts = self._counts[rows]
        seen = counts > 0
        means = np.divide(self._sums[rows], counts, out=np.zeros(rows.shape), where=seen)
        averages: Numbers = np.sum(means, axis=1) / np.maximum(np.sum(seen, axis=1), 1)
        return averages

    def _find(self, points: Sequence[Point]) -> Rows:
        """Give the rows of points, one column per tuple; row 0 for what was never seen."""
        places = np.array(points, np.int64).reshape(len(points), -1)
        rows = [places @ self._steps + self._first]
        for parts, slots in zip(self._sparse, self._slots, strict=True):
            keys = map(tuple, places[:, parts].tolist())
            rows.append(np.fromiter((slots.get(key, 0) for key in keys), np.int64, len(points))[:, None])
        return np.concatenate(rows, axis=1)

    def _own(self, point: Point) -> Rows:
        """Give the rows of a point, made now if they are new."""
        for parts, slots in zip(self._sparse, self._slots, strict=True):
            key = tuple(point[place] for place in parts)
            if key not in slots:
                slots[key] = self._rows
                self._rows += 1
        if self._rows > len(self._sums):
            more = np.zeros(self._rows)
            self._sums, self._counts, self._awaited = (
                np.concatenate([column, more]) for column in (self._sums, self._counts, self._awaited)
            )
        return np.asarray(self._find([point])[0])
