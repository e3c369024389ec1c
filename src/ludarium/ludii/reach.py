"""Where moves of a rule can lead at most, whatever the state: so people need not be told what the ends of a move tell already.

Worked out when a move is first written or read; a game that only plays pays nothing for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.where.directions import named_at
from ludarium.ludii.model import bound

if TYPE_CHECKING:
    from ludarium.ludii.board import SiteType
    from ludarium.ludii.board.topology import Topology
    from ludarium.ludii.code.script import Script
    from ludarium.ludii.ludemes.where.directions import Directions, Heading

Line: TypeAlias = tuple[int, int, Sequence[int]]
"""Where a line comes from, where it begins in the table of lines, and its sites."""

_MOST_SITES = 1000
"""On larger boards it would take too long."""


class Reach:
    """The lines that moves of a rule follow."""

    def __init__(self, lines: Callable[[], Iterable[Line]], *, before: int = 0, over: int = 0) -> None:
        self._lines, self.before, self.over = lines, before, over
        """How many sites may come before the first one that counts, and how many are gone over from there."""

    @cached_property
    def by_origin(self) -> Mapping[int, list[tuple[int, Sequence[int]]]]:
        """The lines from each site."""
        found: dict[int, list[tuple[int, Sequence[int]]]] = defaultdict(list)
        for origin, start, sites in self._lines():
            found[origin].append((start, sites))
        return found

    @cached_property
    def ends(self) -> frozenset[tuple[int, int]]:
        """All pairs of sites that a move may go from and to."""
        lines = self.by_origin.items()
        return frozenset((origin, to) for origin, each in lines for _, sites in each for to in sites[self.over :])

    def firsts(self, from_: int, to: int) -> dict[int, int]:
        """The sites that may be the first on the way from one site to another, by their places in the table."""
        return {
            start + k: sites[k]
            for start, sites in self.by_origin.get(from_, ())
            for k in range(min(self.before + 1, len(sites)))
            if to in sites[k + self.over :]
        }


def steps(script: Script, where: Heading, kind: SiteType) -> Reach | None:
    """Where steps lead."""
    return _made(script, partial(_steps, script.topology, where.lists, kind))


def lines(script: Script, where: Heading, kind: SiteType, *, before: int = 0, over: int = 0) -> Reach | None:
    """Where straight lines lead, in the order of their tables."""
    found = partial(_radials, script.topology, where.lists, kind)
    return _made(script, found, before=before, over=over)


def from_hands(script: Script, value: Value) -> Reach | None:
    """From sites beside the board to any, where a rule moves pieces from nowhere else."""
    given = bound(value).arguments
    origin = given.get("region", given.get("loc"))
    if not isinstance(origin, Bound) or origin.unit not in ("handSite", "sites Hand"):
        return None
    sites = range(script.layout.sites)
    return _made(script, lambda: ((origin, 0, sites) for origin in sites[script.model.board_sites :]))


def by_table(script: Script, starts: str, targets: str) -> Reach | None:
    """Where a table leads from each site."""
    begin, sites = (np.frombuffer(script.scope[name].memory, np.int32) for name in (starts, targets))
    rows = range(script.sizes[starts] - 1)
    return _made(script, lambda: ((site, 0, sites[begin[site] : begin[site + 1]].tolist()) for site in rows))


def _made(script: Script, lines: Callable[[], Iterable[Line]], *, before: int = 0, over: int = 0) -> Reach | None:
    return Reach(lines, before=before, over=over) if script.layout.sites <= _MOST_SITES else None


def _steps(topology: Topology, lists: Sequence[Directions], kind: SiteType) -> Iterable[Line]:
    for directions in lists:
        for site in range(topology.sites(kind).count):
            for name in named_at(directions, site):
                yield site, 0, topology.steps(kind, name)[site]


def _radials(topology: Topology, lists: Sequence[Directions], kind: SiteType) -> Iterable[Line]:
    start = 0
    for directions in lists:
        for site in range(topology.sites(kind).count):
            for name in named_at(directions, site):
                for radial in topology.radials(kind, name)[site]:
                    yield site, start, radial.sites[1:]
                    start += len(radial.sites) - 1
