"""A game as if nothing were hidden: what a search plays that takes a state for granted.

Its states are those of the game, and so is its machine code. Nothing leaks: whoever sits at a revealed game is shown
imagined states only.
"""

from __future__ import annotations

import copy
from dataclasses import replace

from ludarium.core import Game, State
from ludarium.kernel import KernelState, TableGame


def revealed(game: Game) -> Game:
    """Make the same game with nothing hidden; the game itself if that is how it is."""
    if game.traits.perfect_information:
        return game
    if isinstance(game, TableGame):
        _ = game.bridge  # made before there are two games, so that they share it
    twin = copy.copy(game)
    twin.__dict__["traits"] = replace(game.traits, perfect_information=True)  # GDL games work theirs out when asked
    return twin


def shown(game: Game, state: State) -> State:
    """Give a state of a game as a state of its revealed twin."""
    if isinstance(game, TableGame) and isinstance(state, KernelState):
        return game.state(state.block)
    return state
