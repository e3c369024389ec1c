"""What no turn of a game can bring about, asked of a solver.

The network becomes a logic program whose facts and moves are free; a question adds conditions. The answer is yes, no, or
none when the search takes too many conflicts: counted in conflicts and not in seconds, it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludarium.gdl.network.network import FALSE, TRUE, Network

_EACH = 30  # what a question costs besides its conflicts, in conflicts
_OPTIONS = (
    "--warn=none",
    "--configuration=crafty",
    "--sat-prepro=no",
)  # preprocessing and assumptions do not go together


class Solver:
    """Conditions on one state of a game and, if asked about, on the moves made in it and the state after it."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.work = 0
        """Conflicts so far times gates."""
        self._rules: list[tuple[list[int], list[int], bool]] = []
        self._counts: list[tuple[int, int, list[int]]] = []
        self._now: dict[int, int] = {}
        self._later: dict[int, int] = {}
        self._last = 0
        self._control: Any = None
        self.true = self.new()
        self._rules.append(([self.true], [], False))

    @property
    def gates(self) -> Mapping[int, int]:
        """The gates that the questions depend on, with their atoms."""
        return self._now

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

    def literal(self, x: int) -> int:
        """Give the atom of a literal of the network, negative if the literal is; all that it depends on comes along."""
        if x < 0:
            return self.true if x == TRUE else -self.true
        self._define(x >> 1, self._now)
        return -self._now[x >> 1] if x & 1 else self._now[x >> 1]

    def later(self, x: int) -> int:
        """Give the atom of a literal in the state after the turn; the moves made there are free."""
        if x < 0:
            return self.literal(x)
        self._define(x >> 1, self._later)
        return -self._later[x >> 1] if x & 1 else self._later[x >> 1]

    def _define(self, gate: int, atoms: dict[int, int]) -> None:
        net, inputs = self.net, len(self.net.facts) + len(self.net.does)
        if gate in atoms:
            return
        atoms[gate] = self._input(gate, atoms) if gate < inputs else self.new()
        stack = [gate] if gate >= inputs else []
        while stack:
            gate = stack.pop()
            literals, least = net.inputs[gate - inputs], net.threshold[gate - inputs]
            body = []
            for x in literals:
                if x >= 0 and x >> 1 not in atoms:
                    atoms[x >> 1] = self._input(x >> 1, atoms) if x >> 1 < inputs else self.new()
                    if x >> 1 >= inputs:
                        stack.append(x >> 1)
                body.append(self.literal(x) if x < 0 else -atoms[x >> 1] if x & 1 else atoms[x >> 1])
            if least == len(body):
                self.rule(atoms[gate], body)
            elif least == 1:
                for x in body:
                    self.rule(atoms[gate], [x])
            else:
                self._counts.append((atoms[gate], least, body))

    def _input(self, gate: int, atoms: dict[int, int]) -> int:
        """An atom for a fact or a move: free, but for a fact after the turn, which comes about by the rules."""
        if atoms is self._now or gate >= len(self.net.facts) or engine_fact(self.net.facts[gate]):
            return self.free()
        return self.literal(self.net.next[gate])

    def ask(self, assumed: Sequence[int], *, work: int, watched: Sequence[int] = ()) -> tuple[bool | None, list[int]]:
        """Whether the assumed literals can hold together, and which of the watched ones hold in the answer.

        The answer is None if it takes more work than allowed.
        """
        size = len(self._now) + len(self._later) + 1
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
        with control.backend() as backend:
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


def make_moves(solver: Solver, can: Legal) -> None:
    """Let every role make exactly one legal move, in a state that is not the end."""
    net = solver.net
    made: dict[int, list[int]] = {role: [] for role, _ in net.does}
    for place, (role, name) in enumerate(net.does):
        atom = solver.literal(2 * (len(net.facts) + place))
        made[role].append(atom)
        for x in can.get((role, name), (FALSE, FALSE)):
            solver.rule(None, [atom, -solver.literal(x)])
    for atoms in made.values():
        solver.rule(None, [solver.none(atoms)])
        solver.rule(None, [solver.several(atoms)])
    solver.rule(None, [solver.literal(net.terminal)])


def engine_fact(text: str) -> bool:
    """Whether a fact is one that the engine adds and sets itself, whatever the rules say about it."""
    return text[0] == " " or text[:2] == "( "
