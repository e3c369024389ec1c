"""What a game is like to play, in the numbers that game designers ask for: length, choice, decisiveness, drama.

Who leads is told by the players themselves: by the value that each expected when it last moved. In a game of two, one that does
not say expects what the other leaves. Drama is that of Browne (2008): how far the winner was behind, while it was behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.results import Integers, Moves, Numbers, Results, match_starts, sums

LEVEL = 0.05
"""A lead that is smaller is none."""

MARGINS = 21
"""Steps of a histogram of margins: tenths."""


@dataclass(frozen=True)
class Measures:
    """A game in numbers; nan where nothing is known."""

    game: str
    matches: int
    plies: float
    """The mean length."""

    plies_spread: float
    """Its standard deviation."""

    plies_low: float
    plies_median: float
    plies_high: float
    """The 5th, the 50th and the 95th of 100 lengths."""

    decisive: float
    """The part of the matches that someone won alone."""

    margin: float
    """How far the best was above the second, on average."""

    choices: float = nan
    """Legal moves to choose from, on average over decisions: the branching factor."""

    size: float = nan
    """How many digits the number of ways to play has: the logarithms of the choices of a match, added up."""

    lead_changes: float = nan
    """How often the lead passes from one role to another, per match."""

    comeback: float = nan
    """The part of the matches won by a role that was not in the lead at half time."""

    drama: float = nan
    """The root of what the winner was behind, averaged over the plies when it was; 0 if it never was."""

    settled: float = nan
    """When another role was in the lead for the last time: 0 is never, and 1 the very end."""


@dataclass(frozen=True, eq=False)
class Pace:
    """How long an agent thinks as the game goes on."""

    agent: str
    ply: Numbers
    """The middle of each stretch of plies."""

    low: Numbers
    median: Numbers
    high: Numbers
    """Seconds: 1, 5 and 9 of 10 decisions are as fast."""


def measures(results: Results, moves: Moves | None = None) -> list[Measures]:
    """Measure every game; what needs decisions is measured on the matches that `moves` tells of."""
    results = results.by_match()
    decisions = dict(moves.games()) if moves is not None else {}
    found = []
    for name, played in results.games():
        numbers = _outcomes(played)
        if name in decisions:
            numbers |= _decisions(decisions[name]) | _leads(played, decisions[name])
        found.append(Measures(game=name, matches=len(match_starts(played.match)), **numbers))
    return found


def paces(moves: Moves, stretches: int = 30) -> list[Pace]:
    """Follow the thinking time of every agent through the game; the longest 1 % of the plies are left out."""
    timed = moves.where(~np.isnan(moves.seconds))
    if not len(timed):
        return []
    last = int(np.quantile(timed.ply, 0.99))
    width = -(-(last + 1) // stretches)
    timed = timed.where(timed.ply <= last)
    found = []
    for code, name in enumerate(timed.agent.names):
        own = timed.where(timed.agent.codes == code)
        stretch = own.ply // width
        order = np.lexsort((own.seconds, stretch))
        seconds, starts = own.seconds[order], match_starts(stretch[order])
        sizes = np.diff(np.append(starts, len(order)))
        low, median, high = (seconds[starts + np.rint(share * (sizes - 1)).astype(int)] for share in (0.1, 0.5, 0.9))
        middle: Numbers = np.asarray((stretch[order][starts] + 0.5) * width - 0.5, np.float64)
        found.append(Pace(name, middle, low, median, high))
    return found


def margin_histograms(results: Results) -> dict[str, Numbers]:
    """Count for each agent how far it ended above or below its best opponent: shares of `MARGINS` steps from -1 to 1."""
    results = results.by_match()
    starts = match_starts(results.match)
    sizes = np.diff(np.append(starts, len(results)))
    results = results.where(np.repeat(sizes > 1, sizes))
    if not len(results):
        return {}
    starts, (best, second) = match_starts(results.match), _best_two(results)
    sizes = np.diff(np.append(starts, len(results)))
    best, second = np.repeat(best, sizes), np.repeat(second, sizes)
    margin = results.utility - np.where(results.utility == best, second, best)
    step = np.rint((margin + 1) / 2 * (MARGINS - 1)).astype(np.int64)
    agents = len(results.agent.names)
    counts = np.bincount(results.agent.codes * MARGINS + step, minlength=agents * MARGINS).reshape(agents, MARGINS)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return dict(zip(results.agent.names, shares, strict=True))


def _outcomes(results: Results) -> dict[str, float]:
    """Measure what the ends of matches tell."""
    starts = match_starts(results.match)
    sizes = np.diff(np.append(starts, len(results)))
    plies = results.plies[starts]
    plies = plies[plies > 0]
    numbers = dict.fromkeys(("plies", "plies_spread", "plies_low", "plies_median", "plies_high"), nan)
    if len(plies):
        low, median, high = (float(end) for end in np.quantile(plies, (0.05, 0.5, 0.95)))
        numbers = {"plies": float(plies.mean()), "plies_spread": float(plies.std()), "plies_low": low}
        numbers |= {"plies_median": median, "plies_high": high}
    many = results.where(np.repeat(sizes > 1, sizes))
    if not len(many):
        return numbers | {"decisive": nan, "margin": nan}
    best, second = _best_two(many)
    return numbers | {"decisive": float(np.mean(best > second)), "margin": float(np.mean(best - second))}


def _best_two(results: Results) -> tuple[Numbers, Numbers]:
    """Find the best utility of each match and the second; the rows must lie `by_match`, two or more for each."""
    starts = match_starts(results.match)
    best: Numbers = np.maximum.reduceat(results.utility, starts)
    is_best = results.utility == np.repeat(best, np.diff(np.append(starts, len(results))))
    others = np.maximum.reduceat(np.where(is_best, -1.0, results.utility), starts)
    return best, np.where(np.add.reduceat(is_best.astype(np.int64), starts) > 1, best, others)


def _decisions(moves: Moves) -> dict[str, float]:
    """Measure what the numbers of legal moves tell."""
    known = moves.choices > 0
    if not known.any():
        return {}
    matches, match = np.unique(moves.match[known], return_inverse=True)
    digits = sums(match, np.log10(moves.choices[known]), len(matches))
    return {"choices": float(moves.choices[known].mean()), "size": float(digits.mean())}


def _leads(results: Results, moves: Moves) -> dict[str, float]:
    """Measure what the players' own expectations tell of the matches that had one winner."""
    wins = results.as_scores()
    won, roles = wins.where(wins.utility == 1), int(wins.role.max()) + 1
    moves = moves.where(np.isin(moves.match, won.match))
    if roles < 2 or not len(moves):
        return {}
    moves = moves.where(np.lexsort((moves.role, moves.ply, moves.match)))
    expected = _expectations(moves, roles)
    ends = np.append((moves.match[1:] != moves.match[:-1]) | (moves.ply[1:] != moves.ply[:-1]), True)
    ends &= ~np.isnan(expected).any(axis=1)
    match, ply, expected = moves.match[ends], moves.ply[ends], expected[ends]
    if not len(match):
        return {}
    row = np.searchsorted(won.match, match)
    winner, length = won.role[row], np.maximum(won.plies[row], ply + 1)
    ranked = np.sort(expected, axis=1)
    leader = np.where(ranked[:, -1] - ranked[:, -2] > LEVEL, expected.argmax(axis=1), -1)
    gap = ranked[:, -1] - expected[np.arange(len(match)), winner]
    return _drama(match, (ply + 1) / length, leader, winner, gap)


def _expectations(moves: Moves, roles: int) -> Numbers:
    """Tell after every decision what each role expected when it last chose, a column per role."""
    rows = np.arange(len(moves))
    starts = match_starts(moves.match) if len(moves) else rows
    begun = np.repeat(starts, np.diff(np.append(starts, len(moves))))
    expected = np.full((len(moves), roles), nan)
    for role in range(roles):
        last = np.maximum.accumulate(np.where((moves.role == role) & ~np.isnan(moves.value), rows, -1))
        known = last >= begun
        expected[known, role] = moves.value[last[known]]
    if roles == 2:
        for role in (0, 1):
            silent = np.isnan(expected[:, role])
            expected[silent, role] = 1 - expected[silent, 1 - role]
    return expected


def _drama(match: Integers, time: Numbers, leader: Integers, winner: Integers, gap: Numbers) -> dict[str, float]:
    """Measure matches by who led when; time runs from 0 to 1."""
    numbers, match = np.unique(match, return_inverse=True)
    count = len(numbers)
    led = np.flatnonzero(leader >= 0)
    changes = (match[led[1:]] == match[led[:-1]]) & (leader[led[1:]] != leader[led[:-1]])
    early = led[time[led] <= 0.5]
    half_time = early[_lasts(match[early])]
    behind = np.flatnonzero((leader >= 0) & (leader != winner))
    drama = sums(match[behind], np.sqrt(gap[behind]), count) / np.maximum(
        np.bincount(match[behind], minlength=count), 1
    )
    return {
        "lead_changes": float(changes.sum() / count),
        "comeback": float(np.sum(leader[half_time] != winner[half_time]) / count),
        "drama": float(drama.mean()),
        "settled": float(time[behind[_lasts(match[behind])]].sum() / count),
    }


def _lasts(match: Integers) -> NDArray[np.bool_]:
    """Mark the last row of every match."""
    return np.append(match[1:] != match[:-1], True)[: len(match)]
