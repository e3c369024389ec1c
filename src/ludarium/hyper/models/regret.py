"""Regret: how many points a choice costs, measured on games that were not learned from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludarium.core import BadParameter
from ludarium.hyper.models.likeness import Likeness
from ludarium.hyper.models.methods import Matrix, Method
from ludarium.hyper.models.tables import Table

Fold = NDArray[np.int64]
"""The games that are left out at once."""

_PAPER_SEED = 69


def regrets(predicted: Matrix, scores: Matrix) -> NDArray[np.float64]:
    """What it costs, game by game, to send the candidate that looks best: the best score less its score."""
    picked = predicted.argmax(axis=1)
    return np.asarray(scores.max(axis=1) - scores[np.arange(len(scores)), picked])


def folds(games: int, count: int = 10, seed: int = 0) -> list[Fold]:
    """Split games into parts of about the same size, at random."""
    _check(games, count)
    order = np.random.default_rng(seed).permutation(games)
    return [np.sort(part) for part in np.array_split(order, count)]


def folds_of_paper(games: int, count: int = 10) -> list[Fold]:
    """The parts that the paper used: a shuffle of pandas with its seed, cut into pieces."""
    _check(games, count)
    order = np.random.RandomState(_PAPER_SEED).permutation(games)
    return [np.sort(part) for part in np.array_split(order, count)]


def grouped_folds(table: Table, count: int = 10, seed: int = 0, alike: float = 0.8) -> list[Fold]:
    """Split games so that games which are alike, or alike to some that are alike, are left out together.

    Near twins in what is learned from flatter a model.
    """
    _check(len(table.games), count)
    likeness = Likeness.of(table)
    near = likeness.matrix() >= alike
    group = np.full(len(table.games), -1)
    for start in range(len(group)):
        waiting = [start] if group[start] < 0 else []
        while waiting:
            game = waiting.pop()
            if group[game] < 0:
                group[game] = start
                waiting += np.flatnonzero(near[game] & (group < 0)).tolist()
    parts: list[list[int]] = [[] for _ in range(count)]
    groups = [np.flatnonzero(group == each) for each in np.random.default_rng(seed).permutation(np.unique(group))]
    for members in sorted(groups, key=len, reverse=True):
        min(parts, key=len).extend(members.tolist())
    return [np.sort(np.array(part, dtype=np.int64)) for part in parts if part]


def _check(games: int, count: int) -> None:
    if not 2 <= count <= games:
        raise BadParameter(f"{games} games cannot be split into {count} parts")


def left_out(table: Table, way: Method, parts: Sequence[Fold], seed: int = 0) -> Matrix:
    """Predict every game from those of the other parts."""
    predicted = np.zeros_like(table.scores)
    for part in parts:
        rest = np.setdiff1d(np.arange(len(table.games)), part)
        fitted = way.fit(table.features[rest], table.scores[rest], seed)
        predicted[part] = way.predict(fitted, table.features[part], len(table.candidates))
    return predicted


@dataclass(frozen=True, eq=False)
class Measured:
    """The regret of a way to learn, over one or several splits."""

    method: str
    by_game: NDArray[np.float64]
    """Per game the mean over the splits."""

    by_split: NDArray[np.float64]
    """Per split the mean over the games."""

    @property
    def mean(self) -> float:
        """Over games and splits."""
        return float(self.by_game.mean())

    @property
    def error(self) -> float:
        """The standard error over games: these are what there could be others of."""
        return float(self.by_game.std(ddof=1) / np.sqrt(len(self.by_game)))

    @property
    def spread(self) -> float:
        """The standard deviation over splits; nothing if there is one."""
        return float(self.by_split.std(ddof=1)) if len(self.by_split) > 1 else 0.0


def measure(table: Table, way: Method, splits: Sequence[Sequence[Fold]], seed: int = 0) -> Measured:
    """Measure the regret of a way to learn over splits."""
    found = np.array([regrets(left_out(table, way, parts, seed + k), table.scores) for k, parts in enumerate(splits)])
    return Measured(way.name, found.mean(axis=0), found.mean(axis=1))


def repeated(games: int, repeats: int, count: int = 10, seed: int = 0) -> Iterator[list[Fold]]:
    """Several splits, each with a seed of its own."""
    for k in range(repeats):
        yield folds(games, count, seed + k)
