"""The sheet of a game: every concept found, absent or unknown, and where that comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludarium.core import Game
from ludarium.core.features import Feature
from ludarium.hyper.features.seen import seen
from ludarium.hyper.features.taxonomy import concepts, with_parents

UNKNOWN = Feature(None, "nothing tells")


@dataclass(frozen=True)
class Features:
    """What is known of a game."""

    game: str
    known: Mapping[str, Feature]
    """All concepts by name; of games in Ludii's language the ludemes too."""

    def __getitem__(self, name: str) -> Feature:
        """One of them; a name that nobody knows is unknown."""
        return self.known.get(name, UNKNOWN)

    @property
    def ludemes(self) -> list[str]:
        """The ludemes that the game uses, by the names of their columns."""
        return sorted(name for name, feature in self.known.items() if name not in concepts() and feature.value)

    def count(self, status: str) -> int:
        """How many concepts are found, absent or unknown."""
        return sum(self[name].status == status for name in concepts())

    def row(self, columns: Sequence[str]) -> list[float | None]:
        """The values under names of columns, None where nothing is known."""
        return [self[name].value for name in columns]

    def cells(self, columns: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The same as numbers, 0 where nothing is known, and where something is known."""
        values = self.row(columns)
        return np.array([value or 0.0 for value in values]), np.array([value is not None for value in values])


def columns_of(sheets: Iterable[Features]) -> tuple[str, ...]:
    """The columns of a table of games: all concepts, and the ludemes that any of them uses."""
    return (*concepts(), *sorted({name for each in sheets for name in each.ludemes}))


def features(game: Game) -> Features:
    """Tell all that can be told of a game.

    >>> from ludarium import game
    >>> found = features(game("lud:hex"))
    >>> found["ConnectionWin"].status, found["LineEnd"].status, found["NumPlayers"].value
    ('found', 'absent', 2)
    >>> features(game("nim"))["Line"].status
    'unknown'
    """
    if game.offers.features is not None:
        known = with_parents(game.offers.features())
        rest = Feature(0, "the rules")
    else:
        known = with_parents(seen(game))
        rest = UNKNOWN
    return Features(game.name, {**dict.fromkeys(concepts(), rest), **known})
