"""From ground rules to a network of threshold gates.

Every gate counts how many of its inputs are satisfied and is on from a threshold on: all of them for a conjunction,
one for a disjunction. Gates are numbered so that inputs come before what they feed; loops (positive recursion within
a turn) form components that are worked out together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from ludarium.gdl.ground import Ground

TRUE, FALSE = -1, -2  # literals that never change; others are 2 * gate, plus 1 if negated
_NEVER = -1  # the number of an atom that there is not
_GUARD_MOVES = 4  # a condition that this many moves of a role share is tested once for all of them


@dataclass
class Moves:
    """Moves of one role that need the same guard: a gate per move, and the guard that all of them need besides."""

    role: int
    guard: int
    names: list[str] = field(default_factory=list)
    gates: list[int] = field(default_factory=list)


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
        self.fact_names = sorted(names["true"])
        self.move_names = sorted(_role_and_move(t, roles) for t in names["does"] if t.partition(" ")[0] in roles)
        self.net = Network(self.fact_names, self.move_names)
        self.bodies: dict[int, list[Body]] = defaultdict(list)
        for head, body in ground.rules:
            self.bodies[head].append(tuple(sorted(set(body))))
        for head in self.bodies:
            self.bodies[head] = list(dict.fromkeys(self.bodies[head]))
        self.literal: dict[int, int] = {}
        """The literal that stands for an atom, once it is known."""
        self.gates: dict[tuple[int, tuple[int, ...]], int] = {}
        for place, name in enumerate(self.fact_names):
            self.literal[names["true"][name]] = 2 * place
        for place, (role, move) in enumerate(self.move_names):
            self.literal[names["does"][f"{roles[role]} {move}"]] = 2 * (len(self.fact_names) + place)
        for atom in (0, *ground.facts):  # clingo shows facts as atom 0
            self.literal.setdefault(atom, TRUE)
        self.moves_of = Counter(role for role, _ in self.move_names)
        self.idle_off = set(range(len(self.fact_names), len(self.fact_names) + len(self.move_names)))
        """Gates that are off while no move is made."""
        self.fresh = max([0, *self.bodies, *self.literal]) + 1

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
        for role, groups in enumerate(guarded):
            for guard, moves, atoms in groups:
                literal = TRUE if guard == 0 else self._of(abs(guard)) ^ (1 if guard < 0 else 0)
                gates = [self._of(a) for a in atoms]
                kept = [(m, g) for m, g in zip(moves, gates, strict=True) if g != FALSE]
                net.moves.append(Moves(role, literal, [m for m, _ in kept], [g for _, g in kept]))
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
        eager = set(range(inputs))
        stack = [x >> 1 for x in wanted if x >= 0]
        while stack:
            gate = stack.pop()
            if gate not in eager:
                eager.add(gate)
                stack += [x >> 1 for x in net.inputs[gate - inputs]]
        order = sorted(range(net.size), key=lambda gate: (gate not in eager, gate))
        new = {old: place for place, old in enumerate(order)}

        def moved(x: int) -> int:
            return x if x < 0 else 2 * new[x >> 1] | (x & 1)

        net.lazy = len(eager)
        net.inputs = [tuple(sorted(map(moved, net.inputs[old - inputs]))) for old in order[inputs:]]
        net.threshold = [net.threshold[old - inputs] for old in order[inputs:]]
        net.components = [(new[first], new[first] + end - first) for first, end in net.components]
        net.next = [moved(x) for x in net.next]
        net.terminal = moved(net.terminal)
        net.goals = [[(v, moved(x)) for v, x in g] for g in net.goals]
        net.sees = [[(t, moved(x)) for t, x in s] for s in net.sees]
        for moves in net.moves:
            moves.guard, moves.gates = moved(moves.guard), [moved(x) for x in moves.gates]
        self.idle_off = {new[gate] for gate in self.idle_off}

    def _set_triggers(self) -> None:
        """A conjunction that is off while no move is made waits for such an input: the one that feeds the fewest."""
        net = self.net
        used = Counter(x for literals in net.inputs for x in literals)
        looped = {gate for first, end in net.components for gate in range(first, end)}
        for place, literals in enumerate(net.inputs):
            gate = len(net.facts) + len(net.does) + place
            choices = [(used[x], x) for x in literals if not x & 1 and x >> 1 in self.idle_off]
            waits = net.threshold[place] == len(literals) > 1 and choices and gate not in looped
            net.trigger.append(min(choices)[1] if waits else -1)

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
        groups = []
        while True:
            counts = Counter(x for atom in rest.values() for x in self._common(atom))
            guard, count = max(counts.items(), key=lambda item: item[1], default=(0, 0))
            if count < _GUARD_MOVES:
                break
            moves = [move for move, atom in rest.items() if guard in self._common(atom)]
            groups.append((guard, moves, [self._without(rest[move], guard) for move in moves]))
            for move in moves:
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
                self.literal[new] = TRUE
            self.bodies[new].append(less)
        return new

    # Atoms to gates, in order of dependency

    def _resolve(self, wanted: Iterable[int]) -> None:
        for component in _components(wanted, self._below):
            if len(component) == 1 and component[0] not in self._below(component[0]):
                self._single(component[0])
            else:
                self._loop(component)

    def _below(self, atom: int) -> list[int]:
        if atom in self.literal:
            return []
        return [abs(x) for body in self.bodies.get(atom, ()) for x in body]

    def _of(self, atom: int) -> int:
        return self.literal.get(atom, FALSE)

    def _lit(self, x: int) -> int:
        literal = self._of(abs(x))
        if literal < 0:
            return literal if x > 0 else TRUE + FALSE - literal
        return literal if x > 0 else literal ^ 1

    def _single(self, atom: int) -> None:
        if atom not in self.literal:
            self.literal[atom] = self._any([self._all(map(self._lit, body)) for body in self.bodies.get(atom, ())])

    def _all(self, literals: Iterable[int]) -> int:
        kept = sorted(set(literals) - {TRUE})
        if FALSE in kept or any(a ^ 1 == b for a, b in pairwise(kept)):
            return FALSE
        return TRUE if not kept else kept[0] if len(kept) == 1 else self._gate(tuple(kept), len(kept))

    def _any(self, literals: Iterable[int]) -> int:
        kept = sorted(set(literals) - {FALSE})
        if TRUE in kept or any(a ^ 1 == b for a, b in pairwise(kept)):
            return TRUE
        return FALSE if not kept else kept[0] if len(kept) == 1 else self._moves_or_gate(tuple(kept))

    def _moves_or_gate(self, literals: tuple[int, ...]) -> int:
        """Any of many moves of a role is none of its few others, as each role makes exactly one move."""
        first, end = 2 * len(self.net.facts), 2 * (len(self.net.facts) + len(self.net.does))
        if all(first <= x < end and not x & 1 for x in literals):
            roles = {self.move_names[(x - first) // 2][0] for x in literals}
            if len(roles) == 1 and 2 * len(literals) > self.moves_of[role := roles.pop()]:
                own = (2 * k + first for k, (r, _) in enumerate(self.move_names) if r == role)
                few = self._any(set(own) - set(literals))
                return TRUE if few == FALSE else few ^ 1
        return self._gate(literals, 1)

    def _gate(self, literals: tuple[int, ...], threshold: int) -> int:
        if (threshold, literals) not in self.gates:
            self.gates[threshold, literals] = self._add(literals, threshold)
        return self.gates[threshold, literals]

    def _add(self, literals: tuple[int, ...], threshold: int) -> int:
        self.net.inputs.append(literals)
        self.net.threshold.append(threshold)
        reach = [not x & 1 and x >> 1 in self.idle_off for x in literals]
        gate = self.net.size - 1
        if literals and (all(reach) if threshold == 1 else any(reach) and threshold == len(literals)):
            self.idle_off.add(gate)
        return 2 * gate

    def _loop(self, component: list[int]) -> None:
        """Atoms that depend on each other: a gate per atom and per body, numbered in one run."""
        first = self.net.size
        for atom in component:
            self.literal[atom] = self._add((), 1)
        inside = set(component)
        for atom in component:
            parts = []
            for body in self.bodies[atom]:
                literals = sorted({self._lit(x) for x in body} - {TRUE})
                if FALSE in literals:
                    continue
                if any(abs(x) in inside for x in body) and len(literals) > 1:
                    parts.append(self._add(tuple(literals), len(literals)))
                else:
                    parts.append(self._all_in_loop(literals))
            place = self.literal[atom] // 2 - len(self.net.facts) - len(self.net.does)
            self.net.inputs[place] = tuple(sorted(set(parts)))
        self.idle_off -= set(range(first, self.net.size))
        self.net.components.append((first, self.net.size))

    def _all_in_loop(self, literals: list[int]) -> int:
        if len(literals) == 1:
            return literals[0]
        return self._add(tuple(literals), len(literals))  # nothing to fulfil is always fulfilled


def _role_and_move(text: str, roles: list[str]) -> tuple[int, str]:
    """Take "role move" apart."""
    role, _, move = text.partition(" ")
    return roles.index(role), move


def _components(wanted: Iterable[int], children: Callable[[int], list[int]]) -> list[list[int]]:  # noqa: C901
    """The strongly connected components that are reached from some atoms, lowest first (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on: set[int] = set()
    out: list[list[int]] = []
    for root in wanted:
        if root in index:
            continue
        work = [(root, iter(children(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for child in rest:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on.add(child)
                    work.append((child, iter(children(child))))
                    break
                if child in on:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        top = stack.pop()
                        on.discard(top)
                        component.append(top)
                        if top == node:
                            break
                    out.append(component)
    return out
