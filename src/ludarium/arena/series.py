"""The same agents again and again: seats rotate, so all play every role; scores say how sure they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ludarium.arena.play import play
from ludarium.arena.streams import fresh_seed
from ludarium.core import Agent, Game, Match, Role
from ludarium.registry import make

_Z = 1.96  # 95 %


@dataclass
class Score:
    """What one agent has reached so far, by role."""

    totals: list[float]
    counts: list[int]
    won: int = 0
    drawn: int = 0
    """Matches that it was best in alone, and with others."""

    def add(self, role: Role, utilities: Sequence[float]) -> None:
        """Count a match."""
        self.totals[role] += utilities[role]
        self.counts[role] += 1
        best = max(utilities)
        if len(utilities) == 1:
            self.won += best == 1
            self.drawn += 0 < best < 1
        elif utilities[role] == best:
            alone = utilities.count(best) == 1
            self.won += alone
            self.drawn += not alone

    @property
    def lost(self) -> int:
        """Matches that another one was best in."""
        return sum(self.counts) - self.won - self.drawn

    @property
    def mean(self) -> float:
        """The average utility."""
        return sum(self.totals) / sum(self.counts)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true average lies with 95 % confidence."""
        return wilson(self.mean, sum(self.counts))

    def mean_as(self, role: Role) -> float | None:
        """Average the utility in a role; None if it was not played."""
        return self.totals[role] / self.counts[role] if self.counts[role] else None


def series(
    game: Game | str,
    agents: Sequence[Agent | str],
    *,
    matches: int,
    seed: int | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    move_limit: int | None = None,
) -> Iterator[tuple[Match, list[Score]]]:
    """Play matches with seeds that count up from `seed`, or from one that is drawn; each comes with the scores so far."""
    rules: Game = make("game", game)
    named: list[Agent] = [make("agent", each) for each in agents]
    first = fresh_seed() if seed is None else seed
    roles = len(named)
    scores = [Score([0.0] * roles, [0] * roles) for _ in named]
    for number in range(matches):
        seats = [(role + number) % roles for role in range(roles)]
        seated = [named[seat] for seat in seats]
        limit: dict[str, Any] = {"seconds": seconds, "iterations": iterations, "move_limit": move_limit}
        match = play(rules, seated, seed=first + number, **limit)
        for role, seat in enumerate(seats):
            scores[seat].add(role, match.utilities)
        yield match, scores


def wilson(mean: float, count: int) -> tuple[float, float]:
    """Give the 95 % score interval of a mean of numbers from 0 to 1 (Wilson 1927).

    Where there are values between, it is too wide rather than too narrow: nothing from 0 to 1 varies more
    than wins and losses of the same mean.

    >>> [round(end, 3) for end in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    centre = (mean + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    reach = _Z / (1 + _Z**2 / count) * sqrt(mean * (1 - mean) / count + _Z**2 / (4 * count**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)
