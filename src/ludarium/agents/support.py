"""What agents ask of a game before they sit down, and what they do when there is nothing to decide."""

from __future__ import annotations

from ludarium.core import Agent, Budget, Decision, Game, InformationSet, UnsupportedGame


def require(game: Game, agent: Agent, *, perfect_information: bool = False) -> None:
    """Refuse a game that an agent cannot play, and say why."""
    if perfect_information and not game.traits.perfect_information:
        raise UnsupportedGame(
            f"{agent.name} cannot play {game.name}: it searches from the present state, and {game.name} hides part of it"
        )


def single_move(info: InformationSet, budget: Budget) -> Decision:
    """Play the only legal move, without thinking."""
    budget.charge()
    (move,) = info.legal
    return Decision(move, note="only move")
