"""The table of ways: worked out for one type of sites and one direction when somebody asks, and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import pi

import numpy as np
from numpy.typing import NDArray

from ludarium.core.problems import Place, Problem, RulesError
from ludarium.ludii.board.angle import angle
from ludarium.ludii.board.graph import Edge, Face, Graph, TooLarge, Vertex
from ludarium.ludii.board.measure.sites import COMPASS
from ludarium.ludii.board.topology import Group, Radial, SiteType
from ludarium.ludii.board.ways.directions import DIRECTIONS, DOWN, ROUND, SPECIFIC, UP, name_steps
from ludarium.ludii.board.ways.radials import distinct, lines, paired
from ludarium.ludii.board.ways.steps import Site, Step, steps

_KINDS: dict[SiteType, type] = {"Vertex": Vertex, "Edge": Edge, "Cell": Face}
_SPECIFIC = tuple(name for name in DIRECTIONS if name in SPECIFIC)
_SPATIAL = (*DOWN, *UP)
_ORDER = {name: k for names in (COMPASS, ("Out", "CW", "In", "CCW"), _SPATIAL) for k, name in enumerate(names)}
"""Where directions come among their kind; those of several kinds are sorted together."""

_CALLED = {"DNW": "DSW"}
"""Ludii calls a direction by the name of another one where it asks which there are."""

_LITTLE = 0.0001


class Table:
    """Steps, radials and distances on one board, which is written at a place."""

    def __init__(self, graph: Graph, place: Place) -> None:
        self._graph = graph
        self._place = place
        self.steps = cache(self._steps)
        self.radials = cache(self._radials)
        self.distinct = cache(self._distinct)
        self.supported = cache(self._supported)
        self.supported_at = cache(self._supported_at)
        self.distances = cache(self._distances)
        self._named = cache(self._name)
        self._lines = cache(self._find_lines)
        self._specific = cache(self._pair_specific)

    def _elements(self, kind: SiteType) -> Sequence[Site]:
        found: dict[SiteType, Sequence[Site]] = {
            "Vertex": self._graph.vertices,
            "Edge": self._graph.edges,
            "Cell": self._graph.faces,
        }
        return found[kind]

    def _name(self, kind: SiteType) -> list[dict[str, list[Step]]]:
        """Per site the steps in each direction, clockwise."""
        table = name_steps(self._graph, self._elements(kind), steps(self._graph, kind))
        for by_name in table:
            for each in by_name.values():
                each.sort(key=lambda step: _clockwise(step.angle))
        return table

    def _steps(self, origin: SiteType, target: SiteType, direction: str) -> tuple[Group, ...]:
        kind = _KINDS[target]
        return tuple(
            tuple(dict.fromkeys(step.target.id for step in by_name.get(direction, ()) if isinstance(step.target, kind)))
            for by_name in self._named(origin)
        )

    def _places(self, kind: SiteType) -> list[tuple[float, float, float]]:
        return [(site.x, site.y, site.z) for site in self._elements(kind)]

    def _find_lines(self, kind: SiteType, direction: str) -> list[list[Group]]:
        try:
            found = lines(self._places(kind), self.steps(kind, kind, direction), direction)
        except TooLarge as error:
            raise RulesError([Problem(self._place, f"this board has {error}")]) from None
        if direction == "Rotational":
            for name in ("In", "Out", "CW", "CCW"):
                for here, more in zip(found, self._lines(kind, name), strict=True):
                    here.extend(more)
            found = [_without_prefixes(here) for here in found]
        return found

    def _pair_specific(self, kind: SiteType) -> list[dict[str, list[Radial]]]:
        """Per site the radials of all specific directions, each with its opposite whatever that is called."""
        places = self._places(kind)
        present = {name for by_name in self._named(kind) for name in by_name}
        names = [name for name in _SPECIFIC if name in present]
        table = []
        for site in range(len(places)):
            found = [(name, line) for name in names for line in self._lines(kind, name)[site]]
            by_name: dict[str, list[Radial]] = {}
            for (name, _), radial in zip(found, paired(places, found), strict=True):
                by_name.setdefault(name, []).append(radial)
            table.append(by_name)
        return table

    def _unsorted(self, kind: SiteType, direction: str) -> list[list[Radial]]:
        if direction in SPECIFIC:
            return [by_name.get(direction, []) for by_name in self._specific(kind)]
        places = self._places(kind)
        if direction == "Rotational":
            return [self._round(kind, site, here) for site, here in enumerate(self._lines(kind, direction))]
        return [paired(places, [(direction, line) for line in here]) for here in self._lines(kind, direction)]

    def _round(self, kind: SiteType, site: int, here: list[Group]) -> list[Radial]:
        """Lines around the middle, with the opposites they have as lines in, out, or around."""
        known = {radial.sites: radial for name in ROUND for radial in self._specific(kind)[site].get(name, [])}
        return [known.get(line, Radial(line)) for line in here]

    def _radials(self, kind: SiteType, direction: str) -> tuple[tuple[Radial, ...], ...]:
        elements = self._elements(kind)
        return tuple(tuple(_sorted(elements, here)) for here in self._unsorted(kind, direction))

    def _distinct(self, kind: SiteType, direction: str) -> tuple[tuple[Radial, ...], ...]:
        elements = self._elements(kind)
        return tuple(tuple(_sorted(elements, distinct(here))) for here in self._unsorted(kind, direction))

    def _supported_at(self, kind: SiteType, relation: str) -> tuple[tuple[str, ...], ...]:
        same = _KINDS[kind]
        found = []
        for by_name in self._named(kind):
            names: dict[str, None] = {}
            for step in by_name.get(relation, ()):
                if isinstance(step.target, same):
                    names.update(dict.fromkeys(name for name in _SPECIFIC if name in step.names))
            found.append(tuple(names))
        return tuple(found)

    def _supported(self, kind: SiteType, relation: str) -> tuple[str, ...]:
        names = dict.fromkeys(name for here in self.supported_at(kind, relation) for name in here)
        return tuple(_CALLED.get(name, name) for name in sorted(names, key=_ORDER.__getitem__))

    def _distances(self, kind: SiteType, relation: str) -> NDArray[np.int32]:
        targets = self.steps(kind, kind, relation)
        count = len(targets)
        table = np.zeros((count, count), np.int32)
        for start in range(count):
            reached, front, away = {start}, [start], 0
            while front:
                away += 1
                front = list(dict.fromkeys(to for site in front for to in targets[site] if to not in reached))
                reached.update(front)
                table[start, front] = away
        return table


def _clockwise(counter_clockwise: float) -> float:
    """Where a direction comes, clockwise from the north."""
    turned = pi / 2 - counter_clockwise + _LITTLE
    return turned + 2 * pi if turned < 0 else turned


def _sorted(elements: Sequence[Site], radials: Sequence[Radial]) -> list[Radial]:
    def key(radial: Radial) -> float:
        a, b = elements[radial.sites[0]], elements[radial.sites[1]]
        return _clockwise(angle(b.y - a.y, b.x - a.x))

    return sorted(radials, key=key)


def _without_prefixes(found: list[Group]) -> list[Group]:
    """Lines that are not the beginning of another, of equal ones the first."""
    kept = list(found)
    for k in range(len(kept) - 1, -1, -1):
        line = kept[k]
        if any(j != k and other[: len(line)] == line for j, other in enumerate(kept)):
            del kept[k]
    return kept
