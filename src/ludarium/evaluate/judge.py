"""An evaluator made ready for one game: a kernel that judges a state, and the data it looks at."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ludarium.core import Game, Rng, State
from ludarium.kernel import Bundle, Kernel, Stream, Table, bridge, f64, i64, kernel, u8, view


@dataclass(frozen=True)
class Judge:
    """What a search takes in: `kernel(table, state, out, judging, rng) -> forward calls`, and the bundle it looks at.

    It writes what the state is worth to each role, from 0 to 1, into `out`: at the end of a game exactly the
    utilities. It may use the state as scratch paper, and writes to its bundle: one judge serves one thread.
    """

    kernel: Kernel[int]
    judging: Bundle = field(default_factory=Bundle)
    calls: int = 0
    """The most forward calls that judging one state can take."""

    by_count: Callable[[Kernel[int], int], Kernel[int]] | None = None
    """Makes a faster kernel for unfinished states, `(table, state, acting, out, judging, rng) -> forward calls`, from one that
    counts moves, `(table, state, role, moves) -> count`, and the number of roles; None if there is none."""

    note: str = ""
    """How it came to judge so, for people who ask why a move was made."""


class Evaluator(Protocol):
    """The parameters of a way to judge: a frozen dataclass."""

    @property
    def name(self) -> str:
        """What `evaluator` calls it."""
        ...

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game; an `UnsupportedGame` if it cannot judge this one."""
        ...


@kernel
def result(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Judge a state by its utilities, finished or not."""
    table.utilities(state, out)
    return 0


@dataclass(frozen=True)
class Result:
    """Judge a state by its utilities, finished or not: what the rules say, and nothing else."""

    name = "result"

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        return Judge(result)


def values(judge: Judge, game: Game, states: Sequence[State], rng: Rng) -> list[tuple[float, ...]]:
    """Judge states, from Python."""
    reached = bridge(game)
    out = array("d", bytes(8 * len(game.roles)))
    found = []
    for state in states:
        judge.kernel(reached.table, bytearray(reached.block(state)), out, judge.judging, rng)
        found.append(tuple(out))
    return found
