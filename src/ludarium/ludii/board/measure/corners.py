"""Corners of outlines, and the sides between them."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

from ludarium.ludii.board.angle import angle
from ludarium.ludii.board.geometry import Point, distance_to_line, is_clockwise
from ludarium.ludii.board.graph import Edge, Face, Graph, Vertex
from ludarium.ludii.board.measure.perimeter import Border, Outline

_FEW = 6  # an outline of fewer points has a corner at each
_REACH = 3  # how many neighbours on either side say how sharp a corner is
_CONVEX = 0.32
_CONCAVE = -0.25
_TOLERANCE = 0.001
_SIMILAR = 0.95
_SECTORS = 16


class Corners:
    """Convex and concave corners among points, lines and faces."""

    def __init__(self, graph: Graph, outlines: Sequence[Outline], border: Border) -> None:
        self.convex: set[Vertex | Edge | Face] = set()
        self.concave: set[Vertex | Edge | Face] = set()
        for outline in outlines:
            self._find(outline)
        for vertex in graph.vertices:
            if vertex in self:
                self._spread(vertex, border)

    def __contains__(self, element: Vertex | Edge | Face) -> bool:
        return element in self.convex or element in self.concave

    def _find(self, outline: Outline) -> None:
        """The sharp points of an outline."""
        count = len(outline)
        if count < _FEW:
            self.convex.update(outline)
            return
        scores = _scores([(vertex.x, vertex.y) for vertex in outline])
        around = [(scores[k - 1], scores[k], scores[(k + 1) % count]) for k in range(count)]
        keep = [
            here >= _CONVEX and here >= before - _TOLERANCE and here >= after - _TOLERANCE
            for before, here, after in around
        ]
        for k in range(count):
            if keep[k]:
                for neighbour in ((k - 1) % count, (k + 1) % count):
                    if scores[neighbour] >= _SIMILAR * scores[k]:
                        keep[neighbour] = True
        self.convex.update(vertex for vertex, kept in zip(outline, keep, strict=True) if kept)
        self.concave.update(
            outline[k]
            for k, (before, here, after) in enumerate(around)
            if here <= _CONCAVE and here <= before + _TOLERANCE and here <= after + _TOLERANCE
        )

    def _spread(self, vertex: Vertex, border: Border) -> None:
        """Lines and faces at a corner are corners: those that it shares with another one, or else those on the outline."""
        hollow = vertex in self.concave
        group = self.concave if hollow else self.convex
        shared = [edge for edge in vertex.edges if edge.other(vertex) in self]
        for edge in shared:
            group.add(edge)
            face = edge.left or edge.right
            if face is not None:
                group.add(face)
        if shared:
            return
        for edge in vertex.edges:
            if edge not in border.edges:
                continue
            group.add(edge)
            if hollow:
                group.update(face for face in vertex.faces if sum(v in border.vertices for v in face.corners) == 1)
            elif (face := edge.left or edge.right) is not None:
                group.add(face)


def _scores(points: Sequence[Point]) -> list[float]:
    """How sharp each point of an outline is, negative where it bends inwards."""
    count = len(points)
    raw = []
    for k, point in enumerate(points):
        total = 0.0
        for reach in range(1, _REACH + 1):
            before, after = points[(k - reach) % count], points[(k + reach) % count]
            away = distance_to_line(point, before, after)
            total += (-away if is_clockwise(before, point, after) else away) / reach
        raw.append(total)
    return [(4 * raw[k] + raw[(k + 1) % count] + raw[k - 1]) / 6 for k in range(count)]


def sides(graph: Graph, outlines: Sequence[Outline], corners: Corners) -> dict[str, set[Vertex | Edge | Face]]:
    """The elements on each side of the board: from corner to corner, called by where it is seen from the middle."""
    found: dict[str, set[Vertex | Edge | Face]] = {}
    if not graph.vertices:
        return found
    middle_x = sum(vertex.x for vertex in graph.vertices) / len(graph.vertices)
    middle_y = sum(vertex.y for vertex in graph.vertices) / len(graph.vertices)
    for outline in outlines:
        places = [k for k, vertex in enumerate(outline) if vertex in corners]
        for start, end in zip(places, [*places[1:], *(k + len(outline) for k in places[:1])], strict=True):
            run = [outline[k % len(outline)] for k in range(start, end + 1)]
            x = sum(vertex.x for vertex in run) / len(run)
            y = sum(vertex.y for vertex in run) / len(run)
            found.setdefault(_side(x - middle_x, y - middle_y), set()).update(run)
    for group in found.values():
        for vertex in list(group):
            assert isinstance(vertex, Vertex)
            group.update(vertex.edges)
            group.update(vertex.faces)
    return found


def sector(dx: float, dy: float, count: int = _SECTORS) -> int:
    """In which of so many sectors a direction is, counted counter-clockwise from the east."""
    around = angle(dy, dx)
    if around < 0:
        around += 2 * pi
    arc = 2 * pi / count
    return int((around + arc / 2) / arc) % count


def _side(dx: float, dy: float) -> str:
    quarter, rest = divmod(sector(dx, dy), _SECTORS // 4)
    return ("NE", "NW", "SW", "SE")[quarter] if rest else ("E", "N", "W", "S")[quarter]
