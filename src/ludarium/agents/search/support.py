"""What agents ask of a game before they sit down, and what they do when there is nothing to decide."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

from ludarium.core import Agent, Budget, Decision, Game, GameError, HiddenState, InformationSet
from ludarium.kernel import TableGame
from ludarium.kernel.callback import interrupts_kept


def require(game: Game, agent: Agent, *, perfect_information: bool = False) -> None:
    """Refuse a game that an agent cannot play, and say why."""
    if perfect_information and not game.traits.perfect_information:
        raise HiddenState(
            f"{agent.name} cannot play {game.name}: it searches from the present state, "
            f"and {game.name} hides part of it"
        )


@contextmanager
def blaming(game: Game) -> Iterator[None]:
    """Tell a game that breaks its promises below a search from a mistake of ours."""
    try:
        with nullcontext() if isinstance(game, TableGame) else interrupts_kept():
            yield
    except (AssertionError, IndexError) as problem:
        if not isinstance(game, TableGame):
            raise  # its own Python raised this, and knows best
        raise GameError(f"game '{game.name}' cannot be searched: {problem}") from problem


def single_move(info: InformationSet, budget: Budget) -> Decision:
    """Play the only legal move, without thinking."""
    budget.charge()
    (move,) = info.legal
    return Decision(move, note="only move")


def forgetful(agent: Agent, *, plans: bool = True) -> Agent:
    """Switch the reuse of trees and of plans off, for an agent that is asked about states that do not follow one another.

    Plans may be kept where the moves do follow one another: they are rows of moves, which fit other states, too.
    """
    parameters: Any = agent
    names = ("reuse", "shift_buffer") if plans else ("reuse",)
    kept = [name for name in names if getattr(agent, name, False)]
    return replace(parameters, **dict.fromkeys(kept, False)) if kept else agent
