"""A network as operations on whole words: gates of one shape at different places of a board are worked out together.

A value is a row of bits, one per place of a board, or a flag that is all ones or all zeros. A gate's inputs lie at
distances from its own place; gates with the same distances are one value, made with shifts. A role makes exactly one
move, so gates that read nothing but moves are looked up by the move. What has no regular shape becomes a flag.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludarium.gdl.network.arrange import GAP
from ludarium.gdl.network.network import FALSE, TRUE, Network
from ludarium.gdl.words.floods import Spread, loop_of, places

_SHAPES = 400  # a network with more has no order that could be used
_PAIR = 4  # parts that two gates may have to be worth a value; else each is a flag
_MORE = {True: 3.0, False: 1.5}  # a gate for all (or any) of its inputs joins others if one part in so many is new
_NOWHERE = -1


class Place(NamedTuple):
    """Where a fact or a gate is found: its value, and the bit in it, or -1 for a flag."""

    value: int
    bit: int = _NOWHERE


class Part(NamedTuple):
    """What a value is made of: how another value is read.

    With a shift, a bit is read at that distance from its own place; with a bit, that bit is read from all places;
    a flag is read as it is. Moves have the value -1, and a number that tells inputs of a gate apart.
    """

    value: int
    negated: bool
    shift: int | None = None
    bit: int = _NOWHERE
    number: int = 0

    def order(self) -> tuple[int, ...]:
        """Something to sort by."""
        return self.value, self.negated, self.shift is None, self.shift or 0, self.bit, self.number


@dataclass
class Value:
    """A value: for each of its bits (bit 0 of a flag) which parts it reads, joined by all or by any of them."""

    space: int
    """The board; -1 for a flag, and less for what has places of its own."""

    words: int
    every: bool = False
    parts: dict[Part, int] = field(default_factory=dict)
    """The bits that read a part."""

    moves: dict[Part, dict[int, int]] = field(default_factory=dict)
    """For a part that reads moves: by move, the bits for which it is one of them."""

    tests: dict[tuple[int, bool], int] = field(default_factory=dict)
    """For a flag: the bits of values, negated or not, that it reads."""

    spreads: dict[Spread, int] = field(default_factory=dict)
    """For a loop: the bits that are reached in a way."""

    needs: list[frozenset[Part]] = field(default_factory=list)
    """For a loop: parts that all have to hold, as its spreads number them."""

    bits: int = 0
    fixed: int = 0
    """Bits that are always on."""

    @property
    def flag(self) -> bool:
        """Whether it is one."""
        return self.space == _NOWHERE


class _Entry(NamedTuple):
    """A gate on its way into a value."""

    gate: int
    bit: int
    parts: frozenset[Part]
    moves: dict[Part, frozenset[int]]


class WordCircuit:
    """The values of a network, in order of dependency: rows of facts and other facts come first."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.values: list[Value] = []
        self.where: dict[int, Place] = {}
        self.first = len(net.facts) + len(net.does)
        self.row_of: dict[int, tuple[int, int]] = {}
        self.shapes = 0
        self._sorted: dict[frozenset[Part], list[Part]] = {}
        self._read_facts()
        self.facts = len(self.values)
        self.pure = self._pure()
        self.moving = self._moving()
        self.inlined = self._inlined()
        self.want = self._want()

    # Facts, and what is known of gates beforehand

    def _read_facts(self) -> None:
        fact = 0
        for row in self.net.order.rows:
            cells = self.net.order.boards[row.board].cells
            value = self._add(Value(row.board, -(-cells // 64)))
            for bit, text in row.facts.items():
                self.where[fact] = Place(value, bit)
                self.row_of[fact] = row.board, bit
                self.values[value].bits |= 0 if text.startswith(GAP) else 1 << bit
                fact += 1
        for _ in self.net.order.others:
            self.where[fact] = Place(self._add(Value(_NOWHERE, 1)))
            fact += 1

    def _add(self, value: Value) -> int:
        self.values.append(value)
        return len(self.values) - 1

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
        for gate in range(self.first, self.net.size):
            if not self._every(gate) and all(x & 1 == 0 and x >> 1 in pure for x in self._inputs(gate)):
                pure[gate] = frozenset().union(*(pure[x >> 1] for x in self._inputs(gate)))
        return pure

    def _moving(self) -> set[int]:
        """Gates that depend on moves in any way: they can be worked out only when moves are made."""
        moving = set(range(len(self.net.facts), self.first))
        end_of, end = dict(self.net.components), 0
        for gate in range(self.first, self.net.size):
            if gate in end_of:
                end = end_of[gate]
                if any(x >> 1 in moving for k in range(gate, end) for x in self._inputs(k)):
                    moving.update(range(gate, end))
            elif gate >= end and any(x >> 1 in moving for x in self._inputs(gate)):
                moving.add(gate)
        return moving

    def _inlined(self) -> set[int]:
        """Gates for any of their inputs that only a fact to come or a move reads: no value of their own is needed."""
        net = self.net
        uses = Counter(x >> 1 for literals in net.inputs for x in literals)
        ends = [*net.next, *(x for moves in net.moves for x in moves.gates)]
        others = [net.terminal, *(m.guard for m in net.moves), *(x for goals in net.goals for _, x in goals)]
        uses.update(x >> 1 for x in [*ends, *others] if x >= 0)
        single = (x >> 1 for x in ends if x >> 1 >= self.first and not x & 1 and uses[x >> 1] == 1)
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

    # Gates to values, level by level

    def gates(self, wanted: Iterable[int]) -> bool:
        """Make values of the gates that these literals need; False if they have too many shapes."""
        needed, stack = set[int](), [x >> 1 for x in wanted if x >= 0]
        while stack:
            gate = stack.pop()
            if gate >= self.first and gate not in needed and gate not in self.pure and gate not in self.where:
                needed.add(gate)
                stack += [x >> 1 for x in self._inputs(gate)]
        levels, loops = self._levels(needed)
        for depth in sorted({*levels, *loops}):
            if not all(self._flood(*loop) for loop in loops[depth]):
                return False
            for shape, entries in self._shaped(levels[depth]).items():
                self._settle(shape, entries)
            if self.shapes > _SHAPES:
                return False
        return True

    def _levels(self, needed: Iterable[int]) -> tuple[dict[int, list[int]], dict[int, list[tuple[int, int]]]]:
        """Gates, and loops of gates (the first and the end of each), by how many others they wait for one after the other."""
        levels: dict[int, list[int]] = defaultdict(list)
        loops: dict[int, list[tuple[int, int]]] = defaultdict(list)
        level: dict[int, int] = {}
        end_of, end = dict(self.net.components), 0
        for gate in sorted(needed):
            if gate in end_of:
                end = end_of[gate]
                depth = 1 + max(level.get(x >> 1, 0) for k in range(gate, end) for x in self._inputs(k))
                level |= dict.fromkeys(range(gate, end), depth)
                loops[depth].append((gate, end))
            elif gate >= end:
                level[gate] = 1 + max((level.get(x >> 1, 0) for x in self._inputs(gate)), default=0)
                if gate not in self.inlined:
                    levels[level[gate]].append(gate)
        return levels, loops

    def _flood(self, first: int, end: int) -> bool:
        """Make a value of gates that depend on each other; False if they have no places of their own."""
        inputs = {gate: self._inputs(gate) for gate in range(first, end)}
        any_of = [gate for gate in inputs if self.net.threshold[gate - self.first] == 1]
        loop, same = loop_of(inputs, any_of)
        outside = {x >> 1 for some in loop.values() for body in some for x in body.outside}
        if not outside <= self.where.keys() or not loop.keys() >= set(same.values()):
            return False  # it depends on moves
        read = {gate: self.where[gate] for gate in outside}
        located = {gate: (self.values[p.value].space, p.bit) for gate, p in read.items() if p.bit >= 0}
        found = places(loop, located, {gate: place.value for gate, place in read.items()})
        if not found:
            return False
        space = next(iter(found.values()))[0]
        value = Value(space, self._words(space))
        number = self._add(value)
        for gate, some in loop.items():
            bit = found[gate][1]
            value.bits |= 1 << bit
            for body in some:
                parts = self.entry(-1, body.outside, space, bit, every=True).parts
                if parts not in value.needs:
                    value.needs.append(parts)
                way = Spread(frozenset(found[x][1] - bit for x in body.inside), value.needs.index(parts))
                value.spreads[way] = value.spreads.get(way, 0) | 1 << bit
                for part in parts:
                    value.parts[part] = value.parts.get(part, 0) | 1 << bit
            self.where[gate] = Place(number, bit)
        self.where |= {gate: self.where[other] for gate, other in same.items()}
        return True

    def _shaped(self, gates: Sequence[int]) -> dict[tuple[bool, int, bool], list[_Entry]]:
        """Gates by whether they need all inputs, by board, and by whether they depend on moves."""
        found: dict[tuple[bool, int, bool], list[_Entry]] = defaultdict(list)
        for gate in gates:
            space, bit = self._anchor(gate)
            every = self._every(gate)
            entry = self.entry(gate, self._inputs(gate), space, bit, every)
            found[every, space, gate in self.moving].append(entry)
        return found

    def _anchor(self, gate: int) -> tuple[int, int]:
        """Where a gate belongs: where it is read, or where its inputs lie."""
        spaces, least = dict[int, int](), dict[int, int]()
        for x in self._inputs(gate):
            place = self.where.get(x >> 1)
            if place is not None and place.bit >= 0:
                space = self.values[place.value].space
                spaces[space] = spaces.get(space, 0) + 1
                least[space] = min(place.bit, least.get(space, place.bit))
        wanted = self.want.get(gate)
        if wanted is not None and (not spaces or wanted[0] in spaces):
            return wanted
        if not spaces:
            return _NOWHERE, 0
        space = max(spaces, key=lambda s: (spaces[s], -s))
        return space, least[space]

    def entry(self, gate: int, literals: Iterable[int], space: int, bit: int, every: bool) -> _Entry:  # noqa: FBT001
        """How a gate at a place reads its inputs."""
        parts: set[Part] = set()
        joined: set[int] = set()
        moves: dict[Part, frozenset[int]] = {}
        for x in literals:
            negated = bool(x & 1)
            if x >> 1 in self.pure:
                if negated == every:
                    joined |= self.pure[x >> 1]  # none of these moves, or one of them
                else:
                    moves[Part(-1, negated, number=1 + len(moves))] = self.pure[x >> 1]
                continue
            place = self.where[x >> 1]
            if place.bit < 0:
                parts.add(Part(place.value, negated))
            elif self.values[place.value].space == space or space < _NOWHERE:
                parts.add(Part(place.value, negated, place.bit - bit))
            else:
                parts.add(Part(place.value, negated, None, place.bit))
        if joined:
            moves[Part(-1, every)] = frozenset(joined)
        return _Entry(gate, bit, frozenset(parts), moves)

    def _settle(self, shape: tuple[bool, int, bool], entries: list[_Entry]) -> None:
        """Make values of gates at one level."""
        every, space, _ = shape
        clusters = [] if space == _NOWHERE else self._clusters(entries, every)
        for parts, at in clusters:
            if len(at) > 2 or (len(at) == 2 and len(parts) <= _PAIR):
                self.join(Value(space, self._words(space), every), at.values())
        for entry in entries:
            if entry.gate not in self.where:
                self.where[entry.gate] = Place(self.flag(self._inputs(entry.gate), every))

    def _clusters(self, entries: list[_Entry], every: bool) -> list[tuple[set[Part], dict[int, _Entry]]]:  # noqa: FBT001
        """Gates at different places that read mostly the same parts; by place."""
        exact: dict[frozenset[Part], list[_Entry]] = defaultdict(list)
        for entry in entries:
            exact[entry.parts.union(entry.moves)].append(entry)
        self.shapes += len(exact)
        clusters: list[tuple[set[Part], dict[int, _Entry]]] = []
        if self.shapes > _SHAPES:
            return clusters
        for parts, members in sorted(exact.items(), key=lambda item: -len(item[0])):
            new = sorted((len(parts - c[0]), k) for k, c in enumerate(clusters))
            fitting = [k for more, k in new if _MORE[every] * more <= len(parts)]
            for entry in members:
                best = next((k for k in fitting if entry.bit not in clusters[k][1]), -1)
                if best < 0:
                    best = len(clusters)
                    clusters.append((set(), {}))
                else:
                    fitting.remove(best)
                fitting.insert(0, best)  # no part is new to it from now on
                clusters[best][0].update(parts)
                clusters[best][1][entry.bit] = entry
        return clusters

    def _words(self, space: int) -> int:
        return -(-self.net.order.boards[space].cells // 64) if space >= 0 else 1

    def join(self, value: Value, entries: Iterable[_Entry]) -> int:
        """Make one value of gates at different places."""
        number = self._add(value)
        for entry in entries:
            value.bits |= 1 << entry.bit
            if entry.parts not in self._sorted:  # the same text every time, so that its code is found again
                self._sorted[entry.parts] = sorted(entry.parts, key=Part.order)
            for part in self._sorted[entry.parts]:
                value.parts[part] = value.parts.get(part, 0) | 1 << entry.bit
            for part, moves in entry.moves.items():
                value.parts[part] = value.parts.get(part, 0) | 1 << entry.bit
                by_move = value.moves.setdefault(part, defaultdict(int))
                for move in moves:
                    by_move[move] |= 1 << entry.bit
            if entry.gate >= 0:
                self.where[entry.gate] = Place(number, entry.bit)
        return number

    def flag(self, literals: Iterable[int], every: bool) -> int:  # noqa: FBT001
        """Make a flag of literals."""
        literals = self.opened(literals)
        value = Value(_NOWHERE, 1, every, bits=1)
        for x in literals:
            if x >> 1 in self.pure or x < 0:
                continue
            place = self.where[x >> 1]
            key = place.value, bool(x & 1)
            value.tests[key] = value.tests.get(key, 0) | (1 << place.bit if place.bit >= 0 else (1 << 64) - 1)
        made = self.entry(-1, (x for x in literals if x >= 0 and x >> 1 in self.pure), _NOWHERE, 0, every)
        for part, moves in made.moves.items():
            value.parts[part] = 1
            value.moves[part] = dict.fromkeys(moves, 1)
        value.fixed = int(TRUE in literals)
        return self._add(value)

    def opened(self, literals: Iterable[int]) -> list[int]:
        """Literals as they are; those of gates without a value give way to what they read."""
        found: list[int] = []
        for x in literals:
            found += self._inputs(x >> 1) if x >= 0 and x >> 1 in self.inlined else [x]
        return [x for x in found if x != FALSE]
