"""Exclusive groups: facts of which never more than one holds, like what a cell contains or whose turn it is.

Groups come from shapes of facts and from playouts; then they are proved by induction. What is not proved is observed only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ludarium.gdl.facts.candidates import Candidate, Key, Shape, candidates, visited
from ludarium.gdl.facts.induction import Claim, Induction
from ludarium.gdl.network.network import Network

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame

WORK = 150_000_000
"""What the proofs for a game may take together, in conflicts of the solver times gates: a few seconds."""

MAX_GATES = 100_000
"""Nothing is proved about larger networks."""

_ROUNDS = 3  # how often parts of what failed are tried instead
TOO_LARGE = "the network is too large for proofs"


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
    """That at least one always holds: proved, observed only, or known to be false."""

    reason: str = ""
    """Why something is observed only."""

    @property
    def exact(self) -> bool:
        """Whether exactly one holds in every state, by proof."""
        return self.exclusive is Standing.PROVED and self.covering is Standing.PROVED


@dataclass(frozen=True)
class Groups:
    """The groups of a game, largest first, and the claims about numbered facts that are proved."""

    groups: tuple[Group, ...]
    claims: tuple[Claim, ...]


def find(game: GdlGame) -> Groups:
    """Find the groups of a game; a group within another one that is as sure is left out."""
    return prove(game.network, candidates(game.network.facts, visited(game)))


def turns(game: GdlGame, *, work: int = WORK // 50) -> Sequence[Claim]:
    """Prove what little is known about relations of which one fact holds at a time, like whose turn it is: that is quick."""
    found = candidates(game.network.facts, visited(game), whole=True)
    return prove(game.network, [each for each in found if each.covering], work=work).claims


def prove(net: Network, found: Sequence[Candidate], *, work: int = WORK) -> Groups:
    """Prove as much about candidates as can be proved, those first that are likely to hold and that need little else."""
    induction = Induction(net, work)
    if net.size > MAX_GATES:
        induction.failed = {claim: TOO_LARGE for each in found for claim in _claims(each)}
    for tier in range(3) if net.size <= MAX_GATES else ():
        tried = [each for each in found if _tier(each) <= tier]
        induction.forget(claim for each in tried for claim in _claims(each))
        for _ in range(_ROUNDS):
            left = maximal(each for each in tried if _claims(each)[0] not in induction.failed)
            claims = [claim for each in left for claim in _claims(each)]
            if not induction.prove(claims, work // (1 if tier == 1 else 10)):
                break
    proved = set(induction.proved)
    sure = maximal(each for each in found if _claims(each)[0] in proved)
    rest = maximal(each for each in found if _claims(each)[0] not in proved)
    rest = [each for each in rest if not any(each.facts <= other.facts for other in sure)]
    return Groups(tuple(_group(net, each, induction) for each in [*sure, *rest]), tuple(induction.proved))


def _tier(each: Candidate) -> int:
    """Whole relations come first, then sets that are alike everywhere, and then those of which some are like no other."""
    if each.covering and not each.key:
        return 0
    return 1 if each.regular else 2


def maximal(found: Iterable[Candidate]) -> list[Candidate]:
    """Those that are no part of another one; `found` is ordered by size, largest first."""
    kept: list[Candidate] = []
    holders: dict[int, list[frozenset[int]]] = {}
    for each in found:
        if not any(each.facts <= other for other in holders.get(min(each.facts), ())):
            kept.append(each)
            for fact in each.facts:
                holders.setdefault(fact, []).append(each.facts)
    return kept


def _claims(each: Candidate) -> tuple[Claim, ...]:
    facts = tuple(sorted(each.facts))
    return (Claim(facts, least=False), Claim(facts, least=True)) if each.covering else (Claim(facts, least=False),)


def _group(net: Network, each: Candidate, induction: Induction) -> Group:
    standings = [Standing.OBSERVED, Standing.OBSERVED if each.covering else Standing.FALSE]
    reasons = []
    for place, claim in enumerate(_claims(each)):
        if claim in induction.proved:
            standings[place] = Standing.PROVED
        else:
            reasons.append(induction.failed.get(claim, ""))
    facts = tuple(net.facts[k] for k in sorted(each.facts))
    return Group(each.shapes, each.key, facts, standings[0], standings[1], " / ".join(dict.fromkeys(reasons)))
