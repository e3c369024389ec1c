"""Several graphs in one."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.graph import Edge, Graph, Vertex
from ludarium.ludii.board.operators.cutting import copied

_TOLERANCE = 0.01


def merge(given: Arguments) -> Graph:
    """`(merge {graphs})`: points in the same place become one, and faces are found anew."""
    vertices: list[Vertex] = []
    edges: list[tuple[Vertex, Vertex, bool]] = []
    for graph in given.graphs():
        copies: list[Vertex] = []
        for vertex in graph.vertices:
            copy = Vertex(vertex.x, vertex.y, vertex.z)
            copy.id = len(vertices) + len(copies)
            copy.pivot = vertex.pivot
            copies.append(copy)
        edges += [(copies[edge.a.id], copies[edge.b.id], edge.curved) for edge in graph.edges]
        vertices += copies
    survivors = _survivors(vertices)
    graph = Graph()
    made = {}
    for vertex in dict.fromkeys(survivors[vertex] for vertex in vertices):
        made[vertex] = graph.add_vertex(vertex.x, vertex.y, vertex.z)
    for vertex, copy in made.items():
        if vertex.pivot is not None:
            copy.pivot = graph.find_vertex(vertex.pivot.x, vertex.pivot.y)
    for a, b, curved in edges:
        graph.join(made[survivors[a]], made[survivors[b]], curved=curved)
    make_faces(graph)
    graph.sort_faces()
    _connect(given, graph)
    return graph


def _survivors(vertices: list[Vertex]) -> dict[Vertex, Vertex]:
    """For each point the first that is in its place.

    A pivot is known by its number in the graph it is from: if the point that has this number now goes, the pivot becomes the
    point that stays. That is wrong, but it is how boards are numbered.
    """
    survivors: dict[Vertex, Vertex] = {}
    index = _Index(vertices)
    remaining = list(vertices) if any(vertex.pivot for vertex in vertices) else []
    for base in vertices:
        if base in survivors:
            continue
        survivors[base] = base
        near = [vertex for vertex in index.near(base) if vertex not in survivors]
        for vertex in sorted(near, key=lambda vertex: -vertex.id):
            survivors[vertex] = base
            if remaining:
                _redirect(remaining, vertex, base)
    return survivors


class _Index:
    """Finds the points that are where a point is, or almost."""

    def __init__(self, vertices: Sequence[Vertex]) -> None:
        self._patches: dict[tuple[int, int], list[Vertex]] = {}
        for vertex in vertices:
            self._patches.setdefault(_patch(vertex.x, vertex.y), []).append(vertex)

    def near(self, vertex: Vertex) -> list[Vertex]:
        """All of them."""
        x, y, z = vertex.x, vertex.y, vertex.z
        shifts = (-_TOLERANCE, _TOLERANCE)
        around = {_patch(x + dx, y + dy) for dx in shifts for dy in shifts}
        found = (other for patch in around for other in self._patches.get(patch, ()))
        return [other for other in found if other.near(x, y, z, _TOLERANCE)]

    def has(self, edge: Edge) -> bool:
        """Whether there is a line between the same places."""
        ends = self.near(edge.b)
        return any(line.other(start) in ends for start in self.near(edge.a) for line in start.edges)


def _redirect(remaining: list[Vertex], gone: Vertex, base: Vertex) -> None:
    for number, vertex in enumerate(remaining):
        vertex.id = number
    for vertex in remaining:
        if vertex.pivot is not None and vertex.pivot.id == gone.id:
            vertex.pivot = base
    remaining.remove(gone)


def _patch(x: float, y: float) -> tuple[int, int]:
    return floor(2.0 * x), floor(2.0 * y)


def union(given: Arguments) -> Graph:
    """`(union {graphs})`: side by side, nothing becomes one."""
    first, *others = given.graphs() or [Graph()]
    for graph in others:
        first.vertices += graph.vertices
        first.edges += graph.edges
        first.faces += graph.faces
    first.basis = ""
    first.renumber()
    _connect(given, first)
    return first


def intersect(given: Arguments) -> Graph:
    """`(intersect {graphs})`: what is in all of them, as it is in the first."""
    graphs = given.graphs()
    if len(graphs) < 2:
        return graphs[0] if graphs else Graph()
    first, *others = graphs
    indices = [_Index(graph.vertices) for graph in others]
    edges = [edge for edge in first.edges if all(index.has(edge) for index in indices)]
    graph = copied(first, lambda vertex: all(index.near(vertex) for index in indices), edges)
    graph.basis = ""
    return graph


def layers(given: Arguments) -> Graph:
    """`(layers count graph)`: the same graph so many times, one above the other, with lines up and down."""
    count = given.size("layers")
    graph = Graph()
    for layer in range(count):
        copy = given.graph("graph")
        copy.move(lambda vertex, layer=layer: (vertex.x, vertex.y, vertex.z + layer))  # type: ignore[misc]
        if layer == 0:
            graph = copy
        else:
            _put_on(graph, copy)
    graph.reorder()
    return graph


def _put_on(graph: Graph, copy: Graph) -> None:
    start = len(graph.vertices)
    for vertex in copy.vertices:
        graph.add_vertex(vertex.x, vertex.y, vertex.z)
    added = graph.vertices[start:]
    for vertex, new in zip(copy.vertices, added, strict=True):
        if vertex.pivot is not None:
            new.pivot = added[vertex.pivot.id]
    for edge in copy.edges:
        graph.add_edge(added[edge.a.id], added[edge.b.id], curved=edge.curved)
    for below, above in zip(graph.vertices[start - len(added) : start], added, strict=True):
        graph.add_edge(below, above)
    for face in copy.faces:
        graph.add_face([added[vertex.id] for vertex in face.corners])


def _connect(given: Arguments, graph: Graph) -> None:
    if given.flag("connect"):
        graph.connect()
        make_faces(graph, planar=True)
