"""A portfolio: at the beginning of a match a model says which agent will do best in this game, and that agent plays it.

Thompson and Stephenson, "General game playing hyper-agents for Ludii".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium import registry
from ludarium.arena.seating import sit_down
from ludarium.core import (
    Agent,
    BadParameter,
    Budget,
    Decision,
    Game,
    InformationSet,
    Player,
    Rng,
    Role,
    UnsupportedGame,
    describe,
)
from ludarium.core.parameters import check, parts
from ludarium.hyper.chosen import rank
from ludarium.hyper.voting import PAPER


@dataclass(frozen=True)
class Portfolio:
    """Let a model choose who plays."""

    name: ClassVar[str] = "portfolio"

    model: str = ""
    """The file of a model, as `ludarium hyper train` writes it."""

    agents: tuple[Agent, ...] = parts(PAPER, "agent")
    """Whom it chooses from, as in `[uct, mast, alphabeta]`; by default the five agents of the paper."""

    def __post_init__(self) -> None:
        check(self)
        check_file(self.name, self.model)
        object.__setattr__(self, "agents", tuple(registry.make("agent", each) for each in self.agents))

    def seat(self, game: Game, role: Role, rng: Rng) -> PortfolioPlayer:
        """Make a player for one match: the best of those that can play the game."""
        ranking = rank(self.name, self.model, self.agents, game)
        refused: list[str] = []
        for each, _ in ranking.order:
            try:
                player = sit_down(each, game, role, rng.split())
            except UnsupportedGame as refusal:
                refused.append(f"left out: {refusal}")
            else:
                return PortfolioPlayer(player, "; ".join([f"sent {describe(each)}", *refused, ranking.because]))
        raise UnsupportedGame(f"{self.name} cannot play {game.name}: {'; '.join(refused)}")


class PortfolioPlayer:
    """The agent that was chosen, in the seat."""

    def __init__(self, player: Player, because: str) -> None:
        self.player, self.because = player, because

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Choose as the agent does, and say who that is."""
        made = self.player.choose(info, budget)
        return replace(made, note="; ".join(each for each in (self.because, made.note) if each))


def check_file(name: str, file: object) -> None:
    """Refuse what is no name of a file."""
    if not isinstance(file, str):
        raise BadParameter(f"{name}: model is {file!r}; expected the name of a file, such as model.zip")
