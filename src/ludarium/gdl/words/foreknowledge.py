"""What is known of the gates of a network before they become values on words."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain

from ludarium.gdl.network.network import Network


class Foreknowledge:
    """Which gates depend on moves, which need no value of their own, and where each is read."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.first = len(net.facts) + len(net.does)
        places = [(row.board, bit) for row in net.order.rows for bit in row.facts]
        self.row_of = dict(enumerate(places))
        """The board and the bit of each fact that has a place."""

        self.pure = self._pure()
        self.moving = self._moving()
        self.inlined = self._inlined()
        self.want = self._want()

    def _inputs(self, gate: int) -> tuple[int, ...]:
        return self.net.inputs[gate - self.first]

    def _every(self, gate: int) -> bool:
        """Whether a gate needs all of its inputs."""
        literals = self._inputs(gate)
        return self.net.threshold[gate - self.first] != 1 or len(literals) == 1

    def _pure(self) -> dict[int, frozenset[int]]:
        """Gates that are on if one of some moves is made."""
        facts = len(self.net.facts)
        pure = {gate: frozenset([gate]) for gate in range(facts, self.first)}
        literals = set(range(2 * facts, 2 * self.first, 2))
        for gate, read in enumerate(self.net.inputs, self.first):
            if literals.issuperset(read) and not self._every(gate):
                pure[gate] = frozenset().union(*(pure[x >> 1] for x in read))
                literals.add(2 * gate)
        return pure

    def _moving(self) -> set[int]:
        """Gates that depend on moves in any way: they can be worked out only when moves are made."""
        moving = set(range(2 * len(self.net.facts), 2 * self.first))  # as literals, so that whole gates are asked about
        end_of, end = dict(self.net.components), 0
        for gate, literals in enumerate(self.net.inputs, self.first):
            if gate in end_of:
                end = end_of[gate]
                if not all(moving.isdisjoint(self._inputs(k)) for k in range(gate, end)):
                    moving.update(range(2 * gate, 2 * end))
            elif gate >= end and not moving.isdisjoint(literals):
                moving |= {2 * gate, 2 * gate + 1}
        return {x >> 1 for x in moving}

    def _inlined(self) -> set[int]:
        """Gates for any of their inputs that only a fact to come or a move reads: no value of their own is needed."""
        net = self.net
        ends = [*net.next, *(x for moves in net.moves for x in moves.gates)]
        others = [net.terminal, *(m.guard for m in net.moves), *(x for goals in net.goals for _, x in goals)]
        uses = Counter(chain(chain.from_iterable(net.inputs), ends, others))
        single = (x >> 1 for x in ends if x >> 1 >= self.first and not x & 1 and uses[x] == 1 and x ^ 1 not in uses)
        return {gate for gate in single if not self._every(gate)}

    def _want(self) -> dict[int, tuple[int, int]]:
        """The place at which a gate is read, if there is one only."""
        found: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for fact, x in enumerate(self.net.next):
            if fact in self.row_of and x >= 0:
                found[x >> 1].add(self.row_of[fact])
        for moves in self.net.moves:
            for x, slot in zip(moves.gates, moves.slots, strict=True):
                if slot.board >= 0 and x >= 0:
                    found[x >> 1].add((slot.board, slot.bit - slot.first))
        want = {}
        for gate in range(self.net.size - 1, self.first - 1, -1):
            if len(places := found[gate]) == 1:
                (want[gate],) = places
                for x in self._inputs(gate):
                    found[x >> 1] |= places
        return want
