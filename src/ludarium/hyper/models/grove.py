"""Forests as plain arrays: a single game goes down all trees at once, and every step of its way can be asked for.

Where a tree asks for what is unknown, the game goes both ways, each as much as the games that were learned from did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


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
        forests = int(self.of.max()) + 1
        found = np.zeros((forests, self.value.shape[1]))
        for level in self._levels(row, known):
            nodes, at, shares = (
                each[self.feature[level.nodes] < 0] for each in (level.nodes, level.forests, level.shares)
            )
            for output in range(self.value.shape[1]):
                found[:, output] += np.bincount(at, shares * self.value[nodes, output], forests)
        return found.ravel()

    def contributions(
        self, row: NDArray[np.float64], known: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What was said before anything was asked, and what every feature added to it on the way down.

        A question adds the difference between the means of the games that came to the node behind it and before it (Saabas 2014);
        one about something unknown adds nothing.
        """
        trees, wide = np.bincount(self.of), self.value.shape[1]
        base = np.zeros((len(trees), wide))
        np.add.at(base, self.of, self.value[self.roots] / trees[self.of][:, None])
        added = np.zeros((len(row), len(trees) * wide))
        for level in self._levels(row, known):
            nodes, after = level.nodes[level.sure], level.after
            change = (self.value[after] - self.value[nodes]) * level.shares[level.sure][:, None]
            outputs = level.forests[level.sure][:, None] * wide + np.arange(wide)
            np.add.at(added, (self.feature[nodes][:, None], outputs), change)
        return base.ravel(), added

    def _levels(self, row: NDArray[np.float64], known: NDArray[np.bool_]) -> Iterator[_Level]:
        """Where a game is in all trees, step by step, and how much of it."""
        asked = row.astype(np.float32)  # scikit-learn looks at games with this precision
        nodes, forests, shares = self.roots, self.of, 1.0 / np.bincount(self.of)[self.of]
        while len(nodes):
            feature = self.feature[nodes]
            inner = feature >= 0
            sure, unsure = inner & known[feature], inner & ~known[feature]
            here = nodes[sure]
            left = asked[feature[sure]] <= self.threshold[here]
            after = np.where(left, self.left[here], self.right[here])
            yield _Level(nodes, forests, shares, sure, after)
            both = nodes[unsure]
            halves = [
                (side, forests[unsure], shares[unsure] * self.weight[side] / self.weight[both])
                for side in (self.left[both], self.right[both])
            ]
            parts = [(after, forests[sure], shares[sure]), *halves]
            nodes, forests, shares = (np.concatenate(each) for each in zip(*parts, strict=True))


class _Level(NamedTuple):
    """One step down."""

    nodes: NDArray[np.int64]
    forests: NDArray[np.int64]
    shares: NDArray[np.float64]
    sure: NDArray[np.bool_]
    """At which nodes what is asked for is known."""

    after: NDArray[np.int64]
    """Where it goes from these."""
