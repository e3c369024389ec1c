"""Judging by a way that the game itself offers, in its `Offers`: kernels by name, the first is the default.

Each is `heuristic(state, out: view[f64])`, where `state` is the game's record: it gives every role a number from 0 to 1 for
a state that is not over. They are called through the bundle of the judge, so that searches are compiled once for all games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from ludarium.core import BadParameter, Game, Rng, State, UnknownName, UnsupportedGame
from ludarium.evaluate.judge import Judge, values
from ludarium.kernel import Bundle, Kernel, KernelGame, Stream, Table, f64, fn, i64, kernel, u8, view

EDGE = 2.0**-20
"""Nothing before the end is worth as much as a win, or as little as a loss; sums of this are exact, so equals stay equal."""


class Way(Bundle):
    """Where the kernel of the game is."""

    judge: fn[[view[u8], view[f64]], None]


@kernel
def by_own_way(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Judge a state: utilities at the end, else as the game says."""
    if table.movers(state) == 0:
        table.utilities(state, out)
    else:
        Way.of(judging).judge(state, out)
        for role in range(table.roles):
            out[role] = min(max(out[role], EDGE), 1.0 - EDGE)
    return 0


@dataclass(frozen=True)
class Own:
    """Judge a state as the game itself suggests."""

    name: ClassVar[str] = "own"

    way: str = ""
    """Which of the ways that the game offers; its default if empty."""

    def __post_init__(self) -> None:
        if not isinstance(self.way, str):
            raise BadParameter(f"own: way is {self.way!r}; expected the name of a way to judge that the game offers")

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        offered = ways(game)
        if not offered:
            raise UnsupportedGame(f"own cannot judge {game.name}: the game does not say how")
        if self.way and self.way not in offered:
            raise BadParameter(str(UnknownName(f"way to judge {game.name}", self.way, offered)))
        assert isinstance(game, KernelGame)
        record: Any = game.state_record
        fitted = _fitted(offered[self.way or next(iter(offered))], record)
        return Judge(by_own_way, Way(judge=fitted))

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)


def ways(game: Game) -> Mapping[str, Kernel[None]]:
    """Give the ways to judge that a game offers, by name."""
    return game.offers.heuristics or {}


@cache
def _fitted(given: Kernel[None], record: Any) -> Kernel[None]:
    State = record  # noqa: N806

    @kernel
    def judge(state: view[u8], out: view[f64]) -> None:
        given(State(state), out)

    return judge
