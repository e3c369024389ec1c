"""From ground rules to a network of threshold gates.

Every gate counts how many of its inputs are satisfied and is on from a threshold on: all of them for a conjunction,
one for a disjunction. Gates are numbered so that inputs come before what they feed; loops (positive recursion within
a turn) form components that are worked out together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, filterfalse
from operator import neg
from typing import TYPE_CHECKING

from ludarium.gdl.network.arrange import Order, Slot, arrange, slots
from ludarium.gdl.network.components import components

if TYPE_CHECKING:
    from ludarium.gdl.ground.ground import Ground

TRUE, FALSE = -1, -2  # literals that never change; others are 2 * gate, plus 1 if negated
_NEVER = 1 << 40  # the number of an atom that there is not
_GUARD_MOVES = 4  # a condition that this many moves of a role share is tested once for all of them


@dataclass
class Moves:
    """Moves of one role that need the same guard: a gate per move, and the guard that all of them need besides."""

    role: int
    guard: int
    names: list[str] = field(default_factory=list)
    gates: list[int] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    """The bit of each move, in rising order; this is the order of legal moves."""


@dataclass
class Network:
    """The gates: inputs first (facts of the state, then moves), then the rest in order of dependency."""

    facts: list[str]
    does: list[tuple[int, str]]
    inputs: list[tuple[int, ...]] = field(default_factory=list)
    """The literals that feed each gate that is no input."""

    threshold: list[int] = field(default_factory=list)
    trigger: list[int] = field(default_factory=list)
    """For a conjunction that is off while no move is made: the input that it waits for, else -1."""

    components: list[tuple[int, int]] = field(default_factory=list)
    """Runs of gates (first, end) that depend on each other."""

    next: list[int] = field(default_factory=list)
    moves: list[Moves] = field(default_factory=list)
    terminal: int = FALSE
    goals: list[list[tuple[int, int]]] = field(default_factory=list)
    """Per role: (value, literal)."""

    sees: list[list[tuple[str, int]]] = field(default_factory=list)
    initial: list[bool] = field(default_factory=list)
    lazy: int = 0
    """Gates from here on matter for goals alone: they are worked out when goals are asked for."""

    order: Order = field(default_factory=lambda: Order([], [], []))
    """The facts as they lie on boards."""

    @property
    def size(self) -> int:
        """The number of gates, inputs included."""
        return len(self.facts) + len(self.does) + len(self.inputs)


def build(ground: Ground, roles: list[str]) -> Network:
    """Make the network of a grounded game."""
    return _Builder(ground, roles).build()


Body = tuple[int, ...]


class _Builder:
    def __init__(self, ground: Ground, roles: list[str]) -> None:
        self.ground, self.roles = ground, roles
        names = ground.names
        self.move_names = sorted(_role_and_move(t, roles) for t in names["does"] if t.partition(" ")[0] in roles)
        order = arrange(names["true"], (move for _, move in self.move_names))
        self.fact_names = order.facts
        self.net = Network(self.fact_names, self.move_names, order=order)
        self.bodies: dict[int, list[Body]] = defaultdict(list)
        for head, body in ground.rules:
            self.bodies[head].append(body)
        self.literal: dict[int, int] = {}
        """The literal that stands for an atom, and for its negation under the negative number, once it is known."""
        self.conjunctions: dict[tuple[int, ...], int] = {}
        self.disjunctions: dict[tuple[int, ...], int] = {}
        self.literal.update(dict.fromkeys(ground.facts, TRUE))
        self.literal.update(dict.fromkeys(map(neg, ground.facts), FALSE))
        self.literal[0] = TRUE  # clingo shows facts as atom 0
        for place, name in enumerate(self.fact_names):
            if name in names["true"]:  # others only fill a place
                self._know(names["true"][name], 2 * place)
        for place, (role, move) in enumerate(self.move_names):
            self._know(names["does"][f"{roles[role]} {move}"], 2 * (len(self.fact_names) + place))
        self.moves_of = Counter(role for role, _ in self.move_names)
        inputs = len(self.fact_names) + len(self.move_names)
        self.idle_off = set(range(2 * len(self.fact_names), 2 * inputs, 2))
        """Literals that are off while no move is made; none of them is negated."""
        self.size = inputs
        self.fresh = max([0, *self.bodies, *self.literal]) + 1

    def _know(self, atom: int, literal: int) -> None:
        self.literal[atom] = literal
        self.literal[-atom] = literal ^ 1 if literal >= 0 else TRUE + FALSE - literal

    def build(self) -> Network:
        net, names = self.net, self.ground.names
        guarded = [self._guarded(role) for role in range(len(self.roles))]
        nexts = [names["next"].get(name, _NEVER) for name in self.fact_names]
        goals = [(role, int(value), atom) for role, value, atom in self._goals()]
        seen = [(text, atom) for text, atom in names["sees"].items() if text.partition(" ")[0] in self.roles]
        sees = [(*_role_and_move(text, self.roles), atom) for text, atom in seen]
        terminal = names["terminal"].get("", _NEVER)
        wanted = [*nexts, terminal, *(a for *_, a in goals), *(a for *_, a in sees)]
        wanted += [a for groups in guarded for guard, _, atoms in groups for a in (abs(guard), *atoms)]
        self._resolve(wanted)
        net.next = [self._of(atom) for atom in nexts]
        net.terminal = self._of(terminal)
        net.goals = [[(v, self._of(a)) for r, v, a in goals if r == role] for role in range(len(self.roles))]
        net.sees = [[(t, self._of(a)) for r, t, a in sees if r == role] for role in range(len(self.roles))]
        lay = cache(lambda moves: slots(moves, net.order.boards))  # often two roles have the same moves
        for role, groups in enumerate(guarded):
            for guard, moves, atoms in groups:
                literal = TRUE if guard == 0 else self._of(abs(guard)) ^ (1 if guard < 0 else 0)
                gates = [self._of(a) for a in atoms]
                kept = {m: g for m, g in zip(moves, gates, strict=True) if g != FALSE}
                laid = lay(tuple(kept))
                order = [slot.move for slot in laid]
                net.moves.append(Moves(role, literal, order, [kept[m] for m in order], laid))
        self._put_lazy_last()
        self._set_triggers()
        first = set(names["init"])
        net.initial = [name in first for name in self.fact_names]
        return net

    def _put_lazy_last(self) -> None:
        """Number the gates anew, so that those that only goals need come last."""
        net = self.net
        inputs = len(net.facts) + len(net.does)
        wanted = [*net.next, net.terminal, *(x for s in net.sees for _, x in s)]
        wanted += [x for m in net.moves for x in (m.guard, *m.gates)]
        wanted += [2 * gate for first, end in net.components for gate in range(first, end)]
        eager = bytearray(b"\1") * inputs + bytearray(self.size - inputs)
        for x in wanted:
            if x >= 0:
                eager[x >> 1] = 1
        for gate in range(self.size - 1, inputs - 1, -1):  # what feeds a gate comes before it, but for loops
            if eager[gate]:
                for x in net.inputs[gate - inputs]:
                    eager[x >> 1] = 1
        net.lazy = sum(eager)
        if net.lazy == self.size:
            return
        order = [g for g in range(self.size) if eager[g]] + [g for g in range(self.size) if not eager[g]]
        new = [0] * (2 * self.size) + [FALSE, TRUE]  # which are -2 and -1, so they find themselves
        for place, old in enumerate(order):
            new[2 * old], new[2 * old + 1] = 2 * place, 2 * place + 1
        moved = new.__getitem__
        net.inputs = [tuple(map(moved, net.inputs[old - inputs])) for old in order[inputs : net.lazy]] + [
            tuple(sorted(map(moved, net.inputs[old - inputs]))) for old in order[net.lazy :]
        ]  # eager gates read eager ones alone, which stay in order
        net.threshold = [net.threshold[old - inputs] for old in order[inputs:]]
        net.components = [(new[2 * f] >> 1, (new[2 * f] >> 1) + end - f) for f, end in net.components]
        net.next = [moved(x) for x in net.next]
        net.terminal = moved(net.terminal)
        net.goals = [[(v, moved(x)) for v, x in g] for g in net.goals]
        net.sees = [[(t, moved(x)) for t, x in s] for s in net.sees]
        for moves in net.moves:
            moves.guard, moves.gates = moved(moves.guard), [moved(x) for x in moves.gates]
        self.idle_off = set(map(moved, self.idle_off))

    def _set_triggers(self) -> None:
        """A conjunction that is off while no move is made waits for such an input: the one that feeds the fewest."""
        net, idle = self.net, self.idle_off
        used = Counter(chain.from_iterable(net.inputs))
        inputs = len(net.facts) + len(net.does)
        net.trigger = [-1] * len(net.inputs)
        for place in (x // 2 - inputs for x in idle):
            if place >= 0 and net.threshold[place] == len(literals := net.inputs[place]) > 1:
                waits = [x for x in literals if x in idle]
                net.trigger[place] = waits[0] if len(waits) == 1 else min((used[x], x) for x in waits)[1]
        for first, end in net.components:
            net.trigger[first - inputs : end - inputs] = [-1] * (end - first)

    def _goals(self) -> Iterable[tuple[int, str, int]]:
        for text, atom in self.ground.names["goal"].items():
            role, _, value = text.partition(" ")
            if role in self.roles and value.lstrip("-").isdigit():
                yield self.roles.index(role), value, atom

    # Guards: a literal that many moves of a role need is taken out of them and tested once

    def _guarded(self, role: int) -> list[tuple[int, list[str], list[int]]]:
        """Groups of (guard literal over atoms or 0, moves, atoms for what remains)."""
        prefix = f"{self.roles[role]} "
        legal = self.ground.names["legal"]
        rest = {
            text[len(prefix) :]: legal[text]
            for text in sorted(legal)
            if text.startswith(prefix) and text in self.ground.names["does"]
        }
        common = {move: self._common(atom) for move, atom in rest.items()}
        counts = Counter(x for found in common.values() for x in found)
        groups = []
        while True:
            guard, count = max(counts.items(), key=lambda item: item[1], default=(0, 0))
            if count < _GUARD_MOVES:
                break
            moves = [move for move in rest if guard in common[move]]
            groups.append((guard, moves, [self._without(rest[move], guard) for move in moves]))
            for move in moves:
                counts.subtract(common[move])
                del rest[move]
        if rest:
            groups.append((0, list(rest), list(rest.values())))
        return groups

    def _common(self, atom: int) -> set[int]:
        """The literals that all bodies of an atom share."""
        bodies = self.bodies.get(atom)
        if atom in self.literal or not bodies:
            return set()
        return set(bodies[0]).intersection(*bodies[1:])

    def _without(self, atom: int, guard: int) -> int:
        """A new atom with the bodies of another, less the guard."""
        new = self.fresh
        self.fresh += 1
        for body in self.bodies[atom]:
            less = tuple(x for x in body if x != guard)
            if not less:
                self._know(new, TRUE)
            self.bodies[new].append(less)
        return new

    # Atoms to gates, in order of dependency

    def _resolve(self, wanted: Iterable[int]) -> None:
        known, bodies, made, every = self.literal.__getitem__, self.bodies, self.conjunctions.get, self._all
        for component, loops in components(wanted, self._below, self.literal):
            if loops:
                self._loop(component)
                continue
            found = set()
            for body in bodies.get(component[0], ()):
                if len(body) == 1:
                    found.add(known(body[0]))
                else:
                    literals = tuple(sorted(set(map(known, body))))
                    gate = made(literals)
                    found.add(every(literals) if gate is None else gate)
            self._know(component[0], found.pop() if len(found) == 1 else self._any(found))

    def _below(self, atom: int) -> Iterable[int]:
        """What an atom depends on, in order, without what is known by now: those come up again and again."""
        atoms = dict.fromkeys(map(abs, chain.from_iterable(self.bodies.get(atom, ()))))
        return filterfalse(self.literal.__contains__, atoms)

    def _of(self, atom: int) -> int:
        return self.literal.get(atom, FALSE)

    def _all(self, literals: tuple[int, ...]) -> int:
        """A new gate for all of some literals, which are in order, or what there is already."""
        if literals and literals[0] < 0:  # FALSE or TRUE
            rest = literals[1:]
            found = FALSE if literals[0] == FALSE else self.conjunctions.get(rest)
            gate = self._all(rest) if found is None else found
        elif len(literals) < 2:
            gate = literals[0] if literals else TRUE
        else:
            gate = FALSE if _opposed(literals) else self._add(literals, len(literals))
        self.conjunctions[literals] = gate
        return gate

    def _any(self, literals: set[int]) -> int:
        literals.discard(FALSE)
        if not literals:
            return FALSE
        if len(literals) == 1:
            return literals.pop()
        if TRUE in literals:
            return TRUE
        kept = tuple(sorted(literals))
        found = self.disjunctions.get(kept)
        if found is None:
            found = self.disjunctions[kept] = TRUE if _opposed(kept) else self._moves_or_gate(kept)
        return found

    def _moves_or_gate(self, literals: tuple[int, ...]) -> int:
        """Any of many moves of a role is none of its few others, as each role makes exactly one move."""
        first, end = 2 * len(self.net.facts), 2 * (len(self.net.facts) + len(self.net.does))
        if first <= literals[0] and literals[-1] < end and not any(x & 1 for x in literals):
            roles = {self.move_names[(x - first) // 2][0] for x in literals}
            if len(roles) == 1 and 2 * len(literals) > self.moves_of[role := roles.pop()]:
                own = (2 * k + first for k, (r, _) in enumerate(self.move_names) if r == role)
                few = self._any(set(own) - set(literals))
                return TRUE if few == FALSE else few ^ 1
        return self._add(literals, 1)

    def _add(self, literals: tuple[int, ...], threshold: int) -> int:
        self.net.inputs.append(literals)
        self.net.threshold.append(threshold)
        gate, idle = 2 * self.size, self.idle_off
        self.size += 1
        if not idle.isdisjoint(literals) if threshold > 1 else literals and idle.issuperset(literals):
            idle.add(gate)
        return gate

    def _loop(self, component: list[int]) -> None:
        """Atoms that depend on each other: a gate per atom and per body, numbered in one run."""
        first = self.size
        for atom in component:
            self._know(atom, self._add((), 1))
        for atom in component:
            parts = []
            for body in self.bodies[atom]:
                literals = sorted(set(map(self.literal.__getitem__, body)) - {TRUE})
                if FALSE in literals:
                    continue
                # A gate of its own for each body: one that stands outside of the run could not depend on it.
                alone = len(literals) == 1
                parts.append(literals[0] if alone else self._add(tuple(literals), len(literals)))
            place = self.literal[atom] // 2 - len(self.net.facts) - len(self.net.does)
            self.net.inputs[place] = tuple(sorted(set(parts)))
        self.idle_off -= set(range(2 * first, 2 * self.size, 2))
        self.net.components.append((first, self.size))


def _opposed(literals: Sequence[int]) -> bool:
    """Whether a literal and its negation are among some in order."""
    if len(literals) == 2:  # as most are
        return literals[0] ^ literals[1] == 1
    return len({x >> 1 for x in literals}) < len(literals)


def _role_and_move(text: str, roles: list[str]) -> tuple[int, str]:
    """Take "role move" apart."""
    role, _, move = text.partition(" ")
    return roles.index(role), move
