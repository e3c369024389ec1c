"""What a search is about: a space, and a fitness that can be evaluated at its points, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Any, ClassVar, Protocol

from ludarium.arena.tournament.threads import Threads
from ludarium.core import BadParameter, LudariumError, Rng
from ludarium.tune.space import Space

Config = Mapping[str, Any]
"""Values by the names of the parameters; none at all stands for what was there before tuning."""


class TuneError(LudariumError):
    """A fitness that cannot be evaluated; what was evaluated before is safe."""


@dataclass(frozen=True)
class Evaluation:
    """What a configuration was worth once."""

    fitness: float
    detail: Mapping[str, Any]
    """What happened, as what JSON can hold."""

    seconds: float = 0.0


@dataclass(frozen=True)
class Attempt:
    """An evaluation under way: what is waited for, and what is made of it."""

    futures: list[Future[Any]]
    finish: Callable[[list[Any]], Evaluation]


class Bench(Protocol):
    """Where evaluations are made, side by side."""

    def begin(self, config: Config, number: int) -> Attempt:
        """Begin an evaluation; equal configurations and numbers give equal results, as far as there are no clocks."""
        ...

    def close(self, *, now: bool) -> None:
        """End the workers: after what they are doing, or now."""
        ...


class Problem(Protocol):
    """What is tuned, and for what."""

    @property
    def space(self) -> Space:
        """Where to search."""
        ...

    @property
    def seed(self) -> int:
        """Another seed, other luck."""
        ...

    @property
    def goal(self) -> str:
        """What the fitness is called."""
        ...

    @property
    def share(self) -> bool:
        """Whether every evaluation gives a number from 0 to 1."""
        ...

    @property
    def words(self) -> dict[str, Any]:
        """All that the results depend on, as what JSON can hold."""
        ...

    @property
    def given(self) -> bool:
        """Whether there is something before tuning, which the configuration without values stands for."""
        ...

    @property
    def before(self) -> Config:
        """The values that the parameters had before tuning, as far as that is known."""
        ...

    def named(self, config: Config) -> str:
        """Write a configuration as its user would."""
        ...

    def wrong(self, config: Config) -> str:
        """Say why a configuration makes no sense; nothing if it does."""
        ...

    def bench(self, workers: int, on: str, *, patience: float, memory: int | None) -> Bench:
        """Start workers."""
        ...


@dataclass(frozen=True)
class Function:
    """Any noisy function of a configuration; it runs in threads of this process.

    >>> from ludarium.tune import tune
    >>> space = Space({"x": (0, 1, 2, 3, 4)})
    >>> result = tune(Function(space, lambda config, rng: config["x"] + rng.uniform()), budget=50, check=10)
    >>> result.config
    {'x': 4}
    """

    space: Space
    function: Callable[[dict[str, Any], Rng], float]
    seed: int = 0
    goal: str = "fitness"
    share: bool = False
    given: ClassVar[bool] = False

    @property
    def words(self) -> dict[str, Any]:
        """All that the results depend on, but the function itself."""
        return {"goal": self.goal, "space": plain_space(self.space), "seed": self.seed}

    @property
    def before(self) -> Config:
        """Nothing was there before."""
        return {}

    def named(self, config: Config) -> str:
        """Write a configuration."""
        return ", ".join(f"{name}={value}" for name, value in config.items())

    def wrong(self, config: Config) -> str:  # noqa: ARG002
        """Allow everything."""
        return ""

    def bench(self, workers: int, on: str, *, patience: float, memory: int | None) -> Bench:  # noqa: ARG002
        """Start threads."""
        if workers < 1:
            raise BadParameter(f"workers is {workers}; expected 1 or more")
        return _Threads(self, workers)


class _Threads:
    """Evaluates a Python function."""

    def __init__(self, problem: Function, workers: int) -> None:
        self._problem = problem
        self._pool = Threads(workers)

    def begin(self, config: Config, number: int) -> Attempt:
        rng = Rng.keyed(self._problem.seed, "evaluation", number)

        def finish(results: list[Any]) -> Evaluation:
            (value,) = results
            return Evaluation(number_of(value, self._problem.named(config)), {})

        return Attempt([self._pool.submit(partial(self._problem.function, dict(config), rng))], finish)

    def close(self, *, now: bool) -> None:
        self._pool.close(now=now)


def number_of(value: Any, what: str) -> float:
    """Refuse what is no finite number."""
    if isinstance(value, bool) or not hasattr(value, "__float__") or not isfinite(value):
        raise TuneError(f"the fitness of {what} is {value!r}; expected a number")
    return float(value)


def plain_space(space: Space) -> dict[str, list[Any]]:
    """Write a space as what JSON can hold."""
    plain = (bool, int, float, str)
    return {
        name: [value if isinstance(value, plain) else repr(value) for value in values]
        for name, values in space.values.items()
    }
