"""Iterative deepening: the memory of a search that looks ahead, and its way from depth to depth."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludarium.agents.lookahead.frames import HISTORY, Frame, Lookahead, Options, Root
from ludarium.agents.lookahead.leaves import leaves_of
from ludarium.agents.lookahead.transpositions import NO_MOVE, Transpositions
from ludarium.agents.search.support import blaming
from ludarium.core import Game, GameError, Move, Rng, Role, State
from ludarium.evaluate import Judge
from ludarium.kernel import Kernel, TableGame, bridge, f64, i64, u64, zeros

_LINE = 128  # plies of a line that are remembered
_PROBED = 2  # plies left in a node that is worth a look at the table
_FEW = 16  # moves, of which two plies cost less than that
_ROOT = np.dtype([("move", "u8"), ("value", "f8"), ("nodes", "i8")])  # as Root
assert _ROOT.itemsize == Root.size


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a search may do, as the parameters of its agent say."""

    depth: int
    table_bits: int = 0
    hash_move: bool = False
    killers: bool = False
    history: bool = False
    quiescence: int = 0
    swing: float = 0.0
    best_reply: bool = False

    @property
    def options(self) -> Options:
        """Those that kernels look at."""
        options = Options()
        for name in Options.fields:
            setattr(options, name, getattr(self, name))
        return options


@dataclass(frozen=True)
class Completed:
    """What a finished depth has found."""

    depth: int
    move: Move
    value: float
    values: dict[Move, float]
    line: list[Move]
    solved: bool
    """No evaluation was needed: deeper searches find the same."""


class Deepening:
    """Search depth after depth; what one has found orders the moves of the next."""

    def __init__(self, game: Game, role: Role, rng: Rng, search: Kernel[int], judge: Judge, settings: Settings) -> None:
        self.game, self.rng, self.kernel, self.judge, self.settings = game, rng, search, judge, settings
        self.bridge = bridge(game)
        # The hash() of plain Python states may be as coarse as it likes, so a table cannot rely on it.
        self._bits = settings.table_bits if isinstance(game, TableGame) else 0
        table, known = self.bridge.table, Transpositions(self._bits)
        self._roots = np.zeros(1, _ROOT)
        self.ahead = Lookahead(
            options=settings.options,
            states=b"",
            frames=b"",
            moves=zeros(u64, 0),
            lines=zeros(u64, 0),
            killers=zeros(u64, 0),
            history=zeros(i64, HISTORY * table.roles),
            entries=known.entries,
            tags=known.tags,
            roots=self._roots.view(np.uint8),
            joint=zeros(u64, table.roles),
            values=zeros(f64, 0),
            judging=judge.judging,
            me=role,
            width=table.max_moves + 1,  # best-reply search tries one of them twice
            reserve=judge.calls,
            probed=_PROBED if table.max_moves > _FEW else _PROBED + 1,
        )
        self._known, self._leaves = known, leaves_of(game, judge)
        self._plies = 0
        self._waiting: tuple[State, tuple[Move, ...]] | None = None
        self._make_room(8)
        self._slice(0)  # what is compiled now is not on the clock of the first move

    def reset(self, state: State, legal: tuple[Move, ...]) -> None:
        """Start over from a state when the search runs next: what that takes is then on the clock."""
        self._waiting = (state, legal)

    def run(self, iterations: int, calls: int) -> tuple[int, int]:
        """Search some more; answers the nodes and forward calls that were used."""
        if self._waiting:
            self._start(*self._waiting)
        done, before = 0, self.ahead.calls
        self.ahead.call_limit = before + calls
        while not self.over and done < iterations and self.ahead.calls < self.ahead.call_limit:
            done += self._slice(iterations - done)
            if self.ahead.finished:
                self._finish()
        return done, self.ahead.calls - before

    @property
    def visits(self) -> dict[Move, int]:
        """The nodes spent on each move, those of a depth that is not finished included."""
        found: dict[Move, int] = self._numbers_at_root("nodes")
        if not self.over and (place := self._frame.next - 1) >= 0:
            found[int(self._roots["move"][place])] += self.ahead.nodes - self.ahead.mark
        return found

    def so_far(self) -> Completed:
        """What the last finished depth has found, or else the first one as far as it got."""
        if self.completed is not None:
            return self.completed
        seen = self._frame.line > 0
        best, value = (self._frame.move, self._frame.best) if seen else (int(self._roots["move"][0]), 0.5)
        return Completed(0, best, value, self._numbers_at_root("value"), [best], solved=False)

    def _numbers_at_root(self, what: str) -> dict[Move, Any]:
        """Tell a number of every move at the root."""
        return dict(zip(self._roots["move"].tolist(), self._roots[what].tolist(), strict=True))

    def _start(self, state: State, legal: tuple[Move, ...]) -> None:
        """Forget everything, and put the moves into random order."""
        self._waiting = None
        if state.movers != (self.ahead.me,):
            raise GameError(f"game '{self.game.name}' says turn_taking, but several roles move at once")
        self._root = self.bridge.block(state)
        moves = list(legal)
        self.rng.shuffle(moves)
        self._roots = np.zeros(len(moves), _ROOT)
        self._roots["move"], self._roots["value"] = moves, 0.5
        self._known.clear()
        self.ahead.fill(
            history=zeros(i64, len(self.ahead.history)), killers=array("Q", [NO_MOVE]) * len(self.ahead.killers)
        )
        self.ahead.nodes = self.ahead.mark = self.ahead.calls = 0
        self.ahead.deepest = 1
        self.completed: Completed | None = None
        self.over = False
        self._begin(1)

    def _begin(self, depth: int) -> None:
        self._depth = depth
        self._make_room(depth + self.settings.quiescence + 2)
        frame, count = self._frame, len(self._roots)
        frame.alpha, frame.beta, frame.best, frame.move = 0.0, 1.0, -1.0, NO_MOVE
        frame.role, frame.depth, frame.count, frame.next = self.ahead.me, depth, count, 0
        frame.line = frame.free = 0
        frame.extra, frame.horizon = -1, False
        self._moves[:count] = array("Q", self._roots["move"].tobytes())
        self._states[: len(self._root)] = self._root
        self.ahead.fill(roots=self._roots.view(np.uint8), ply=0, finished=False)

    def _finish(self) -> None:
        frame = self._frame
        solved = not frame.horizon
        values = self._numbers_at_root("value")
        line = self._lines[: frame.line].tolist() or [frame.move]
        self.completed = Completed(self._depth, frame.move, frame.best, values, line, solved)
        if solved or self._depth >= self.settings.depth:
            self.over = True
            return
        # A pruned move has a bound as its value, which may equal the best: the best one comes first all the same.
        others = self._roots["move"] != np.uint64(frame.move)
        self._roots = self._roots[np.lexsort((-self._roots["value"], others))]
        self._begin(self._depth + 1)

    def _make_room(self, plies: int) -> None:
        if plies <= self._plies:
            return
        table, self._plies = self.bridge.table, 2 * plies
        room = min(self._plies, _LINE)
        self._states = bytearray(self._plies * table.state_size)
        self._moves, self._lines = zeros(u64, self._plies * self.ahead.width), zeros(u64, self._plies * room)
        self.ahead.fill(
            states=self._states,
            frames=zeros(Frame, self._plies),
            moves=self._moves,
            lines=self._lines,
            killers=array("Q", [NO_MOVE]) * (2 * self._plies),
            values=zeros(f64, (self._plies + 1) * table.roles),
            room=room,
        )
        self._frame: Frame = self.ahead.frames[0]

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            return self.kernel(self.bridge.table, self.ahead, self._leaves, self.rng, iterations)
