"""Which agent is better, and which differences may be chance: tests between all pairs, corrected for their number.

The unit is what counts as one independent observation. With the play as the unit this is the independent-samples t-test
(Welch's); where two agents met in the same match, what one won the other lost, and the error allows for that. With the
game as the unit it is the paired t-test (or Wilcoxon's signed ranks) over the means of the games that both have played:
the question is then whether the one is better on games like these, and plays within a game do not answer it.
Holm's correction (1979) keeps the chance of any false claim in the whole table below alpha.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import copysign, inf, isnan, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.extras import needs
from ludarium.arena.prove.intervals import check_share
from ludarium.arena.prove.words import written_p
from ludarium.arena.results import Integers, Numbers, Results, compress, sums
from ludarium.core import BadParameter, UnknownName

with needs("report"):
    from scipy.sparse import csr_array
    from scipy.stats import rankdata, ttest_1samp, wilcoxon
    from scipy.stats import t as student

ALPHA = 0.05

_UNITS = ("play", "game")
_TESTS = ("t", "wilcoxon")
_NOTHING = 1e-18  # a variance below is what rounding leaves of none


@dataclass(frozen=True)
class Comparison:
    """Two agents, and whether the difference between them is more than chance."""

    one: str
    other: str
    difference: float
    """The mean of the one minus the mean of the other."""

    statistic: float
    """Student's t, or the sum of signed ranks: above 0 if the one is better."""

    p: float
    """How likely a difference as large is by chance alone; 1 where there are too few units to tell."""

    units: int
    """Games that both played, or plays of the one that has fewer."""

    threshold: float = 1.0
    """What p must not exceed: alpha divided by the number of comparisons that are at least as uncertain."""

    adjusted: float = 1.0
    """p after Holm's correction, to be held against alpha itself."""

    significant: bool = False

    def reversed(self) -> Comparison:
        """See it from the other side."""
        return replace(self, one=self.other, other=self.one, difference=-self.difference, statistic=-self.statistic)


@dataclass(frozen=True)
class Comparisons:
    """All pairs of agents, compared at once."""

    agents: tuple[str, ...]
    pairs: tuple[Comparison, ...]
    unit: str
    test: str
    alpha: float

    def between(self, one: str, other: str) -> Comparison:
        """Find a pair, from the side of the one."""
        for pair in self.pairs:
            if (pair.one, pair.other) == (one, other):
                return pair
            if (pair.one, pair.other) == (other, one):
                return pair.reversed()
        raise UnknownName("agent", other if one in self.agents else one, self.agents)

    def cells(self) -> list[list[str]]:
        """Write the table of all pairs: by how much the row is ahead, and p after the correction."""
        found = {}
        for pair in self.pairs:
            for side in (pair, pair.reversed()):
                if not isnan(side.statistic):
                    found[side.one, side.other] = f"{side.difference:+.1%} p {written_p(side.adjusted)}"
        return [[found.get((one, other), "-") for other in self.agents] for one in self.agents]


def compare(
    results: Results,
    agents: Sequence[str] | None = None,
    *,
    unit: str = "play",
    test: str = "t",
    alpha: float = ALPHA,
) -> Comparisons:
    """Test every pair of agents, or of those named, in the order named."""
    if unit not in _UNITS:
        raise UnknownName("unit", unit, _UNITS)
    if test not in _TESTS or (test == "wilcoxon" and unit == "play"):
        raise BadParameter(f"no test {test!r} with the {unit} as the unit: t for both, wilcoxon for games")
    check_share(alpha, "alpha")
    names = tuple(results.agent.names if agents is None else agents)
    if unknown := [name for name in names if name not in results.agent.names]:
        raise UnknownName("agent", unknown[0], results.agent.names)
    if len(set(names)) < len(names):
        raise BadParameter("an agent is named twice")
    codes = [results.agent.names.index(name) for name in names]
    tested = _by_play(results, codes) if unit == "play" else _by_game(results, codes, test)
    return Comparisons(names, _corrected(tested, alpha), unit, test, alpha)


def game_means(results: Results) -> Numbers:
    """Tabulate means, a row per game and a column per agent; nan where an agent has not played a game."""
    shape = len(results.game.names), len(results.agent.names)
    cell = results.game.codes.astype(np.int64) * shape[1] + results.agent.codes
    count = np.bincount(cell, minlength=shape[0] * shape[1])
    total = sums(cell, results.utility, len(count))
    mean: Numbers = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)
    return mean.reshape(shape)


def shared_squares(cluster: Integers, column: NDArray[np.integer[Any]], values: Numbers, columns: int) -> Numbers:
    """Add up values by cluster and column, and give the products of the columns, summed over the clusters.

    Of deviations from the mean this is what independent clusters of dependent observations vary by.
    """
    clusters, rows = compress(cluster)
    table = csr_array((values, (rows, column)), shape=(len(clusters), columns))
    return np.asarray((table.T @ table).todense(), np.float64)


def holm(p: Numbers, alpha: float) -> tuple[Numbers, NDArray[np.bool_]]:
    """Correct for the number of tests: the adjusted p, and which of them are significant.

    The k-th smallest of n counts n - k + 1 times, and at least as much as those below it. (The `multipletests` of statsmodels,
    which tests compare this with, collects all of Python's garbage with every call: half a second where much is loaded.)
    """
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(raised, 1)
    return adjusted, adjusted <= alpha


def _by_play(results: Results, codes: Sequence[int]) -> list[Comparison]:
    """Compare the means of all plays; the error of a difference counts a match that both were in once."""
    agent, size = results.agent.codes, len(results.agent.names)
    count = np.bincount(agent, minlength=size)
    mean = sums(agent, results.utility, size) / count
    squares = shared_squares(results.match, agent, results.utility - mean[agent], size)
    tested = []
    for one, other in combinations(codes, 2):
        pair = [one, other]
        units = int(min(count[pair]))
        names = results.agent.names[one], results.agent.names[other]
        untested = Comparison(*names, float(mean[one] - mean[other]), nan, 1.0, units)
        own = np.diag(squares)[pair] / np.maximum(count[pair] * (count[pair] - 1), 1)
        shared = squares[one, other] / max(1.0, sqrt(float(np.prod(count[pair] * (count[pair] - 1.0)))))
        variance = float(own.sum() - 2 * shared)
        if units < 2:
            tested.append(untested)
        elif variance <= _NOTHING:
            tested.append(_always_the_same(untested))
        else:
            welch = float(own.sum() ** 2 / np.sum(own**2 / (count[pair] - 1)))
            statistic = untested.difference / sqrt(variance)
            p = 2 * student.sf(abs(statistic), units - 1 if shared else welch)
            tested.append(replace(untested, statistic=statistic, p=float(p)))
    return tested


def _by_game(results: Results, codes: Sequence[int], test: str) -> list[Comparison]:
    """Compare the means of games, on the games that both agents have played."""
    means = game_means(results)
    tested = []
    for one, other in combinations(codes, 2):
        differences = means[:, one] - means[:, other]
        differences = np.round(differences[~np.isnan(differences)], 12)  # sums in another order are no difference
        names = results.agent.names[one], results.agent.names[other]
        difference = float(differences.mean()) if len(differences) else nan
        untested = Comparison(*names, difference, nan, 1.0, len(differences))
        if len(differences) < 2:
            tested.append(untested)
        elif np.ptp(differences) == 0:
            tested.append(_always_the_same(untested))
        elif test == "t":
            answer = ttest_1samp(differences, 0.0)
            tested.append(replace(untested, statistic=float(answer.statistic), p=float(answer.pvalue)))
        else:
            unequal = differences[differences != 0]
            ranks = float(np.sum(np.sign(unequal) * rankdata(np.abs(unequal))))
            tested.append(replace(untested, statistic=ranks, p=float(wilcoxon(unequal).pvalue)))
    return tested


def _always_the_same(untested: Comparison) -> Comparison:
    """Judge a difference without any spread by how often it was seen, as if each time a coin had been tossed."""
    if untested.difference == 0:
        return replace(untested, statistic=0.0)
    p = 2.0 ** (1 - min(untested.units, 1000))
    return replace(untested, statistic=copysign(inf, untested.difference), p=p)


def _corrected(tested: Sequence[Comparison], alpha: float) -> tuple[Comparison, ...]:
    p = np.array([each.p for each in tested])
    adjusted, significant = holm(p, alpha)
    thresholds = np.empty(len(p))
    thresholds[np.argsort(p, kind="stable")] = alpha / np.arange(len(p), 0, -1)
    return tuple(
        replace(each, threshold=float(threshold), adjusted=float(corrected), significant=bool(sure))
        for each, threshold, corrected, sure in zip(tested, thresholds, adjusted, significant, strict=True)
    )
