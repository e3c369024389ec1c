"""How good evolved players are: against players that look as far ahead, know the goals, and judge everything else at random."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import comb

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.means import half_width
from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.bouts import Bouts, Numbers, seeds
from ludarium.evolve.bouts_kernels import RANDOM

with needs("report"):
    from scipy import stats

TRIALS = 100
"""As in the paper."""


@dataclass(frozen=True)
class Trial:
    """What a player had of its matches, from 0 to 1, and what random players have in its place."""

    scores: Numbers
    random: Numbers

    @property
    def mean(self) -> float:
        """What it had on average."""
        return float(self.scores.mean())

    @property
    def half(self) -> float:
        """Half the width of the interval in which that lies with 95 % confidence."""
        return half_width(self.scores)

    @property
    def p(self) -> float:
        """How likely such a difference to the random player is by chance; Welch's t-test, both sides.

        Where all matches of either side come out alike, it is the share of ways to deal the results out that part them so far.
        """
        if np.ptp(self.scores) == 0 and np.ptp(self.random) == 0:
            same = self.scores[0] == self.random[0]
            return 1.0 if same else 2.0 / comb(len(self.scores) + len(self.random), len(self.scores))
        with unvarying():
            return float(stats.ttest_ind(self.scores, self.random, equal_var=False).pvalue)


def against_random(
    bouts: Bouts, networks: Sequence[Network], role: int, *, trials: int = TRIALS, depth: int = 1, seed: int = 1
) -> list[Trial]:
    """Let each of some networks play in a role against random judgement."""
    if not networks:
        return []
    bouts.load(networks)
    rows = np.full(((len(networks) + 1) * trials, bouts.roles), RANDOM, np.int32)
    rows[trials:, role] = np.repeat(np.arange(len(networks)), trials)
    worth = bouts.play(rows, seeds(len(rows), seed, "trials", role, depth), depth=depth)[:, role]
    scores = worth.reshape(len(networks) + 1, trials)
    return [Trial(each, scores[0]) for each in scores[1:]]


@contextmanager
def unvarying() -> Iterator[None]:
    """Compare values of which one side may all be the same, without a warning that this is so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield
