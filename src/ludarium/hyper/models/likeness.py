"""How much alike games are: the cosine between their features, as the paper measures it.

Numbers count by their logarithms and in standard deviations, so that a large board does not drown the rest; ludemes count as they
are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludarium.hyper.features.taxonomy import concepts
from ludarium.hyper.models.tables import Table

_TINY = 1e-12
_DIGITS = 9


@dataclass(frozen=True, eq=False)
class Likeness:
    """Games as directions, and what is needed to see another game among them."""

    games: tuple[str, ...]
    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    directions: NDArray[np.float64]
    """A row of length 1 for each game."""

    @classmethod
    def of(cls, table: Table) -> Likeness:
        """Learn what is usual from a table."""
        known = concepts()
        counted = np.array([name in known for name in table.columns])
        values = logarithms(table.features)
        spread = values.std(axis=0)
        means = np.where(counted, values.mean(axis=0), 0.0)
        scales = np.where(counted & (spread > _TINY), spread, 1.0)
        return cls(table.games, means, scales, lengthened((values - means) / scales))

    def matrix(self) -> NDArray[np.float64]:
        """How alike all games are to each other; digits that depend on processor and threads, and signs of zero, are cut off."""
        return np.asarray(np.round(self.directions @ self.directions.T, _DIGITS) + 0.0)

    def to(self, row: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
        """How alike a game is to each; what is unknown counts as nothing in common."""
        own = np.where(known, (logarithms(row) - self.means) / self.scales, 0.0)
        # Not by `@`: for so few numbers, waking its threads costs more than multiplying.
        return np.asarray(np.einsum("ij,j->i", self.directions, lengthened(own[None])[0]))

    def nearest(self, row: NDArray[np.float64], known: NDArray[np.bool_]) -> tuple[str, float]:
        """The game that is most alike, and how much."""
        alike = self.to(row, known)
        best = int(alike.argmax())
        return self.games[best], float(alike[best])


def logarithms(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers by their logarithms, on both sides of 0."""
    return np.asarray(np.sign(values) * np.log2(1.0 + np.abs(values)))


def lengthened(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _TINY))
