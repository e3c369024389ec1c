"""What is believed of candidates: a forecast that errs as it did before, and the fast matches that were played since.

All numbers are normal, so that both go together by a Kalman filter (Kalman 1960). Candidates whose scores move together are
told apart by few matches; and where a model has never been far off, luck in a handful of matches changes little.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

COMMON = 0.5
"""How much easier or harder all candidates may find fast matches, as a share: only differences between them tell."""

SHIFT = 0.15
"""How much a single candidate may do better or worse in fast matches than in real ones: more of them do not help against it."""

_EDGE = 0.05

Numbers = NDArray[np.float64]


class Belief(NamedTuple):
    """What candidates are believed to win, as shares, and how these beliefs err together."""

    means: Numbers
    covariance: Numbers

    def after(self, points: Sequence[Sequence[float]]) -> Belief:
        """The same after fast matches: what each candidate won in those that it has played."""
        seen = [k for k, each in enumerate(points) if each]
        if not seen:
            return self
        counts = np.array([len(points[k]) for k in seen])
        totals = np.array([sum(points[k]) for k in seen])
        shares = np.clip((totals + self.means[seen]) / (counts + 1), _EDGE, 1 - _EDGE)
        luck = np.diag(shares * (1 - shares) / counts + SHIFT**2) + COMMON**2
        towards = self.covariance[:, seen]
        gain = np.linalg.solve(towards[seen] + luck, towards.T).T
        means = self.means + gain @ (totals / counts - self.means[seen])
        return Belief(means, self.covariance - gain @ towards.T)

    @property
    def errors(self) -> Numbers:
        """How far off each may be."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    def promise(self, places: Sequence[int]) -> list[float]:
        """How much each of these could be expected to win more than the best of them, if it were known who is better."""
        best = max(places, key=lambda k: self.means[k])
        found = []
        for k in places:
            behind = self.means[best] - self.means[k]
            spread = self.covariance[k, k] + self.covariance[best, best] - 2 * self.covariance[k, best]
            error = sqrt(max(float(spread), 0.0))
            found.append(_expected_excess(float(behind), error) if k != best else 0.0)
        return found


def _expected_excess(behind: float, error: float) -> float:
    """The mean of what a normal number is above 0, whose mean is so much below it."""
    if error <= 0:
        return max(0.0, -behind)
    u = behind / error
    return error * (exp(-u * u / 2) / sqrt(2 * pi) - u * erfc(u / sqrt(2)) / 2)
