"""Proof by induction over turns: many claims about states at once, each of which may help to prove the others.

All claims hold at the beginning; no legal joint move may lead from a state in which all of them hold to one in which one of
them does not. Those that fail are dropped and the rest is tried again, until nothing fails (Flanagan and Leino, "Houdini, an
annotation assistant", 2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludarium.gdl.facts.proof import Solver, legal, make_moves
from ludarium.gdl.network.network import Network

UNDECIDED = "the search for a proof took too long"
NOT_KEPT = "a turn may break it, as far as the groups that are proved tell"
NOT_AT_FIRST = "it does not hold at the beginning"


@dataclass(frozen=True)
class Claim:
    """That at least one of some facts holds in every state, or that at most one does."""

    facts: tuple[int, ...]
    least: bool

    def wrong_now(self, solver: Solver) -> int:
        """Make an atom for the contrary in the state before the turn."""
        return self._wrong(solver, [solver.literal(2 * fact) for fact in self.facts])

    def wrong_later(self, solver: Solver) -> int:
        """Make an atom for the contrary in the state after the turn."""
        return self._wrong(solver, [solver.later(2 * fact) for fact in self.facts])

    def _wrong(self, solver: Solver, atoms: list[int]) -> int:
        return solver.none(atoms) if self.least else solver.several(atoms)


@dataclass
class Induction:
    """What is proved about a game so far, and why the rest is not."""

    net: Network
    work: int
    """What may be spent on proofs, in conflicts times gates."""

    proved: dict[Claim, None] = field(default_factory=dict)
    """In the order of their proofs."""

    failed: dict[Claim, str] = field(default_factory=dict)

    def prove(self, claims: Iterable[Claim], work: int) -> bool:
        """Prove as many claims as possible, besides what is proved already; whether there was anything to try."""
        tried = [claim for claim in claims if claim not in self.proved and claim not in self.failed]
        for claim in tried:
            held = sum(self.net.initial[fact] for fact in claim.facts)
            if not (held if claim.least else held <= 1):
                self.failed[claim] = NOT_AT_FIRST
        step = _Step(self.net, self.proved, [claim for claim in tried if claim not in self.failed])
        step.drop(min(work, self.work))
        self.work -= step.solver.work
        self.failed |= {step.claims[k]: reason for k, reason in step.failed.items()}
        self.proved |= dict.fromkeys(step.claims[k] for k in sorted(step.alive))
        return bool(tried)

    def forget(self, claims: Iterable[Claim]) -> None:
        """Give claims that failed another chance, now that more is proved."""
        for claim in claims:
            self.failed.pop(claim, None)


class _Step:
    """One turn, from a state in which some claims hold; claims are numbered."""

    def __init__(self, net: Network, proved: Iterable[Claim], claims: Sequence[Claim]) -> None:
        self.claims, self.solver = claims, Solver(net)
        self.alive = set(range(len(claims)))
        self.failed: dict[int, str] = {}
        if not claims:
            return
        solver = self.solver
        make_moves(solver, legal(net))
        for claim in proved:
            solver.rule(None, [claim.wrong_now(solver)])
        self.later = [claim.wrong_later(solver) for claim in claims]
        self.numbers = {atom: k for k, atom in enumerate(self.later)}
        self.on = [solver.free() for _ in claims]
        self.asked = [solver.free() for _ in claims]
        self.broken = solver.new()
        for k, claim in enumerate(claims):
            solver.rule(None, [self.on[k], claim.wrong_now(solver)])
            solver.rule(self.broken, [self.asked[k], self.later[k]])

    def drop(self, work: int) -> None:
        """Drop claims until those that are left are proved: first as many at a time as a turn breaks, then one by one."""
        while self.alive:
            answer, broken = self._ask(self.alive, min(work // 4, work - self.solver.work))
            if answer is False:
                return
            if answer is None:
                break
            self._fail(broken, NOT_KEPT)
        waiting = sorted(self.alive)
        while waiting:
            k = waiting.pop()
            if k in self.alive:
                answer, broken = self._ask({k}, min(work // 10, work - self.solver.work))
                if answer is not False:
                    self._fail(broken if answer else {k}, NOT_KEPT if answer else UNDECIDED)
                    waiting = sorted(self.alive)  # it may have helped others, so all are tried again

    def _ask(self, asked: set[int], work: int) -> tuple[bool | None, set[int]]:
        """Whether a turn can break one of the claims asked about, all alive ones holding before, and which it breaks."""
        assumed = [x if k in self.alive else -x for k, x in enumerate(self.on)]
        assumed += [x if k in asked else -x for k, x in enumerate(self.asked)]
        answer, held = self.solver.ask([*assumed, self.broken], work=work, watched=self.later)
        return answer, {self.numbers[x] for x in held} & self.alive

    def _fail(self, claims: set[int], reason: str) -> None:
        self.alive -= claims
        self.failed |= dict.fromkeys(claims, reason)
