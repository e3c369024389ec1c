"""Tune: search a space for a budget of evaluations, then measure anew what was found.

`ahead` evaluations are under way at once, and results are told to the search in the order in which they were asked for. So
evaluation n is chosen when exactly those up to n - ahead are known: the number of workers, and who finishes first, change
nothing. A search that was stopped is begun anew and told what is stored, which leads it to where it was.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from ludarium.arena.store import StoreError
from ludarium.arena.tournament import Interrupts
from ludarium.arena.workers import PROCESSES
from ludarium.core import BadParameter, LudariumError, Rng, describe
from ludarium.tune.evaluations import MEMORY, Evaluations, Row
from ludarium.tune.measure import Measure, measure
from ludarium.tune.ntbea import NTBEA
from ludarium.tune.problem import Attempt, Bench, Config, Evaluation, Problem, TuneError
from ludarium.tune.search import Guess, Method, Search
from ludarium.tune.space import Point

SEARCH, CHECK = "search", "check"

_CHECK_FROM = 1 << 40  # the numbers of evaluations that check are no numbers of evaluations that search
_LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Progress:
    """How far a tuning is."""

    phase: str
    """`SEARCH` or `CHECK`."""

    done: int
    before: int
    """Evaluations of those that were stored before."""

    total: int
    seconds: float
    """Since the beginning."""

    ranking: Callable[[], list[Guess]]
    """Gives what the search thinks so far; it takes a moment."""

    stopping: bool = False
    """Whether Ctrl-C was pressed: the evaluations under way are the last ones."""


@dataclass(frozen=True)
class Tuned:
    """What came out."""

    problem: Problem
    method: Method
    ranking: list[Guess]
    """All points that were evaluated, the best first."""

    told: list[tuple[Point, float]]
    """The evaluations of the search, in order."""

    total: int
    """The evaluations that the search was to make."""

    measured: Measure | None = None
    """What the best is worth in evaluations that the search has not seen."""

    given: Measure | None = None
    """The same of what there was before tuning."""

    interrupted: bool = False
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


def tune(
    problem: Problem,
    method: Method | None = None,
    *,
    budget: int,
    check: int = 200,
    ahead: int = 8,
    store: str | Path = MEMORY,
    workers: int = 2,
    on: str = PROCESSES,
    progress: Callable[[Progress], None] = lambda _: None,
    patience: float = 300.0,
    memory: int | None = None,
) -> Tuned:
    """Search for `budget` evaluations, and measure what is found, and what there was before, in `check` more each.

    `on` says where matches are played, as in a tournament; it changes no result, nor does the number of workers. More than
    `ahead` evaluations are never under way at once, so more workers than that do not help. Ctrl-C lets those under way
    come to their end; a second one stops at once. The same call with the same `store` goes on from there, also with a larger
    budget.
    """
    for name, value, least in (("budget", budget, 1), ("check", check, 0), ("ahead", ahead, 1)):
        if type(value) is not int or value < least:
            raise BadParameter(f"{name} is {value!r}; expected a whole number, {least} or more")
    method = method or NTBEA()
    with Evaluations(store) as evaluations, Interrupts() as interrupts:
        evaluations.begin(words(problem, method, ahead))
        run = _Run(problem, method, evaluations, interrupts, progress)
        interrupts.told = run.tell
        run.bench = problem.bench(workers, on, patience=patience, memory=memory)
        finished = False
        try:
            run.search_for(budget, ahead)
            if run.told and check:
                run.check(check, max(ahead, 2 * workers))
            finished = True
        finally:
            run.bench.close(now=not finished)
    return run.outcome(budget)


def words(problem: Problem, method: Method, ahead: int) -> dict[str, Any]:
    """Say all that the results depend on: two tunings with the same words are the same."""
    return {**problem.words, "method": describe(cast("Any", method)), "ahead": ahead}


@dataclass
class _Place:
    """An evaluation in the line."""

    number: int
    config: Config
    point: Point | None
    attempt: Attempt | None = None
    evaluation: Evaluation | None = None
    dropped: bool = False

    @property
    def over(self) -> bool:
        return self.dropped or self.evaluation is not None


@dataclass(frozen=True)
class _Phase:
    """A part of the work: what is evaluated, and what is made of it."""

    name: str
    count: int
    ahead: int
    stored: dict[int, Row]
    ask: Callable[[], tuple[Config, Point | None]]
    learn: Callable[[_Place, float], None]


@dataclass
class _Run:
    """A tuning under way."""

    problem: Problem
    method: Method
    evaluations: Evaluations
    interrupts: Interrupts
    progress: Callable[[Progress], None]
    bench: Bench = field(init=False)
    search: Search = field(init=False)

    def __post_init__(self) -> None:
        self.started = perf_counter()
        self.thinking = 0.0
        self.told: list[tuple[Point, float]] = []
        self.measures: dict[str, Measure] = {}
        self.faults = 0
        self._wrong: dict[Point, str] = {}
        self._phase, self._done, self._before, self._total = SEARCH, 0, 0, 0
        self._problem: LudariumError | None = None
        rng = Rng.keyed(self.problem.seed, "search")
        self.search = self.method.start(self.problem.space, rng, self._allowed)

    def search_for(self, budget: int, ahead: int) -> None:
        """Evaluate what the search asks for."""

        def ask() -> tuple[Config, Point | None]:
            began = perf_counter()
            point = self.search.ask()
            self.thinking += perf_counter() - began
            return self.problem.space.config(point), point

        def learn(place: _Place, fitness: float) -> None:
            assert place.point is not None
            began = perf_counter()
            self.search.tell(place.point, fitness)
            self.thinking += perf_counter() - began
            self.told.append((place.point, fitness))

        stored = {row.number: row for row in self.evaluations.rows(SEARCH)}
        self._go(_Phase(SEARCH, budget, ahead, stored, ask, learn), 0, budget)

    def check(self, count: int, ahead: int) -> None:
        """Measure the best and what there was before, unless they are the same."""
        best = self.problem.space.config(self.search.ranking()[0].point)
        both: list[Config] = [{}, best] if self.problem.given else [best]
        configs = {self.problem.named(config): config for config in both}
        total = count * len(configs)
        for place, (name, config) in enumerate(configs.items()):
            values: list[float] = []

            def learn(_: _Place, fitness: float, values: list[float] = values) -> None:
                values.append(fitness)

            stored = {row.number: row for row in self.evaluations.rows(CHECK, _text(config))}
            ask = partial(_again, config)
            self._go(_Phase(CHECK, count, ahead, stored, ask, learn), place * count, total)
            if values:
                self.measures[name] = measure(values, share=self.problem.share)

    def outcome(self, budget: int) -> Tuned:
        """Sum up."""
        ranking = self.search.ranking()
        best = self.problem.named(self.problem.space.config(ranking[0].point)) if ranking else ""
        return Tuned(
            self.problem,
            self.method,
            ranking,
            self.told,
            budget,
            self.measures.get(best),
            self.measures.get(self.problem.named({})) if self.problem.given else None,
            self.interrupts.wanted,
            perf_counter() - self.started,
            self.thinking,
            self.faults,
        )

    def tell(self) -> None:
        """Say how far it is."""
        seconds, stopping = perf_counter() - self.started, self.interrupts.wanted
        told = Progress(self._phase, self._done, self._before, self._total, seconds, self.search.ranking, stopping)
        self.progress(told)

    def _go(self, phase: _Phase, since: int, total: int) -> None:
        """Keep evaluations under way, and take in what they give, in the order in which they were asked for."""
        self._phase, self._done, self._total = phase.name, since, total
        self._before = (self._before if since else 0) + sum(number < phase.count for number in phase.stored)
        self.tell()
        line: deque[_Place] = deque()
        begun = 0
        while line or (begun < phase.count and not self._stopping):
            if begun < phase.count and len(line) < phase.ahead and not self._stopping:
                line.append(self._begun(phase, begun))
                begun += 1
                continue
            self._wait(phase.name, line)
            place = line.popleft()
            if place.evaluation is not None and not self._problem:
                phase.learn(place, place.evaluation.fitness)
                self._done += 1
                self.faults += any(each.get("faults") for each in place.evaluation.detail.get("matches", ()))
                self.tell()
        if self._problem:
            raise self._problem

    @property
    def _stopping(self) -> bool:
        return self.interrupts.wanted or self._problem is not None

    def _begun(self, phase: _Phase, number: int) -> _Place:
        config, point = phase.ask()
        place = _Place(number, config, point)
        if number in phase.stored:
            row = phase.stored[number]
            if row.config != _text(config):
                raise StoreError(
                    f"{self.evaluations.path}: evaluation {number + 1} is of another configuration than the search asks "
                    "for: another version has made it; use another file"
                )
            place.evaluation = Evaluation(row.fitness, json.loads(row.detail))
        else:
            place.attempt = self.bench.begin(config, number + (_CHECK_FROM if phase.name == CHECK else 0))
        return place

    def _wait(self, phase: str, line: deque[_Place]) -> None:
        """Wait until the first in the line is over; store all that come to their end meanwhile."""
        while not line[0].over:
            open_ = [place for place in line if not place.over]
            futures: set[Future[Any]] = {each for place in open_ if place.attempt for each in place.attempt.futures}
            if self._stopping:
                for future in futures:
                    future.cancel()
            wait([each for each in futures if not each.done()], timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for place in open_:
                assert place.attempt is not None
                if all(each.done() for each in place.attempt.futures):
                    self._take(phase, place, place.attempt)

    def _take(self, phase: str, place: _Place, attempt: Attempt) -> None:
        """Judge and store an evaluation; what goes wrong is kept until those under way are stored, too."""
        if any(each.cancelled() for each in attempt.futures):
            place.dropped = True
            return
        try:
            made = attempt.finish([each.result() for each in attempt.futures])
        except Exception as problem:  # noqa: BLE001
            place.dropped = True
            self._problem = self._problem or self._told(place.config, problem)
        else:
            place.evaluation = self.evaluations.add(phase, place.number, _text(place.config), made)

    def _told(self, config: Config, problem: Exception) -> LudariumError:
        if isinstance(problem, LudariumError):
            return problem
        said = f"the fitness of {self.problem.named(config)} failed: {type(problem).__name__}: {problem}"
        error = TuneError(said)
        error.__cause__ = problem
        return error

    def _allowed(self, point: Point) -> str:
        if point not in self._wrong:
            self._wrong[point] = self.problem.wrong(self.problem.space.config(point))
        return self._wrong[point]


def _again(config: Config) -> tuple[Config, None]:
    return config, None


def _text(config: Config) -> str:
    """Write a configuration as JSON; what JSON does not know by how Python writes it."""
    return json.dumps(dict(config), default=repr)
