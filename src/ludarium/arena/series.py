"""The same agents again and again: seats rotate, so all play every role; scores say how sure they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from ludarium.arena.play import play
from ludarium.core import Agent, Game, Match, Role

_Z = 1.96  # 95 %


@dataclass
class Score:
    """What one agent has reached so far, by role."""

    totals: list[float]
    counts: list[int]

    def add(self, role: Role, utility: float) -> None:
        """Count a match."""
        self.totals[role] += utility
        self.counts[role] += 1

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
    game: Game,
    agents: Sequence[Agent],
    *,
    matches: int,
    seed: int = 0,
    seconds: float | None = None,
    iterations: int | None = None,
) -> Iterator[tuple[Match, list[Score]]]:
    """Play matches with seeds that count up from `seed`; each comes with the scores so far, one per agent."""
    roles = len(agents)
    scores = [Score([0.0] * roles, [0] * roles) for _ in agents]
    for number in range(matches):
        seats = [(role + number) % roles for role in range(roles)]
        match = play(game, [agents[seat] for seat in seats], seed=seed + number, seconds=seconds, iterations=iterations)
        for role, seat in enumerate(seats):
            scores[seat].add(role, match.utilities[role])
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
