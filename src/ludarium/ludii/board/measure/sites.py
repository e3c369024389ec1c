"""All that was measured, put together for each type of sites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ludarium.ludii.board.graph import Edge, Face, Graph, Vertex
from ludarium.ludii.board.measure.coordinates import Coordinates, Places, coordinates, straighten
from ludarium.ludii.board.measure.corners import Corners, sector, sides
from ludarium.ludii.board.measure.perimeter import Border, perimeters
from ludarium.ludii.board.measure.phases import neighbours, phases
from ludarium.ludii.board.topology import TYPES, Group, Sites, SiteType

Elements: TypeAlias = Sequence[Vertex] | Sequence[Edge] | Sequence[Face]

COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
"""The names of directions, clockwise."""

_EXTREME = 0.01
_CENTRAL = 0.0001
_SMALL = 100  # on boards of fewer sites the whole outline says where the centre is, on others its corners
_FAR = 1_000_000.0
_ORIENTATIONS = ("Horizontal", "Slash", "Vertical", "Slosh")


def measure(graph: Graph, *, boardless: bool = False, solid: bool = False) -> dict[SiteType, Sites]:
    """What is known of the sites of each type; `solid` if the game is played in three dimensions."""
    outlines = perimeters(graph)
    border = Border(graph, outlines)
    corners = Corners(graph, outlines, border)
    groups = _Groups(graph, border, corners)
    on_sides = sides(graph, outlines, corners)
    around = neighbours(graph)
    found: dict[SiteType, Sites] = {}
    angles: tuple[float, float] | None = None
    every: tuple[Elements, ...] = (graph.vertices, graph.edges, graph.faces)
    for kind, elements in zip(TYPES, every, strict=True):
        places = np.array([(e.x, e.y, e.z) for e in elements]).reshape(-1, 3)
        where = coordinates(places, angles if kind == "Edge" else None)
        angles = where.row_angle, where.column_angle
        repeated = len(set(where.labels)) < len(where.labels)
        if repeated or solid:
            straighten(where, places, labels=repeated and not boardless, layers=repeated and not boardless)
        if kind == "Edge":
            where.labels = [str(number) for number in range(len(elements))]
        found[kind] = Sites(
            type=kind,
            x=places[:, 0].copy(),
            y=places[:, 1].copy(),
            z=places[:, 2].copy(),
            rows=np.array(where.rows, np.int32),
            columns=np.array(where.columns, np.int32),
            layers=np.array(where.layers, np.int32),
            labels=tuple(where.labels),
            groups=groups.of(elements, places),
            sides={name: _numbers(elements, on_sides.get(name, ())) for name in COMPASS},
            phases=tuple(map(tuple, phases(around[kind]))),
            **_lists(where, layers=not boardless),
        )
    return found


class _Groups:
    """The groups of sites that have a name."""

    def __init__(self, graph: Graph, border: Border, corners: Corners) -> None:
        self._border: set[Vertex | Edge | Face] = {*border.vertices, *border.edges, *border.faces}
        self._corners = corners
        self._largest = max((len(face.corners) for face in graph.faces), default=0)

    def of(self, elements: Elements, places: Places) -> dict[str, Group]:
        on = _numbers(elements, self._border)
        at_corners = {*self._corners.convex, *self._corners.concave}
        groups = {
            "Corners": _numbers(elements, at_corners),
            "ConvexCorners": _numbers(elements, self._corners.convex),
            "ConcaveCorners": _numbers(elements, self._corners.concave),
            "Outer": on,
            "Perimeter": on,
            "Inner": tuple(e.id for e in elements if e not in self._border),
            **_extremes(places),
            **self._sizes(elements),
            **_orientations(elements),
        }
        groups["Centre"] = _centre(places, on, groups["Corners"])
        return groups

    def _sizes(self, elements: Elements) -> dict[str, Group]:
        """Cells with the most corners, and the others."""
        faces = [face for face in elements if isinstance(face, Face)]
        major = tuple(face.id for face in faces if len(face.corners) == self._largest)
        return {"Major": major, "Minor": tuple(face.id for face in faces if len(face.corners) < self._largest)}


def _extremes(places: Places) -> dict[str, Group]:
    if not len(places):
        return dict.fromkeys(("Left", "Bottom", "Right", "Top"), ())
    x, y = places[:, 0], places[:, 1]
    gaps = {"Left": x - x.min(), "Bottom": y - y.min(), "Right": x.max() - x, "Top": y.max() - y}
    return {name: tuple(np.flatnonzero(gap < _EXTREME).tolist()) for name, gap in gaps.items()}


def _centre(places: Places, on: Group, corners: Group) -> Group:
    """The sites for which the sum of squares of distances to the outline, and to the corners, is least."""
    if not len(places):
        return ()
    total = np.zeros(len(places))
    for site in (*(on if len(places) < _SMALL else ()), *corners):
        dx, dy = places[:, 0] - places[site, 0], places[:, 1] - places[site, 1]
        total += dx * dx + dy * dy
    return tuple(np.flatnonzero(np.abs(total - min(total.min(), _FAR)) < _CENTRAL).tolist())


def _orientations(elements: Elements) -> dict[str, Group]:
    """Which lines are level, upright, or lean to either side."""
    found: dict[str, list[int]] = {name: [] for name in (*_ORIENTATIONS, "Axial", "Angled")}
    for edge in elements:
        if isinstance(edge, Edge):
            half = sector(edge.b.x - edge.a.x, edge.b.y - edge.a.y) % 8
            name = _ORIENTATIONS[0 if half == 0 else 1 if half < 4 else 2 if half == 4 else 3]
            found[name].append(edge.id)
            found["Axial" if half in (0, 4) else "Angled"].append(edge.id)
    return {name: tuple(numbers) for name, numbers in found.items()}


def _numbers(elements: Elements, wanted: Iterable[object]) -> Group:
    kind = type(elements[0]) if elements else None
    return tuple(sorted(each.id for each in wanted if kind is not None and isinstance(each, kind)))


def _lists(where: Coordinates, *, layers: bool) -> Mapping[str, tuple[Group, ...]]:
    """The sites of each row, column and layer."""
    return {
        "row_sites": _by_value(where.rows),
        "column_sites": _by_value(where.columns),
        "layer_sites": _by_value(where.layers) if layers else (),
    }


def _by_value(values: Sequence[int]) -> tuple[Group, ...]:
    found: list[list[int]] = [[] for _ in range(max(values, default=-1) + 1)]
    for site, value in enumerate(values):
        found[value].append(site)
    return tuple(map(tuple, found))
