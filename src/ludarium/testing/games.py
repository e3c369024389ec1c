"""The games that something is checked with: names, games themselves, or functions that make them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ludarium import catalog
from ludarium.core import Game
from ludarium.kernel import KernelGame

Named = str | Game | Callable[[], Game]
"""A game, and how to make it anew."""


def makers(games: Iterable[Named] | Named) -> Iterator[Callable[[], Game]]:
    """Give functions that make the games anew, so that kernels can be compiled in every way."""
    for each in [games] if isinstance(games, str | Game) or callable(games) else games:
        if isinstance(each, str):
            yield partial(catalog.game, each)
        elif isinstance(each, KernelGame):
            yield partial(not_compiled, each)
        else:
            yield partial(_same, each) if isinstance(each, Game) else each


def not_compiled(game: KernelGame) -> KernelGame:
    """Make the same game anew, to be compiled when it is first used."""
    twin = copy.copy(game)
    twin.__dict__.pop("bridge", None)
    return twin


def _same(game: Game) -> Game:
    return game
