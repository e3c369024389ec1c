"""Proof by induction over turns: many claims about states at once, each of which may help to prove the others.

All claims hold at the beginning; no legal joint move may lead from a state in which all of them hold to one in which one of
them does not. Those that fail are dropped and the rest is tried again, until nothing fails (Flanagan and Leino, "Houdini, an
annotation assistant", 2001).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from ludarium.gdl.network import Network
from ludarium.gdl.proof import Legal, Solver, legal, make_moves

_BATCH = 10_000_000  # work on all claims together
_SINGLE = 1_000_000  # work on one claim, with what it depends on
UNDECIDED = "the search for a proof took too long"
NOT_KEPT = "a turn may break it, as far as the groups that are proved tell"
NOT_AT_FIRST = "it does not hold at the beginning"


@dataclass(frozen=True)
class Claim:
    """That at least one of some facts holds in every state, or that at most one does."""

    facts: tuple[int, ...]
    least: bool

    def wrong(self, solver: Solver, literals: Sequence[int]) -> int:
        """Make an atom for the contrary, about the literals that stand for the facts."""
        atoms = [solver.literal(x) for x in literals]
        return solver.none(atoms) if self.least else solver.several(atoms)

    def wrong_now(self, solver: Solver) -> int:
        """Make an atom for the contrary in the state before the turn."""
        return self.wrong(solver, [2 * fact for fact in self.facts])

    def wrong_later(self, solver: Solver) -> int:
        """Make an atom for the contrary in the state after the turn."""
        return self.wrong(solver, [solver.net.next[fact] for fact in self.facts])


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

    def prove(self, claims: Iterable[Claim]) -> None:
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
        if not self._together(alive):
            self._one_by_one(alive)
        self.proved += alive

    def _together(self, alive: list[Claim]) -> bool:
        """Drop claims that a turn breaks; whether it is proved that no other can be broken."""
        solver = Solver(self.net)
        make_moves(solver, self._can)
        self._suppose(solver, self.proved)
        on = [solver.free() for _ in alive]
        later = [claim.wrong_later(solver) for claim in alive]
        broken = solver.new()
        for claim, switch, wrong in zip(alive, on, later, strict=True):
            solver.rule(None, [switch, claim.wrong_now(solver)])
            solver.rule(broken, [switch, wrong])
        claims = list(alive)
        limit = min(self.work, _BATCH)
        answer: bool | None = True
        while alive and answer:
            assumed = [x if claim in alive else -x for x, claim in zip(on, claims, strict=True)]
            answer, held = solver.ask([*assumed, broken], work=limit - solver.work, watched=later)
            for claim, wrong in zip(claims, later, strict=True):
                if wrong in held and claim in alive:
                    alive.remove(claim)
                    self.failed[claim] = NOT_KEPT
        self.work -= solver.work
        return not alive or answer is False

    def _one_by_one(self, alive: list[Claim]) -> None:
        """Try every claim with only what it depends on; a claim that is dropped may have helped others: try them again."""
        again = True
        while again:
            again = False
            for claim in list(alive):
                answer = self._kept(claim, alive)
                if answer is not True:
                    alive.remove(claim)
                    self.failed[claim] = NOT_KEPT if answer is False else UNDECIDED
                    again = True

    def _kept(self, claim: Claim, alive: Collection[Claim]) -> bool | None:
        for everything in (False, True):
            solver = Solver(self.net)
            wrong = claim.wrong_later(solver)
            make_moves(solver, self._can, everything=everything)
            self._suppose(solver, [*self.proved, *alive])
            answer, _ = solver.ask([wrong], work=min(self.work, _SINGLE))
            self.work -= solver.work
            if answer is False:
                return True
        return None if answer is None else False

    def _suppose(self, solver: Solver, claims: Iterable[Claim]) -> None:
        """Let claims hold before the turn, if they are about something that matters."""
        for claim in claims:
            if any(fact in solver.gates for fact in claim.facts):
                solver.rule(None, [claim.wrong_now(solver)])
