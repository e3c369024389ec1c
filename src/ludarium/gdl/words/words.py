"""A network as operations on whole words: gates of one shape at different places of a board are worked out together.

A value is a row of bits, one per place of a board, or a flag that is all ones or all zeros. A gate's inputs lie at
distances from its own place; gates with the same distances are one value, made with shifts. A role makes exactly one
move, so gates that read nothing but moves are looked up by the move. What has no regular shape becomes a flag.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import inf

from ludarium.gdl.network.arrange import GAP
from ludarium.gdl.network.components import components
from ludarium.gdl.network.network import FALSE, TRUE, Network
from ludarium.gdl.words.common import join_lookups
from ludarium.gdl.words.floods import Body, Spread, loop_of, places
from ludarium.gdl.words.foreknowledge import Foreknowledge
from ludarium.gdl.words.rays import Finder
from ludarium.gdl.words.values import NOWHERE, Entry, Kind, Part, Place, Value

_SHAPES = {False: 400, True: 700}  # a network (with rays) that has more has no order that could be used
_LARGE = 10000  # gates, among which it takes too long to look for rays
_SHARE = 20  # one gate in so many has to be of a ray, for rays to matter
_FLAG = 3
"""Operations that a flag takes, at least."""

_PAIR = 4  # parts that two gates may have to be worth a value; else each is a flag
_MORE = {True: 3.0, False: 1.5}  # a gate for all (or any) of its inputs joins others if one part in so many is new
_NONE = 1e9  # as many as no gate has


_Levels = tuple[dict[int, list[int]], dict[int, list[tuple[int, int]]]]
"""Gates by how many others they wait for one after the other, and what is worked out together: two numbers for each."""


class WordCircuit(Foreknowledge):
    """The values of a network, in order of dependency: rows of facts and other facts come first.

    A strict one joins gates only if one of them reads all that the others do.
    """

    def __init__(self, net: Network, *, strict: bool = False) -> None:
        super().__init__(net)
        self._more = dict.fromkeys(_MORE, _NONE) if strict else _MORE
        self.values: list[Value] = []
        self.where: dict[int, Place] = {}
        self.shapes = 0
        self.hopeless = False
        """Whether gates take too many operations, so that nothing else need be tried."""

        self.asked = set[int]()
        """The gates that were needed when values were last made, but for rays."""

        self.rays: Finder | None = None
        self._sorted: dict[frozenset[Part], list[Part]] = {}
        self._roles: dict[int, int] = {}
        self._read_facts()
        self.facts = len(self.values)

    # Facts

    def _read_facts(self) -> None:
        fact = 0
        for row in self.net.order.rows:
            cells = self.net.order.boards[row.board].cells
            value = self._add(Value(row.board, -(-cells // 64)))
            for bit, text in row.facts.items():
                self.where[fact] = Place(value, bit)
                self.values[value].bits |= 0 if text.startswith(GAP) else 1 << bit
                fact += 1
        for _ in self.net.order.others:
            self.where[fact] = Place(self._add(Value(NOWHERE, 1)))
            fact += 1

    def _add(self, value: Value) -> int:
        self.values.append(value)
        return len(self.values) - 1

    # Gates to values, level by level

    def gates(self, wanted: Iterable[int], most: float = inf) -> bool:
        """Make values of the gates that these literals need; False if they have too many shapes, or too many operations."""
        if not self.rays:
            self.asked = self.needed(wanted)
        found = self._by_rays(wanted) if self.rays else self._levels(self.asked)
        if found is None:
            return False
        levels, loops = found
        for depth in sorted({*levels, *loops}):
            make = self._ray if self.rays else self._flood
            if not all(make(*loop) for loop in loops[depth]):
                return False
            anchors = list(map(self._anchor, levels[depth]))
            self.hopeless = _FLAG * sum(space == NOWHERE for space, _ in anchors) > most
            if self.hopeless:
                return False
            shaped = self._shaped(levels[depth], anchors)
            if shaped is None:
                return False
            for (every, space, _), kind in shaped.items():
                self._settle(space, kind, every=every)
        return True

    def forget(self, values: int) -> None:
        """Keep the first values only."""
        del self.values[values:]
        self.where = {gate: place for gate, place in self.where.items() if place.value < values}
        self.shapes = 0

    def needed(self, wanted: Iterable[int]) -> set[int]:
        """The gates that literals depend on and that have no value."""
        first, inputs, known = self.first, self.net.inputs, self.pure.keys() | self.where.keys()
        found, stack = set[int](), [x >> 1 for x in wanted if x >= 0]
        while stack:
            gate = stack.pop()
            if gate >= first and gate not in known:
                known.add(gate)
                found.add(gate)
                stack += [below for x in inputs[gate - first] if (below := x >> 1) not in known]
        return found

    def _levels(self, needed: Iterable[int]) -> _Levels:
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
                level[gate] = depth = 1 + max([level.get(x >> 1, 0) for x in self._inputs(gate)], default=0)
                if gate not in self.inlined:
                    levels[depth].append(gate)
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
        self._spread(space, loop, {gate: bit for gate, (_, bit) in found.items()})
        self.where |= {gate: self.where[other] for gate, other in same.items()}
        return True

    def _spread(self, space: int, loop: Mapping[int, list[Body]], bit_of: Mapping[int, int]) -> Value:
        """Make a value of gates that lead to each other."""
        value = Value(space, self._words(space))
        number = self._add(value)
        marks: dict[tuple[frozenset[int], frozenset[Part]], Part] = {}  # what reads moves besides
        for gate, some in loop.items():
            bit = bit_of[gate]
            value.bits |= 1 << bit
            for body in some:
                entry = self.entry(-1, body.outside, space, bit, every=True)
                parts, far = entry.parts, frozenset(bit_of[x] - bit for x in body.inside)
                for moves in entry.moves.values():
                    part = marks.setdefault((far, parts), Part(-1, negated=False, number=1 + len(marks)))
                    parts |= {part}
                    by_move = value.moves.setdefault(part, defaultdict(int))
                    for move in moves:
                        by_move[move] |= 1 << bit
                if parts not in value.needs:
                    value.needs.append(parts)
                way = Spread(far, value.needs.index(parts))
                value.spreads[way] = value.spreads.get(way, 0) | 1 << bit
                for part in parts:
                    value.parts[part] = value.parts.get(part, 0) | 1 << bit
            self.where[gate] = Place(number, bit)
        return value

    # Rays: gates that continue each other

    def find_rays(self, needed: Iterable[int]) -> bool:
        """Begin anew with gates, those that continue each other as one value; False if these are few or none."""
        if self.net.components:
            return False
        self.forget(self.facts)
        inputs = {gate: self._inputs(gate) for gate in needed}
        if len(inputs) > _LARGE:
            return False
        self.rays = Finder(
            inputs,
            set(filter(self._every, inputs)),
            facts=self.row_of,
            moves=self.pure,
            moving=self.moving,
            cells=[board.cells for board in self.net.order.boards],
        )
        self.rays.find({fact: self.where[fact].value for fact in self.row_of})
        self.inlined -= self.rays.ray_of.keys()
        return len(self.rays.ray_of) * _SHARE > len(inputs)

    def _by_rays(self, wanted: Iterable[int]) -> _Levels | None:
        """Gates and rays (the number of each, twice) by how many others they wait for; None if rays wait for each other."""
        assert self.rays
        levels: dict[int, list[int]] = defaultdict(list)
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        level: dict[int, int] = {}
        below = cache(self._below)
        for (gate, *_), loops in components(self._nodes(x >> 1 for x in wanted if x >= 0), below):
            if loops:
                return None
            level[gate] = depth = 1 + max((level[node] for node in below(gate)), default=0)
            if gate in self.rays.ray_of:
                found[depth].append((self.rays.ray_of[gate],) * 2)
            elif gate not in self.inlined:
                levels[depth].append(gate)
        return levels, found

    def _nodes(self, gates: Iterable[int]) -> set[int]:
        """Gates without a value; for one of a ray, its first."""
        assert self.rays
        known = self.rays.first_of
        return {known.get(g, g) for g in gates if g >= self.first and g not in self.pure and g not in self.where}

    def _below(self, node: int) -> set[int]:
        assert self.rays
        number = self.rays.ray_of.get(node)
        if number is None:
            return self._nodes(x >> 1 for x in self._inputs(node))
        members = self.rays.rays[number].places
        return self._nodes(x >> 1 for gate in members for body in self.rays.body(gate) for x in body.outside)

    def _ray(self, number: int, _: int) -> bool:
        """Make a value of a ray; False if its gates read moves in ways that are not for words."""
        assert self.rays
        ray = self.rays.rays[number]
        loop = {gate: self.rays.body(gate) for gate in ray.places}
        made = [[x & 1 for x in body.outside if x >> 1 in self.pure] for some in loop.values() for body in some]
        if any(len(some) > 1 or any(some) for some in made):
            return False
        value = self._spread(ray.board, loop, ray.places)
        value.steps = self.rays.steps(number)
        return True

    def _shaped(
        self, gates: Sequence[int], anchors: Iterable[tuple[int, int]]
    ) -> dict[tuple[bool, int, bool], Kind] | None:
        """Gates by whether they need all inputs, by board, and by whether they depend on moves; None if too many shapes."""
        found: dict[tuple[bool, int, bool], Kind] = defaultdict(lambda: Kind([], {}))
        most = _SHAPES[bool(self.rays)]
        for gate, (space, bit) in zip(gates, anchors, strict=True):
            every = self._every(gate)
            entry = self.entry(gate, self._inputs(gate), space, bit, every)
            entries, alike = found[every, space, gate in self.moving]
            entries.append(entry)
            if space != NOWHERE:
                parts = entry.parts.union(entry.moves) if entry.moves else entry.parts
                if parts in alike:
                    alike[parts].append(entry)
                    continue
                alike[parts] = [entry]
                self.shapes += 1
                if self.shapes > most:
                    return None
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
            return NOWHERE, 0
        space = max(spaces, key=lambda s: (spaces[s], -s))
        return space, least[space]

    def entry(self, gate: int, literals: Iterable[int], space: int, bit: int, every: bool) -> Entry:  # noqa: FBT001
        """How a gate at a place reads its inputs."""
        parts: set[Part] = set()
        joined: set[int] = set()
        moves: dict[Part, frozenset[int]] = {}
        made: list[int] = []
        for x in literals:
            gate_below, negated = x >> 1, bool(x & 1)
            if gate_below in self.pure:
                made.append(x)
                continue
            value, at = self.where[gate_below]
            if at < 0:
                parts.add(Part(value, negated))
            elif space < NOWHERE or self.values[value].space == space:
                parts.add(Part(value, negated, at - bit))
            else:
                parts.add(Part(value, negated, None, at))
        for x in sorted(made, key=self._role):  # so that what reads moves of one role has one number everywhere
            if (x & 1 == 1) == every:
                joined |= self.pure[x >> 1]  # none of these moves, or one of them
            else:
                moves[Part(-1, bool(x & 1), number=1 + len(moves))] = self.pure[x >> 1]
        if joined:
            moves[Part(-1, every)] = frozenset(joined)
        return Entry(gate, bit, frozenset(parts), moves)

    def _role(self, x: int) -> int:
        """The first role that makes one of the moves of which a literal reads nothing but some, or -1."""
        gate = x >> 1
        if gate not in self._roles and gate in self.pure:
            self._roles[gate] = min(self.net.does[move - len(self.net.facts)][0] for move in self.pure[gate])
        return self._roles.get(gate, -1)

    def _settle(self, space: int, kind: Kind, *, every: bool) -> None:
        """Make values of gates at one level."""
        for parts, at in self._clusters(kind.alike, every=every):
            if len(at) > 2 or (len(at) == 2 and len(parts) <= _PAIR):
                self.join(Value(space, self._words(space), every), at.values())
        for entry in kind.entries:
            if entry.gate not in self.where:
                self.where[entry.gate] = Place(self.flag(self._inputs(entry.gate), every))

    def _clusters(
        self, alike: Mapping[frozenset[Part], list[Entry]], *, every: bool
    ) -> list[tuple[set[Part], dict[int, Entry]]]:
        """Gates at different places that read mostly the same parts; by place."""
        clusters: list[tuple[set[Part], dict[int, Entry]]] = []
        makers: list[set[int]] = []  # of the moves that a cluster reads
        for parts, members in sorted(alike.items(), key=lambda item: -len(item[0])):
            new = sorted((len(parts - c[0]), k) for k, c in enumerate(clusters))
            fitting = [k for more, k in new if self._more[every] * more <= len(parts)]
            for entry in members:
                free = [k for k in fitting if entry.bit not in clusters[k][1]]
                roles = {self._role(x) for x in self._inputs(entry.gate)}
                usual = free[0] if free else len(clusters)
                best = next((k for k in free if makers[k] == roles and parts <= clusters[k][0]), usual)
                if best == len(clusters):
                    clusters.append((set(), {}))
                    makers.append(roles)
                else:
                    fitting.remove(best)
                fitting.insert(0, best)  # no part is new to it from now on
                clusters[best][0].update(parts)
                clusters[best][1][entry.bit] = entry
        return clusters

    def _words(self, space: int) -> int:
        return -(-self.net.order.boards[space].cells // 64) if space >= 0 else 1

    def join(self, value: Value, entries: Iterable[Entry]) -> int:
        """Make one value of gates at different places."""
        entries = list(entries)
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
        if not value.every:
            join_lookups(value, self.values)
        number = self._add(value)
        self.where |= {entry.gate: Place(number, entry.bit) for entry in entries if entry.gate >= 0}
        return number

    def flag(self, literals: Iterable[int], every: bool) -> int:  # noqa: FBT001
        """Make a flag of literals."""
        literals = self.opened(literals)
        value = Value(NOWHERE, 1, every, bits=1)
        for x in literals:
            if x >> 1 in self.pure or x < 0:
                continue
            place = self.where[x >> 1]
            key = place.value, bool(x & 1)
            value.tests[key] = value.tests.get(key, 0) | (1 << place.bit if place.bit >= 0 else (1 << 64) - 1)
        made = self.entry(-1, (x for x in literals if x >= 0 and x >> 1 in self.pure), NOWHERE, 0, every)
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
