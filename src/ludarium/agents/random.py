"""Random: any legal move, all equally likely, or as the game itself draws moves."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import ClassVar

from ludarium.agents.search.actions import actions_of, sampled
from ludarium.agents.search.support import blaming, require
from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.core.parameters import check, choice
from ludarium.kernel import bridge


@dataclass(frozen=True)
class Random:
    """Draw a legal move; the yardstick."""

    name: ClassVar[str] = "random"

    draw: str = choice("list", ("list", "sample"))
    """Draw evenly from the `list` of legal moves, or `sample` by the game's own random action generator, if it has one."""

    def __post_init__(self) -> None:
        check(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> RandomPlayer | SamplingPlayer:
        """Make a player for one match."""
        if self.draw == "list":
            return RandomPlayer(rng)
        require(game, self, perfect_information=True)
        return SamplingPlayer(game, role, rng)


@dataclass
class RandomPlayer:
    """Random in its seat."""

    rng: Rng

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Draw a move."""
        budget.charge()
        return Decision(self.rng.choice(info.legal))


class SamplingPlayer:
    """Random in its seat, drawing as the game does."""

    def __init__(self, game: Game, role: Role, rng: Rng) -> None:
        self.game, self.role, self.rng = game, role, rng
        self.bridge = bridge(game)
        self.moves = array("Q", bytes(8 * max(1, self.bridge.table.max_moves)))

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Draw a move from the game's generator."""
        budget.charge()
        assert info.state is not None
        block = bytearray(self.bridge.block(info.state))
        with blaming(self.game):
            move = sampled(self.bridge.table, actions_of(self.game), block, self.role, self.moves, self.rng)
        return Decision(move)
