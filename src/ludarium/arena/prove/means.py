"""How far off the mean of a few numbers may be, by Student's t."""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.intervals import CONFIDENCE

with needs("report"):
    from scipy.stats import t as student


def half_width(values: Any) -> float:
    """Half the width of the 95 % interval of a mean; nan for fewer than two values.

    >>> round(half_width([4.0, 6.0, 8.0]), 2)
    4.97
    """
    values = np.asarray(values, np.float64)
    if len(values) < 2:
        return nan
    return float(student.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * values.std(ddof=1) / sqrt(len(values)))
