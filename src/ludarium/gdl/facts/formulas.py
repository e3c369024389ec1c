"""The goals and the end of a game as formulas over facts, for those who work them out in degrees.

Facts of a board that moves bring about are given what can become them: the same content in another cell, one move away, two, and
so on (the fluent graph of Michulke and Schiffel, "Distance features for general game playing", 2012).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ludarium.core.hints import Formulas
from ludarium.gdl.network.network import FALSE, TRUE, Network

_STEPS = 16  # farther is as good as nowhere
_TARGETS = 400  # facts; of more, it is not worth knowing how far away they are
_MASKS = 4096  # words of masks in all


def formulas(net: Network, seats: Sequence[int], contents: Mapping[str, int]) -> Formulas:
    """Take the gates that goals and the end depend on out of a network."""
    goals = [(player, value / 100, x) for player, seat in enumerate(seats) for value, x in net.goals[seat] if value > 0]
    goals = [goal for goal in goals if goal[2] != FALSE]
    inputs = len(net.facts) + len(net.does)
    cone = _cone(net, [net.terminal, *(x for *_, x in goals)])
    bits = sorted(gate for gate in cone if gate < len(net.facts))
    gates = sorted(gate for gate in cone if gate >= inputs)
    node = {gate: 1 + place for place, gate in enumerate([*bits, *gates])}

    def moved(x: int) -> int:
        return 0 if x == TRUE else 1 if x == FALSE else 2 * node[x >> 1] | (x & 1)

    kinds = [net.threshold[gate - inputs] == len(net.inputs[gate - inputs]) for gate in gates]
    return Formulas(
        bits,
        [(kind, tuple(map(moved, net.inputs[g - inputs]))) for kind, g in zip(kinds, gates, strict=True)],
        moved(net.terminal),
        [(player, value, moved(x)) for player, value, x in goals],
        [(node[first], node[first] + end - first) for first, end in net.components if first in node],
        _nearer(net, bits, contents),
    )


def _cone(net: Network, literals: Iterable[int]) -> set[int]:
    """The gates that literals depend on; of gates that depend on each other, all."""
    inputs = len(net.facts) + len(net.does)
    loops = {gate: range(first, end) for first, end in net.components for gate in range(first, end)}
    found: set[int] = set()
    stack = [x >> 1 for x in literals if x >= 0]
    while stack:
        gate = stack.pop()
        if gate not in found:
            found.add(gate)
            stack += loops.get(gate, ())
            if gate >= inputs:
                stack += [x >> 1 for x in net.inputs[gate - inputs]]
    return found


def _nearer(net: Network, bits: Sequence[int], contents: Mapping[str, int]) -> list[list[int]]:
    """For every fact, masks of facts of the same content that are one move away from it, two, and so on."""
    content_of = {k: mask for mask in contents.values() for k in range(mask.bit_length()) if mask >> k & 1}
    if not 0 < sum(bit in content_of for bit in bits) <= _TARGETS:
        return []
    sources = _Sources(net)
    found, masks = [], 0
    for bit in bits:
        levels: list[int] = []
        reached = frontier = 1 << bit
        while bit in content_of and frontier and len(levels) < _STEPS:
            before = 0
            for k in _bits(frontier):
                before |= sources.of(k) & content_of[bit]
            frontier = before & ~reached
            reached |= frontier
            if frontier:
                levels.append(frontier)
        masks += sum(-(-level.bit_length() // 64) for level in levels)
        if masks > _MASKS:
            return []
        found.append(levels)
    return found


class _Sources:
    """The facts that moves need which bring about a fact."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.legal: dict[tuple[int, str], list[int]] = defaultdict(list)
        for moves in net.moves:
            for name, gate in zip(moves.names, moves.gates, strict=True):
                self.legal[moves.role, name].append(gate)
        self._known: dict[int, tuple[int, int]] = {}
        self._of: dict[int, int] = {}

    def of(self, fact: int) -> int:
        """As a mask."""
        if fact not in self._of:
            mask = 0
            for k in _bits(self._positive(self.net.next[fact])[1]):
                for gate in self.legal[self.net.does[k]]:
                    mask |= self._positive(gate)[0]
            self._of[fact] = mask & ~(1 << fact)
        return self._of[fact]

    def _positive(self, literal: int) -> tuple[int, int]:
        """The facts and the moves that a literal depends on without any negation, as masks."""
        if literal < 0 or literal & 1:
            return 0, 0
        gate, facts = literal >> 1, len(self.net.facts)
        inputs = facts + len(self.net.does)
        if gate < inputs:
            return (1 << gate, 0) if gate < facts else (0, 1 << gate - facts)
        if gate not in self._known:
            self._known[gate] = 0, 0  # as long as it is not known, for gates that depend on themselves
            held = made = 0
            for x in self.net.inputs[gate - inputs]:
                more = self._positive(x)
                held, made = held | more[0], made | more[1]
            self._known[gate] = held, made
        return self._known[gate]


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
