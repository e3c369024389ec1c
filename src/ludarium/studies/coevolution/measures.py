"""What the runs of a game say together: means over runs, with intervals, and the tests of the paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ludarium.arena.extras import needs
from ludarium.arena.prove.comparisons import holm
from ludarium.arena.prove.means import half_width
from ludarium.evolve.bouts import Numbers
from ludarium.evolve.trials import unvarying
from ludarium.studies.coevolution.duels import PLAIN
from ludarium.studies.coevolution.published import PAPER_GENERATIONS
from ludarium.studies.coevolution.runs import Run, Tried
from ludarium.studies.coevolution.study import GAMES, MENDINGS

with needs("report"):
    from scipy import stats


SURE = 0.05
"""What is less likely by chance counts as proved."""

_ROUNDED = 1e-9
"""Differences smaller than that are those of rounding."""


@dataclass(frozen=True)
class Group:
    """All runs of a game with the same mending and of the same size."""

    game: str
    mending: str
    runs: tuple[Run, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the game."""
        return self.runs[0].roles

    @property
    def title(self) -> tuple[str, str, int]:
        """What tells it from others: the mending, the game, and how long runs were."""
        return self.mending, self.game, self.generations

    @property
    def size(self) -> tuple[int, int, int]:
        """Generations, population and bouts of a run."""
        return self.runs[0].size

    @property
    def mark(self) -> str:
        """The game and the version by which all were run."""
        return self.runs[0].mark

    @property
    def generations(self) -> int:
        """How long a run was."""
        return self.runs[0].generations

    @property
    def long(self) -> bool:
        """Whether a run was as long as the paper's."""
        return self.generations >= PAPER_GENERATIONS

    def held(self, role: int) -> Numbers:
        """By run, the generations in which a role dominated; -1 for none."""
        return np.array([run.held[role] for run in self.runs], np.float64)

    @property
    def ahead(self) -> dict[int, float]:
        """By seed, the share of generations in which the first role dominated, less that of the second."""
        return {run.seed: (run.held[0] - run.held[1]) / run.generations for run in self.runs}

    @property
    def disengaged(self) -> float:
        """How likely it is by chance that roles dominate so differently: Student's t-test over runs, as in the paper."""
        first, second = self.held(0), self.held(1)
        if len(self.runs) < 2 or (
            np.ptp(first) == 0 and np.ptp(second) == 0
        ):  # without spread there is nothing to test by
            return nan
        with unvarying():
            return float(stats.ttest_ind(first, second).pvalue)

    @property
    def disengaged_by_run(self) -> float:
        """The same by a test that does not take the two roles of a run for independent: a t-test of their differences."""
        gap = self.held(0) - self.held(1)
        return apart(gap)[2] if np.ptp(gap) else nan

    def teachers(self, role: int) -> Numbers:
        """By run and generation, how many teachers a role had."""
        return np.array([run.teachers[role] for run in self.runs], np.float64)

    def at_depth(self, depth: int, role: int) -> tuple[Numbers, Numbers]:
        """By run, what the champion had against random judgement, and what random players had in its place."""
        rows = [row for _, row in self._tried(role, depth)]
        return np.array([row.score for row in rows]), np.array([row.random for row in rows])

    def depths(self) -> list[int]:
        """The depths that were tried."""
        return sorted({row.depth for run in self.runs for row in run.depths})

    def proved(self, role: int) -> int:
        """How many champions have each proved in their own matches that they are better than random judgement at depth 1."""
        return sum(row.score > row.random and row.p < SURE for _, row in self._tried(role, 1))

    def better(self, role: int, depth: int = 1) -> tuple[float, float, float]:
        """By how much champions are better than random judgement, half the width of the interval, and p.

        Over runs by a t-test if there are several, else over the matches of the one.
        """
        ours, theirs = self.at_depth(depth, role)
        gain = ours - theirs
        if len(gain) < 2:
            ((_, row),) = self._tried(role, depth)
            return float(gain[0]), row.half, row.p
        return apart(gain)

    def lost(self, role: int, depth: int) -> dict[int, float]:
        """By seed that was tried at both, by how much less the champion is better than random judgement there than at depth 1."""
        near, far = self.gains(role), self.gains(role, depth)
        return {seed: near[seed] - gain for seed, gain in far.items()}

    def gains(self, role: int, depth: int = 1) -> dict[int, float]:
        """By seed, by how much the champion is better than random judgement at a depth."""
        return {seed: row.score - row.random for seed, row in self._tried(role, depth)}

    def covered(self, role: int) -> Numbers:
        """By run, the share of the other role's teachers that a champion beats."""
        return np.array([run.covered[role] for run in self.runs], np.float64)

    def matches(self, depth: int) -> str:
        """How many matches each champion had at a depth."""
        return " or ".join(map(str, sorted({row.matches for _, row in self._tried(0, depth)})))

    def _tried(self, role: int, depth: int) -> list[tuple[int, Tried]]:
        """By seed, what champions of a role did at a depth."""
        return [(run.seed, row) for run in self.runs for row in run.depths if (row.depth, row.role) == (depth, role)]


def apart(values: npt.ArrayLike) -> tuple[float, float, float]:
    """The mean of some values, half the width of its interval, and how likely it is by chance if they are around zero.

    Equal values other than zero have no spread to test by: neither width nor p is known.
    """
    given = np.asarray(values, np.float64)
    mean = float(given.mean())
    if len(given) < 2:
        return mean, nan, nan
    if np.ptp(given) < _ROUNDED:
        return mean, *((0.0, 1.0) if abs(mean) < _ROUNDED else (nan, nan))
    return mean, half_width(given), float(stats.ttest_1samp(given, 0.0).pvalue)


def corrected(ps: Sequence[float]) -> list[float]:
    """What p is after Holm's correction for all of them that are known."""
    made = np.array(ps, np.float64)
    known = ~np.isnan(made)
    made[known] = holm(made[known], SURE)[0]
    return [float(p) for p in made]


def groups(runs: Iterable[Run]) -> list[Group]:
    """Put runs of the same thing and the same size together; of those with one seed, the one that was tried most counts."""
    found: dict[tuple[Any, ...], dict[int, Run]] = {}
    for run in sorted(runs, key=lambda each: len(each.depths)):
        key = (run.game, run.mending, *run.size, run.trials, run.mark, run.basis)
        found.setdefault(key, {})[run.seed] = run
    made = [
        Group(game, mending, tuple(mine[seed] for seed in sorted(mine))) for (game, mending, *_), mine in found.items()
    ]
    order = list(MENDINGS)
    return sorted(made, key=lambda each: (order.index(each.mending), GAMES.index(each.game), each.generations))


def largest(found: Sequence[Group]) -> list[Group]:
    """Those of the size that is the largest of all for their game."""
    most = {each.game: each.size for each in sorted(found, key=lambda each: prod(each.size))}
    return [each for each in found if each.size == most[each.game]]


def families(found: Sequence[Group]) -> list[list[Group]]:
    """What is tested together: for each mending runs as long as the paper's, and shorter ones.

    That is known of a run before there are others: longer ones of a game must not change what its shorter ones are tested with.
    """
    both = [[each for each in found if each.long is full] for full in (True, False)]
    return [
        mine for part in both for mending in MENDINGS if (mine := [each for each in part if each.mending == mending])
    ]


def plain_of(found: Sequence[Group], group: Group) -> Group | None:
    """The plain runs of the same size, for a group that is not plain itself."""
    for each in found:
        same = (each.game, each.size, each.mark) == (group.game, group.size, group.mark)
        if same and each.mending == PLAIN and group.mending != PLAIN:
            return each
    return None


def compared(ours: Mapping[int, float], theirs: Mapping[int, float]) -> tuple[float, float, float, int]:
    """By how much ours is more, seed by seed: the mean, half the width of its interval, p, and how many seeds both have."""
    both = sorted(ours.keys() & theirs.keys())
    return (*apart([ours[seed] - theirs[seed] for seed in both]), len(both)) if both else (nan, nan, nan, 0)


def plain(found: Sequence[Group]) -> list[Group]:
    """Those that are as in the paper."""
    return [each for each in found if each.mending == PLAIN]
