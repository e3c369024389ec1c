"""Adding points, lines and faces to a graph."""

from __future__ import annotations

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.geometry import distance
from ludarium.ludii.board.graph import Graph, Vertex


def add(given: Arguments) -> Graph:
    """`(add graph vertices:{..} edges:{..} cells:{..})`, by places or by numbers. A line inside of a cell does not split it."""
    graph = given.graph("graph") if given.has("graph") else Graph()
    graph.basis = ""
    for a, b, *_ in _several(given, "edgesCurved", 4):
        graph.add_edge(graph.vertex_at(*a), graph.vertex_at(*b), curved=True)
    start = len(graph.vertices)
    for point in given.points("vertices"):
        graph.vertex_at(*point)
    added = graph.vertices[start:]
    for a, b in _several(given, "edges", 2):
        graph.join(graph.vertex_at(*a), graph.vertex_at(*b))
    for points in given.point_lists("cells"):
        _add_face(given, graph, [graph.vertex_at(*point) for point in points])
    for numbers in given.dim_lists("Edges"):
        ends = _numbered(given, graph, numbers)
        if len(ends) != 2:
            given.fail(f"an edge has two ends, not {len(ends)}")
        graph.join(ends[0], ends[1])
    for numbers in given.dim_lists("Cells"):
        corners = _numbered(given, graph, numbers)
        if len(corners) >= 3 and not _known(corners):
            graph.add_face(corners)
    if given.flag("connect"):
        _connect(graph, added)
    return graph


def _several(given: Arguments, name: str, count: int) -> list[list[list[float]]]:
    """Lists of so many points."""
    found = given.point_lists(name)
    for points in found:
        if len(points) != count:
            given.fail(f"{count} points are expected for each line in {name}, not {len(points)}")
    return found


def _add_face(given: Arguments, graph: Graph, corners: list[Vertex]) -> None:
    if len(corners) < 3:
        given.fail(f"a cell has at least three corners, not {len(corners)}")
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        graph.join(a, b)
    if not _known(corners):
        graph.add_face(corners)


def _known(corners: list[Vertex]) -> bool:
    """Whether there is a face with the same corners in the same order, either way around."""
    count = len(corners)
    for face in corners[0].faces:
        if len(face.corners) != count:
            continue
        at = list(face.corners).index(corners[0])
        around = [*face.corners[at:], *face.corners[:at]]
        if around == corners or [around[0], *reversed(around[1:])] == corners:
            return True
    return False


def _numbered(given: Arguments, graph: Graph, numbers: list[int]) -> list[Vertex]:
    for number in numbers:
        if not 0 <= number < len(graph.vertices):
            given.fail(f"there is no vertex {number} here", f"they go from 0 to {len(graph.vertices) - 1}")
    return [graph.vertices[number] for number in numbers]


def _connect(graph: Graph, added: list[Vertex]) -> None:
    """Join new points to those nearby."""
    reach = 1.1 * graph.average_length()
    for vertex in added:
        for other in list(graph.vertices):
            if other is not vertex and distance((vertex.x, vertex.y), (other.x, other.y)) < reach:
                graph.join(vertex, other)
