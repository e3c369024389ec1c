"""How well an agent does, and how sure that is: means with standard errors and intervals, by whatever is asked for.

A mean counts a draw as a part of a win, so it is never called a win rate: wins, draws and losses stand beside it.

Plays of one game are not independent evidence about all games: the error with the game as the unit, from the spread of the
means of the games, says how far the result carries to games that were not played; it is often several times as large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from ludarium.arena.results import Integers, Labels, Numbers, Results, compress, sums
from ludarium.core import BadParameter, UnknownName

CONFIDENCE = 0.95

_GROUPS = ("agent", "game", "role", "opponent")


@dataclass(frozen=True)
class Rate:
    """What a group of results reached, on average."""

    group: tuple[str, ...]
    """The names that make the group, in the order asked for."""

    count: int
    mean: float
    error: float
    """The standard error of the mean, if all plays are independent; nan for a single play."""

    low: float
    high: float
    """Wilson's interval of the mean, under the same condition."""

    games: int
    game_mean: float
    """The average of the games' means."""

    game_error: float
    """Its standard error, with the game as the unit; nan for a single game."""

    won: float
    drawn: float
    """What part of the plays was won alone, and what part was shared; the rest was lost."""

    @property
    def lost(self) -> float:
        """What part of the plays another one won."""
        return max(0.0, 1 - self.won - self.drawn)


def rates(results: Results, by: Sequence[str] = ("agent",), *, confidence: float = CONFIDENCE) -> list[Rate]:
    """Average the utilities by any of "agent", "game", "role" and "opponent", best mean first.

    >>> results = Results.of({"match": [1, 2], "game": ["hex"] * 2, "role": [0, 0], "agent": ["uct"] * 2, "utility": [1, 0]})
    >>> [rate.mean for rate in rates(results)]
    [0.5]
    """
    check_share(confidence, "confidence")
    if unknown := [name for name in by if name not in _GROUPS]:
        raise UnknownName("group", unknown[0], _GROUPS)
    results = results.by_match()
    rows, columns = _columns(results, by)
    utility, game = results.utility[rows], results.game.codes[rows].astype(np.int64)
    names, group = _groups(columns, len(rows))
    count = np.bincount(group, minlength=len(names))
    mean = sums(group, utility, len(names)) / count
    error = _error(sums(group, (utility - mean[group]) ** 2, len(names)), count)
    low, high = wilson(mean, count, confidence)

    cells, cell = compress(group * len(results.game.names) + game)
    cell_group = cells // max(1, len(results.game.names))
    cell_mean = sums(cell, utility, len(cells)) / np.bincount(cell)
    games = np.bincount(cell_group, minlength=len(names))
    game_mean = sums(cell_group, cell_mean, len(names)) / games
    spread = sums(cell_group, (cell_mean - game_mean[cell_group]) ** 2, len(names))
    won, drawn = (sums(group, outcome[rows], len(names)) / count for outcome in results.outcomes())
    columns_of_numbers = (count, mean, error, low, high, games, game_mean, _error(spread, games), won, drawn)
    rows_of_numbers = zip(*(column.tolist() for column in columns_of_numbers), strict=True)
    found = [Rate(name, *numbers) for name, numbers in zip(names, rows_of_numbers, strict=True)]
    return sorted(found, key=lambda rate: -rate.mean)


def wilson(mean: Numbers, count: Integers, confidence: float = CONFIDENCE) -> tuple[Numbers, Numbers]:
    """Give the score intervals of means of numbers from 0 to 1 (Wilson 1927).

    Where there are draws they are too wide rather than too narrow: nothing from 0 to 1 varies more than wins and losses.
    """
    squared = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2
    centre = (mean + squared / (2 * count)) / (1 + squared / count)
    inner = np.maximum(mean * (1 - mean), 0) / count + squared / (4 * count**2.0)
    reach = np.sqrt(squared * inner) / (1 + squared / count)
    return np.maximum(centre - reach, 0), np.minimum(centre + reach, 1)


def check_share(share: float, what: str) -> None:
    """Refuse what is not strictly between 0 and 1."""
    if not 0 < share < 1:
        raise BadParameter(f"{what} is a number between 0 and 1, not {share}")


def _columns(results: Results, by: Sequence[str]) -> tuple[Integers, list[Labels]]:
    """Name the rows to be averaged and their groups; with opponents, a row counts once for each of them."""
    if "opponent" not in by:
        rows = np.arange(len(results))
        met = rows
    else:
        ones, others = results.encounters()
        rows, met = np.concatenate([ones, others]), np.concatenate([others, ones])
    columns = {"agent": results.agent, "game": results.game, "role": results.role_name}
    return rows, [results.agent[met] if name == "opponent" else columns[name][rows] for name in by]


def _groups(columns: Sequence[Labels], rows: int) -> tuple[list[tuple[str, ...]], Integers]:
    """Number the combinations that occur, and name them."""
    key = np.zeros(rows, np.int64)
    for column in columns:
        key = key * len(column.names) + column.codes
    present, group = compress(key)
    names: list[tuple[str, ...]] = [() for _ in present]
    for column in reversed(columns):
        present, codes = np.divmod(present, len(column.names))
        names = [(column.names[code], *name) for code, name in zip(codes, names, strict=True)]
    return names, group


def _error(squares: Numbers, count: Integers) -> Numbers:
    """Turn sums of squared deviations into standard errors of the mean."""
    variance: Numbers = np.divide(squares, count * (count - 1), out=np.full(len(count), np.nan), where=count > 1)
    return np.sqrt(variance)
