"""What a game promises (`Traits`), by proof: first what is plain, then, if the network is small, by asking the solver.

A promise that is not proved is not made. Nothing here depends on the time that it takes, so a game always promises the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from itertools import combinations, islice, product

from ludarium.core import Traits
from ludarium.gdl.facts import plain
from ludarium.gdl.facts.induction import Claim
from ludarium.gdl.facts.proof import Solver, legal, make_moves
from ludarium.gdl.network.network import FALSE, TRUE, Network

SMALL = 4_000
"""Networks with more gates than this are not worth the time before a game can begin."""

WORK = 3_000_000
"""What a question may take, in conflicts of the solver times gates."""

_SUMS = 2_000  # combinations of goals


def traits(
    net: Network,
    seats: Sequence[int],
    claims: Callable[[], Sequence[Claim]],
    *,
    hidden: bool = False,
    small: int = SMALL,
) -> Traits:
    """What is proved about the roles at some seats; `claims` hold in every state, and are asked for if they are needed."""
    turns, total, plies = plain.takes_turns(net, seats), plain.adds_up(net, seats), plain.counts_plies(net)
    if net.size <= small:
        proof = _Proof(net, seats, claims)
        turns = turns or proof.takes_turns()
        total = total or proof.adds_up()
        plies = plies or proof.counts_plies()
    return Traits(
        turn_taking=turns,
        deterministic=len(seats) == len(net.goals),
        perfect_information=not hidden,
        constant_sum=total,
        max_plies=plies,
    )


class _Proof:
    """Questions about one game; what takes longer to find out about its states is only asked for when a proof fails without."""

    def __init__(self, net: Network, seats: Sequence[int], claims: Callable[[], Sequence[Claim]]) -> None:
        self.net, self.seats, self._more = net, seats, claims
        self.claims: Sequence[Claim] = [Claim(tuple(facts), least=False) for facts in plain.exclusive(net)]

    def takes_turns(self) -> bool:
        """Whether no two roles can have a choice in one state that is not the end."""
        for more in (False, True):
            solver = Solver(self.net)
            pairs = list(combinations(self._choices(solver), 2))
            solver.rule(None, [solver.literal(self.net.terminal)])
            if more:
                self.claims = self._more()
            else:
                start = self._initial(solver)
                if any(solver.ask([*start, *pair], work=WORK)[0] for pair in pairs):
                    return False
            _suppose(solver, self.claims)
            if all(solver.ask(pair, work=WORK)[0] is False for pair in pairs):
                return True
        return False

    def _choices(self, solver: Solver) -> list[int]:
        """An atom for each role that may have a choice: that it has one."""
        moves: dict[int, list[int]] = {role: [] for role in self.seats}
        for (role, _), conditions in legal(self.net).items():
            if role in moves:
                atom = solver.new()
                solver.rule(atom, [solver.literal(x) for x in conditions])
                moves[role].append(atom)
        return [solver.several(atoms) for atoms in moves.values() if len(atoms) > 1]

    def _initial(self, solver: Solver) -> list[int]:
        facts = [(k, atom) for k, atom in solver.gates.items() if k < len(self.net.facts)]
        return [atom if self.net.initial[k] else -atom for k, atom in facts]

    def adds_up(self) -> bool:
        """Whether the goals at the end, if each role has one, always have the same total.

        An end is a state like others, or better: the state after one that was not the end.
        """
        return len(self.seats) > 1 and (self._adds_up() or (not self._ended() and self._adds_up(after=True)))

    def _adds_up(self, *, after: bool = False) -> bool:
        solver = Solver(self.net)
        place = solver.later if after else solver.literal
        sums = self._sums(solver, place)
        if sums is None:
            return False
        solver.rule(None, [-place(self.net.terminal)])
        if after:
            make_moves(solver, legal(self.net))
            _suppose(solver, self.claims)
        answer, total = solver.ask([], work=WORK, watched=list(sums.values()))
        return bool(answer) and solver.ask([-x for x in total], work=WORK)[0] is False

    def _ended(self) -> bool:
        """Whether the first state may be the end."""
        solver = Solver(self.net)
        end = solver.literal(self.net.terminal)
        return solver.ask([*self._initial(solver), end], work=WORK)[0] is not False

    def _sums(self, solver: Solver, place: Callable[[int], int]) -> dict[int, int] | None:
        """An atom for each total that goals can have, if they are not too many; every role has exactly one goal."""
        goals = []
        for role in self.seats:
            values: dict[int, int] = {}
            for value, x in self.net.goals[role]:
                if x != FALSE:
                    solver.rule(values.setdefault(value, solver.new()), [place(x)])
            solver.rule(None, [solver.none(values.values())])
            solver.rule(None, [solver.several(values.values())])
            goals.append(values)
        sums: dict[int, int] = {}
        combined = list(islice(product(*(values.items() for values in goals)), _SUMS + 1))
        for each in combined:
            total = sum(value for value, _ in each)
            solver.rule(sums.setdefault(total, solver.new()), [atom for _, atom in each])
        return sums if len(combined) <= _SUMS else None

    def counts_plies(self) -> int | None:
        """The length of the longest match by a counter: a group whose facts follow each other without a circle."""
        exact = [x.facts for x in self.claims if x.least and Claim(x.facts, least=False) in self.claims]
        found = (_Counter(self.net, facts).longest() for facts in exact)
        return min((plies for plies in found if plies is not None), default=None)


class _Counter:
    """Facts of which exactly one holds: which can follow on which."""

    def __init__(self, net: Network, facts: Sequence[int]) -> None:
        self.net, self.facts = net, set(facts)
        self.ends = set(plain.alternatives(net, net.terminal))
        self.lengths: dict[int, int | None] = {}

    @cached_property
    def after(self) -> dict[int, list[int]] | None:
        """The facts that may hold after each; None if that is not plain."""
        after: dict[int, list[int]] = {fact: [] for fact in self.facts}
        for fact in sorted(self.facts):
            before = self._before(self.net.next[fact], 8)
            if before is None:
                return None
            for each in before:
                if 2 * each not in self.ends:
                    after[each].append(fact)
        return after

    def _before(self, x: int, depth: int) -> Collection[int] | None:
        """Facts of the group one of which must hold now if a literal holds."""
        first = len(self.net.facts) + len(self.net.does)
        if x == FALSE:
            return ()
        if x == TRUE or depth == 0:
            return None
        if x < 2 * first:
            return None if x & 1 or x >> 1 not in self.facts else (x >> 1,)
        literals, least = self.net.inputs[(x >> 1) - first], self.net.threshold[(x >> 1) - first]
        if least not in (1, len(literals)) or min(literals, default=-1) < 0:
            return None
        parts = [self._before(y ^ (x & 1), depth - 1) for y in literals]
        known = [part for part in parts if part is not None]
        if (least == len(literals)) != bool(x & 1):
            return min(known, key=len, default=None)
        return {fact for part in known for fact in part} if len(known) == len(parts) else None

    def longest(self) -> int | None:
        """The number of turns on the longest way, if there is no circle."""
        begun = [fact for fact in self.facts if self.net.initial[fact]]
        if self.after is None or len(begun) != 1:
            return None
        order: list[int] = []
        state: dict[int, int] = {}
        stack = [begun[0]]
        while stack:
            fact = stack[-1]
            if state.get(fact) is None:
                state[fact] = 1
                fresh = [x for x in self.after[fact] if state.get(x) != 2]
                if any(state.get(x) == 1 for x in fresh):
                    return None
                stack += fresh
            else:
                stack.pop()
                if state[fact] == 1:
                    state[fact] = 2
                    order.append(fact)
        plies: dict[int, int] = {}
        for fact in order:
            plies[fact] = max((1 + plies[x] for x in self.after[fact]), default=0)
        return max(plies[begun[0]], 1)


def _suppose(solver: Solver, claims: Iterable[Claim]) -> None:
    """Let claims hold, if they are about facts that matter."""
    for claim in claims:
        if any(fact in solver.gates for fact in claim.facts):
            solver.rule(None, [claim.wrong_now(solver)])
