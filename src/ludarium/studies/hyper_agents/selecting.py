"""Games for evaluation that are as far apart as can be: "maximal spread", as the paper selects its 50.

The paper begins with an arbitrary game. To come to its 50 games one has to begin with each in turn, and keep the selection whose
distances are the largest in sum; and concepts have to be in standard deviations over all games, which it does not say.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludarium.hyper.features.taxonomy import concepts
from ludarium.hyper.models.likeness import lengthened, logarithms
from ludarium.hyper.models.published import AGENTS, CONCEPTS, LUDEMES
from ludarium.hyper.models.tables import read

Rows = NDArray[np.float64]
COUNT = 50


def directions(columns: Sequence[str], features: Rows, usual: Rows | None = None) -> Rows:
    """Games as directions: concepts by their logarithms in standard deviations over the usual games, ludemes as they are."""
    known = concepts()
    counted = np.array([name in known for name in columns])
    values, base = logarithms(features), logarithms(features if usual is None else usual)
    spread = base.std(axis=0)
    scaled = (values - base.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return lengthened(np.where(counted, scaled, features))


def most_spread(rows: Rows, count: int) -> list[int]:
    """Select rows one after the other, each as far as can be from those before, beginning where that leads farthest."""
    apart = 1.0 - rows @ rows.T
    best: tuple[float, list[int]] = (-1.0, [])
    for start in range(len(rows)):
        chosen, nearest, total = [start], apart[start].copy(), 0.0
        nearest[start] = -1.0
        while len(chosen) < min(count, len(rows)):
            following = int(nearest.argmax())
            total += float(nearest[following])
            chosen.append(following)
            nearest = np.minimum(nearest, apart[following])
            nearest[chosen] = -1.0
        if total > best[0]:
            best = (total, chosen)
    return best[1]


def published_games(folder: Path) -> tuple[tuple[str, ...], dict[str, list[float]]]:
    """The games of the published tables that have concepts and ludemes, with both, and the names of the columns."""
    (heads, rows), (more, ludemes) = (read(folder / name, percent=False) for name in (CONCEPTS, LUDEMES))
    return (*heads, *more), {name: [*rows[name], *values] for name, values in ludemes.items() if name in rows}


def selected(folder: Path, own: Path | None = None, count: int = COUNT) -> list[str]:
    """Games of the published tables for evaluation, by published features or by ours: none that agents are learned from."""
    columns, known = published_games(folder)
    concepts_only, learned = read(folder / CONCEPTS, percent=False)[1], read(folder / AGENTS)[1]
    usual = [[*row, *([0.0] * (len(columns) - len(row)))] for row in concepts_only.values()]
    if own is not None:
        ours = read(own, percent=False)[1]
        known = {name: list(ours[name]) for name in known if name in ours}
        usual = list(known.values())
    free = [name for name in known if name not in learned]
    found = most_spread(directions(columns, np.array([known[name] for name in free]), np.array(usual)), count)
    return [free[place] for place in found]
