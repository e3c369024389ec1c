"""A hexagon made of quadrilaterals, as three may play chess on it."""

from __future__ import annotations

from math import pi, sqrt

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.geometry import Point, between, turned
from ludarium.ludii.board.graph import Graph


def quadhex(given: Arguments) -> Graph:
    """`(quadhex layers)`, in three parts with `thirds:True`."""
    graph = Graph()
    layers = given.size("layers")
    if given.flag("thirds"):
        if layers < 1:
            given.fail("a board in three parts needs at least one layer")
        _three_parts(graph, layers)
    else:
        _six_parts(graph, layers)
    make_faces(graph, planar=True)
    graph.reorder()
    return graph


def _six_parts(graph: Graph, layers: int) -> None:
    """Six kites around the middle, each from the middle to a corner of the hexagon."""
    half = layers * sqrt(3) / 2
    a, b, c = (0.0, 0.0), (0.0, half), (layers / 2.0, half)
    d = ((c[0] + layers) / 2, c[1] / 2)
    for part in range(6):
        angle = part * pi / 3
        for row in range(layers):
            inner = [turned(angle, between((row + k) / layers, a, d)) for k in (0, 1)]
            outer = [turned(angle, between((row + k) / layers, b, c)) for k in (0, 1)]
            for column in range(layers):
                near, far = column / layers, (column + 1) / layers
                one = graph.vertex_at(*between(near, inner[0], outer[0]))
                two = graph.vertex_at(*between(far, inner[0], outer[0]))
                three = graph.vertex_at(*between(far, inner[1], outer[1]))
                graph.join(one, two)
                graph.join(two, three)
                if row == layers - 1:
                    graph.join(three, graph.vertex_at(*between(near, inner[1], outer[1])))


def _three_parts(graph: Graph, layers: int) -> None:
    """The same part three times, turned, joined in the middle and where they touch."""
    part = _third(layers)
    count = len(part.vertices)
    points = [(vertex.x, vertex.y) for vertex in part.vertices]
    for k in range(3):
        for point in points:
            graph.add_vertex(*point)
        for edge in part.edges:
            graph.add_edge(graph.vertices[edge.a.id + k * count], graph.vertices[edge.b.id + k * count])
        points = [turned(2 * pi / 3, point) for point in points]
    inner = layers * (2 * layers + 3)
    for k in range(3):
        graph.join(graph.vertices[k * count + inner], graph.vertices[(k + 1) % 3 * count + inner])
    for k in range(3):
        a, b = k * count + 4 * layers + 2, (k + 1) % 3 * count + 4 * layers
        graph.join(graph.vertices[a], graph.vertices[b])


def _third(layers: int) -> Graph:
    """Two kites side by side, each the mirror image of the other."""
    part = Graph()
    height = layers * sqrt(3) / 2
    a, c, e = (-layers / 2.0, -height), (float(-layers), 0.0), (0.0, -height)
    ratio = layers / (layers + 0.5)
    f, g = between(ratio, e, (0.0, 0.0)), between(ratio / 2, a, c)
    for row in range(layers):
        outer = [between((row + k) / layers, a, e) for k in (0, 1)]
        inner = [between((row + k) / layers, g, f) for k in (0, 1)]
        for column in range(layers):
            near, far = column / layers, (column + 1) / layers
            quad = [between(share, outer[k], inner[k]) for k in (0, 1) for share in (near, far)]
            _add(part, quad)
            _add(part, [(-x, y) for x, y in quad])
    return part


def _add(part: Graph, quad: list[Point]) -> None:
    one, two, three, four = (part.vertex_at(*point) for point in quad)
    for a, b in ((one, two), (three, four), (one, three), (two, four)):
        part.join(a, b)
