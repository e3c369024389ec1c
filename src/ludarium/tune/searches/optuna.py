"""Optuna's tree-structured Parzen estimators behind the interface of our own searches.

Akiba et al., "Optuna: a next-generation hyperparameter optimization framework" (2019). Optuna takes every result for the
truth, so which point is best in the end is asked of an N-tuple model of the results, as in NTBEA.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ludarium.arena.extras import needs
from ludarium.core import Rng
from ludarium.core.parameters import check, number
from ludarium.tune.searches.ntuples import NTuples
from ludarium.tune.searches.search import Allowed, Guess, Search, draw_allowed
from ludarium.tune.space import Point, Space

_TRIES = 100  # points that make no sense, before one is drawn


@dataclass(frozen=True)
class Optuna:
    """Optuna's default sampler."""

    name: ClassVar[str] = "optuna"

    startup: int = number(10, 0, 1_000_000)
    """Points that are drawn at random first."""

    def __post_init__(self) -> None:
        check(self)

    def start(self, space: Space, rng: Rng, allowed: Allowed) -> Search:
        """Begin a search."""
        return _Study(self, space, rng, allowed)


class _Study:
    """A study of Optuna under way."""

    def __init__(self, method: Optuna, space: Space, rng: Rng, allowed: Allowed) -> None:
        with needs("tune"):
            import optuna  # noqa: PLC0415
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = optuna.samplers.TPESampler(n_startup_trials=method.startup, seed=rng.below(1 << 31))
        self._pruned: Any = optuna.trial.TrialState.PRUNED
        self._study: Any = optuna.create_study(direction="maximize", sampler=sampler)
        self._space, self._rng, self._allowed = space, rng, allowed
        self._ranges: dict[str, Any] = {
            name: optuna.distributions.IntDistribution(0, len(values) - 1)
            if _ordered(values)
            else optuna.distributions.CategoricalDistribution(range(len(values)))
            for name, values in space.values.items()
        }
        self._open: dict[Point, deque[Any]] = defaultdict(deque)
        self._tries: dict[Point, int] = {}
        self._model = NTuples(space.sizes, (1, 2, sum(size > 1 for size in space.sizes)))

    def ask(self) -> Point:
        for _ in range(_TRIES):
            trial = self._study.ask(self._ranges)
            point = tuple(int(trial.params[name]) for name in self._space.names)
            if not self._allowed(point):
                break
            self._study.tell(trial, state=self._pruned)
        else:
            point = draw_allowed(self._space, self._rng, self._allowed)
            self._study.enqueue_trial(dict(zip(self._space.names, point, strict=True)))
            trial = self._study.ask(self._ranges)
        self._open[point].append(trial)
        return point

    def tell(self, point: Point, fitness: float) -> None:
        self._study.tell(self._open[point].popleft(), fitness)
        self._model.tell(point, fitness, expected=False)
        self._tries[point] = self._tries.get(point, 0) + 1

    def ranking(self) -> list[Guess]:
        return self._model.ranking(self._tries)


def _ordered(values: Sequence[Any]) -> bool:
    """Whether values are numbers in order, so that what lies between two good ones may be good, too."""
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    return len(numbers) == len(values) and numbers == sorted(numbers)
