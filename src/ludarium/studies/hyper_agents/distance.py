"""What choices cost by how near the nearest game is that was learned from: near twins flatter a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.prove.means import half_width
from ludarium.arena.report.sheets import Column, Sheet
from ludarium.hyper.models.likeness import Likeness
from ludarium.hyper.models.regret import Fold
from ludarium.hyper.models.tables import Table

_EDGES = (1.01, 0.95, 0.8, 0.6, 0.4, -1.0)
WAYS = {"agents": "forest", "heuristics": "joint-forest"}
"""What is looked at: the way to learn that is best for agents, and for heuristics."""

USUAL = "mean"
"""What it is compared with: whoever wins most on average, whatever the game."""


class Band(NamedTuple):
    """Games that are about as far from those that were learned from."""

    name: str
    inside: NDArray[np.bool_]


def nearest(table: Table, parts: Sequence[Fold]) -> NDArray[np.float64]:
    """Per game how alike the nearest of those is that it is predicted from."""
    matrix = Likeness.of(table).matrix()
    found = np.zeros(len(table.games))
    for part in parts:
        rest = np.setdiff1d(np.arange(len(table.games)), part)
        found[part] = matrix[np.ix_(part, rest)].max(axis=1)
    return found


def bands(alike: NDArray[np.float64]) -> Iterator[Band]:
    """Games from the nearest to the farthest; without bands that are empty."""
    for high, low in pairwise(_EDGES):
        inside = (alike >= low) & (alike < high)
        if inside.any():
            yield Band(
                f"{low:g} and more" if high > 1 else f"less than {high:g}" if low < 0 else f"{low:g} to {high:g}",
                inside,
            )


def distances(learned: Sequence[dict[str, Any]]) -> list[Sheet]:
    """A table of all that was learned in the paper's parts; nothing if no forest was, or nothing to compare it with."""
    rows = []
    for target, way in WAYS.items():
        ours, usual = (
            next((each for each in learned if (each["target"], each["method"]) == (target, name)), None)
            for name in (way, USUAL)
        )
        if ours is None or usual is None:
            continue
        cost, most = np.array(ours["regrets"]), np.array(usual["regrets"])
        for name, inside in bands(np.array(ours["alike"])):
            gained = (most - cost)[inside]
            reach = half_width(gained)
            mean = float(gained.mean())
            rows.append(
                (
                    target,
                    name,
                    int(inside.sum()),
                    float(cost[inside].mean()),
                    float(most[inside].mean()),
                    mean,
                    mean - reach,
                    mean + reach,
                )
            )
    if not rows:
        return []
    numbers = ("regret of the forest", "regret of the best on average", "gained", "at least", "at most")
    return [
        Sheet(
            "distance",
            "By distance to the nearest game that was learned from",
            "What choosing costs, in points, in games that were left out in the paper's parts, by the cosine between a game and "
            "the nearest of those that were learned from; and what the forest gains on sending whoever is best on average, with "
            "its 95 % interval, the game as the unit.",
            (
                Column("chosen"),
                Column("likeness"),
                Column("games", "count"),
                *(Column(name, "number") for name in numbers),
            ),
            tuple(rows),
        )
    ]
