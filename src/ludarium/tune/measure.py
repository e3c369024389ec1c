"""How good something is, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist, fmean, stdev

from ludarium.arena.series import wilson


@dataclass(frozen=True)
class Measure:
    """A mean, and the interval that holds the true one in 95 of 100 cases; without ends if it is not known."""

    count: int
    mean: float
    low: float
    high: float


def measure(values: Sequence[float], *, share: bool) -> Measure:
    """Average evaluations; the interval is Wilson's for numbers from 0 to 1, and Student's for any.

    Student's goes by how numbers differ: of one, or of some that are all the same, nothing is known of that.

    >>> measure([0, 1, 1, 1], share=True)
    Measure(count=4, mean=0.75, low=0.3006..., high=0.9544...)
    """
    mean = fmean(values)
    if share:
        return Measure(len(values), mean, *wilson(min(1.0, max(0.0, mean)), len(values)))
    if min(values) == max(values):
        return Measure(len(values), mean, -inf, inf)
    reach = student(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Measure(len(values), mean, mean - reach, mean + reach)


def student(freedom: int) -> float:
    """Give the 97.5 % point of Student's distribution: Hill's expansion about the normal one, and exactly for 1 and 2.

    >>> [round(student(freedom), 2) for freedom in (1, 2, 5, 10, 100)]
    [12.71, 4.3, 2.57, 2.23, 1.98]
    """
    if freedom <= 2:
        return (12.706204736, 4.302652730)[freedom - 1]
    z = NormalDist().inv_cdf(0.975)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))
