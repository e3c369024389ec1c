"""Rings of polygons one inside of the other, as for merels, and single polygons and stars."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.generators.circles import circles, polygon, target
from ludarium.ludii.board.graph import Graph

_SIDES = {"Triangle": 3, "Square": 4, "Hexagon": 6}


def concentric(given: Arguments) -> Graph:
    """`(concentric Square rings:3)`, `(concentric {1 6 12})`, `(concentric Target rings:4)` and so on."""
    shape = given.word("shape")
    if given.has("cells"):
        return circles(given, given.dims("cells"), stagger=given.flag("stagger"))
    if not given.has("rings") or not (shape or given.has("sides")):
        given.fail("how many rings?", "write the number of rings, or how many cells each has")
    rings = given.size("rings")
    if shape == "Target":
        return circles(given, [given.dim("steps")] * rings) if given.has("steps") else target(given, rings)
    return _polygons(given, _SIDES[shape] if shape else given.size("sides"), rings)


def _polygons(given: Arguments, sides: int, rings: int) -> Graph:
    if sides < 3:
        given.fail(f"a ring cannot have {sides} sides", "three is the least")
    midpoints = given.flag("midpoints", default=True)
    graph = Graph()
    for ring in range(rings):
        _add_ring(graph, float(1 + ring * (2 if sides == 3 else 1)), sides, midpoints=midpoints)
    join_midpoints = given.flag("joinMidpoints", default=True)
    join_corners = given.flag("joinCorners")
    if (midpoints and join_midpoints) or join_corners:
        per_side = 2 if midpoints else 1
        for here in range(0, (rings - 1) * sides * per_side, per_side):
            for wanted, at in ((join_corners, here), (join_midpoints, here + 1)):
                if wanted and at + sides * per_side < len(graph.vertices):
                    graph.add_edge(graph.vertices[at], graph.vertices[at + sides * per_side])
    graph.reorder()
    if given.use == "Cell":
        make_faces(graph, planar=True)
    return graph


def _add_ring(graph: Graph, radius: float, sides: int, *, midpoints: bool) -> None:
    start = len(graph.vertices)
    arc = 2 * pi / sides
    first = pi / 2 + (arc / 2 if sides % 2 == 0 else 0)
    corners = [(radius * cos(first + arc * k), radius * sin(first + arc * k)) for k in range(sides + 1)]
    for (ax, ay), (bx, by) in pairwise(corners):
        graph.vertex_at(ax, ay)
        if midpoints:
            graph.vertex_at((ax + bx) / 2.0, (ay + by) / 2.0)
    points = graph.vertices[start:]
    for a, b in zip(points, (*points[1:], *points[:1]), strict=True):
        graph.add_edge(a, b)


def regular(given: Arguments) -> Graph:
    """`(regular sides)`, `(regular Star points)`."""
    sides = given.size("numSides")
    graph = polygon(sides, (sides - 1) // 2 if given.word("star") else 1)
    if given.use == "Cell":
        make_faces(graph, planar=True)
    graph.reorder()
    return graph
