"""A race: candidates play fast matches in the role that is to be played, and who promises too little drops out.

Racing as in Maron and Moore, "The racing algorithm: model selection for lazy learners" (1997), with a model's forecasts and their
errors as what is believed before the first match (`belief.py`). All who are still in the race play a round under the same
conditions: the same opponents in all other roles, the same chance. A candidate drops out when knowing that it is better would be
worth less than a point. The race ends when one is left, with the budget, or after `MOST_ROUNDS`: agents that do not think, and
moves without a choice, cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ludarium.arena.position import Position
from ludarium.arena.seating import sit_down
from ludarium.core import Agent, Budget, BudgetExceeded, Game, Limit, Rng, Role, checked_utilities, describe
from ludarium.hyper.belief import Belief, Numbers

CALLS = 200
"""Forward calls for a move of a fast match."""

MOST_PLIES = 200
MOST_ROUNDS = 50
_LEAST = 0.01
"""A share: who promises less is not worth another match."""

_UNKNOWN = 0.25
"""How far off it is, without a forecast, that a candidate wins half."""


@dataclass
class Racer:
    """A candidate, what is expected of it, and what it has won."""

    agent: Agent
    expected: float = 0.5
    """As a share."""

    points: list[float] = field(default_factory=list)
    failure: str = ""
    mean: float = 0.5
    """What it wins, by all that is known at the end."""

    error: float = _UNKNOWN

    def __str__(self) -> str:
        won = 100 * min(max(self.mean, 0.0), 1.0)  # what is believed is a normal number, and knows no bounds
        told = f"{describe(self.agent)} {won:.0f} ± {100 * self.error:.0f} % ({len(self.points)} matches"
        return told + f", {100 * self.expected:.0f} % expected)"


def race(
    racers: Sequence[Racer], game: Game, role: Role, limit: Limit, rng: Rng, *, errors: Numbers | None = None
) -> list[Racer]:
    """Let candidates race in a role; the best first, those that failed last. The budget is kept, whatever it counts.

    The errors of what is expected, as a covariance of shares, say how much of it matches may change.
    """
    start = Belief(
        np.array([each.expected for each in racers]),
        np.eye(len(racers)) * _UNKNOWN**2 if errors is None else np.asarray(errors),
    )
    budget = limit.start()
    rounds = 0
    running = _promising(racers, start)
    try:
        while len(running) > 1 and rounds < MOST_ROUNDS:
            able = [each for each in racers if not each.failure]
            seed, opponent = rng.below(1 << 62), able[rounds % len(able)]
            won = [_points(_Match(each, opponent, game, role, seed), budget) for each in running]
            for each, points in zip(running, won, strict=True):
                if points is not None:
                    each.points.append(points)
            rounds += 1
            running = _promising(racers, _now(start, racers))
    except BudgetExceeded:
        pass  # what was won in the last round by some of them only does not count
    end = _now(start, racers)
    for each, mean, error in zip(racers, end.means, end.errors, strict=True):
        each.mean, each.error = float(mean), float(error)
    return sorted(racers, key=lambda each: (bool(each.failure), -each.mean))


def _now(start: Belief, racers: Sequence[Racer]) -> Belief:
    return start.after([each.points for each in racers])


def _promising(racers: Sequence[Racer], belief: Belief) -> list[Racer]:
    """The best, and all who may well be better."""
    there = [k for k, each in enumerate(racers) if not each.failure]
    if not there:
        return []
    best = max(there, key=lambda k: belief.means[k])
    promises = zip(there, belief.promise(there), strict=True)
    return [racers[k] for k, promise in promises if k == best or promise > _LEAST]


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
