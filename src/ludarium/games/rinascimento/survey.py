"""Games of Rinascimento between random players: how long they are, how many nobody wins, and what a seat is worth.

This is the paper's preliminary experiment, and the check of generated content: games should end, seldom in a stalemate, and
no seat should be much better than another.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from statistics import fmean, pstdev

from ludarium.core import BadParameter, Rng
from ludarium.games.rinascimento.game import Rinascimento
from ludarium.kernel import Stream, Table, f64, i64, kernel, u8, view


@dataclass(frozen=True)
class Survey:
    """What random games were like."""

    games: int
    mean: float
    """Turns of a game."""

    deviation: float
    shortest: int
    longest: int
    stale: float
    """The share of games that nobody won."""

    wins: tuple[float, ...]
    """The share of games that each seat won, alone or with others."""

    @property
    def advantage(self) -> float:
        """By how much the first seat wins more often than the others do on average."""
        return self.wins[0] - fmean(self.wins[1:])


@kernel
def _play(table: Table, block: view[u8], rng: Stream, lengths: view[i64], won: view[i64], values: view[f64]) -> None:
    for k in range(len(lengths)):
        table.init(block, rng)
        lengths[k] = table.playout(block, rng, 1 << 40)
        table.utilities(block, values)
        for role in range(table.roles):
            if values[role] == 1.0:
                won[k] |= 1 << role


def survey(game: Rinascimento, games: int = 1000, seed: int = 0) -> Survey:
    """Let the random action generator play games against itself."""
    if games < 1:
        raise BadParameter(f"a survey takes 1 game or more, not {games}")
    lengths, won = array("q", bytes(8 * games)), array("q", bytes(8 * games))
    values, roles = array("d", bytes(8 * len(game.roles))), range(len(game.roles))
    _play(game.bridge.table, bytearray(game.state_size), Rng.keyed(seed, "survey"), lengths, won, values)
    return Survey(
        games,
        mean=fmean(lengths),
        deviation=pstdev(lengths),
        shortest=min(lengths),
        longest=max(lengths),
        stale=sum(each == 0 for each in won) / games,
        wins=tuple(sum(each >> role & 1 for each in won) / games for role in roles),
    )
