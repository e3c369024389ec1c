"""Forests as plain arrays: a single game goes down all trees at once, and every step of its way can be asked for.

Where a tree asks for what is unknown, the game goes both ways, each as much as the games that were learned from did.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.hyper.models.grove_kernels import Down, go_down

_NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Grove:
    """All trees of one or several forests, one behind the other."""

    roots: NDArray[np.int64]
    of: NDArray[np.int64]
    """Per tree the forest that it belongs to."""

    feature: NDArray[np.int64]
    """Per node what it asks about; -1 at a leaf."""

    threshold: NDArray[np.float64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: NDArray[np.float64]
    """Per node the mean of the games that came there, for each output."""

    weight: NDArray[np.float64]
    """Per node how many games came there."""

    @classmethod
    def of_forests(cls, forests: list[Any]) -> Grove:
        """Take forests of scikit-learn apart."""
        trees = [(k, each.tree_) for k, forest in enumerate(forests) for each in forest.estimators_]
        starts = np.concatenate([[0], np.cumsum([tree.node_count for _, tree in trees])]).astype(np.int64)
        left = np.concatenate([tree.children_left + start for (_, tree), start in zip(trees, starts, strict=False)])
        right = np.concatenate([tree.children_right + start for (_, tree), start in zip(trees, starts, strict=False)])
        return cls(
            roots=starts[:-1],
            of=np.array([k for k, _ in trees]),
            feature=np.concatenate([np.maximum(tree.feature, -1) for _, tree in trees]),
            threshold=np.concatenate([tree.threshold for _, tree in trees]),
            left=left,
            right=right,
            value=np.concatenate([tree.value[:, :, 0] for _, tree in trees]),
            weight=np.concatenate([tree.weighted_n_node_samples for _, tree in trees]),
        )

    def predict(self, row: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
        """What the forests say of a game, one behind the other."""
        found = self._said.copy()
        self._down(row, known, self._shares, found=found)
        return found

    def contributions(
        self, row: NDArray[np.float64], known: NDArray[np.bool_], place: int
    ) -> tuple[float, NDArray[np.float64]]:
        """What was said of a candidate before anything was asked, and what every feature added to it on the way down.

        A question adds the difference between the means of the games that came to the node behind it and before it (Saabas 2014);
        one about something unknown adds nothing.
        """
        forest, output = divmod(place, self.value.shape[1])
        added = np.zeros(len(row))
        self._down(row, known, np.where(self.of == forest, self._shares, 0.0), added=added, explained=output)
        return float(self._said[place]), added

    def _down(
        self,
        row: NDArray[np.float64],
        known: NDArray[np.bool_],
        begin: NDArray[np.float64],
        *,
        found: NDArray[np.float64] = _NOTHING,
        added: NDArray[np.float64] = _NOTHING,
        explained: int = 0,
    ) -> None:
        shares = np.zeros(len(self.feature))
        shares[self.roots] = begin
        way = Down(
            asked=row.astype(np.float32).astype(np.float64),  # scikit-learn looks at games with this precision
            known=known.astype(np.int64),
            shares=shares,
            found=found,
            added=added,
            outputs=self.value.shape[1],
            explained=explained,
            **self._nodes,
        )
        go_down(way)

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """Per tree what it counts in its forest."""
        return np.asarray(1.0 / np.bincount(self.of)[self.of])

    @cached_property
    def _said(self) -> NDArray[np.float64]:
        """Per forest and output what is said before anything is asked."""
        said = np.zeros((int(self.of.max()) + 1, self.value.shape[1]))
        np.add.at(said, self.of, self.value[self.roots] * self._shares[:, None])
        return said.ravel()

    @cached_property
    def _nodes(self) -> dict[str, NDArray[Any]]:
        """What is the same for all games, as kernels take it."""
        sizes = np.diff([*self.roots, len(self.feature)])
        whole = {name: np.ascontiguousarray(getattr(self, name), np.int64) for name in ("feature", "left", "right")}
        real = {name: np.ascontiguousarray(getattr(self, name), np.float64) for name in ("threshold", "weight")}
        forest = np.repeat(np.asarray(self.of, np.int64), sizes)
        return whole | real | {"value": np.ascontiguousarray(self.value, np.float64).ravel(), "forest": forest}
