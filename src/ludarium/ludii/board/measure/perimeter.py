"""The outline of a graph: around each part that hangs together, clockwise from its leftmost point."""

from __future__ import annotations

from typing import TypeAlias

from ludarium.ludii.board.angle import angle
from ludarium.ludii.board.geometry import Point, contains
from ludarium.ludii.board.graph import Edge, Face, Graph, Vertex

Outline: TypeAlias = list[Vertex]


def perimeters(graph: Graph) -> list[Outline]:
    """All outlines but those that begin inside of another."""
    covered: set[Vertex] = set()
    outlines: list[Outline] = []
    for start in sorted(graph.vertices, key=lambda vertex: vertex.x):
        if start in covered:
            continue
        outline = _around(start, len(graph.edges))
        outlines.append(outline)
        covered.update(outline)
        if len(outline) > 2:
            polygon = _places(outline)
            covered.update(v for v in graph.vertices if v not in covered and contains(polygon, (v.x, v.y)))
    polygons = {k: _places(outline) for k, outline in enumerate(outlines) if len(outline) > 2}
    for k in reversed(range(len(outlines))):
        start = outlines[k][0]
        if any(contains(polygon, (start.x, start.y)) for other, polygon in polygons.items() if other != k):
            del outlines[k]
            polygons.pop(k, None)
    return outlines


def _places(outline: Outline) -> list[Point]:
    return [(vertex.x, vertex.y) for vertex in outline]


def _around(start: Vertex, lines: int) -> Outline:
    """Walk around, at each point taking the next line after the one that one came by."""
    if not start.edges:
        return [start]
    edge = min(start.edges, key=lambda edge: angle(edge.other(start).x - start.x, -(edge.other(start).y - start.y)))
    outline: Outline = []
    vertex = start
    while len(outline) <= 2 * lines:
        outline.append(vertex)
        before = vertex
        vertex = edge.other(vertex)
        edge = _next(vertex, edge, before)
        if vertex is start:
            break
    return outline


def _next(vertex: Vertex, arrival: Edge, before: Vertex) -> Edge:
    """The next line around a point that does not lead straight back, if there is one."""
    edges = vertex.edges
    at = next(k for k, each in enumerate(edges) if each.other(vertex) is before)
    edge = arrival
    for k in range(1, len(edges)):
        edge = edges[(at + k) % len(edges)]
        if edge.other(vertex) is not before:
            break
    return edge


class Border:
    """Which elements make up the outline, and which touch it."""

    def __init__(self, graph: Graph, outlines: list[Outline]) -> None:
        self.vertices: set[Vertex] = set()
        self.edges: set[Edge] = set()
        self.faces: set[Face] = set()
        for outline in outlines:
            for a, b in zip(outline, (*outline[1:], outline[0]), strict=True):
                self.vertices.add(a)
                edge = a.edge_to(b)
                if edge is not None:
                    self.edges.add(edge)
                    face = edge.left or edge.right
                    if face is not None:
                        self.faces.add(face)
        self.faces.update(face for face in graph.faces if not self.vertices.isdisjoint(face.corners))
        self.edges.update(
            edge
            for edge in graph.edges
            if edge.a in self.vertices and edge.b in self.vertices and (edge.left is None or edge.right is None)
        )
