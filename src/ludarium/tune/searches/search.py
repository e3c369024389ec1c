"""Ways to search a space with a noisy fitness: all are asked for a point, and told what it was worth.

What a search asks for depends on its seed and on what it was told, in that order, and on nothing else: so a search that was
interrupted is led to the same place again by telling it the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from ludarium.core import BadParameter, Rng
from ludarium.core.parameters import check, number
from ludarium.tune.space import Point, Space

Allowed = Callable[[Point], str]
"""Says why a point makes no sense, where parameters contradict each other; nothing if it does."""

_DRAWS = 1000  # points that make no sense, before we give up
_MOST = 1_000_000  # points of a grid


@dataclass(frozen=True)
class Guess:
    """What a search thinks of a point."""

    point: Point
    estimate: float
    tries: int
    """How often it was evaluated."""


class Search(Protocol):
    """A search under way."""

    def ask(self) -> Point:
        """Choose the point to evaluate next; what was asked for before may still be unknown."""
        ...

    def tell(self, point: Point, fitness: float) -> None:
        """Learn what a point was worth this time."""
        ...

    def ranking(self) -> list[Guess]:
        """Give all points that were evaluated, the best first."""
        ...


class Method(Protocol):
    """The parameters of a search: a frozen dataclass."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def start(self, space: Space, rng: Rng, allowed: Allowed) -> Search:
        """Begin a search."""
        ...


def anything(_: Point) -> str:
    """Allow every point."""
    return ""


def draw_allowed(space: Space, rng: Rng, allowed: Allowed) -> Point:
    """Draw a point that makes sense."""
    reason = ""
    for _ in range(_DRAWS):
        point = space.draw(rng)
        if not (reason := allowed(point)):
            return point
    raise BadParameter(f"of {_DRAWS} configurations drawn from the space none is possible: {reason}")


@dataclass(frozen=True)
class RandomSearch:
    """Draw points at random, and try each a few times."""

    name: ClassVar[str] = "random"

    repeats: int = number(10, 1, 1_000_000)
    """How often each point is evaluated."""

    def __post_init__(self) -> None:
        check(self)

    def start(self, space: Space, rng: Rng, allowed: Allowed) -> Search:
        """Begin a search."""

        def points(asked: int, last: Point | None) -> Point:
            return last if last is not None and asked % self.repeats else draw_allowed(space, rng, allowed)

        return _Averages(points)


@dataclass(frozen=True)
class Grid:
    """Try all points in a random order, over and over."""

    name: ClassVar[str] = "grid"

    def start(self, space: Space, rng: Rng, allowed: Allowed) -> Search:
        """Begin a search."""
        if space.size > _MOST:
            raise BadParameter(
                f"a grid of {space.size:,} configurations is too much: give fewer values, or use another method"
            )
        order = list(range(space.size))
        rng.shuffle(order)
        place = -1

        def points(asked: int, last: Point | None) -> Point:  # noqa: ARG001
            nonlocal place
            reason = ""
            for _ in order:
                place = (place + 1) % len(order)
                if not (reason := allowed(space.point(order[place]))):
                    return space.point(order[place])
            raise BadParameter(f"no configuration of the space is possible: {reason}")

        return _Averages(points)


class _Averages:
    """A search that thinks of every point what it was worth on average, and learns nothing for others."""

    def __init__(self, points: Callable[[int, Point | None], Point]) -> None:
        self._points = points
        self._asked = 0
        self._last: Point | None = None
        self._sums: dict[Point, tuple[float, int]] = {}

    def ask(self) -> Point:
        self._last = self._points(self._asked, self._last)
        self._asked += 1
        return self._last

    def tell(self, point: Point, fitness: float) -> None:
        total, tries = self._sums.get(point, (0.0, 0))
        self._sums[point] = (total + fitness, tries + 1)

    def ranking(self) -> list[Guess]:
        """Put points last that were tried less than half as often as another: their luck is not worth much."""
        enough = max((tries for _, tries in self._sums.values()), default=0) / 2
        guesses = [Guess(point, total / tries, tries) for point, (total, tries) in self._sums.items()]
        return sorted(guesses, key=lambda guess: (guess.tries < enough, -guess.estimate, -guess.tries, guess.point))
