"""Taking elements out of a graph; what comes behind them closes up.

The functions that take out single elements leave numbers as they were: who calls them numbers anew at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.geometry import Point, contains, inflated
from ludarium.ludii.board.graph import Edge, Face, Graph, Vertex


def remove(given: Arguments) -> Graph:
    """`(remove graph cells:{..} edges:{..} vertices:{..})`, by places or by numbers, or all points inside of a polygon."""
    if given.has("poly"):
        graph = given.graph("graphFn")
        outline = given.polygon("poly")
        for vertex in reversed(list(graph.vertices)):
            if contains(outline, (vertex.x, vertex.y)):
                remove_vertex(graph, vertex)
        graph.renumber()
        return graph
    graph = given.graph("graph")
    orphans = given.flag("trimEdges", default=True)
    for face in _faces(given, graph):
        remove_face(graph, face, orphans=orphans)
    _remove_edges(given, graph)
    for point in given.points("vertices"):
        found = graph.find_vertex(*point)
        if found is not None:
            remove_vertex(graph, found)
    for vertex in _chosen(given.dims("Vertices"), graph.vertices) if given.has("Vertices") else ():
        remove_vertex(graph, vertex)
    graph.renumber()
    return graph


def hole(given: Arguments) -> Graph:
    """`(hole graph polygon)`: cells whose middle is inside go, and lines that have no cell any more."""
    graph = given.graph("graphFn")
    outline = inflated(given.polygon("poly"))
    for face in reversed(list(graph.faces)):
        if contains(outline, (face.x, face.y)):
            remove_face(graph, face, orphans=True)
    graph.renumber()
    return graph


def keep(given: Arguments) -> Graph:
    """`(keep graph polygon)`."""
    return kept(given.graph("graphFn"), given.polygon("poly"))


def clip(given: Arguments) -> Graph:
    """`(clip graph polygon)`."""
    outline = inflated(given.polygon("poly"))
    return copied(given.graph("graphFn"), lambda vertex: not contains(outline, (vertex.x, vertex.y)))


def trim(given: Arguments) -> Graph:
    """`(trim graph)`: lines with a loose end go, then points without a line."""
    graph = given.graph("graph")
    for edge in reversed(list(graph.edges)):
        if len(edge.a.edges) == 1 or len(edge.b.edges) == 1:
            remove_edge(graph, edge)
    pivots = {vertex.pivot for vertex in graph.vertices}
    for vertex in reversed(list(graph.vertices)):
        if not vertex.edges and vertex not in pivots:
            remove_vertex(graph, vertex)
    graph.renumber()
    return graph


def kept(graph: Graph, polygon: Sequence[Point]) -> Graph:
    """What is inside of a polygon."""
    outline = inflated(polygon)
    return copied(graph, lambda vertex: contains(outline, (vertex.x, vertex.y)))


def copied(source: Graph, wanted: Callable[[Vertex], bool], edges: Iterable[Edge] | None = None) -> Graph:
    """The points that are wanted, the lines between them, and the faces they enclose."""
    graph = Graph()
    copies = {vertex: graph.add_vertex(vertex.x, vertex.y, vertex.z) for vertex in source.vertices if wanted(vertex)}
    for edge in source.edges if edges is None else edges:
        if edge.a in copies and edge.b in copies:
            graph.join(copies[edge.a], copies[edge.b])
    make_faces(graph)
    graph.sort_faces()
    graph.basis = source.basis
    return graph


def remove_vertex(graph: Graph, vertex: Vertex) -> None:
    """Take out a point with its lines and faces."""
    for face in list(vertex.faces):
        remove_face(graph, face)
    for edge in list(vertex.edges):
        remove_edge(graph, edge)
    graph.drop_vertex(vertex)


def remove_edge(graph: Graph, edge: Edge) -> None:
    """Take out a line with its faces."""
    for face in [face for face in {*edge.a.faces, *edge.b.faces} if edge in face.sides]:
        remove_face(graph, face)
    for end in {edge.a, edge.b}:
        end.edges.remove(edge)
    graph.edges.remove(edge)


def remove_face(graph: Graph, face: Face, *, orphans: bool = False) -> None:
    """Take out a face, with the lines that have no face any more if these are orphans to go."""
    _unlink(face)
    graph.faces.remove(face)
    if orphans:
        for edge in [edge for edge in face.sides if edge.left is None and edge.right is None]:
            remove_edge(graph, edge)


def _unlink(face: Face) -> None:
    for edge in face.sides:
        if edge.left is face:
            edge.left = None
        if edge.right is face:
            edge.right = None
    for vertex in face.corners:
        vertex.faces = [each for each in vertex.faces if each is not face]


def _faces(given: Arguments, graph: Graph) -> list[Face]:
    if given.has("Cells"):
        return _chosen(given.dims("Cells"), graph.faces)
    found = []
    for points in given.point_lists("cells"):
        corners = {graph.find_vertex(*point) for point in points}
        found += [face for face in graph.faces if set(face.corners) == corners][:1]
    return found


def _remove_edges(given: Arguments, graph: Graph) -> None:
    pairs = [[graph.find_vertex(*point) for point in points] for points in given.point_lists("edges")]
    count = len(graph.vertices)
    pairs += [
        [graph.vertices[number] if 0 <= number < count else None for number in numbers]
        for numbers in given.dim_lists("Edges")
    ]
    for ends in pairs:
        a, b = ends if len(ends) == 2 else (None, None)
        edge = a.edge_to(b) if a and b else None
        if edge is not None:
            remove_edge(graph, edge)


def _chosen(numbers: Iterable[int], elements: Sequence) -> list:  # type: ignore[type-arg]
    """Elements by their numbers, the last first; a number twice means the one that then has moved there."""
    remaining = list(elements)
    return [remaining.pop(number) for number in sorted(numbers, reverse=True) if 0 <= number < len(remaining)]
