"""Whether a game is fair: what each role scores, tested against an equal share.

The test is exact: of the matches that one role won alone, it asks whether the role's part could come from 1/n by chance (with
two roles, the sign test). That an agent is stronger than another does not disturb it as long as all have changed seats;
where they have not, `even` is false, and strength and seat cannot be told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.comparisons import ALPHA, holm
from ludarium.arena.prove.intervals import CONFIDENCE, check_share, wilson
from ludarium.arena.results import Integers, Results, match_starts, sums

with needs("report"):
    from scipy.stats import binomtest

_LUCK = 3.0  # seats drawn by lot differ by less than this many roots of the number of matches


@dataclass(frozen=True)
class Seat:
    """What a role of a game has scored."""

    game: str
    role: str
    number: int
    matches: int
    share: float
    """Score per match: a win counts 1, a draw in part."""

    won: float
    drawn: float
    """What part of the matches the role won alone, and what part it shared; the rest it lost."""

    low: float
    high: float
    fair: float
    """What everyone would score in a fair game: 1 divided by the number of roles."""

    advantage: float
    """How much more than fair the role has scored."""

    decided: int
    """Matches that someone won alone."""

    p: float
    """How likely it is that a fair game looks as unfair."""

    adjusted: float
    """p after Holm's correction for all the roles and games of the table."""

    significant: bool
    even: bool
    """Whether every agent sat in every seat, about equally often."""

    @property
    def unfair(self) -> bool:
        """Whether the game is proved to be unfair: a difference that the agents cannot have made."""
        return self.significant and self.even


def balance(
    results: Results, *, self_play: bool = False, alpha: float = ALPHA, confidence: float = CONFIDENCE
) -> list[Seat]:
    """Test each role of each game; of two roles the first alone, as the other mirrors it.

    With `self_play`, only matches count in which all roles were played by the same agent.
    """
    check_share(alpha, "alpha")
    check_share(confidence, "confidence")
    results = _complete(results.as_scores(), self_play=self_play)
    seats: list[Seat] = []
    for game, wins in results.games():
        seats += _seats(game, wins, confidence)
    adjusted, significant = holm(np.array([seat.p for seat in seats]), alpha)
    return [
        replace(seat, adjusted=float(corrected), significant=bool(sure))
        for seat, corrected, sure in zip(seats, adjusted, significant, strict=True)
    ]


def _complete(wins: Results, *, self_play: bool) -> Results:
    """Keep the matches of which two or more roles are known, and with self-play those of one agent only."""
    if not len(wins):
        return wins
    starts = match_starts(wins.match)
    sizes = np.diff(np.append(starts, len(wins)))
    kept = sizes > 1
    if self_play:
        low, high = (each.reduceat(wins.agent.codes, starts) for each in (np.minimum, np.maximum))
        kept &= low == high
    return wins.where(np.repeat(kept, sizes))


def _seats(game: str, wins: Results, confidence: float) -> Sequence[Seat]:
    roles = int(wins.role.max()) + 1
    matches = np.bincount(wins.role, minlength=roles)
    share = sums(wins.role, wins.utility, roles) / np.maximum(matches, 1)
    low, high = wilson(share, np.maximum(matches, 1), confidence)
    alone = np.bincount(wins.role[wins.utility == 1], minlength=roles)
    shared = np.bincount(wins.role[(wins.utility > 0) & (wins.utility < 1)], minlength=roles)
    decided = int(alone.sum())
    even = _even(wins, roles)
    names = {int(number): wins.role_name.names[wins.role_name.codes[row]] for number, row in _first_rows(wins.role)}
    seats = []
    for number in range(1 if roles == 2 else roles):
        p = float(binomtest(int(alone[number]), decided, 1 / roles).pvalue) if decided else 1.0
        seat = Seat(
            game=game,
            role=names.get(number, f"role {number + 1}"),
            number=number,
            matches=int(matches[number]),
            share=float(share[number]),
            won=float(alone[number] / max(1, matches[number])),
            drawn=float(shared[number] / max(1, matches[number])),
            low=float(low[number]),
            high=float(high[number]),
            fair=1 / roles,
            advantage=float(share[number]) - 1 / roles,
            decided=decided,
            p=p,
            adjusted=p,
            significant=False,
            even=even,
        )
        seats.append(seat)
    return seats


def _first_rows(role: Integers) -> list[tuple[int, int]]:
    numbers, rows = np.unique(role, return_index=True)
    return list(zip(numbers.tolist(), rows.tolist(), strict=True))


def _even(wins: Results, roles: int) -> bool:
    """Tell whether every agent has sat in every seat, and about as often as if seats were drawn by lot."""
    agents = len(wins.agent.names)
    sat = np.bincount(wins.agent.codes * roles + wins.role, minlength=agents * roles).reshape(agents, roles)
    total = sat.sum(axis=1)
    by_lot = np.ptp(sat, axis=1) <= np.maximum(1, _LUCK * np.sqrt(total))
    return bool(np.all(by_lot & ((sat.min(axis=1) > 0) | (total < 2))))
