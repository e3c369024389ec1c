"""An agent that goes through the moves in their order."""

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Decision
from ludarium.core.parameters import check, number


@dataclass(frozen=True)
class Sweeper:
    """Plays the legal moves in their order, whatever the game."""

    name: ClassVar[str] = "sweeper"

    start: int = number(0, 0, 63, tries=(0, 1, 2))
    """The place of the move in the list of legal ones."""

    def __post_init__(self):
        check(self)

    def seat(self, game, role, rng):
        """Make a player for one match."""
        return SweeperPlayer(self)


@dataclass
class SweeperPlayer:
    """The sweeper in its seat."""

    agent: Sweeper

    def choose(self, info, budget):
        """Choose by place."""
        budget.charge()
        return Decision(info.legal[self.agent.start % len(info.legal)])
