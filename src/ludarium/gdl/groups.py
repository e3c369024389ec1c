"""Exclusive groups: facts of which never more than one holds, like what a cell contains or whose turn it is.

Candidates come from playouts. The proof is by induction over turns: all candidates together hold at the beginning, and no
legal joint move leads from a state in which all of them hold to one in which one of them does not. Those that fail are
dropped and the rest is tried again, until nothing fails (Flanagan and Leino, "Houdini", 2001). What is not proved is observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ludarium.gdl.candidates import Candidate, Key, Shape, candidates, visited
from ludarium.gdl.network import Network
from ludarium.gdl.proof import Solver, make_moves

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame

MAX_GATES = 60_000
"""Nothing is proved about larger networks."""

MAX_CONFLICTS = 20_000
"""What all questions about a game may take together."""

_ROUNDS = 4  # how often parts of what failed are tried


class Standing(Enum):
    """How sure something is."""

    PROVED = "proved"
    OBSERVED = "observed"
    FALSE = "false"


@dataclass(frozen=True)
class Group:
    """Facts of which at most one holds at a time."""

    shapes: tuple[Shape, ...]
    key: Key
    facts: tuple[str, ...]
    exclusive: Standing
    """That never more than one holds: proved, or observed only."""

    covering: Standing
    """That always at least one holds."""

    reason: str = ""
    """Why something is not proved."""

    @property
    def exact(self) -> bool:
        """Whether exactly one holds in every state, by proof."""
        return self.exclusive is self.covering is Standing.PROVED


def groups(game: GdlGame) -> tuple[Group, ...]:
    """Find the groups of a game, largest first; a group within another one that is as sure is left out."""
    net = game.network
    found = candidates(net.facts, visited(game))
    prover = prove(net, len(game.roles) + (len(game.seats) < 0), found)
    return prover


def prove(net: Network, roles: int, found: Sequence[Candidate]) -> tuple[Group, ...]:
    """Prove as much about the candidates as can be proved."""
    initial = sum(1 << k for k, holds in enumerate(net.initial) if holds)
    failed: dict[frozenset[int], str] = {}
    proved: list[Candidate] = []
    covers: set[frozenset[int]] = set()
    spent = 0
    for _ in range(_ROUNDS):
        tried = [c for c in found if c.facts not in failed]
        tried = maximal(tried)
        if all(c in proved for c in tried):
            break
        induction = _Induction(net, roles, tried)
        induction.run(MAX_CONFLICTS - spent)
        spent += induction.solver.conflicts
        proved, covers = induction.proved()
        failed |= induction.failed
    del initial
    out = []
    for c in proved:
        out.append(_group(net, c, Standing.PROVED, Standing.PROVED if c.facts in covers else (Standing.OBSERVED if c.covering else Standing.FALSE), ""))
    for c in maximal([c for c in found if c.facts in failed]):
        out.append(_group(net, c, Standing.OBSERVED, Standing.OBSERVED if c.covering else Standing.FALSE, failed[c.facts]))
    return tuple(out)


def _group(net, c, ex, co, reason):
    return Group(c.shapes, c.key, tuple(net.facts[k] for k in sorted(c.facts)), ex, co, reason)


def maximal(found: Iterable[Candidate]) -> list[Candidate]:
    """Those that are no part of another one; `found` is ordered by size, largest first."""
    kept: list[Candidate] = []
    holders: dict[int, list[frozenset[int]]] = {}
    for c in found:
        some = min(c.facts)
        if not any(c.facts <= other for other in holders.get(some, ())):
            kept.append(c)
            for fact in c.facts:
                holders.setdefault(fact, []).append(c.facts)
    return kept


class _Induction:
    """The step of the induction for many candidates at once."""

    def __init__(self, net: Network, roles: int, found: Sequence[Candidate]) -> None:
        self.net, self.found = net, found
        self.solver = solver = Solver(net)
        self.failed: dict[frozenset[int], str] = {}
        make_moves(net, solver, roles)
        self.on: list[int] = []
        self.bad: list[int] = []
        self.owner: list[tuple[int, str]] = []
        self.some = solver.new()
        for number, c in enumerate(found):
            now = [solver.literal(2 * fact) for fact in sorted(c.facts)]
            later = [solver.literal(net.next[fact]) for fact in sorted(c.facts)]
            self._add(number, "most", solver.count(2, now), solver.count(2, later))
            if c.covering:
                self._add(number, "least", solver.none(now), solver.none(later))
        self.alive = set(range(len(self.on)))

    def _add(self, number, kind, wrong_now, wrong_later):
        on = self.solver.free()
        self.solver.rule(None, [on, wrong_now])
        self.solver.rule(self.some, [on, wrong_later])
        self.on.append(on)
        self.bad.append(wrong_later)
        self.owner.append((number, kind))

    def run(self, budget):
        place = {x: k for k, x in enumerate(self.bad)}
        while self.alive:
            assumed = [x if k in self.alive else -x for k, x in enumerate(self.on)]
            answer, held = self.solver.ask([*assumed, self.some], self.bad, conflicts=2000)
            if answer is False:
                return
            if answer is None:
                break
            drop = {place[x] for x in held} & self.alive
            assert drop
            self.alive -= drop
        self.single()

    def single(self):
        again = True
        self.unknown=set()
        while again:
            again = False
            for k in sorted(self.alive):
                if k not in self.alive: continue
                assumed = [x if j in self.alive else -x for j, x in enumerate(self.on)]
                answer, held = self.solver.ask([*assumed, self.bad[k]], self.bad, conflicts=200)
                if answer is False: continue
                place = {x: k for k, x in enumerate(self.bad)}
                self.alive -= {place[x] for x in held}|{k}
                if answer is None: self.unknown.add(k)
                again = True

    def proved(self):
        most = {self.owner[k][0] for k in self.alive if self.owner[k][1]=='most'}
        least = {self.owner[k][0] for k in self.alive if self.owner[k][1]=='least'}
        for n,c in enumerate(self.found):
            if n not in most: self.failed[c.facts]='?'
        return [self.found[n] for n in sorted(most)], {self.found[n].facts for n in least&most}
