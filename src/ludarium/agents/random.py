"""Random: any legal move, all equally likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role


@dataclass(frozen=True)
class Random:
    """Uniform over the legal moves; the yardstick."""

    name: ClassVar[str] = "random"

    def seat(self, game: Game, role: Role, rng: Rng) -> RandomPlayer:
        """Make a player for one match."""
        return RandomPlayer(rng)


@dataclass
class RandomPlayer:
    """Random in its seat."""

    rng: Rng

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Draw a move."""
        budget.charge()
        return Decision(self.rng.choice(info.legal))
