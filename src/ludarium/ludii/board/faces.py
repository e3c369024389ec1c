"""Finding the faces of a graph: walks that always turn to the next line, until they are back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludarium.ludii.board.geometry import EPSILON
from ludarium.ludii.board.graph import Edge, Graph, Vertex, single

_MOST_CORNERS = 32
_SAME_LEVEL = 0.0001
_TOUCHING = 0.001


def make_faces(graph: Graph, *, planar: bool = False) -> None:
    """Find all faces anew, in the order in which walks from the points come upon them.

    With `planar` a walk gives up on a line that crosses an earlier one, unless it is the line that closes the walk.
    """
    graph.clear_faces()
    crossing = _Crossings(graph) if planar else None
    known: set[tuple[int, ...]] = set()
    done: set[tuple[int, int]] = set()  # lines walked along in a direction that led around once
    for start in graph.vertices:
        for arrival in start.edges:
            first = _turn(start, arrival, start)
            if first is None or (first.id, start.id) in done:
                continue
            walk = _walk(start, first, crossing)
            if walk is None:
                continue
            corners, lines = walk
            if _turn(start, lines[-1], start) is first:
                done.update((edge.id, corner.id) for corner, edge in zip(corners, lines, strict=True))
            if len(corners) >= 3 and _area(corners) < 0 and (shape := _canonical(corners)) not in known:
                known.add(shape)
                graph.add_face(corners)


def _walk(start: Vertex, first: Edge, crossing: _Crossings | None) -> tuple[list[Vertex], list[Edge]] | None:
    """The corners from a point around to it again, and the lines walked along."""
    corners, lines = [start], [first]
    vertex = start
    while len(corners) <= _MOST_CORNERS:
        vertex = lines[-1].other(vertex)
        if vertex is start:
            return corners, lines
        if vertex in corners:
            return None
        corners.append(vertex)
        if crossing is not None and crossing.earlier(corners[-2], vertex):
            return None
        following = _turn(vertex, lines[-1], start)
        if following is None:
            return None
        lines.append(following)
    return None


def _turn(vertex: Vertex, arrival: Edge, start: Vertex) -> Edge | None:
    """The next line around a point that stays on the level of the walk."""
    edges = vertex.edges
    at = _position(vertex, arrival)
    for k in range(1, len(edges)):
        edge = edges[(at + k) % len(edges)]
        if abs(edge.other(vertex).z - start.z) < _SAME_LEVEL:
            return edge
    return None


def _position(vertex: Vertex, edge: Edge) -> int:
    """Where a line, or the first between the same points, is around a point."""
    other = edge.other(vertex)
    return next(k for k, each in enumerate(vertex.edges) if each.other(vertex) is other)


def _area(corners: Sequence[Vertex]) -> float:
    """The area inside, negative if the corners go clockwise."""
    total = 0.0
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        total += a.x * b.y - b.x * a.y
    return total / 2.0


def _canonical(corners: Sequence[Vertex]) -> tuple[int, ...]:
    """The same for all lists of the same corners around the same area."""
    numbers = [vertex.id for vertex in corners]
    at = numbers.index(min(numbers))
    around = numbers[at:] + numbers[:at]
    return min(tuple(around), (around[0], *reversed(around[1:])))


class _Crossings:
    """Which lines cross one that is before them in the list."""

    def __init__(self, graph: Graph) -> None:
        ends = [(e.a.x, e.a.y, e.b.x, e.b.y) for e in graph.edges]
        self._a, self._b = np.array(ends).reshape(-1, 2, 2).transpose(1, 0, 2)
        self._known: dict[int, bool] = {}

    def earlier(self, a: Vertex, b: Vertex) -> bool:
        """Whether the line between two points does."""
        edge = a.edge_to(b)
        assert edge is not None
        if edge.id not in self._known:
            self._known[edge.id] = self._crosses(edge)
        return self._known[edge.id]

    def _crosses(self, edge: Edge) -> bool:
        c, d = self._a[: edge.id], self._b[: edge.id]
        a, b = np.array([edge.a.x, edge.a.y]), np.array([edge.b.x, edge.b.y])
        touching = np.zeros(edge.id, np.bool_)
        for one in (a, b):
            for other in (c, d):
                touching |= np.sqrt(((other - one) ** 2).sum(axis=1)) < _TOUCHING
        line, lines, away = b - a, d - c, c - a
        determinant = lines[:, 0] * line[1] - lines[:, 1] * line[0]
        parallel = np.abs(determinant) < EPSILON
        inverse = 1.0 / np.where(parallel, 1.0, determinant)
        here = (lines[:, 0] * away[:, 1] - lines[:, 1] * away[:, 0]) * inverse
        there = (line[0] * away[:, 1] - line[1] * away[:, 0]) * inverse
        within = (here >= -EPSILON) & (here <= 1 + EPSILON) & (there >= -EPSILON) & (there <= 1 + EPSILON)
        return bool((within & ~parallel & ~touching).any())


def assemble(points: Sequence[Sequence[float]], pairs: Sequence[tuple[int, int]]) -> Graph:
    """A graph from places, rounded to 32 bits, and pairs of their numbers, with all its faces."""
    graph = Graph()
    for point in points:
        graph.add_vertex(*(single(number) for number in point))
    for a, b in pairs:
        graph.join(graph.vertices[a], graph.vertices[b])
    make_faces(graph)
    graph.sort_faces()
    return graph
