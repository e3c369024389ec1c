"""NTBEA: walk from point to neighbouring point, to where a bandit over pieces of points promises most.

Lucas, Liu and Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation" (2018). The model is
`ntuples`; the score of a point is the mean over its tuples of mean + k sqrt(ln(1 + N) / (n + epsilon)). What is not in the paper:
points that are still being evaluated count as tried, so that several can be under way at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from ludarium.core import BadParameter, Rng
from ludarium.core.parameters import check, flag, number
from ludarium.tune.searches.ntuples import NTuples
from ludarium.tune.searches.search import Allowed, Guess, Search, draw_allowed
from ludarium.tune.space import Point, Space


@dataclass(frozen=True)
class NTBEA:
    """The N-tuple bandit evolutionary algorithm."""

    name: ClassVar[str] = "ntbea"

    k: float = number(1.0, 0.0, 1e9)
    """How much to prefer what was tried little, in units of the fitness."""

    epsilon: float = number(0.2, 1e-9, 1e9)
    """What is added to the number of tries: the larger, the less a first try counts."""

    neighbours: int = number(50, 1, 100_000)
    """Neighbours of the present point that are compared for the next step."""

    mutations: float = number(1.0, 0.0, 1000.0)
    """How many parameters a neighbour changes on average, besides one that it changes for sure."""

    singles: bool = flag(default=True)
    """Whether single values are modelled (1-tuples)."""

    pairs: bool = flag(default=True)
    """Whether pairs of values are modelled (2-tuples)."""

    triples: bool = flag(default=False)
    """Whether triples of values are modelled (3-tuples)."""

    whole: bool = flag(default=True)
    """Whether whole points are modelled (N-tuples)."""

    def __post_init__(self) -> None:
        check(self)
        if not (self.singles or self.pairs or self.triples or self.whole):
            raise BadParameter("ntbea: without singles, pairs, triples and whole there is no model")

    def start(self, space: Space, rng: Rng, allowed: Allowed) -> Search:
        """Begin a search."""
        return _Walk(self, space, rng, allowed)


class _Walk:
    """NTBEA under way."""

    def __init__(self, method: NTBEA, space: Space, rng: Rng, allowed: Allowed) -> None:
        self._method, self._space, self._rng, self._allowed = method, space, rng, allowed
        self._sizes = space.sizes
        self._free = [place for place, size in enumerate(self._sizes) if size > 1]
        orders = [(1, method.singles), (2, method.pairs), (3, method.triples), (len(self._free), method.whole)]
        self.model = NTuples(self._sizes, [order for order, wanted in orders if wanted])
        self._tries: dict[Point, int] = {}
        self._here: Point | None = None

    def ask(self) -> Point:
        self._here = (
            draw_allowed(self._space, self._rng, self._allowed) if self._here is None else self._next(self._here)
        )
        self.model.expect(self._here)
        return self._here

    def tell(self, point: Point, fitness: float) -> None:
        self.model.tell(point, fitness, expected=True)
        self._tries[point] = self._tries.get(point, 0) + 1

    def ranking(self) -> list[Guess]:
        return self.model.ranking(self._tries)

    def _next(self, here: Point) -> Point:
        """Go to the neighbour that promises most; stay where there is none."""
        if not self._free:
            return here
        near = list(dict.fromkeys(self._neighbour(here) for _ in range(self._method.neighbours)))
        promise = self.model.bounds(near, self._method.k, self._method.epsilon)
        while near:
            best = np.flatnonzero(promise == promise.max()).tolist()
            chosen: int = self._rng.choice(best)
            if not self._allowed(near[chosen]):
                return near[chosen]
            del near[chosen]
            promise = np.delete(promise, chosen)
        return here

    def _neighbour(self, here: Point) -> Point:
        """Change one parameter for sure, and each other with the same small probability, to another value."""
        rng, free = self._rng, self._free
        near = list(here)
        sure = rng.below(len(free))
        changed = {sure, *self._others(len(free))}
        for each in changed:
            place = free[each]
            other = rng.below(self._sizes[place] - 1)
            near[place] = other + (other >= here[place])
        return tuple(near)

    def _others(self, count: int) -> list[int]:
        """Draw which parameters change: each with the same probability; the gaps between them are drawn."""
        share = self._method.mutations / count
        if share <= 0:
            return []
        if share >= 1:
            return list(range(count))
        chosen = []
        place = int(log(1 - self._rng.uniform()) / log(1 - share))
        while place < count:
            chosen.append(place)
            place += 1 + int(log(1 - self._rng.uniform()) / log(1 - share))
        return chosen
