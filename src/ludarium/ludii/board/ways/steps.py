"""Single steps: from a site to the sites of every type that are next to it, and by which relation.

Orthogonal are those across a side or along a line, diagonal those across a corner or a cell, off-diagonal what else touches at
a corner. The order in which steps are found decides which comes first where several lead in the same direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ludarium.ludii.board.angle import angle
from ludarium.ludii.board.geometry import distance, distance_to_line
from ludarium.ludii.board.graph import Edge, Face, Graph, Vertex
from ludarium.ludii.board.topology import SiteType

Site: TypeAlias = Vertex | Edge | Face

NEXT = ("All", "Adjacent", "Orthogonal")
CORNER = ("All", "Adjacent", "Diagonal")
BESIDE = ("All", "Adjacent", "OffDiagonal")
ACROSS = ("All", "Diagonal")
_ALONG = (
    0.1  # how far, in parts of its length, the line that joins two hexagons may be off the way between their centres
)


class Step:
    """From one site to another."""

    __slots__ = ("angle", "names", "relations", "target")

    def __init__(self, site: Site, target: Site, relations: Sequence[str]) -> None:
        self.target = target
        self.angle = angle(target.y - site.y, target.x - site.x)
        self.relations = relations
        """Under which it is listed."""

        self.names: tuple[str, ...] = tuple(relations)
        """All that it may be called, more than it is listed under if it was found a second time."""


def steps(graph: Graph, kind: SiteType) -> list[list[Step]]:
    """Per site of a type its steps; what is reached in two ways is listed as it was reached first."""
    if kind == "Vertex":
        return [_unique(vertex, _from_vertex(vertex)) for vertex in graph.vertices]
    if kind == "Edge":
        return [_unique(edge, _from_edge(edge)) for edge in graph.edges]
    return [_unique(face, _from_face(face)) for face in graph.faces]


def _unique(site: Site, found: Iterator[tuple[Site, Sequence[str]]]) -> list[Step]:
    known: dict[Site, Step] = {}
    for target, relations in found:
        if target in known:
            known[target].names += tuple(relations)
        else:
            known[target] = Step(site, target, relations)
    return list(known.values())


def _from_vertex(vertex: Vertex) -> Iterator[tuple[Site, Sequence[str]]]:
    for edge in vertex.edges:
        yield edge.other(vertex), NEXT
    for face in vertex.faces:
        if len(face.corners) > 3:
            yield _facing(vertex, face), ACROSS
    for edge in vertex.edges:
        yield edge, NEXT
    for face in vertex.faces:
        yield face, NEXT


def _facing(vertex: Vertex, face: Face) -> Vertex:
    """The corner on the other side of a face."""
    here, centre = (vertex.x, vertex.y), (face.x, face.y)
    others = [corner for corner in face.corners if corner is not vertex]
    return min(others, key=lambda to: distance_to_line(centre, here, (to.x, to.y)))


def _from_edge(edge: Edge) -> Iterator[tuple[Site, Sequence[str]]]:
    for end in (edge.a, edge.b):
        for other in end.edges:
            if other is not edge:
                yield other, NEXT
    yield edge.a, NEXT
    yield edge.b, NEXT
    for face in (edge.left, edge.right, *edge.a.faces, *edge.b.faces):
        if face is not None:
            yield face, NEXT


def _from_face(face: Face) -> Iterator[tuple[Site, Sequence[str]]]:
    used = {face}
    for other in filter(None, (edge.across(face) for edge in face.sides)):
        used.add(other)
        yield other, NEXT
    for corner in face.corners:
        yield from _through(face, corner, used)
    for corner in face.corners:
        for other in corner.faces:
            if other not in used:
                used.add(other)
                yield other, BESIDE
    for corner in face.corners:
        if len(corner.edges) == 3:
            yield from _beyond(face, corner, used)
    yield from ((corner, NEXT) for corner in face.corners)
    yield from ((edge, NEXT) for edge in face.sides)


def _through(face: Face, corner: Vertex, used: set[Face]) -> Iterator[tuple[Site, Sequence[str]]]:
    """The face that one comes to when going straight on through a corner."""
    here, at = (face.x, face.y), (corner.x, corner.y)
    others = [other for other in corner.faces if other not in used]
    if others:
        nearest = min(others, key=lambda other: distance_to_line(at, here, (other.x, other.y)))
        used.add(nearest)
        yield nearest, CORNER


def _beyond(face: Face, corner: Vertex, used: set[Face]) -> Iterator[tuple[Site, Sequence[str]]]:
    """The faces at the far end of the line that leads away from a corner, if that line points to them."""
    here = (face.x, face.y)
    away = next((edge.other(corner) for edge in corner.edges if edge not in face.sides), None)
    if away is None:
        return
    for other in away.faces:
        if other in used:
            continue
        there = (other.x, other.y)
        off = distance_to_line((corner.x, corner.y), here, there) + distance_to_line((away.x, away.y), here, there)
        apart = distance(here, there)
        if (off / apart if apart else off) <= _ALONG:
            used.add(other)
            yield other, ACROSS
