"""What rounds of a comparison say: the median ratio, the interval that holds it by ranks, and whether that is slower."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from statistics import median

BAR = 0.97
CONFIDENCE = 0.95
FEWEST = 6  # rounds: all of fewer can be on one side of the median by chance, one time in sixteen or more often

Pairs = list[tuple[float, float]]
"""Rates that were measured side by side, before and after."""


@dataclass
class Row:
    """A measurement: its rounds, or why it has none."""

    name: str
    rounds: list[Pairs] = field(default_factory=list)
    problem: str = ""

    @property
    def before(self) -> float:
        """The usual rate before."""
        return median(before for pairs in self.rounds for before, _ in pairs)

    @property
    def after(self) -> float:
        """The usual rate after."""
        return median(after for pairs in self.rounds for _, after in pairs)

    @property
    def ratios(self) -> list[float]:
        """How many times as fast it is after, round by round."""
        return [median(after / before for before, after in pairs) for pairs in self.rounds]

    @property
    def ratio(self) -> float:
        """How many times as fast it is after."""
        return median(self.ratios)

    @property
    def verdict(self) -> str:
        """Whether it is credibly slower than the bar allows, credibly faster, or neither."""
        if self.problem:
            return "FAILED"
        low, high = interval(self.ratios)
        credible = len(self.rounds) >= FEWEST
        if high < BAR and credible:
            return "SLOWER"
        return "open" if low < BAR else "faster" if low > 1 / BAR and credible else "pass"


def interval(values: list[float]) -> tuple[float, float]:
    """Give the narrowest interval between two values of equal rank that holds the median with enough confidence.

    Where there are too few values for that, these are the lowest and the highest.

    >>> interval([1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8])
    (1.1, 1.7)
    """
    ordered, count = sorted(values), len(values)
    outside, rank = 0, 0
    for each in range(count // 2):
        outside += 2 * comb(count, each)
        if outside > (1 - CONFIDENCE) * 2**count:
            break
        rank = each
    return ordered[rank], ordered[count - 1 - rank]
