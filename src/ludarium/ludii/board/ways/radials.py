"""Radials: straight lines of steps, as pieces slide and lines are counted."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt, tan

from ludarium.ludii.board.graph import TooLarge
from ludarium.ludii.board.topology import Group, Radial
from ludarium.ludii.board.ways.directions import ROUND

Place = tuple[float, float, float]

MAX_FORKS = 1000
_BEND = tan(0.25)
_OPPOSITE = tan(0.1)


def lines(places: Sequence[Place], targets: Sequence[Sequence[int]], direction: str) -> list[list[Group]]:
    """Per site the lines that begin with a step in a direction and go on as straight as possible, each once."""
    onwards = _First(targets) if direction in ROUND else _Straight(places, targets)
    known: dict[tuple[int, int], Group] = {}
    found = []
    for site, firsts in enumerate(targets):
        here: dict[Group, None] = {}
        for first in firsts:
            if (site, first) not in known:
                _follow(site, first, onwards, known)
            line = known.get((site, first))
            here.update(dict.fromkeys([line] if line else _extended([site, first], onwards)))
        found.append(list(here))
    return found


def _follow(site: int, first: int, onwards: _Straight | _First, known: dict[tuple[int, int], Group]) -> None:
    """Follow a line to its end. What is left of it at each step is the line from there: none of them is followed again.

    A line that forks, or comes back to itself, is left to be followed from each of its sites.
    """
    line = [site, first]
    rest: Group = ()
    while following := onwards(line[-2], line[-1]):
        if len(following) > 1 or following[0] in line:
            return
        rest = known.get((line[-1], following[0]), ())[1:]
        if rest:
            break
        line.append(following[0])
    if not set(rest).isdisjoint(line):
        return
    for k in range(len(line) - 1):
        known[line[k], line[k + 1]] = (*line[k:], *rest)


def _extended(line: list[int], onwards: _Straight | _First) -> list[Group]:
    """All ways to go on with a line; where two are equally straight it forks."""
    found: list[Group] = []
    open_ends = [(line, False)]
    while open_ends:
        line, ended = open_ends.pop()
        following: Sequence[int] = ()
        while not ended:
            following = onwards(line[-2], line[-1])
            if len(following) != 1 or following[0] in line:
                break
            line.append(following[0])
        if ended or not following:
            found.append(tuple(line))
        open_ends += [(line, True) if site in line else ([*line, site], False) for site in reversed(following)]
        if len(found) + len(open_ends) > MAX_FORKS:
            raise TooLarge(f"a line that forks more than {MAX_FORKS} times")
    return found


class _First:
    """Around the middle of a round board one simply goes on."""

    def __init__(self, targets: Sequence[Sequence[int]]) -> None:
        self._targets = targets

    def __call__(self, _before: int, here: int) -> Sequence[int]:
        return self._targets[here][:1]


class _Straight:
    """The steps that bend least."""

    def __init__(self, places: Sequence[Place], targets: Sequence[Sequence[int]]) -> None:
        self._places = places
        self._targets = targets
        self._known: dict[tuple[int, int], list[int]] = {}

    def __call__(self, before: int, here: int) -> Sequence[int]:
        known = self._known.get((before, here))
        if known is None:
            known = self._known[before, here] = self._find(before, here)
        return known

    def _find(self, before: int, here: int) -> list[int]:
        least, best = _BEND, []
        for site in self._targets[here]:
            bend = bending(self._places[before], self._places[here], self._places[site])
            if bend < least:
                least, best = bend, [site]
                if bend == 0.0:
                    break
            elif bend == least:
                best.append(site)
        return best


def bending(a: Place, b: Place, c: Place) -> float:
    """The tangent of the angle by which the way from a over b to c bends."""
    vx, vy, vz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    ux, uy, uz = c[0] - b[0], c[1] - b[1], c[2] - b[2]
    dot = ux * vx + uy * vy + uz * vz
    if dot <= 0.0:
        return inf
    x, y, z = vy * uz - vz * uy, vz * ux - vx * uz, vx * uy - vy * ux
    return sqrt(x * x + y * y + z * z) / dot


def opposite(places: Sequence[Place], one: Group, other: Group) -> bool:
    """Whether two lines from the same site are one line through it."""
    return bending(places[one[1]], places[one[0]], places[other[1]]) < _OPPOSITE


def paired(places: Sequence[Place], found: Sequence[tuple[str, Group]]) -> list[Radial]:
    """The lines from one site, given with their directions in the order of finding, with the first that is opposite to each."""
    opposites: list[Group | None] = [None] * len(found)
    for k, (direction, line) in enumerate(found):
        for j in range(k):
            if opposites[k] is not None and opposites[j] is not None:
                continue
            earlier, other = found[j]
            if {direction, earlier} in ({"CW", "CCW"}, {"In", "Out"}) or opposite(places, line, other):
                if opposites[k] is None:
                    opposites[k] = other
                if opposites[j] is None:
                    opposites[j] = line
    return [
        Radial(line, () if across is None else (across,)) for (_, line), across in zip(found, opposites, strict=True)
    ]


def distinct(radials: Sequence[Radial]) -> tuple[Radial, ...]:
    """Radials without those that are opposite to an earlier one."""
    chosen: list[Radial] = []
    for radial in radials:
        if not any(radial.sites in earlier.opposites for earlier in chosen):
            chosen.append(radial)
    return tuple(chosen)
