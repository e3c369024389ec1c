"""What no turn of a game can bring about, asked of a solver.

The network becomes a logic program whose facts and moves are free; a question adds conditions. The answer is yes, no, or
none when the search takes too many conflicts: counted in conflicts and not in seconds, it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludarium.gdl.network import FALSE, TRUE, Network

_EACH = 30  # what a question costs besides its conflicts, in conflicts
DEEP = 1_000_000
"""Deeper than any network."""

_OPTIONS = ("--warn=none", "--configuration=crafty", "--sat-prepro=no")  # preprocessing and assumptions do not go together


class Solver:
    """Conditions on one state of a game and, if asked about, on the moves made in it and the state after it."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.work = 0
        """Conflicts so far times gates."""
        self._rules: list[tuple[list[int], list[int], bool]] = []
        self._counts: list[tuple[int, int, list[int]]] = []
        self._depth: dict[int, int] = {}
        """The gates that matter, and how deep below each of them everything is said."""
        self._last = net.size
        self._control: Any = None
        self.true = self.new()
        self._rules.append(([self.true], [], False))

    @property
    def gates(self) -> Mapping[int, int]:
        """The gates that the questions depend on."""
        return self._depth

    def new(self) -> int:
        """Make a new atom, which is false unless a rule derives it."""
        self._last += 1
        return self._last

    def free(self) -> int:
        """Make a new atom that may be true or false."""
        atom = self.new()
        self._rules.append(([atom], [], True))
        return atom

    def rule(self, head: int | None, body: Iterable[int]) -> None:
        """Say that the head follows from the body; without a head, that the body cannot be."""
        self._rules.append(([] if head is None else [head], list(body), False))

    def several(self, literals: Iterable[int]) -> int:
        """Make an atom for "two or more of these hold"."""
        atom = self.new()
        self._counts.append((atom, 2, list(literals)))
        return atom

    def none(self, literals: Iterable[int]) -> int:
        """Make an atom for "none of these holds"."""
        atom = self.new()
        self.rule(atom, [-x for x in literals])
        return atom

    def literal(self, x: int, depth: int = DEEP) -> int:
        """Give the atom of a literal of the network, negative if the literal is.

        What it depends on comes along down to a depth; what lies deeper is free, so that more is possible than in the game.
        """
        if x >= 0:
            self._define(x >> 1, depth)
        return self._atom(x)

    def _atom(self, x: int) -> int:
        if x < 0:
            return self.true if x == TRUE else -self.true
        return -((x >> 1) + 1) if x & 1 else (x >> 1) + 1

    def _define(self, gate: int, depth: int) -> None:
        inputs = len(self.net.facts) + len(self.net.does)
        level = [gate]
        while level and depth >= 0:
            deeper = []
            for gate in level:
                before = self._depth.get(gate, -1)
                if before >= depth:
                    continue
                self._depth[gate] = depth
                if gate < inputs or depth == 0:
                    continue
                if before < 1:
                    self._write(gate, self.net.inputs[gate - inputs], self.net.threshold[gate - inputs])
                deeper += [x >> 1 for x in self.net.inputs[gate - inputs] if x >= 0]
            level = deeper
            depth -= 1

    def _write(self, gate: int, literals: Sequence[int], least: int) -> None:
        body = list(map(self._atom, literals))
        if least == len(body):
            self.rule(gate + 1, body)
        elif least == 1:
            for x in body:
                self.rule(gate + 1, [x])
        else:
            self._counts.append((gate + 1, least, body))

    def ask(self, assumed: Sequence[int], *, work: int, watched: Sequence[int] = ()) -> tuple[bool | None, list[int]]:
        """Whether the assumed literals can hold together, and which of the watched ones hold in the answer.

        The answer is None if it takes more work than allowed.
        """
        size = len(self._depth) + 1
        if work < _EACH * size:
            return None, []
        if self._control is None:
            self._control = self._built()
        held: list[int] = []
        control = self._control
        control.configuration.solve.solve_limit = str(max(1, work // size))
        result = control.solve(
            assumptions=list(assumed), on_model=lambda model: held.extend(x for x in watched if model.is_true(x))
        )
        self.work += size * (_EACH + int(control.statistics["solving"]["solvers"]["conflicts"]))
        return result.satisfiable, held

    def _built(self) -> Any:
        import clingo  # noqa: PLC0415  only games that are asked about need it

        control = clingo.Control(list(_OPTIONS), message_limit=0, logger=lambda *_: None)
        inputs = len(self.net.facts) + len(self.net.does)
        with control.backend() as backend:
            backend.add_rule([x + 1 for x, depth in self._depth.items() if x < inputs or not depth], [], choice=True)
            for head, body, choice in self._rules:
                backend.add_rule(head, body, choice)
            for atom, least, literals in self._counts:
                backend.add_weight_rule([atom], least, [(x, 1) for x in literals])
        return control


Legal = Mapping[tuple[int, str], tuple[int, int]]


def legal(net: Network) -> Legal:
    """The guard and the gate of every move that can be legal, by role and name."""
    return {
        (moves.role, name): (moves.guard, gate)
        for moves in net.moves
        for name, gate in zip(moves.names, moves.gates, strict=True)
    }


def make_moves(solver: Solver, can: Legal, *, everything: bool = True, depth: int = DEEP) -> None:
    """Let every role make exactly one legal move, in a state that is not the end.

    Without `everything`, only the moves that other conditions depend on are looked at, and making none of them will do:
    more is possible then than in the game, so what is impossible is impossible there, too.
    """
    net, first = solver.net, len(solver.net.facts)
    looked_at: set[int] = set()
    made: dict[int, list[int]] = {role: [] for role, _ in net.does}
    moves = range(first, first + len(net.does))
    while fresh := sorted((set(moves) if everything else solver.gates.keys() & set(moves)) - looked_at):
        looked_at.update(fresh)
        for gate in fresh:
            role, name = net.does[gate - first]
            atom = solver.literal(2 * gate)
            made[role].append(atom)
            for x in can.get((role, name), (FALSE, FALSE)):
                solver.rule(None, [atom, -solver.literal(x, depth)])
    for atoms in made.values():
        if everything:
            solver.rule(None, [solver.none(atoms)])
        solver.rule(None, [solver.several(atoms)])
    if everything:
        solver.rule(None, [solver.literal(net.terminal)])
