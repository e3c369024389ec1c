"""Boards like a Celtic knot: diamonds, and loops around their outer corners."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt

from ludarium.ludii.board.angle import angle
from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.generators.lattice import Lattice, parallelogram, walked
from ludarium.ludii.board.graph import Graph, Vertex
from ludarium.ludii.board.measure.perimeter import perimeters

_U = 1.0 / sqrt(2)
_STEPS = ((2 * _U, 0.0), (0.0, 2 * _U), (-2 * _U, 0.0), (0.0, -2 * _U))
_DIAMONDS = Lattice(
    lambda row, column: (column * (2 * _U), row * (2 * _U)), ((_U, 0.0), (0.0, _U), (-_U, 0.0), (0.0, -_U))
)
_MARGIN = 1
_SHARP = 0.25 * pi
_STRAIGHT = 0.1 * pi


def celtic(given: Arguments) -> Graph:
    """`(celtic rows columns)`, `(celtic (poly ..))`."""
    if given.has("poly") or given.has("sides"):
        outline = given.polygon("poly") if given.has("poly") else walked(given.sides(), _STEPS)
        cells = _DIAMONDS.inside(outline, _MARGIN)
    else:
        rows = given.size("rows")
        cells = parallelogram(rows, given.size("columns", rows))
    graph = Graph()
    for row, column in cells:
        x, y = _DIAMONDS.centre(row, column)
        for dx, dy in _DIAMONDS.corners:
            graph.vertex_at(x + dx, y + dy)
    graph.join_nearby(1.0, 0.05)
    make_faces(graph, planar=True)
    if graph.vertices:
        outer = perimeters(graph)[0]
        for k in _loops(outer):
            _add_loop(graph, *(outer[(k + step) % len(outer)] for step in (-1, 0, 1, 2)))
    graph.reorder()
    return graph


def _loops(outer: Sequence[Vertex]) -> list[int]:
    """The places of the outline where loops begin: at corners, and at every other point of a straight run."""
    found = []
    run = 0
    for k, vertex in enumerate(outer):
        bend = _bend(outer[k - 1], vertex, outer[(k + 1) % len(outer)])
        if bend > _SHARP:
            found.append(k)
            run = 0
        elif abs(bend) < _STRAIGHT:
            run += 1
            if run % 2 == 0:
                found.append(k)
    return found


def _add_loop(graph: Graph, b: Vertex, c: Vertex, d: Vertex, e: Vertex) -> None:
    """Join c with e across a notch, or with d by way of a new point outside."""
    if _bend(c, d, e) < -_SHARP:
        graph.add_edge(c, e, curved=True)
        graph.add_face([d, c, e])
        return
    dx, dy = c.x - b.x, c.y - b.y
    if abs(_bend(b, c, d)) < _STRAIGHT:
        dx, dy = d.y - c.y, -(d.x - c.x)
    outside = graph.add_vertex((c.x + d.x) / 2 + 0.9 * dx, (c.y + d.y) / 2 + 0.9 * dy)
    graph.add_edge(c, outside, curved=True)
    graph.add_edge(outside, d, curved=True)
    graph.add_face([c, outside, d])


def _bend(a: Vertex, b: Vertex, c: Vertex) -> float:
    """By what angle the way from a to c turns at b."""
    vx, vy = b.x - a.x, b.y - a.y
    ux, uy = c.x - b.x, c.y - b.y
    return angle(ux * -vy + uy * vx, ux * vx + uy * vy)
