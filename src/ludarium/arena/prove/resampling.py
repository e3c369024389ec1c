"""How far off a figure may be that has no formula, such as a ratio of means: what was observed is drawn again and again.

Of n observations n - 1 are drawn, with replacement: then means of what is drawn spread as the means of n independent
observations do (Rao and Wu 1988); n of n would spread too little, which tells where there are six or ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
import numpy.typing as npt

from ludarium.arena.prove.intervals import CONFIDENCE
from ludarium.arena.results import Numbers

DRAWS = 10_000


class Redrawn:
    """Observations, drawn again: one after the other they are drawn differently, and the next time the same."""

    def __init__(self, seed: int, draws: int = DRAWS) -> None:
        """Begin; the same seed draws the same with every version of NumPy, which promises that of raw bits only."""
        self._bits = np.random.PCG64(seed)
        self._draws = draws

    def means(self, rows: npt.ArrayLike) -> Numbers:
        """Means of what is drawn of some rows, by draw and column; of a single row there is nothing to draw."""
        given = np.asarray(rows, np.float64)
        count = len(given) - 1
        if count < 1:
            return np.full((self._draws, given.shape[1]), nan)
        places = (self._bits.random_raw(self._draws * count) >> np.uint64(11)) % np.uint64(len(given))
        mean: Numbers = given[places.reshape(self._draws, count).astype(np.int64)].mean(axis=1)
        return mean


def between(drawn: npt.ArrayLike) -> tuple[float, float]:
    """Where the middle 95 % of what was drawn lies; nowhere if some of it is not known.

    >>> [round(end, 6) for end in between(range(1001))]
    [25.0, 975.0]
    """
    low, high = np.quantile(np.asarray(drawn, np.float64), ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2))
    return float(low), float(high)


def ratio_between(over: Sequence[float] | Numbers, under: Sequence[float] | Numbers) -> tuple[float, float]:
    """Where a ratio lies, by what was drawn of both; without bounds if what it is a share of may as well be nothing.

    >>> [round(end, 6) for end in ratio_between([1.0, 2.0, 3.0], [4.0, 4.0, 4.0])]
    [0.2625, 0.7375]
    >>> ratio_between([1.0, 2.0, 3.0], [4.0, 0.1, -4.0])
    (nan, nan)
    """
    share = np.asarray(under, np.float64)
    if not between(share)[0] > 0:
        return nan, nan
    return between(np.asarray(over, np.float64) / share)
