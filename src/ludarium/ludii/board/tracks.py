"""Tracks: ways around the board, written as sites, as directions, or made from the loops of a Surakarta board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from ludarium.core.problems import Problem, RulesError
from ludarium.ludii.board.arguments import Locate
from ludarium.ludii.board.containers import player, whole
from ludarium.ludii.board.topology import Sites, SiteType, Track
from ludarium.ludii.board.ways.table import Table
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol

OFF = -2
"""The end of a track, off the board."""

_STEP = re.compile(r"([A-Za-z]+)(\d*)\Z")


class Tracks:
    """Builds the tracks of a board."""

    def __init__(self, kind: SiteType, sites: Sites, ways: Table, place: Locate) -> None:
        self._kind = kind
        self._count = sites.count
        self._ways = ways
        self._place = place

    def build(self, ludeme: Bound) -> Track | None:
        """The track that a ludeme describes; Ludii makes nothing of `trackStep`s."""
        given = ludeme.arguments
        numbers, text = given.get("track"), given.get("trackDirection")
        if isinstance(numbers, Array):
            sites = [whole(number, 0) for number in numbers]
        elif isinstance(text, Constant):
            sites = self._walk(ludeme, str(text.value))
        else:
            return None
        if len(sites) < 2 or len(set(sites)) < 2:
            self._fail(ludeme, "a track leads to at least two sites")
        role = given.get("role")
        owner = player(role.word) if isinstance(role, Symbol) else whole(given.get("owner"), 0)
        name = given["name"]
        assert isinstance(name, Constant)
        return track(
            str(name.value), sites, owner=owner, loop=_flag(ludeme, "loop"), directed=_flag(ludeme, "directed")
        )

    def _walk(self, ludeme: Bound, text: str) -> list[int]:
        """`0,E,N3,7,End`: from a site in directions, all the way or so many steps, with jumps to other sites."""
        first, *steps = text.rstrip(",").split(",")
        if not first.isdigit():
            self._fail(ludeme, f"a track begins with the number of a site, not with {first!r}")
        sites = [int(first)]
        here = sites[0]
        for step in steps:
            if step.isdigit():
                here = int(step)
                sites.append(here)
            elif step == "End":
                sites.append(OFF)
            else:
                for line in self._lines(ludeme, here, step):
                    sites += line
                    here = line[-1] if line else here
        return sites

    def _lines(self, ludeme: Bound, here: int, step: str) -> list[tuple[int, ...]]:
        match = _STEP.match(step)
        if match is None or match[1] not in self._ways.supported(self._kind, "All"):
            known = " ".join(self._ways.supported(self._kind, "All"))
            self._fail(ludeme, f"a track cannot go on with {step!r}", f"directions on this board are {known}")
        if here >= self._count:
            self._fail(ludeme, f"a track cannot go {step} from {here}", "that site is not on the board")
        longest = int(match[2]) if match[2] else None
        radials = self._ways.radials(self._kind, match[1])[here]
        return [radial.sites[1 : None if longest is None else longest + 1] for radial in radials]

    def _fail(self, ludeme: Bound, message: str, hint: str = "") -> NoReturn:
        raise RulesError([Problem(self._place(ludeme), message, hint)])


def track(name: str, sites: Sequence[int], *, owner: int = 0, loop: bool = False, directed: bool = False) -> Track:
    """Link the elements of a track; sites that come again at once are bumps of one element.

    >>> ring = track("Ring", [0, 1, 1, 2], loop=True)
    >>> ring.sites, ring.next, ring.previous, ring.bumps
    ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 0))
    """
    elements: list[int] = []
    bumps: list[int] = []
    for site in sites:
        if elements and elements[-1] == site:
            bumps[-1] += 1
        else:
            elements.append(site)
            bumps.append(0)
    last = len(elements) - 1
    following = [k + 1 if k < last else (0 if loop else -1) for k in range(last + 1)]
    before = [-1 if directed and 0 < k < last else k - 1 if k else (last if loop else -1) for k in range(last + 1)]
    return Track(
        name=name,
        owner=owner,
        loop=loop,
        directed=directed,
        sites=tuple(elements),
        next=tuple(elements[k] if k >= 0 else -1 for k in following),
        previous=tuple(elements[k] if k >= 0 else -1 for k in before),
        next_index=tuple(following),
        previous_index=tuple(before),
        bumps=tuple(bumps),
        internal_loop=not any(bumps) and len(set(elements)) < len(elements),
    )


def loops(basis: str, rows: int, columns: int, start: int, count: int | None) -> list[Track]:
    """The loops of a Surakarta board, each forwards and backwards; where they leave the board sites come twice."""
    if count is None:
        count = (min(rows, columns) - 2) // 2 if basis == "Square" else (rows - 1) // 2
    found = []
    for loop in range(start, start + count):
        runs = _square_runs(rows, columns, loop) if basis == "Square" else _triangle_runs(rows, loop)
        sites = [(site, k in (0, len(run) - 1) and site > 0) for run in runs for k, site in enumerate(run)]
        for letter, way in (("F", sites), ("B", sites[::-1])):
            doubled = []
            for (site, end), (_, following) in zip(way, (*way[1:], way[0]), strict=True):
                doubled += [site, site] if end and following else [site]
            found.append(track(f"Track{loop}{letter}", doubled, loop=True, directed=True))
    return found


def _square_runs(rows: int, columns: int, loop: int) -> list[list[int]]:
    """Rightwards, upwards, leftwards, downwards."""
    last = rows * columns - 1
    return [
        [loop * columns + k for k in range(columns)],
        [columns - 1 - loop + k * columns for k in range(rows)],
        [last - loop * columns - k for k in range(columns)],
        [last + 1 - columns + loop - k * columns for k in range(rows)],
    ]


def _triangle_runs(size: int, loop: int) -> list[list[int]]:
    """Rightwards, up to the left, down to the left."""
    length = size - loop
    across = sum(size - k for k in range(loop))
    right = [across + k for k in range(length)]
    at, step, rising = size - 1 - loop, size - 1, []
    for _ in range(length):
        rising.append(at)
        at += step
        step -= 1
    step += 3
    falling = []
    for _ in range(length):
        falling.append(at)
        at -= step
        step += 1
    return [right, rising, falling]


def _flag(ludeme: Bound, name: str) -> bool:
    value = ludeme.arguments.get(name)
    return isinstance(value, Constant) and bool(value.value)
