"""Random forests for one output, grown by a kernel: as scikit-learn's with all features at every question, several times as fast.

Breiman, "Random forests" (2001). Features of games are mostly yes or no, and mostly no: a node adds up only what is there. Values
are put into bins, each of one value where there are not too many; questions of equal worth are chosen from at random. What a
tree draws its games from depends on the seed alone, so forests of several candidates that share a seed err alike, and differences
between them less.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ludarium.core import Rng
from ludarium.kernel import Bundle, Stream, below, f64, i32, i64, kernel, view

MOST_BINS = 64
_EQUAL = 1e-9


class Tree(NamedTuple):
    """A tree as arrays, under the names that scikit-learn has for them."""

    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    value: NDArray[np.float64]
    weighted_n_node_samples: NDArray[np.float64]

    @property
    def node_count(self) -> int:
        """How many nodes it has."""
        return len(self.feature)

    @property
    def tree_(self) -> Tree:
        """Itself: what grows a tree, and what it has grown, are the same here."""
        return self


class Ground(Bundle):
    """What trees grow from, and room to grow in."""

    starts: view[i32]
    """Per game where its entries begin; and where the last ends."""
    entries: view[i32]
    """The bins of the features of a game, without the first bin of each."""
    codes: view[i32]
    """Per game and feature its bin."""
    first: view[i32]
    """Per feature its first bin; and the bin behind the last."""
    lows: view[f64]
    """Per bin the least of its values."""
    highs: view[f64]
    y: view[f64]
    bag: view[f64]
    """How often a game was drawn."""
    order: view[i32]
    """The games that were drawn; those of a node stand together."""
    counts: view[f64]
    sums: view[f64]
    feature: view[i64]
    threshold: view[f64]
    left: view[i64]
    right: view[i64]
    value: view[f64]
    weight: view[f64]
    spans: view[i64]
    """Per node where its games begin and end, while it grows."""


@kernel
def grow(ground: Ground, games: i64, rng: Stream) -> i64:
    """Grow a tree from a bag of games, until all games of a leaf are equal; answers how many nodes it has."""
    nodes = 1
    ground.spans[0] = 0
    ground.spans[1] = games
    node = 0
    while node < nodes:
        nodes = grow_node(ground, node, nodes, rng)
        node += 1
    return nodes


@kernel
def grow_node(ground: Ground, node: i64, nodes: i64, rng: Stream) -> i64:
    """Ask the best question at a node, or let it be a leaf; answers how many nodes there are then."""
    begin = ground.spans[2 * node]
    end = ground.spans[2 * node + 1]
    order = ground.order
    y = ground.y
    bag = ground.bag
    weight = 0.0
    total = 0.0
    squares = 0.0
    for k in range(begin, end):
        w = bag[order[k]]
        v = y[order[k]]
        weight += w
        total += w * v
        squares += w * v * v
    ground.weight[node] = weight
    ground.value[node] = total / weight
    ground.feature[node] = -1
    if end - begin < 2 or squares - total * total / weight < _EQUAL:
        return nodes
    for k in range(begin, end):
        game = i64(order[k])
        w = bag[game]
        wy = w * y[game]
        for e in range(ground.starts[game], ground.starts[game + 1]):
            at = ground.entries[e]
            ground.counts[at] += w
            ground.sums[at] += wy
    best = best_question(ground, node, weight, total, rng)
    for at in range(len(ground.counts)):
        ground.counts[at] = 0.0
        ground.sums[at] = 0.0
    if best < 0:
        return nodes
    middle = divide(ground, begin, end, ground.feature[node], best)
    ground.left[node] = nodes
    ground.right[node] = nodes + 1
    ground.spans[2 * nodes] = begin
    ground.spans[2 * nodes + 1] = middle
    ground.spans[2 * nodes + 2] = middle
    ground.spans[2 * nodes + 3] = end
    return nodes + 2


@kernel
def best_question(ground: Ground, node: i64, weight: f64, total: f64, rng: Stream) -> i64:
    """Find the question whose answers differ most, and write it to the node: the last bin of the left side, or -1."""
    best = total * total / weight * (1.0 + _EQUAL) + _EQUAL
    chosen = -1
    ties = 0
    counts = ground.counts
    sums = ground.sums
    for f in range(len(ground.first) - 1):
        first = i64(ground.first[f])
        behind = i64(ground.first[f + 1])
        there = 0.0
        added = 0.0
        for b in range(first + 1, behind):
            there += counts[b]
            added += sums[b]
        w = weight - there  # what is in the first bin
        s = total - added
        last = first
        for b in range(first + 1, behind):
            if counts[b] == 0.0:
                continue
            if w > 0.5:
                gain = s * s / w + (total - s) * (total - s) / (weight - w)
                if gain >= best * (1.0 - _EQUAL):
                    if gain > best * (1.0 + _EQUAL) or chosen < 0:
                        ties = 0
                    ties += 1
                    if below(rng, ties) == 0:
                        best = max(gain, best)
                        chosen = last
                        ground.feature[node] = f
                        ground.threshold[node] = 0.5 * (ground.highs[last] + ground.lows[b])
            w += counts[b]
            s += sums[b]
            last = b
    return chosen


@kernel
def divide(ground: Ground, begin: i64, end: i64, f: i64, last: i64) -> i64:
    """Put the games whose bin of a feature is not behind the last one first; answers where the others begin."""
    order = ground.order
    features = len(ground.first) - 1
    middle = begin
    for k in range(begin, end):
        game = order[k]
        if ground.codes[game * features + f] <= last:
            order[k] = order[middle]
            order[middle] = game
            middle += 1
    return middle


class Asked(Bundle):
    """A tree, rows to ask about, and room for answers."""

    feature: view[i64]
    threshold: view[f64]
    left: view[i64]
    right: view[i64]
    value: view[f64]
    rows: view[f64]
    out: view[f64]


@kernel
def answer(asked: Asked, width: i64) -> None:
    """Let every row go down the tree, and add what is said there."""
    for k in range(len(asked.out)):
        node = 0
        while asked.feature[node] >= 0:
            below_it = asked.rows[k * width + asked.feature[node]] <= asked.threshold[node]
            node = asked.left[node] if below_it else asked.right[node]
        asked.out[k] += asked.value[node]


@dataclass
class Forest:
    """A random forest, to be used as one of scikit-learn."""

    trees: int = 100
    seed: int = 0
    estimators_: list[Tree] = field(default_factory=list)
    oob_prediction_: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """What trees say of games that they did not grow from."""

    def fit(self, features: NDArray[np.float64], scores: NDArray[np.float64]) -> Self:
        """Grow all trees."""
        games = len(features)
        ground = _ground(features, scores)
        self.estimators_ = []
        said, asked = np.zeros(games), np.zeros(games)
        plain = np.ascontiguousarray(features.astype(np.float32), dtype=np.float64)
        for number in range(self.trees):
            drawn = np.random.default_rng((self.seed, number)).integers(0, games, games)
            bag = np.bincount(drawn, minlength=games).astype(np.float64)
            inside = np.flatnonzero(bag)
            np.frombuffer(ground.bag.memory)[:] = bag
            np.frombuffer(ground.order.memory, dtype=np.int32)[: len(inside)] = inside
            nodes = grow(ground, len(inside), Rng.keyed(self.seed, "forest", str(number)))
            tree = _tree(ground, nodes)
            self.estimators_.append(tree)
            outside = np.flatnonzero(bag == 0)
            said[outside] += _answers(tree, plain[outside])
            asked[outside] += 1
        self.oob_prediction_ = np.where(asked > 0, said / np.maximum(asked, 1), scores.mean())
        return self

    def predict(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean of what the trees say."""
        plain = np.ascontiguousarray(features.astype(np.float32), dtype=np.float64)
        return np.asarray(sum(_answers(tree, plain) for tree in self.estimators_) / len(self.estimators_))


def _ground(features: NDArray[np.float64], scores: NDArray[np.float64]) -> Ground:
    games, columns = features.shape
    first, lows, highs, codes = [0], list[float](), list[float](), np.zeros((games, columns), np.int32)
    for column in range(columns):
        values = features[:, column].astype(np.float32).astype(np.float64)
        distinct = np.unique(values)
        groups = np.array_split(distinct, min(len(distinct), MOST_BINS))
        low = [float(each[0]) for each in groups]
        codes[:, column] = first[-1] + np.searchsorted(low, values, side="right") - 1
        lows += low
        highs += [float(each[-1]) for each in groups]
        first.append(len(lows))
    there = codes > np.array(first[:-1])
    starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32)
    room = 2 * games + 2
    return Ground(
        starts=starts,
        entries=np.ascontiguousarray(codes[there]),
        codes=codes.ravel(),
        first=np.array(first, np.int32),
        lows=np.array(lows),
        highs=np.array(highs),
        y=np.ascontiguousarray(scores, dtype=np.float64).copy(),
        bag=np.zeros(games),
        order=np.zeros(games, np.int32),
        counts=np.zeros(len(lows)),
        sums=np.zeros(len(lows)),
        feature=np.zeros(room, np.int64),
        threshold=np.zeros(room),
        left=np.zeros(room, np.int64),
        right=np.zeros(room, np.int64),
        value=np.zeros(room),
        weight=np.zeros(room),
        spans=np.zeros(2 * room, np.int64),
    )


def _tree(ground: Ground, nodes: int) -> Tree:
    def whole(view: memoryview) -> NDArray[np.int64]:
        return np.frombuffer(view, dtype=np.int64)[:nodes].copy()

    def real(view: memoryview) -> NDArray[np.float64]:
        return np.frombuffer(view, dtype=np.float64)[:nodes].copy()

    return Tree(
        whole(ground.feature.memory),
        real(ground.threshold.memory),
        whole(ground.left.memory),
        whole(ground.right.memory),
        real(ground.value.memory)[:, None, None],
        real(ground.weight.memory),
    )


def _answers(tree: Tree, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.zeros(len(rows))
    asked = Asked(
        feature=tree.feature,
        threshold=tree.threshold,
        left=tree.children_left,
        right=tree.children_right,
        value=np.ascontiguousarray(tree.value[:, 0, 0]),
        rows=np.ascontiguousarray(rows).ravel(),
        out=out,
    )
    if len(rows):
        answer(asked, rows.shape[1])
    return out
