"""Rays of a network: gates that continue each other from place to place, so that shifts work them all out.

`run(c) = opposing(c) and (own(c + 1) or run(c + 1))` is a gate per cell of the ray, each deeper than the one before.
Seen from its own place, each reads the same things, and the next one of its kind at the same distance: this is how rays
are found, whatever they are called. At the ends of the board some of what the others read is missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from ludarium.gdl.words.floods import Body, Place

_LEAST = 4  # gates that have to be alike to be a ray
_WIDE = 24  # literals that a gate of a ray reads at most
_ROUNDS = 4  # of looking: rays that read others are found when those are known
_SELF = (-1, False, 0)  # how a gate reads the next one of its ray

Literal = tuple[int, bool, int]
"""What kind of gate is read, whether negated, and how far away it lies."""

Pattern = frozenset[frozenset[Literal]]


class Ray(NamedTuple):
    """Gates with a place each, and how far away each finds the next one."""

    board: int
    distance: int
    places: dict[int, int]


class _Shape(NamedTuple):
    """What the gates of a ray read in its middle, seen from their places."""

    board: int
    pattern: Pattern
    distance: int


class Finder:
    """Looks for rays among gates."""

    def __init__(
        self,
        inputs: Mapping[int, tuple[int, ...]],
        every: Collection[int],
        *,
        facts: Mapping[int, Place],
        moves: Collection[int],
        moving: Collection[int],
        cells: Sequence[int],
    ) -> None:
        self.inputs, self.every, self.moves, self.moving = inputs, every, moves, moving
        self.gates = sorted(inputs)
        self.rays: list[Ray] = []
        self.ray_of: dict[int, int] = {}
        self.bodies = {gate: list(self._bodies(gate)) for gate in self.gates}
        outside = {x >> 1 for gate in self.gates for x in inputs[gate] if x & 1 or gate in every}
        self.within = {x >> 1 for gate in self.gates for x in inputs[gate] if x >> 1 in every} - outside
        """Gates that need all of their inputs and that only gates for any of theirs read: if these are of a ray, they vanish."""

        self._cells, self._shape_of, self._taken = cells, list[_Shape](), list[dict[int, int]]()
        self._reads = {gate: [x >> 1 for x in inputs[gate]] for gate in self.gates}
        self._readers: dict[int, list[int]] = defaultdict(list)
        for gate, read in self._reads.items():
            for other in read:
                self._readers[other].append(gate)
        sizes = {gate: sorted(map(len, bodies)) for gate, bodies in self.bodies.items() if gate not in self.within}
        self._sizes = {gate: size for gate, size in sizes.items() if 0 < sum(size) <= _WIDE}
        self._known: dict[object, int] = {}
        self._kind: dict[int, int] = {}
        self._spot: dict[int, Place] = dict(facts)

    def find(self, row_of: Mapping[int, int]) -> list[Ray]:
        """All rays; for each fact with a place, the number of its row is given."""
        self._kind = {fact: self._number(("row", row)) for fact, row in row_of.items()}
        if sum(1 for _ in self._alike()) < _LEAST:
            return self.rays
        self._look_at(self.gates, set())
        for _ in range(_ROUNDS):
            before = len(self.rays)
            for shape, members in sorted(self._shapes().items(), key=lambda item: -len(item[0].pattern)):
                self._begin(shape, members)
            if len(self.rays) == before:
                break
            self._look_again(before)
            self._complete(before)
            self._look_again(before)
        return self.rays

    @cached_property
    def first_of(self) -> dict[int, int]:
        """For each gate of a ray, one that stands for all."""
        return {gate: min(ray.places) for ray in self.rays for gate in ray.places}

    def body(self, gate: int) -> list[Body]:
        """What makes a gate of a ray hold: others of the ray, and literals from outside."""
        ray = self.ray_of[gate]
        return [
            Body(
                tuple(x >> 1 for x in literals if self._next(ray, x)),
                tuple(x for x in literals if not self._next(ray, x)),
            )
            for literals in self.bodies[gate]
        ]

    def steps(self, number: int) -> int:
        """The most steps from gate to gate along a ray."""
        below = {gate: [x for body in self.body(gate) for x in body.inside] for gate in self.rays[number].places}
        depth: dict[int, int] = {}
        for gate in sorted(below):
            depth[gate] = max((1 + depth[x] for x in below[gate]), default=0)
        return max(depth.values())

    def _next(self, ray: int, x: int) -> bool:
        return x & 1 == 0 and self.ray_of.get(x >> 1) == ray

    def _bodies(self, gate: int) -> Iterator[tuple[int, ...]]:
        """What makes a gate hold, one after the other."""
        literals = self.inputs[gate]
        if gate in self.every:
            yield literals
            return
        for x in literals:
            alone = x & 1 or x >> 1 not in self.inputs or x >> 1 not in self.every
            yield (x,) if alone else self.inputs[x >> 1]

    # What gates read, seen from their own places

    def _number(self, thing: object) -> int:
        return self._known.setdefault(thing, len(self._known))

    def _look_again(self, first: int) -> None:
        """Look at rays (from a number on), and at what reads them."""
        new = {gate for ray in self.rays[first:] for gate in ray.places}
        for gate in new:
            ray = self.ray_of[gate]
            self._kind[gate] = self._number(("ray", ray))
            self._spot[gate] = self.rays[ray].board, self.rays[ray].places[gate]
        self._look_at((gate for gate in self.gates if gate not in self.ray_of), new)

    def _look_at(self, gates: Iterable[int], changed: set[int]) -> None:
        """Give gates of the same shape the same kind, and all that read facts with places a place."""
        for gate in gates:
            if changed and changed.isdisjoint(self._reads[gate]):
                continue
            before = self._kind.get(gate), self._spot.get(gate)
            spot, look = self._look(gate)
            self._kind[gate] = self._number(look)
            if spot[0] >= 0:
                self._spot[gate] = spot
            if changed and before != (self._kind[gate], self._spot.get(gate)):
                changed.add(gate)

    def _look(self, gate: int) -> tuple[Place, tuple[bool, frozenset[Literal]]]:
        """Where a gate lies, by what it reads, and what that is, seen from there."""
        board, bit = min((self._spot[other] for other in self._reads[gate] if other in self._spot), default=(-1, 0))
        return (board, bit), (gate in self.every, frozenset(self._literal(x, board, bit) for x in self.inputs[gate]))

    def _literal(self, x: int, board: int, bit: int) -> Literal:
        gate = x >> 1
        if gate in self.moves:
            return self._number("moves"), bool(x & 1), 0
        spot = self._spot.get(gate)
        if spot is None or spot[0] != board:
            return self._number(("one", gate)), bool(x & 1), 0
        return self._kind[gate], bool(x & 1), spot[1] - bit

    def _links(self, gate: int) -> set[int]:
        """Gates that it might continue."""
        return {
            x >> 1
            for literals in self.bodies[gate]
            for x in literals
            if x & 1 == 0 and x >> 1 in self.inputs and x >> 1 not in self.moves and x >> 1 not in self.ray_of
        }

    def _seen(self, gate: int, link: int) -> tuple[int, int, Pattern] | None:
        """The place of a gate by what it reads besides a link, and what it reads, seen from there."""
        others = {x >> 1 for body in self.bodies[gate] for x in body} - {link}
        spots = [self._spot[other] for other in others if other in self._spot]
        if not spots:
            return None
        board, bit = min(spots)
        return board, bit, frozenset(self._read(body, link, board, bit) for body in self.bodies[gate])

    def _read(self, body: Iterable[int], link: int, board: int, bit: int) -> frozenset[Literal]:
        return frozenset(_SELF if x == 2 * link else self._literal(x, board, bit) for x in body)

    def _shapes(self) -> dict[_Shape, dict[int, int]]:
        """Gates that continue gates which continue others in the same way; with the place of each."""
        seen, shapes = cache(self._seen), defaultdict[_Shape, dict[int, int]](dict)
        for gate, link, further in self._alike():
            one, other = seen(gate, link), seen(link, further)
            if one and other and (one[0], one[2]) == (other[0], other[2]) and one[1] != other[1]:
                shapes[_Shape(one[0], one[2], other[1] - one[1])] |= {gate: one[1], link: other[1]}
        return shapes

    def _alike(self) -> Iterator[tuple[int, int, int]]:
        """Gates that read others which read as many things as they, and what these read."""
        for gate, size in self._sizes.items():
            for link in self._links(gate) if gate not in self.ray_of else ():
                if self._sizes.get(link) == size:
                    for further in self._links(link):
                        yield gate, link, further

    # Which gates belong to a ray

    def _begin(self, shape: _Shape, members: dict[int, int]) -> None:
        """Make a ray of gates, and of those that they lead to."""
        if len(members) < _LEAST or not self.ray_of.keys().isdisjoint(members):
            return
        if len({gate in self.moving for gate in members}) > 1 or len(set(members.values())) < len(members):
            return
        same = (other for other in self._shape_of if (other.board, other.distance) == (shape.board, shape.distance))
        if any(shape.pattern <= other.pattern for other in same):
            return  # its gates are among those that read less
        number = len(self.rays)
        self.rays.append(Ray(shape.board, shape.distance, members))
        self.ray_of |= dict.fromkeys(members, number)
        self._shape_of.append(shape)
        self._taken.append({bit: gate for gate, bit in members.items()})
        stack = list(members)
        while stack:
            gate = stack.pop()
            for link in self._links(gate):
                bit = members[gate] + shape.distance
                if self._fits(link, number, bit):
                    self._join(link, number, bit)
                    stack.append(link)

    def _complete(self, first: int) -> None:
        """Add to rays (from a number on) gates that go on with less than the others, and those that stand alone."""
        fitting: dict[frozenset[int], list[int]] = defaultdict(list)
        for number in range(first, len(self.rays)):
            for pattern in self._shape_of[number].pattern:
                fitting[frozenset(kind for kind, *_ in pattern - {_SELF})].append(number)
        for gate in self._sizes:
            if gate in self.ray_of:
                continue
            body = [x for x in self.bodies[gate][0] if self.ray_of.get(x >> 1, -1) < first]
            kinds = frozenset(self._literal(x, *self._spot.get(gate, (-1, 0)))[0] for x in body)
            ways = [(k, bit) for k in fitting.get(kinds, ()) for bit in self._candidates(k, body)]
            ways = [way for way in ways if self._fits(gate, *way)]
            if len(ways) > 1:
                ways.sort(key=lambda way: self._usual(gate, *way), reverse=True)
            if ways:
                self._join(gate, *ways[0])

    def _usual(self, gate: int, number: int, bit: int) -> int:
        """How many gates that read a gate read others of a ray in the same way, if it is one of it at a place."""
        before = self._kind[gate], self._spot.get(gate)
        self._kind[gate], self._spot[gate] = self._number(("ray", number)), (self.rays[number].board, bit)
        usual = sum(self._look(reader)[1] in self._known for reader in self._readers[gate])
        self._kind[gate] = before[0]
        if before[1]:
            self._spot[gate] = before[1]
        return usual

    def _candidates(self, number: int, body: Iterable[int]) -> set[int]:
        """Places at which a gate might belong to a ray."""
        shape, found = self._shape_of[number], set[int]()
        far = [(kind, distance) for each in shape.pattern for kind, _, distance in each]
        for x in body:
            board, bit = self._spot.get(x >> 1, (-1, 0))
            if board == shape.board and x >> 1 in self._kind:
                found |= {bit - distance for kind, distance in far if kind == self._kind[x >> 1]}
        return found

    def _fits(self, gate: int, number: int, bit: int) -> bool:
        """Whether a place is free, and a gate reads from there what gates of a ray read."""
        shape, taken = self._shape_of[number], self._taken[number]
        if not 0 <= bit < self._cells[shape.board] or bit in taken:
            return False
        if (gate in self.moving) != (next(iter(self.rays[number].places)) in self.moving):
            return False
        following = taken.get(bit + shape.distance, -1)
        return all(self._read(body, following, shape.board, bit) in shape.pattern for body in self.bodies[gate])

    def _join(self, gate: int, number: int, bit: int) -> None:
        self._taken[number][bit] = gate
        self.rays[number].places[gate] = bit
        self.ray_of[gate] = number
