"""How unlike genomes are, as neat-python measures it, but of one to a whole population at once.

To put a population into species, each genome is compared with every species. One pair at a time, that took about a quarter of a
generation's time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ludarium.arena.extras import needs

with needs("evolve"):
    import neat

_LINK = (("weight",), ("enabled",))
_NODE = (("bias", "response", "time_constant"), ("activation", "aggregation"))

Row = npt.NDArray[np.float64]


class Genome(neat.DefaultGenome):  # type: ignore[misc]
    """A genome of neat-python that looks its distances up where they are known."""

    def distance(self, other: Any, config: Any) -> float:
        """How unlike another it is."""
        likeness: Likeness | None = getattr(config, "likeness", None)
        known = None if likeness is None else likeness.between(self, other)
        return float(super().distance(other, config)) if known is None else known


class Likeness:
    """How unlike any genome is to those of a population; rows are worked out when they are asked for."""

    def __init__(self, members: Mapping[int, Any], config: Any) -> None:
        self._members, self._config = members, config
        self._places = {key: place for place, key in enumerate(members)}
        self._rows: dict[int, list[float]] = {}
        self._nodes = _Genes([each.nodes for each in members.values()], *_NODE)
        self._links = _Genes([each.connections for each in members.values()], *_LINK)

    def between(self, one: Any, other: Any) -> float | None:
        """How unlike two genomes are; None if the second is not of the population."""
        key = other.key
        if self._members.get(key) is not other:
            return None
        row = self._rows.get(one.key)
        if row is None:
            far = self._nodes.far(one.nodes, self._config) + self._links.far(one.connections, self._config)
            row = self._rows[one.key] = far.tolist()
        return row[self._places[key]]


class _Genes:
    """The genes of one kind of a whole population, a column for each that somebody has."""

    def __init__(self, owners: Sequence[Mapping[Any, Any]], numbers: Sequence[str], words: Sequence[str]) -> None:
        self._names = (numbers, words)
        self._columns: dict[Any, int] = {}
        for genes in owners:
            for key in genes:
                self._columns.setdefault(key, len(self._columns))
        self._words: dict[Any, int] = {}
        laid_out = [self._laid_out(genes) for genes in owners]
        self._values = np.stack([values for values, _ in laid_out])
        self._held = np.stack([held for _, held in laid_out])
        self._counts = np.array([len(genes) for genes in owners])

    def far(self, genes: Mapping[Any, Any], config: Any) -> Row:
        """How unlike one genome's genes are to those of each member: what they share differs, and some have what others lack."""
        values, held = self._laid_out({key: gene for key, gene in genes.items() if key in self._columns})
        shared = self._held & held
        numbers = len(self._names[0])
        apart = np.abs(self._values - values)
        apart[:, numbers:] = apart[:, numbers:] > 0
        unlike = (apart.sum(axis=1) * shared).sum(axis=1)
        lacking = self._counts + len(genes) - 2 * shared.sum(axis=1)
        most = np.maximum(np.maximum(self._counts, len(genes)), 1)
        weight, disjoint = config.compatibility_weight_coefficient, config.compatibility_disjoint_coefficient
        return np.asarray((weight * unlike + disjoint * lacking) / most)

    def _laid_out(self, genes: Mapping[Any, Any]) -> tuple[Row, npt.NDArray[np.bool_]]:
        numbers, words = self._names
        values = np.zeros((len(numbers) + len(words), len(self._columns)))
        places = [self._columns[key] for key in genes]
        for row, name in enumerate(numbers):
            values[row, places] = [getattr(gene, name) for gene in genes.values()]
        for row, name in enumerate(words, len(numbers)):
            values[row, places] = [
                self._words.setdefault(getattr(gene, name), len(self._words)) for gene in genes.values()
            ]
        held = np.zeros(len(self._columns), bool)
        held[places] = True
        return values, held
