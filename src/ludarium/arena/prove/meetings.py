"""Who met whom, and who came out ahead: wins, draws and losses of every pair, and whether they prove anything.

The test is exact and looks at direct meetings alone: of the matches in which one of two agents came out ahead, it asks whether
the one's part could come from a half by chance (the sign test). A match is one observation, however many seats the two had
in it. Holm's correction covers all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.extras import needs
from ludarium.arena.prove.comparisons import ALPHA, holm
from ludarium.arena.results import Integers, Numbers, Results, compress, sums

with needs("report"):
    from scipy.stats import binomtest


@dataclass(frozen=True, eq=False)
class Meetings:
    """Who met whom how often, and who came out ahead, row against column."""

    agents: tuple[str, ...]
    won: Numbers
    """How often the row came out ahead of the column."""

    drawn: Numbers
    p: Numbers
    """How likely it is that equals look as different, after Holm's correction; nan where they never met."""

    proved: NDArray[np.bool_]
    """Whether that is too unlikely to be chance."""

    @property
    def wins(self) -> Numbers:
        """Wins, with half a win for a draw."""
        return self.won + self.drawn / 2

    @property
    def counts(self) -> Numbers:
        """How often they met."""
        return self.won + self.won.T + self.drawn

    @property
    def shares(self) -> Numbers:
        """What the row scored in its meetings with the column, a draw counting half; nan where they never met."""
        counts = self.counts
        share: Numbers = np.divide(self.wins, counts, out=np.full(counts.shape, np.nan), where=counts > 0)
        return share


def meetings(results: Results, *, alpha: float = ALPHA) -> Meetings:
    """Count how every pair of agents did against each other, and test it."""
    results = results.by_match()
    ones, others, ahead = encounters(results)
    size = len(results.agent.names)
    one, other = (results.agent.codes[rows].astype(np.int64) for rows in (ones, others))
    there, back = one * size + other, other * size + one
    won = sums(there, ahead == 1, size * size) + sums(back, ahead == 0, size * size)
    drawn = sums(there, ahead == 0.5, size * size) + sums(back, ahead == 0.5, size * size)
    won, drawn = won.reshape(size, size), drawn.reshape(size, size)
    p, proved = _tested(_decided(results.match[ones], one, other, ahead, size), won + won.T + drawn, alpha)
    return Meetings(results.agent.names, won, drawn, p, proved)


def encounters(results: Results) -> tuple[Integers, Integers, Numbers]:
    """Pair the rows of different agents that met, and say how far the first came out ahead: 1, 0.5 or 0."""
    ones, others = results.encounters()
    apart = results.agent.codes[ones] != results.agent.codes[others]  # playing itself tells nothing about an agent
    ones, others = ones[apart], others[apart]
    return ones, others, (1 + np.sign(results.utility[ones] - results.utility[others])) / 2


def _decided(match: Integers, one: Integers, other: Integers, ahead: Numbers, size: int) -> Numbers:
    """Count the matches in which the row was ahead of the column more often than behind."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    lead = np.where(one < other, 2 * ahead - 1, 1 - 2 * ahead)
    _, number = compress(match)
    cells, cell = compress(number * size * size + low * size + high)
    lead, pair = np.sign(sums(cell, lead, len(cells))), cells % (size * size)
    ahead_of = sums(pair, lead > 0, size * size).reshape(size, size)
    return np.asarray(ahead_of + sums(pair, lead < 0, size * size).reshape(size, size).T, np.float64)


def _tested(decided: Numbers, counts: Numbers, alpha: float) -> tuple[Numbers, NDArray[np.bool_]]:
    """Test every pair that met, and correct for their number."""
    p, proved = np.full(counts.shape, np.nan), np.zeros(counts.shape, bool)
    pairs = np.argwhere(np.triu(counts) > 0)
    totals = [int(decided[one, other] + decided[other, one]) for one, other in pairs]
    found = [
        float(binomtest(int(decided[one, other]), total).pvalue) if total else 1.0
        for (one, other), total in zip(pairs, totals, strict=True)
    ]
    adjusted, sure = holm(np.array(found), alpha)
    for (one, other), corrected, certain in zip(pairs, adjusted, sure, strict=True):
        p[one, other] = p[other, one] = corrected
        proved[one, other] = proved[other, one] = certain
    return p, proved
