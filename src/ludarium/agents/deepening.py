"""Iterative deepening: the memory of a search that looks ahead, and its way from depth to depth."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludarium.agents.frames import HISTORY, Frame, Root, Search
from ludarium.agents.leaves import leaves_of
from ludarium.agents.support import blaming
from ludarium.agents.transpositions import NO_MOVE, Transpositions
from ludarium.core import Game, GameError, Move, Rng, Role, State
from ludarium.evaluate import Judge
from ludarium.kernel import Kernel, TableGame, bridge

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
        state = self.search = Search()
        state.me, state.judging = role, judge.calls
        state.hash_move, state.killers, state.history = settings.hash_move, settings.killers, settings.history
        state.quiescence, state.swing, state.best_reply = settings.quiescence, settings.swing, settings.best_reply
        table = self.bridge.table
        state.probed = _PROBED if table.max_moves > _FEW else _PROBED + 1
        self._joint = array("Q", bytes(8 * table.roles))
        self._history = array("q", bytes(8 * HISTORY * table.roles))
        self._plies = 0
        self._waiting: tuple[State, tuple[Move, ...]] | None = None
        self._make_room(8)
        self._known, self._roots = Transpositions(self._bits), np.zeros(1, _ROOT)
        self._leaves = leaves_of(game, judge)
        self._slice(0)  # what is compiled now is not on the clock of the first move

    def reset(self, state: State, legal: tuple[Move, ...]) -> None:
        """Start over from a state when the search runs next: what that takes is then on the clock."""
        self._waiting = (state, legal)

    def run(self, iterations: int, calls: int) -> tuple[int, int]:
        """Search some more; answers the nodes and forward calls that were used."""
        if self._waiting:
            self._start(*self._waiting)
        done, before = 0, self.search.calls
        self.search.call_limit = before + calls
        while not self.over and done < iterations and self.search.calls < self.search.call_limit:
            done += self._slice(iterations - done)
            if self.search.finished:
                self._finish()
        return done, self.search.calls - before

    @property
    def visits(self) -> dict[Move, int]:
        """The nodes spent on each move, those of a depth that is not finished included."""
        found: dict[Move, int] = self._told("nodes")
        if not self.over and (place := self._frame.next - 1) >= 0:
            found[int(self._roots["move"][place])] += self.search.nodes - self.search.mark
        return found

    def so_far(self) -> Completed:
        """What the last finished depth has found, or else the first one as far as it got."""
        if self.completed is not None:
            return self.completed
        seen = self._frame.line > 0
        best, value = (self._frame.move, self._frame.best) if seen else (int(self._roots["move"][0]), 0.5)
        return Completed(0, best, value, self._told("value"), [best], solved=False)

    def _told(self, what: str) -> dict[Move, Any]:
        """Tell a number of every move at the root."""
        return dict(zip(self._roots["move"].tolist(), self._roots[what].tolist(), strict=True))

    def _start(self, state: State, legal: tuple[Move, ...]) -> None:
        """Forget everything, and put the moves into random order."""
        self._waiting = None
        self._leaves = leaves_of(self.game, self.judge)
        if state.movers != (self.search.me,):
            raise GameError(f"game '{self.game.name}' says turn_taking, but several roles move at once")
        self._root = self.bridge.block(state)
        moves = list(legal)
        self.rng.shuffle(moves)
        self._roots = np.zeros(len(moves), _ROOT)
        self._roots["move"], self._roots["value"] = moves, 0.5
        self._known.clear()
        self._history = array("q", bytes(8 * len(self._history)))
        self._killers[:] = array("Q", [NO_MOVE]) * len(self._killers)
        self.search.nodes = self.search.mark = self.search.calls = 0
        self.search.deepest = 1
        self.completed: Completed | None = None
        self.over = False
        self._begin(1)

    def _begin(self, depth: int) -> None:
        self._depth = depth
        self._make_room(depth + self.settings.quiescence + 2)
        frame, count = self._frame, len(self._roots)
        frame.alpha, frame.beta, frame.best, frame.move = 0.0, 1.0, -1.0, NO_MOVE
        frame.role, frame.depth, frame.count, frame.next = self.search.me, depth, count, 0
        frame.horizon = frame.line = frame.free = 0
        frame.extra = -1
        self._moves[:count] = array("Q", self._roots["move"].tobytes())
        self._states[: len(self._root)] = self._root
        self.search.ply = self.search.finished = 0

    def _finish(self) -> None:
        frame = self._frame
        solved = not frame.horizon
        values = self._told("value")
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
        self.search.room = min(self._plies, _LINE)
        self._states = bytearray(self._plies * table.state_size)
        self._frames = bytearray(self._plies * Frame.size)
        self._frame = Frame(self._frames)
        self._moves = array("Q", bytes(8 * self._plies * (table.max_moves + 1)))
        self._lines = array("Q", bytes(8 * self._plies * self.search.room))
        self._values = array("d", bytes(8 * (self._plies + 1) * table.roles))
        self._killers = array("Q", [NO_MOVE]) * (2 * self._plies)

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            return self.kernel(
                self.bridge.table, self._states, self._frames, self._moves, self._lines, self._known.entries, self._known.tags,
                self._killers, self._history, self._roots.view(np.uint8), self.search, self._joint, self._values,
                self.judge.memory, self._leaves, self.rng, iterations,
            )  # fmt: skip
