"""Operators that change what a graph is made of: its dual, its crossings, its faces, its numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.geometry import Point, crossing_point
from ludarium.ludii.board.graph import Edge, Graph, TooLarge, Vertex
from ludarium.ludii.board.operators.cutting import remove_edge

Places = NDArray[np.float64]

MAX_CROSSINGS = 1000
_TOUCHING = 0.001


def dual(given: Arguments) -> Graph:
    """`(dual graph)`: a point for each cell, a line for each two that are neighbours."""
    source = given.graph("graph")
    if not source.faces:
        return source
    graph = Graph()
    for face in source.faces:
        graph.add_vertex(face.x, face.y, face.z)
    for edge in source.edges:
        if edge.left is not None and edge.right is not None:
            graph.add_edge(graph.vertices[edge.left.id], graph.vertices[edge.right.id])
    make_faces(graph)
    graph.reorder()
    return graph


def subdivide(given: Arguments) -> Graph:
    """`(subdivide graph min:corners)`: cells get a point in their middle that is joined to the corners."""
    graph = given.graph("graph")
    graph.basis = ""
    if given.use == "Vertex":
        make_faces(graph, planar=True)
    least = given.dim("min", 1)
    for face in reversed(list(graph.faces)):
        if len(face.corners) >= least:
            middle = graph.add_vertex(face.x, face.y, face.z)
            for corner in face.corners:
                graph.join(middle, corner)
    if given.use == "Cell":
        make_faces(graph, planar=True)
    else:
        graph.clear_faces()
    return graph


def complete(given: Arguments) -> Graph:
    """`(complete graph)`: lines between all points, or between all corners of each cell."""
    graph = given.graph("graph")
    graph.basis = ""
    if given.flag("eachCell"):
        for face in graph.faces:
            for k, a in enumerate(face.corners):
                for b in face.corners[k + 1 :]:
                    graph.join(a, b)
    else:
        graph.clear_edges()
        for k, a in enumerate(graph.vertices):
            for b in graph.vertices[k + 1 :]:
                graph.add_edge(a, b)
        make_faces(graph, planar=True)
    return graph


def faces(given: Arguments) -> Graph:
    """`(makeFaces graph)`."""
    graph = given.graph("graph")
    make_faces(graph, planar=True)
    return graph


def renumber(given: Arguments) -> Graph:
    """`(renumber [types] graph)`."""
    graph = given.graph("graph")
    words = [given.word(name) for name in ("siteTypeA", "siteTypeB", "siteTypeC") if given.has(name)]
    graph.reorder([kind for kind in ("Vertex", "Edge", "Cell") if not words or kind in words])
    return graph


def recoordinate(given: Arguments) -> Graph:
    """`(recoordinate [types] graph)`: coordinates are found at the end in any case."""
    return given.graph("graph")


def split(given: Arguments) -> Graph:
    """`(splitCrossings graph)`: a point wherever lines cross, or go through a point."""
    graph = given.graph("graph")
    graph.basis = ""
    _split_crossings(graph)
    _split_touching(graph)
    graph.renumber()
    make_faces(graph, planar=True)
    return graph


def _split_crossings(graph: Graph) -> None:
    """Split the first two lines that cross, again and again."""
    at = splits = 0  # lines before this one cross none behind them
    while at < len(graph.edges):
        one = graph.edges[at]
        found = _first_crossing(graph.edges, one, at + 1)
        if found is None:
            at += 1
            continue
        place, point = found
        splits += 1
        if splits > MAX_CROSSINGS:
            raise TooLarge(f"a board with more than {MAX_CROSSINGS} crossings")
        other = graph.edges[place]
        middle = graph.add_vertex(*point)
        middle.pivot = one.b.pivot or one.a.pivot
        for line in graph.edges[at + 1 : place + 1]:
            middle.pivot = middle.pivot or line.a.pivot or line.b.pivot
        for line in (other, one):
            remove_edge(graph, line)
        new = [graph.join(*ends) for line in (one, other) for ends in ((line.a, middle), (middle, line.b))]
        crossed = [_first_crossing(graph.edges[:at], line, 0) for line in new]
        at = min([at, *(cross[0] for cross in crossed if cross is not None)])


def _first_crossing(edges: Sequence[Edge], edge: Edge, start: int) -> tuple[int, Point] | None:
    """The first line from a place on that crosses a line, and where."""
    ends = np.array([(e.a.x, e.a.y, e.b.x, e.b.y) for e in edges[start:]]).reshape(-1, 4)
    (ax, ay), (bx, by) = (edge.a.x, edge.a.y), (edge.b.x, edge.b.y)
    left, right = ends[:, 0::2].min(axis=1), ends[:, 0::2].max(axis=1)
    low, high = ends[:, 1::2].min(axis=1), ends[:, 1::2].max(axis=1)
    near = (left <= max(ax, bx)) & (right >= min(ax, bx)) & (low <= max(ay, by)) & (high >= min(ay, by))
    for k in np.flatnonzero(near):
        cx, cy, dx, dy = ends[k].tolist()
        point = crossing_point((ax, ay), (bx, by), (cx, cy), (dx, dy))
        if point is not None:
            return start + int(k), point
    return None


def _split_touching(graph: Graph) -> None:
    """Split lines that go through points; where one goes through several, Ludii takes out its successors, too."""
    places = np.array([(v.x, v.y, v.z) for v in graph.vertices]).reshape(-1, 3)
    at = 0  # lines before this one go through no point
    while at < len(graph.edges):
        edge = graph.edges[at]
        through = [vertex for vertex in _touching(graph, places, edge) if vertex not in (edge.a, edge.b)]
        for vertex in through:
            vertex.pivot = edge.b.pivot or edge.a.pivot or vertex.pivot
            remove_edge(graph, graph.edges[at])
            graph.join(edge.a, vertex)
            graph.join(vertex, edge.b)
        if not through:
            at += 1


def _touching(graph: Graph, places: Places, edge: Edge) -> list[Vertex]:
    """The points that are on a line, but not at its end."""
    a, b = np.array([edge.a.x, edge.a.y, edge.a.z]), np.array([edge.b.x, edge.b.y, edge.b.z])
    along = b - a
    square = float(along @ along)
    shares = np.clip((places - a) @ along / square if square else np.zeros(len(places)), 0.0, 1.0)
    off = np.linalg.norm(places - (a + shares[:, None] * along), axis=1)
    ends = np.minimum(np.linalg.norm(places - a, axis=1), np.linalg.norm(places - b, axis=1))
    return [graph.vertices[k] for k in np.flatnonzero((off <= _TOUCHING) & (ends >= _TOUCHING))]
