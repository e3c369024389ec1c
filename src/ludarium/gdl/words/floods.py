"""Loops of a network on words: gates that depend on each other, with a place of a board each, are flooded together.

What is reached spreads over the board by shifts, from all places at once, until nothing is new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

Place = tuple[int, int]
"""A board and a bit."""


class Spread(NamedTuple):
    """A way to reach a place: from the places at these distances, if what else is needed (by number) holds."""

    distances: frozenset[int]
    needs: int


class Body(NamedTuple):
    """What makes a gate of a loop hold: others of the loop, and literals from outside."""

    inside: tuple[int, ...]
    outside: tuple[int, ...]


class Loop(NamedTuple):
    """Gates that depend on each other: what makes each hold, and those that are the same as another one."""

    bodies: dict[int, list[Body]]
    same: dict[int, int]


def loop_of(inputs: Mapping[int, tuple[int, ...]], any_of: Iterable[int]) -> Loop:
    """Look at the gates of a loop by what holds for any of its inputs.

    Those that need all of their inputs are read by one other only, and vanish in it.
    """
    own = set(any_of)
    found: dict[int, list[Body]] = {}
    for gate in sorted(own):
        found[gate] = []
        for x in inputs[gate]:
            literals = inputs[x >> 1] if x >> 1 in inputs and x >> 1 not in own else (x,)
            inside = tuple(y >> 1 for y in literals if y >> 1 in inputs)
            found[gate].append(Body(inside, tuple(y for y in literals if y >> 1 not in inputs)))
    same: dict[int, int] = {}
    for gate, some in found.items():
        if len(some) == 1 and len(some[0].inside) == 1 and not some[0].outside:
            same[gate] = some[0].inside[0]
    for _ in range(len(same)):  # however long a chain is
        same = {gate: same.get(other, other) for gate, other in same.items()}
    kept = {
        gate: [Body(tuple(same.get(x, x) for x in body.inside), body.outside) for body in some]
        for gate, some in found.items()
        if gate not in same
    }
    return Loop(kept, same)


def places(loop: Mapping[int, list[Body]], located: Mapping[int, Place], kind: Mapping[int, int]) -> dict[int, Place]:
    """Where the gates of a loop lie: at a fact that all that makes them hold reads, each elsewhere; empty if there is none.

    Where there are several such facts, the kind (of a literal) that is used most decides.
    """
    common: dict[int, list[int]] = {}
    for gate, some in loop.items():
        reading = [{x for x in body.outside if x >> 1 in located} for body in some]
        shared = set.intersection(*reading) if reading else set()
        if not shared:
            return {}
        common[gate] = sorted(shared)
    usual = Counter(kind[x >> 1] for each in common.values() for x in each)
    found = {}
    for gate, shared_by_all in common.items():
        best = max(shared_by_all, key=lambda x: (usual[kind[x >> 1]], -x))
        found[gate] = located[best >> 1]
    boards = {board for board, _ in found.values()}
    return found if len(boards) == 1 and len(set(found.values())) == len(found) else {}
