"""Exact enumeration: all states that a role can be in, each as likely as it is.

What was worked out for one decision is where the next one begins, so a decision costs as much as the plies since the
last one: one run of the rules per state, joint move of the others and outcome of chance. Chance runs as plain Python.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, product
from math import fsum, inf
from time import perf_counter
from typing import ClassVar

from ludarium.core import Game, InformationSet, Rng, Role, State
from ludarium.core.parameters import check, number
from ludarium.hidden.chance import Chance
from ludarium.hidden.sampler import UNLIMITED, Draw, Sampler, TooManyStates, goes_on, same

_SLICE = 0.004  # seconds of work between two looks at a clock
_PIECE = 2048  # steps of work between two looks at another budget

Belief = dict[tuple[State, int], float]
"""How likely a state is, together with the number of own moves on the way to it."""


@dataclass(frozen=True)
class Enumeration:
    """List every state that agrees with what a role knows; for small games."""

    name: ClassVar[str] = "enumeration"

    limit: int = number(100_000, 1, 1 << 31)
    """It is an error if more states than this agree with what was seen, now or on the way."""

    def __post_init__(self) -> None:
        check(self)

    def sampler(self, game: Game, role: Role) -> EnumerationSampler:
        """Make a sampler for one match."""
        return EnumerationSampler(self, game, role)


class EnumerationSampler(Sampler):
    """Enumeration for a role in a match."""

    def __init__(self, agent: Enumeration, game: Game, role: Role) -> None:
        super().__init__(game, role)
        self.limit = agent.limit
        self.chance = Chance(game)
        self._info: InformationSet | None = None
        self._belief: Belief = {}
        self._work: Iterator[int] = iter(())
        self._costs = False
        self._states: list[State] = []
        self._heights: list[float] = []

    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Draw states as likely as they are, once all of them are listed."""
        self._listen(info)
        used, steps, until = 0, 0, perf_counter() + _SLICE if self.clocked else inf
        while not self._states:
            late = perf_counter() > until if self.clocked else steps >= _PIECE
            if (self._costs and used >= calls) or late:
                return Draw([], used, more=True)
            used += next(self._work, 0)
            steps += 1
        return Draw([self._any(rng) for _ in range(count)], used, more=True)

    def _any(self, rng: Rng) -> State:
        place = bisect_right(self._heights, rng.uniform() * self._heights[-1])
        return self._states[min(place, len(self._states) - 1)]

    def likelihoods(self, info: InformationSet) -> dict[State, float]:
        """Tell how likely each state is: numbers that add up to 1."""
        self._listen(info)
        for _ in self._work:
            pass
        return {state: likely for (state, _), likely in self._belief.items()}

    def _listen(self, info: InformationSet) -> None:
        self.check(info)
        if same(self._info, info):
            return
        done = bool(self._states) and goes_on(self._info, info)
        begin = len(self._info.seen) if done and self._info else 0
        if not done:
            self._belief = {}
        self._info, self._states = info, []
        self._work = self._worked_out(info, begin)

    def _worked_out(self, info: InformationSet, begin: int) -> Iterator[int]:
        """Go through the plies that are new; gives the forward calls of each piece of work, for somebody to count."""
        for ply in range(begin, len(info.seen)):
            self._costs = ply > 0
            yield 0  # so that whoever counts can stop before the first forward call
            steps = self._next(info, ply) if ply else ((*each, 0) for each in self.chance.beginnings())
            belief: Belief = {}
            for state, likely, own in steps:
                if state is not None and state.observe(self.role) == info.seen[ply]:
                    belief[state, own] = belief.get((state, own), 0.0) + likely
                if len(belief) > self.limit:
                    told = f"{self.game.roles[self.role]} in {self.game.name}"
                    raise TooManyStates(
                        f"more than {self.limit} states agree with what {told} has seen after {ply} plies: "
                        f"enumeration lists them all; replay does not"
                    )
                yield int(self._costs)
            if not belief:
                raise self.contradiction(f"impossible after {ply} plies")
            total = fsum(belief.values())
            self._belief = {each: likely / total for each, likely in belief.items()}
        self._finish(info)

    def _next(self, info: InformationSet, ply: int) -> Iterator[tuple[State | None, float, int]]:
        """Play everything that can be played from the states of the ply before; each run is a forward call."""
        for (state, own), likely in self._belief.items():
            movers = state.movers
            mine = self.role in movers
            if not movers or (mine and (own >= len(info.played) or info.played[own] not in state.legal(self.role))):
                continue
            choices = [[info.played[own]] if role == self.role else state.legal(role) for role in movers]
            ways = 1
            for choice in choices:
                ways *= len(choice)
            for joint in product(*choices):
                for after, chance in self.chance.outcomes(state, dict(zip(movers, joint, strict=True))):
                    yield after, likely * chance / ways, own + mine

    def _finish(self, info: InformationSet) -> None:
        """Keep the states in which the role has made its moves and has to choose among the same ones as now."""
        legal = sorted(info.legal)
        fits = {
            (state, own): likely
            for (state, own), likely in self._belief.items()
            if own == len(info.played) and self.role in state.movers and sorted(state.legal(self.role)) == legal
        }
        if not fits:
            raise self.contradiction("it would not have to choose among these moves now")
        total = fsum(fits.values())
        self._belief = {each: likely / total for each, likely in fits.items()}
        self._states = [state for state, _ in self._belief]
        self._heights = list(accumulate(self._belief.values()))
