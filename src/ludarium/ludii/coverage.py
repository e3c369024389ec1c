"""Which rules of a description had any part in the matches that were played.

A rule that makes moves is used when one of them could be chosen. For what follows from moves (effects, ends, phases) some moves
are made once more by the kernels as plain Python, while every line that is reached is noted: each tells what it came from.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from ludarium.core import Move, Rng, Role, State
from ludarium.core.offers import RuleUse
from ludarium.kernel import KernelState, using
from ludarium.kernel.places import GENERATED
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.model import walk

if TYPE_CHECKING:
    from ludarium.ludii.lud_game import LudGame

_EACH, _ALL = 150_000, 3_000_000  # lines that are noted in a match, and in all
_TEXT = 70  # letters of a rule that are shown
_TOLD = ("result", "byScore", "payoffs", "nextPhase")
_AROUND = ("or", "and", "if", "then", "apply", "do", "priority", "forEach Piece", "seq", "append")
"""Ludemes that only hold others together: it is those that have effects."""


class RulesInUse:
    """Follows matches of a game."""

    def __init__(self, game: LudGame) -> None:
        self.game = game
        self._legal: set[int] = set()
        self._traced: set[int] = set()
        self._reached: set[tuple[str, int]] = set()
        self._lines = 0
        self._arrived: set[int] = set()
        self._twin: LudGame | None = None

    def follow(self, states: Sequence[State], joints: Sequence[Mapping[Role, Move]]) -> None:
        """Look at a match."""
        coordinates = self.game.coordinates
        for state in states[:-1] if states[-1].over else states:
            for role in state.movers:
                found = (coordinates.leaf(move) for move in state.legal(role))
                self._legal |= {leaf.index for leaf in found if leaf is not None}
        self._look_at_pieces(states)
        most = min(_ALL, self._lines + _EACH)
        for ply in self._worth_tracing(joints):
            if self._lines >= most:
                break
            self._again(states[ply], joints[ply], ply)

    def rules(self) -> list[RuleUse]:
        """List the rules that make moves, and those that follow from them, in the order of the text."""
        rules = self.game.model.rules
        files = {file for file, _ in self._reached}
        reached = {GENERATED[file].origins[line - 1] for file, line in self._reached}
        known = {origin for file in files for origin in GENERATED[file].origins if origin}
        leaves = {str(rules.place(leaf.node)): False for leaf in self.game.compiled.leaves}
        for leaf in self.game.compiled.leaves:
            leaves[str(rules.place(leaf.node))] |= leaf.index in self._legal
        found: dict[tuple[int, int], RuleUse] = {}
        for node in walk(self.game.model.root):
            place = rules.place(node)
            if str(place) in leaves:
                used = leaves[str(place)]
            elif str(place) in known and _tells(node):
                used = str(place) in reached
            else:
                continue
            found.setdefault((place.line, place.column), RuleUse(str(place), _short(str(node.node)), used))
        return [found[place] for place in sorted(found)]

    def pieces(self) -> dict[str, bool]:
        """Tell of every kind of piece whether one ever came to a site."""
        pieces = [each for each in self.game.model.components if not each.faces]
        return {each.name: each.index in self._arrived for each in pieces}

    def _look_at_pieces(self, states: Sequence[State]) -> None:
        layout = self.game.compiled.layout
        high = layout.height
        before: list[int] | None = None
        for state in states:
            assert isinstance(state, KernelState)
            record: Any = layout.state(bytearray(state.block))
            now = [int(record.what[k]) for k in range(layout.sites * high)]
            if before is not None:
                self._arrived |= {what for what, old in zip(now, before, strict=True) if what != old and what}
            before = now

    def _worth_tracing(self, joints: Sequence[Mapping[Role, Move]]) -> Iterator[int]:
        """The plies that may tell most: the last, then those of rules that were not traced yet, then the others."""
        plies = range(len(joints) - 1, -1, -1)
        fresh = []
        for ply in plies:
            leaves = {leaf.index for move in joints[ply].values() if (leaf := self.game.coordinates.leaf(move))}
            if ply == len(joints) - 1 or not leaves <= self._traced:
                self._traced |= leaves
                fresh.append(ply)
        yield from fresh
        rest = sorted(set(plies) - set(fresh))
        yield from (ply for step in (7, 3, 1) for ply in rest[::step])

    def _again(self, state: State, joint: Mapping[Role, Move], ply: int) -> None:
        """Make a move once more in plain Python, and note the lines."""
        if self._twin is None:
            with using("python"):
                self._twin = type(self.game)(self.game.model.rules, name=self.game.name)
                _ = self._twin.bridge
        assert isinstance(state, KernelState)
        again = KernelState(self._twin, state.block)
        before = sys.gettrace()
        sys.settrace(self._entered)
        try:
            again.after(joint, Rng(ply))
        finally:
            sys.settrace(before)

    def _entered(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        return self._line if frame.f_code.co_filename in GENERATED else None

    def _line(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            self._lines += 1
            place = frame.f_code.co_filename, frame.f_lineno
            if place not in self._reached and linecache.getline(*place).strip() != "return":  # Python shares returns
                self._reached.add(place)
        return self._line


def _tells(node: Bound) -> bool:
    """Whether a ludeme has an effect of its own."""
    return node.unit in _TOLD or (node.family == "moves" and node.unit not in _AROUND)


def _short(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 3]}..."
