"""What all champions of a mending lose by looking farther, beside what plain ones lose.

Role by role few seeds stand against many rows to correct for. Champions as a whole have all of them: roles count alike in a
run, runs in a game, and games among each other. Two questions are kept apart: what holds in these games, however often
evolution is repeated (runs are drawn again, within games), and what holds in games like these (the game is the unit).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan

import numpy as np

from ludarium.arena.prove.means import half_width
from ludarium.arena.prove.resampling import Redrawn, between, ratio_between
from ludarium.evolve.bouts import Numbers
from ludarium.studies.coevolution.measures import Group, apart, plain_of
from ludarium.studies.coevolution.published import PAPER_GENERATIONS

ENOUGH = 4
"""Of fewer games nothing is said about games like them."""

_PLAIN, _OURS, _PLAIN_GAIN, _GAIN = range(4)


@dataclass(frozen=True)
class Beside:
    """A group beside the plain runs of its game and size, seed by seed, at some depths: roles and depths count alike."""

    group: Group
    depths: tuple[int, ...]
    rows: Numbers
    """By seed: what plain champions lose, what these lose, and what both gain on random judgement at these depths."""

    @property
    def lossy(self) -> bool:
        """Whether plain champions are shown to lose anything."""
        mean, half, _ = apart(self.rows[:, _PLAIN])
        return mean - half > 0

    @property
    def below(self) -> Numbers:
        """By seed, how much less these lose than half of what plain ones do."""
        return _below(self.rows)

    @property
    def more(self) -> Numbers:
        """By seed, how much more these gain at the depths themselves."""
        return _more(self.rows)


@dataclass(frozen=True)
class Together:
    """Several games, each counting alike, whatever was run in it."""

    games: Mapping[str, Sequence[Beside]]

    @property
    def seeds(self) -> int:
        """How many runs of both kinds stand beside each other."""
        return sum(len(each.rows) for mine in self.games.values() for each in mine)

    @cached_property
    def means(self) -> Numbers:
        """By game, and there by what is told of a seed."""
        return np.array([np.mean([each.rows.mean(axis=0) for each in mine], axis=0) for mine in self.games.values()])

    @cached_property
    def drawn(self) -> Numbers:
        """Means over games of seeds drawn again within each; both kinds of a seed are drawn together."""
        again = Redrawn(seed=1)
        games = [np.mean([again.means(each.rows) for each in mine], axis=0) for mine in self.games.values()]
        drawn: Numbers = np.mean(games, axis=0)
        return drawn

    @property
    def lost(self) -> tuple[float, float]:
        """What plain champions lose, and what these do."""
        plain, ours = self.means.mean(axis=0)[[_PLAIN, _OURS]]
        return float(plain), float(ours)

    @property
    def lost_between(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where both may lie, by runs."""
        return between(self.drawn[:, _PLAIN]), between(self.drawn[:, _OURS])

    @property
    def ratio(self) -> tuple[float, tuple[float, float]]:
        """How much of what plain champions lose these lose, and where that may lie by runs; nan where those may lose nothing."""
        plain, ours = self.lost
        ends = ratio_between(self.drawn[:, _OURS], self.drawn[:, _PLAIN])
        return (nan if isnan(ends[0]) else ours / plain), ends

    @property
    def below(self) -> tuple[float, tuple[float, float], tuple[float, float]]:
        """How much less they lose than half of what plain ones do, where that may lie by runs, and by games."""
        games = _below(self.means)
        mean, half = float(games.mean()), half_width(games) if len(games) >= ENOUGH else nan
        return mean, between(_below(self.drawn)), (mean - half, mean + half)

    @property
    def more(self) -> tuple[float, tuple[float, float]]:
        """How much more they gain at these depths than plain ones, and where that may lie by runs."""
        return float(_more(self.means).mean()), between(_more(self.drawn))

    @property
    def fallen(self) -> tuple[float, tuple[float, float]]:
        """How much less they gain there than plain ones do at depth 1, and where that may lie by runs.

        Who is worth less at depth 1 has less to lose from there; this begins where plain champions do.
        """
        return float(_fallen(self.means).mean()), between(_fallen(self.drawn))


def beside(found: Sequence[Group], group: Group, depths: Sequence[int]) -> Beside | None:
    """Put a group beside plain runs, at those of the depths that both were tried at; nothing if there are none."""
    plain = plain_of(found, group)
    if plain is None:
        return None
    common = tuple(depth for depth in depths if depth in set(group.depths()) & set(plain.depths()))
    tables = [
        (kind.lost(role, depth), kind.gains(role, depth))
        for depth in common
        for role in range(len(group.roles))
        for kind in (plain, group)
    ]
    if not tables:
        return None
    seeds = sorted(set.intersection(*(set(lost) for lost, _ in tables)))
    by_kind = [[told[place] for told in tables[kind::2]] for place in (0, 1) for kind in (0, 1)]
    rows = [[sum(each[seed] for each in mine) / len(mine) for mine in by_kind] for seed in seeds]
    return Beside(group, common, np.array(rows, np.float64)) if rows else None


def all_beside(found: Sequence[Group], family: Sequence[Group], depths: Sequence[int]) -> list[Beside]:
    """Put all groups of a family beside plain runs that there are."""
    return [made for each in family if (made := beside(found, each, depths))]


def farther(found: Sequence[Group]) -> list[tuple[int, ...]]:
    """The depths beyond the first, each alone, and all of them if there are several."""
    depths = sorted({depth for each in found for depth in each.depths() if depth > 1})
    return [*((depth,) for depth in depths), *([tuple(depths)] if len(depths) > 1 else [])]


def together(given: Sequence[Beside]) -> Together:
    """Put games together, each of which may have runs of several sizes."""
    names = dict.fromkeys(each.group.game for each in given)
    return Together({name: [each for each in given if each.group.game == name] for name in names})


def named(depths: Sequence[int]) -> str:
    """Write depths down."""
    return " and ".join(map(str, depths))


def length(group: Group) -> str:
    """Say whether runs are as long as the paper's."""
    return str(PAPER_GENERATIONS) if group.long else "shorter"


def verdict(low: float, high: float) -> str:
    """Whether something is shown to be above 0, by its interval."""
    if isnan(low):
        return "cannot be told"
    return "is shown" if low > 0 else "is shown not to hold" if high < 0 else "is not shown"


def _below(rows: Numbers) -> Numbers:
    less: Numbers = rows[:, _PLAIN] / 2 - rows[:, _OURS]
    return less


def _more(rows: Numbers) -> Numbers:
    more: Numbers = rows[:, _GAIN] - rows[:, _PLAIN_GAIN]
    return more


def _fallen(rows: Numbers) -> Numbers:
    fallen: Numbers = rows[:, _PLAIN] - _more(rows)
    return fallen
