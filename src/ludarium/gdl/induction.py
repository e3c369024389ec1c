"""Proof by induction over turns: many claims about states at once, each of which may help to prove the others.

All claims hold at the beginning; no legal joint move may lead from a state in which all of them hold to one in which one of
them does not. Those that fail are dropped and the rest is tried again, until nothing fails (Flanagan and Leino, "Houdini, an
annotation assistant", 2001).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from ludarium.gdl.network import Network
from ludarium.gdl.proof import DEEP, Legal, Solver, legal, make_moves

UNDECIDED = "the search for a proof took too long"
NOT_KEPT = "a turn may break it, as far as the groups that are proved tell"
NOT_AT_FIRST = "it does not hold at the beginning"


@dataclass(frozen=True)
class Claim:
    """That at least one of some facts holds in every state, or that at most one does."""

    facts: tuple[int, ...]
    least: bool

    def wrong(self, solver: Solver, literals: Sequence[int], depth: int) -> int:
        """Make an atom for the contrary, about the literals that stand for the facts."""
        atoms = [solver.literal(x, depth) for x in literals]
        return solver.none(atoms) if self.least else solver.several(atoms)

    def wrong_now(self, solver: Solver) -> int:
        """Make an atom for the contrary in the state before the turn."""
        return self.wrong(solver, [2 * fact for fact in self.facts], DEEP)

    def wrong_later(self, solver: Solver, depth: int = DEEP) -> int:
        """Make an atom for the contrary in the state after the turn."""
        return self.wrong(solver, [solver.net.next[fact] for fact in self.facts], depth)


@dataclass
class Induction:
    """What is proved about a game so far, and why the rest is not."""

    net: Network
    work: int
    """What may be spent on proofs, in conflicts times gates."""

    proved: list[Claim] = field(default_factory=list)
    failed: dict[Claim, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._can: Legal = legal(self.net)

    def prove(self, claims: Iterable[Claim], work: int) -> None:
        """Prove as many claims as possible, besides what is proved already."""
        alive = []
        for claim in claims:
            held = sum(self.net.initial[fact] for fact in claim.facts)
            if claim in self.proved or claim in self.failed:
                continue
            if held >= 1 if claim.least else held <= 1:
                alive.append(claim)
            else:
                self.failed[claim] = NOT_AT_FIRST
        self._drop(alive, min(work, self.work))
        self.proved += alive

    def _drop(self, alive: list[Claim], work: int) -> None:
        """Drop claims until those that are left are proved: first as many at a time as a turn breaks, then one by one."""
        step = _Step(self.net, self._can, self.proved, alive)
        while alive:
            answer, broken = step.ask(alive, alive, min(work // 4, work - step.solver.work))
            if answer is False:
                break
            if answer is None:
                self._drop_singly(step, alive, work)
                break
            self._fail(alive, broken, NOT_KEPT)
        self.work -= step.solver.work

    def _drop_singly(self, step: _Step, alive: list[Claim], work: int) -> None:
        settled = 0
        while settled < len(alive):
            claim = alive.pop(0)
            alive.append(claim)
            answer, broken = step.ask(alive, [claim], min(work // 10, work - step.solver.work))
            settled += 1
            if answer is not False:  # it may have helped others, so all are tried again
                self._fail(alive, broken if answer else [claim], NOT_KEPT if answer else UNDECIDED)
                settled = 0

    def _fail(self, alive: list[Claim], claims: Iterable[Claim], reason: str) -> None:
        for claim in claims:
            if claim in alive:
                alive.remove(claim)
                self.failed[claim] = reason


class _Step:
    """One turn, from a state in which some claims hold."""

    def __init__(self, net: Network, can: Legal, proved: Iterable[Claim], claims: Iterable[Claim]) -> None:
        self.solver = solver = Solver(net)
        make_moves(solver, can)
        for claim in proved:
            solver.rule(None, [claim.wrong_now(solver)])
        self.on = {claim: solver.free() for claim in claims}
        self.later = {claim: claim.wrong_later(solver) for claim in claims}
        self.asked = {claim: solver.free() for claim in claims}
        self.broken = solver.new()
        for claim, switch in self.on.items():
            solver.rule(None, [switch, claim.wrong_now(solver)])
            solver.rule(self.broken, [self.asked[claim], self.later[claim]])

    def ask(self, alive: Collection[Claim], asked: Collection[Claim], work: int) -> tuple[bool | None, list[Claim]]:
        """Whether a turn can break one of the claims asked about, all alive ones holding before, and which it breaks."""
        assumed = [x if claim in alive else -x for claim, x in self.on.items()]
        assumed += [x if claim in asked else -x for claim, x in self.asked.items()]
        answer, held = self.solver.ask([*assumed, self.broken], work=work, watched=list(self.later.values()))
        return answer, [claim for claim, wrong in self.later.items() if wrong in held]
