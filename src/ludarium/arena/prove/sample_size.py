"""How many matches it takes, asked before they are played.

All answers are for two-sided tests, by the usual normal approximation. Plays of one game only tell about that game: to claim
that an agent is better on games like these, plan the number of games.
"""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist

from ludarium.arena.extras import needs
from ludarium.arena.prove.comparisons import ALPHA
from ludarium.arena.prove.intervals import check_share
from ludarium.core import BadParameter

with needs("report"):
    from statsmodels.stats.power import TTestPower

POWER = 0.8
"""How likely a difference that is there should be found."""


def matches_needed(
    rate: float,
    against: float = 0.5,
    *,
    draws: float = 0.0,
    power: float = POWER,
    alpha: float = ALPHA,
    comparisons: int = 1,
) -> int:
    """Say how many matches tell a win rate from a fixed one, as in a duel or a test of balance.

    `draws` is the part of the matches that end in one: draws vary less than wins and losses.

    >>> matches_needed(0.55)
    783
    """
    tail, wanted = _quantiles(rate, against, power, alpha, comparisons)
    null, real = (_variance(share, draws) for share in (against, rate))
    return ceil(((tail * sqrt(null) + wanted * sqrt(real)) / (rate - against)) ** 2)


def matches_each_needed(
    one: float,
    other: float,
    *,
    draws: float = 0.0,
    power: float = POWER,
    alpha: float = ALPHA,
    comparisons: int = 1,
) -> int:
    """Say how many matches each of two agents must play against the same opponents to tell their win rates apart.

    >>> matches_each_needed(0.55, 0.5)
    1565
    """
    tail, wanted = _quantiles(one, other, power, alpha, comparisons)
    pooled = 2 * _variance((one + other) / 2, draws)
    apart = _variance(one, draws) + _variance(other, draws)
    return ceil(((tail * sqrt(pooled) + wanted * sqrt(apart)) / (one - other)) ** 2)


def games_needed(
    difference: float, spread: float, *, power: float = POWER, alpha: float = ALPHA, comparisons: int = 1
) -> int:
    """Say how many games tell two agents apart, if their difference varies from game to game by a standard deviation.

    >>> games_needed(0.1, 0.2)
    34
    """
    check_share(power, "power")
    check_share(alpha, "alpha")
    if not difference or spread <= 0 or comparisons < 1:
        raise BadParameter("a difference that is not 0, a spread above 0 and at least one comparison are needed")
    effect = abs(difference) / spread
    return ceil(float(TTestPower().solve_power(effect, power=power, alpha=alpha / comparisons)))


def difference_found(
    matches: int, against: float = 0.5, *, power: float = POWER, alpha: float = ALPHA, comparisons: int = 1
) -> float:
    """Say how far above a fixed rate a win rate must be, to be found in so many matches; 1 - `against` if none is.

    >>> round(difference_found(783), 3)
    0.05
    """
    low, high = 0.0, 1 - against
    for _ in range(50):
        middle = (low + high) / 2
        needed = matches_needed(against + middle, against, power=power, alpha=alpha, comparisons=comparisons)
        low, high = (low, middle) if needed <= matches else (middle, high)
    return high


def _quantiles(one: float, other: float, power: float, alpha: float, comparisons: int) -> tuple[float, float]:
    for share, what in ((power, "power"), (alpha, "alpha")):
        check_share(share, what)
    for rate in (one, other):
        if not 0 <= rate <= 1:
            raise BadParameter(f"a win rate is a number from 0 to 1, not {rate}")
    if one == other:
        raise BadParameter("no number of matches tells equal win rates apart")
    if comparisons < 1:
        raise BadParameter(f"there is at least one comparison, not {comparisons}")
    return NormalDist().inv_cdf(1 - alpha / comparisons / 2), NormalDist().inv_cdf(power)


def _variance(rate: float, draws: float) -> float:
    """Tell how much a match varies that is won, drawn (worth a half) or lost."""
    if not 0 <= draws <= 2 * min(rate, 1 - rate):
        raise BadParameter(f"a win rate of {rate} cannot go with {draws} of draws")
    return rate * (1 - rate) - draws / 4
