"""What no turn of a game can bring about, asked of a solver.

The network becomes a logic program whose facts and moves are free; a question adds conditions. The answer is yes, no, or
none when the search takes too many conflicts: counted in conflicts and not in seconds, it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludarium.gdl.network import FALSE, TRUE, Network

CONFLICTS = 2_000
"""How many conflicts one question may take."""


class Solver:
    """Conditions on one state of a game and, if asked about, on the moves made in it and the state after it."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.conflicts = 0
        self._rules: list[tuple[list[int], list[int], bool]] = []
        self._counts: list[tuple[int, int, list[int]]] = []
        self._known: set[int] = set()
        self._last = net.size
        self._control: Any = None
        self.true = self.new()
        self._rules.append(([self.true], [], False))

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

    def count(self, least: int, literals: Iterable[int]) -> int:
        """Make an atom for "at least so many of these hold"."""
        atom = self.new()
        self._counts.append((atom, least, list(literals)))
        return atom

    def none(self, literals: Iterable[int]) -> int:
        """Make an atom for "none of these holds"."""
        atom = self.new()
        self.rule(atom, [-x for x in literals])
        return atom

    def literal(self, x: int) -> int:
        """Give the atom of a literal of the network, negative if the literal is; all that it depends on comes along."""
        if x < 0:
            return self.true if x == TRUE else -self.true
        self._define(x >> 1)
        return -((x >> 1) + 1) if x & 1 else (x >> 1) + 1

    def _define(self, gate: int) -> None:
        net, inputs = self.net, len(self.net.facts) + len(self.net.does)
        stack = [gate]
        while stack:
            gate = stack.pop()
            if gate in self._known:
                continue
            self._known.add(gate)
            if gate < inputs:
                self._rules.append(([gate + 1], [], True))
                continue
            literals, least = net.inputs[gate - inputs], net.threshold[gate - inputs]
            body = [self._plain(x) for x in literals if x != FALSE]
            stack += [x >> 1 for x in literals if x >= 0]
            if least == len(literals):
                if len(body) == len(literals):
                    self.rule(gate + 1, body)
            elif least == 1:
                for x in body:
                    self.rule(gate + 1, [x])
            else:
                self._counts.append((gate + 1, least, body))

    def _plain(self, x: int) -> int:
        return self.true if x < 0 else -((x >> 1) + 1) if x & 1 else (x >> 1) + 1

    @property
    def size(self) -> int:
        """The number of gates that the questions depend on."""
        return len(self._known)

    def ask(
        self, assumed: Sequence[int], watched: Sequence[int] = (), *, conflicts: int = CONFLICTS
    ) -> tuple[bool | None, list[int]]:
        """Whether the assumed literals can hold together, and which of the watched ones hold in the answer."""
        if self._control is None:
            self._control = self._built()
        held: list[int] = []
        control = self._control
        control.configuration.solve.solve_limit = str(conflicts)
        result = control.solve(
            assumptions=list(assumed), on_model=lambda model: held.extend(x for x in watched if model.is_true(x))
        )
        self.conflicts += int(control.statistics["solving"]["solvers"]["conflicts"])
        return result.satisfiable, held

    def _built(self) -> Any:
        import clingo  # noqa: PLC0415  only games that are asked about need it

        control = clingo.Control(["--warn=none", "--stats"], message_limit=0, logger=lambda *_: None)
        with control.backend() as backend:
            for head, body, choice in self._rules:
                backend.add_rule(head, body, choice)
            for atom, least, literals in self._counts:
                backend.add_weight_rule([atom], least, [(x, 1) for x in literals])
        return control


def legal(net: Network, solver: Solver) -> dict[tuple[int, str], int]:
    """The atoms of all moves that can be legal, by role and name."""
    found = {}
    for moves in net.moves:
        guard = solver.literal(moves.guard)
        for name, gate in zip(moves.names, moves.gates, strict=True):
            found[moves.role, name] = atom = solver.new()
            solver.rule(atom, [guard, solver.literal(gate)])
    return found


def make_moves(net: Network, solver: Solver, roles: int) -> None:
    """Let every role make exactly one legal move, in a state that is not the end."""
    can = legal(net, solver)
    solver.rule(None, [solver.literal(net.terminal)])
    for role in range(roles):
        made = []
        for place, (who, name) in enumerate(net.does):
            if who == role:
                atom = solver.literal(2 * (len(net.facts) + place))
                made.append(atom)
                solver.rule(None, [atom, -can[role, name]] if (role, name) in can else [atom])
        solver.rule(None, [solver.none(made)])
        solver.rule(None, [solver.count(2, made)])
