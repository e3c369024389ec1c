"""Tune: search a space for a budget of evaluations, then measure anew what was found.

`ahead` evaluations are under way at once, and results are told to the search in the order in which they were asked for. So
evaluation n is chosen when exactly those up to n - ahead are known: the number of workers, and who finishes first, change
nothing. A search that was stopped is begun anew and told what is stored, which leads it to where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import repeat
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from ludarium.arena.store.database import MEMORY
from ludarium.arena.tournament.tournament import Interrupts
from ludarium.arena.tournament.workers import PROCESSES
from ludarium.core import BadParameter, Rng, describe
from ludarium.tune.evaluations import Evaluations, Row
from ludarium.tune.line import Line, Place, in_words
from ludarium.tune.measure import Measure, measure
from ludarium.tune.outcome import CHECK, SEARCH, Progress, Tuned
from ludarium.tune.problem import Bench, Config, Problem
from ludarium.tune.searches.ntbea import NTBEA
from ludarium.tune.searches.search import Method, Search
from ludarium.tune.space import Point


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
        run.bench = problem.bench(workers, on, patience=patience, memory=memory)
        interrupts.tell = run.tell
        finished = False
        try:
            run.search_for(budget, ahead)
            if run.evaluated and check:
                run.check(check, max(ahead, 2 * workers))
            finished = True
        finally:
            run.bench.close(now=not finished)
    return run.outcome(budget)


def words(problem: Problem, method: Method, ahead: int) -> dict[str, Any]:
    """Say all that the results depend on: two tunings with the same words are the same."""
    return {**problem.words, "method": describe(cast("Any", method)), "ahead": ahead}


def digest(problem: Problem, method: Method, ahead: int) -> str:
    """Make a short name of the words of a tuning."""
    said = json.dumps(words(problem, method, ahead), sort_keys=True)
    return blake2b(said.encode(), digest_size=4).hexdigest()


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
    evaluated: list[tuple[Point, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._started = perf_counter()
        self._thinking = 0.0
        self._measures: dict[str, Measure] = {}
        self._phase, self._since = SEARCH, self._started
        self._before = self._total = self._done = self._new = self._faults = 0
        self._wrong: dict[Point, str] = {}
        rng = Rng.keyed(self.problem.seed, "search")
        self.search = self.method.start(self.problem.space, rng, self._allowed)

    def search_for(self, budget: int, ahead: int) -> None:
        """Evaluate what the search asks for."""
        stored = {row.number: row for row in self.evaluations.rows(SEARCH)}
        before = sum(number < budget for number in stored)
        self._begin(SEARCH, before, budget)
        for place, fitness in self._evaluated(SEARCH, self._asked(budget), ahead, stored):
            assert place.point is not None
            began = perf_counter()
            self.search.tell(place.point, fitness)
            self._thinking += perf_counter() - began
            self.evaluated.append((place.point, fitness))

    def check(self, count: int, ahead: int) -> None:
        """Measure the best and what there was before, unless they are the same."""
        best = self.problem.space.config(self.search.ranking()[0].point)
        both: list[Config] = [{}, best] if self.problem.given and not self.problem.wrong({}) else [best]
        configs = {self.problem.named(config): config for config in both}
        rows = {name: self.evaluations.rows(CHECK, in_words(config))[:count] for name, config in configs.items()}
        self._begin(CHECK, sum(map(len, rows.values())), count * len(configs))
        for name, config in configs.items():
            stored = {row.number: row for row in rows[name]}
            asked: Iterable[tuple[Config, None]] = repeat((config, None), count)
            values = [fitness for _, fitness in self._evaluated(CHECK, asked, ahead, stored)]
            if values:
                self._measures[name] = measure(values, share=self.problem.share)

    def outcome(self, budget: int) -> Tuned:
        """Sum up."""
        ranking = self.search.ranking()
        best = self.problem.named(self.problem.space.config(ranking[0].point)) if ranking else ""
        return Tuned(
            problem=self.problem,
            method=self.method,
            ranking=ranking,
            evaluated=self.evaluated,
            budget=budget,
            measured=self._measures.get(best),
            given=self._measures.get(self.problem.named({})) if self.problem.given else None,
            interrupted=self.interrupts.wanted,
            new=self._new,
            seconds=perf_counter() - self._started,
            thinking=self._thinking,
            faults=self._faults,
        )

    def tell(self) -> None:
        """Say how far it is."""
        seconds, stopping = perf_counter() - self._since, self.interrupts.wanted
        self.progress(
            Progress(self._phase, self._done, self._before, self._total, seconds, self.search.ranking, stopping)
        )

    def _begin(self, phase: str, before: int, total: int) -> None:
        self._phase, self._before, self._total, self._done = phase, before, total, 0
        self._since = perf_counter()
        self.tell()

    def _asked(self, budget: int) -> Iterator[tuple[Config, Point]]:
        for _ in range(budget):
            began = perf_counter()
            point = self.search.ask()
            self._thinking += perf_counter() - began
            yield self.problem.space.config(point), point

    def _evaluated(
        self, phase: str, asked: Iterable[tuple[Config, Point | None]], ahead: int, stored: dict[int, Row]
    ) -> Iterator[tuple[Place, float]]:
        """Keep evaluations under way, and give what they are worth, in the order in which they were asked for."""
        line = Line(self.problem, self.bench, self.evaluations, phase)
        wanted: Iterator[tuple[int, tuple[Config, Point | None]]] = enumerate(asked)
        nothing: tuple[int, tuple[Config, Point | None]] = (-1, ({}, None))
        more = True
        while more or len(line):
            while more and len(line) < ahead:
                stopping = self.interrupts.wanted or line.failure is not None
                number, (config, point) = nothing if stopping else next(wanted, nothing)
                more = number >= 0
                if more:
                    line.begin(number, config, point, stored.get(number))
            if not len(line):
                break
            place = line.first(lambda: self.interrupts.wanted)
            if place.evaluation is not None and line.failure is None:
                yield place, place.evaluation.fitness
                self._done += 1
                self._new += place.attempt is not None
                self._faults += any(each.get("faults") for each in place.evaluation.detail.get("matches", ()))
                self.tell()
        if line.failure is not None:
            raise line.failure

    def _allowed(self, point: Point) -> str:
        if point not in self._wrong:
            self._wrong[point] = self.problem.wrong(self.problem.space.config(point))
        return self._wrong[point]
