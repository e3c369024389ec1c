"""Which way of playing many playouts is cheaper: one after the other, or 64 at once.

One lane works out what changes or few words. 64 lanes work out everything, however few of them are in use, until the
longest playout has ended. What changes is counted in a few turns from the start, not timed: so it is the same choice on
every machine, and the same seed gives the same playouts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from ludarium.core import Rng
from ludarium.gdl.network.layout import COUNTERS, DIFF, LEGAL, PENDING, STACK, SUMMARY, Layout
from ludarium.gdl.network.network import Network
from ludarium.kernel import Stream, Table, copy, f64, i64, kernel, u8, view

_LOOKS = 12  # turns that are looked at, from the beginning to the end of a playout
_LONGEST = 500  # plies of the playout
_LANES = 64
_LENGTHS = 16  # playouts whose lengths are compared

# Nanoseconds, roughly, on any machine: what counts is how they compare.
_CHANGE, _TURN = 6.0, 200.0  # one lane: to pass a change on, and to make a turn besides
_LOOP = 1.0  # one lane: to work out a gate of a loop
_OPERATION, _WORDS = 0.055, 3.0  # one lane on words: an operation, and a turn besides
_INPUT, _FACT, _SETTLE, _LANES_TURN = 1.0, 1.2, 22.0, 1400.0  # 64 lanes: an input, a fact, a gate of a loop, a turn


def lanes_from(net: Network, cost: float, start: Any) -> float:
    """How many playouts are cheaper at once than one after the other, if a turn of one lane costs this much."""
    inputs = sum(map(len, net.inputs[: net.lazy - len(net.facts) - len(net.does)]))
    looped = sum(end - first for first, end in net.components)
    turn = _LANES_TURN + _INPUT * inputs + _FACT * len(net.facts) + _SETTLE * looped
    least = turn * _uneven(start) / cost
    return least if least <= _LANES else inf


def by_words(operations: int) -> float:
    """What a turn of so many operations on words costs one lane."""
    return _WORDS + _OPERATION * operations


def by_changes(net: Network, layout: Layout, start: Any) -> float:
    """What a turn costs one lane, roughly in nanoseconds; loops are worked out anew each time, and count whole."""
    if layout.loops:
        return _TURN + _LOOP * sum(end - first for first, end in net.components)
    return _TURN + _CHANGE * changes(layout, start)


def _uneven(start: Any) -> float:
    """How much longer the longest of some random playouts is than they are on average."""
    rng, play = Rng(1), start.game.bridge.call
    lengths = [play("playout", bytearray(start.block), rng, _LONGEST) for _ in range(_LENGTHS)]
    return max(lengths) * len(lengths) / sum(lengths) if any(lengths) else 1.0


def changes(layout: Layout, start: Any) -> float:
    """Count the counters and bits that change in a turn, on average over turns of a random playout."""
    rng, game = Rng(1), start.game
    codes, does = len(layout.codes), layout.tables["code_does"].memory.cast("i")
    plies = game.bridge.call("playout", bytearray(start.block), rng.copy(), _LONGEST)
    found = []
    block = bytearray(start.block)
    for _ in range(min(_LOOKS, plies)):
        state = game.state(bytes(block))
        moves = [rng.choice(state.legal(role)) for role in range(len(game.roles))]
        made = [does[seat * codes + move] for seat, move in zip(game.seats, moves, strict=True)]
        found.append(_Turn(layout, state.block).count(made))
        game.bridge.call("playout", block, rng, max(1, plies // _LOOKS))
        if not game.state(bytes(block)).movers:
            block = bytearray(start.block)
    return sum(found) / len(found) if found else 0.0  # a game that is over at its beginning changes nothing


@kernel
def one_by_one(  # noqa: PLR0917
    table: Table,
    start: view[u8],
    state: view[u8],
    rng: Stream,
    count: i64,
    limit: i64,
    values: view[f64],
    totals: view[f64],
) -> i64:
    """Play random games from a state one after the other, add up what they were worth, and count the turns."""
    plies = 0
    for _game in range(count):
        copy(state, start)
        plies += table.playout(state, rng, limit)
        table.utilities(state, values)
        for role in range(len(values)):
            totals[role] += values[role]
    return plies


class _Turn:
    """What the kernels do in a turn, done in Python to count it."""

    def __init__(self, layout: Layout, block: bytes) -> None:
        at, tables = layout.at, layout.tables
        self._nodes, self._fan, self._pull = (tables[name].memory.cast("i") for name in ("nodes", "fan", "pull"))
        self._counters = memoryview(block)[at[COUNTERS] : at[STACK]].cast("h").tolist()
        self._gates = 8 * (at[LEGAL] - at[PENDING])
        self._facts = 8 * (at[DIFF] - at[PENDING])
        bits = int.from_bytes(block[at[DIFF] : at[SUMMARY]], "little")
        self._changing = {k for k in range(8 * (at[SUMMARY] - at[DIFF])) if bits >> k & 1}

    def count(self, made: Sequence[int]) -> int:
        """Make the moves, then change the facts and take the moves back."""
        work = self._settle(made)
        facts, self._changing = sorted(self._changing), set()
        return work + self._settle([*facts, *made])

    def _settle(self, flipped: Sequence[int]) -> int:
        for gate in flipped:
            self._counters[gate] = -1 - self._counters[gate]
        pending, queued, work = sorted(flipped), set(flipped), 0
        while pending:
            gate = heapq.heappop(pending)
            if gate not in queued:
                continue
            queued.discard(gate)
            if self._waits_in_vain(gate):
                continue
            work += self._nodes[4 * gate + 2] - self._nodes[4 * gate]
            for touched in self._pass_on(gate):
                queued ^= {touched}  # a gate that goes on and off again has nothing to tell
                heapq.heappush(pending, touched)
        return work

    def _pass_on(self, gate: int) -> Iterator[int]:
        """Change what a gate feeds; the gates that thereby change or have to look again."""
        first, middle, end = self._nodes[4 * gate : 4 * gate + 3]
        step = 1 if self._counters[gate] >= 0 else -1
        for fed in self._fan[first:middle]:
            old = self._counters[fed >> 1]
            self._counters[fed >> 1] = new = old - step if fed & 1 else old + step
            if (old < 0) != (new < 0):
                yield fed >> 1
        for bit in self._fan[middle:end]:
            if bit < self._gates:
                yield bit
            elif bit >= self._facts:
                self._changing ^= {bit - self._facts}

    def _waits_in_vain(self, gate: int) -> bool:
        """Whether a gate that waits for a move is what it was."""
        place, now = self._nodes[4 * gate + 3], True
        if not place:
            return False
        while self._pull[place] >= 0 and now:
            now = (self._counters[self._pull[place] >> 1] >= 0) == (self._pull[place] & 1 == 0)
            place += 1
        if now == (self._counters[gate] >= 0):
            return True
        self._counters[gate] = 0 if now else -1
        return False
