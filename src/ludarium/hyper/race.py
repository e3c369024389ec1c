"""A race: candidates play fast matches in the role that is to be played, and who is surely behind drops out.

Maron and Moore, "The racing algorithm: model selection for lazy learners" (1997), with what a model expects as the matches that
were played before the first: the wider its interval, the fewer they are. All who are still in the race play a round under the
same conditions: the same opponents in all other roles, the same chance. It ends when one is left, with the budget, or after
`MOST_ROUNDS`: agents that do not think, and moves without a choice, cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludarium.arena.position import Position
from ludarium.arena.seating import sit_down
from ludarium.core import Agent, Budget, BudgetExceeded, Game, Limit, Rng, Role, checked_utilities, describe
from ludarium.hyper.models.model import Forecast

CALLS = 200
"""Forward calls for a move of a fast match."""

MOST_PLIES = 200
MOST_ROUNDS = 50
_BEHIND = 2.0
"""Standard errors that somebody is behind who drops out."""

_LEAST_ROUNDS = 4
_INTERVAL = 1.2816
"""Standard deviations to either side that hold 80 %."""

_FEWEST, _MOST = 1.0, 12.0
_EDGE = 0.05


@dataclass
class Racer:
    """A candidate, what is expected of it, and what it has won."""

    agent: Agent
    expected: float
    """As a share."""

    weight: float
    """So many matches the expectation counts for."""

    points: list[float] = field(default_factory=list)
    failure: str = ""

    @property
    def mean(self) -> float:
        """What it wins, by all that is known."""
        return (self.expected * self.weight + sum(self.points)) / (self.weight + len(self.points))

    @property
    def error(self) -> float:
        """The standard error of that."""
        share = min(max(self.mean, _EDGE), 1 - _EDGE)
        return math.sqrt(share * (1 - share) / (self.weight + len(self.points)))

    def __str__(self) -> str:
        told = f"{describe(self.agent)} {100 * self.mean:.0f} ± {100 * self.error:.0f} % ({len(self.points)} matches"
        return told + f", {100 * self.expected:.0f} % expected)"


def racer(agent: Agent, forecast: Forecast | None) -> Racer:
    """A candidate at the start; without a forecast of its score it begins like all others."""
    if forecast is None:
        return Racer(agent, 0.5, _FEWEST)
    expected = min(max(forecast.score / 100, _EDGE), 1 - _EDGE)
    spread = max(forecast.high - forecast.low, 1.0) / 200 / _INTERVAL
    return Racer(agent, expected, min(max(expected * (1 - expected) / spread**2, _FEWEST), _MOST))


def race(racers: Sequence[Racer], game: Game, role: Role, limit: Limit, rng: Rng) -> list[Racer]:
    """Let candidates race in a role; the best first, those that failed last. The budget is kept, whatever it counts."""
    budget = limit.start()
    running = list(racers)
    rounds = 0
    try:
        while len(running) > 1 and rounds < MOST_ROUNDS:
            able = [each for each in racers if not each.failure]
            seed, opponent = rng.below(1 << 62), able[rounds % len(able)]
            won = [_points(_Match(each, opponent, game, role, seed), budget) for each in running]
            for each, points in zip(running, won, strict=True):
                if points is not None:
                    each.points.append(points)
            rounds += 1
            running = _still(running) if rounds >= _LEAST_ROUNDS else [each for each in running if not each.failure]
    except BudgetExceeded:
        pass  # what was won in the last round by some of them only does not count
    left = {id(each) for each in running}
    return sorted(racers, key=lambda each: (bool(each.failure), id(each) not in left, -each.mean))


def _still(running: Sequence[Racer]) -> list[Racer]:
    """Who is not surely behind the best."""
    there = [each for each in running if not each.failure]
    best = max(there, key=lambda each: each.mean, default=None)
    return [
        each for each in there
        if best is not None and best.mean - each.mean <= _BEHIND * math.hypot(best.error, each.error)
    ]  # fmt: skip


class _Match(NamedTuple):
    """A match of a race."""

    racer: Racer
    opponent: Racer
    """In all other roles."""

    game: Game
    role: Role
    seed: int

    def in_seat(self, role: Role) -> Racer:
        return self.racer if role == self.role else self.opponent


def _points(match: _Match, budget: Budget) -> float | None:
    """Play a match, and tell what the candidate won; nothing if somebody fails, which is noted."""
    game, roles = match.game, range(len(match.game.roles))
    position = Position(game, match.seed)
    players = [sit_down(match.in_seat(each).agent, game, each, Rng.keyed(match.seed, "race", each)) for each in roles]
    while (movers := position.state.movers) and position.plies < MOST_PLIES:
        moves = {}
        for mover in movers:
            info = position.information_set(mover)
            budget.charge()  # so that it ends in time even where nobody has a choice
            try:
                moves[mover] = players[mover].choose(info, budget.child(Limit(forward_calls=CALLS))).move
            except Exception as problem:
                if budget.exhausted and isinstance(problem, BudgetExceeded):
                    raise
                match.in_seat(mover).failure = f"{type(problem).__name__}: {problem}"
                return None
        position.play(moves)
    if not position.state.over:
        return 1 / len(roles) if len(roles) > 1 else 0.0
    return checked_utilities(game, position.state.utilities())[match.role]
