"""The graph a board is made from: points, lines between them, and the faces that the lines enclose.

The place of an element in its list is its number, and the order in which elements are added is what rules see in the end as
numbers of sites. So everything here keeps an order on purpose: lists are never sets, and sorting is stable.
"""

from __future__ import annotations

from bisect import insort_right
from collections.abc import Callable, Iterable, Sequence
from math import floor, sqrt

import numpy as np

from ludarium.ludii.board.angle import angle

MAX_VERTICES = 5_000
MAX_EDGES = 10_000
_TOLERANCE = 0.001  # vertices that are nearer than this are the same
_PATCH = 0.05  # the size of the squares by which vertices are found


class TooLarge(Exception):
    """A graph that outgrows what a board may be."""


def within_limit(vertices: int) -> None:
    """Refuse so many points before they are made."""
    if vertices > MAX_VERTICES:
        raise TooLarge(f"a board of more than {MAX_VERTICES} points")


class Vertex:
    """A point, with the lines and faces that meet there."""

    __slots__ = ("edges", "faces", "id", "moved", "pivot", "x", "y", "z")

    def __init__(self, x: float, y: float, z: float = 0.0) -> None:
        self.id = -1
        self.x = x
        self.y = y
        self.z = z
        self.edges: list[Edge] = []
        """By their angle, counter-clockwise, from just behind the west."""

        self.faces: list[Face] = []
        self.moved = False
        """Whether lines may be out of order, since points were moved."""

        self.pivot: Vertex | None = None
        """The centre it turns around on a round board."""

    def near(self, x: float, y: float, z: float, tolerance: float) -> bool:
        """Whether it is at a place, or almost."""
        return abs(x - self.x) + abs(y - self.y) + abs(z - self.z) < tolerance

    def edge_to(self, other: Vertex) -> Edge | None:
        """The first line to another point."""
        for edge in self.edges:
            if (edge.a is self and edge.b is other) or (edge.b is self and edge.a is other):
                return edge
        return None

    def add_edge(self, edge: Edge) -> None:
        """Put a line where its angle belongs; only then are lines put in order again that had been moved."""
        if self.moved:
            self.edges.append(edge)
            self.edges.sort(key=self._angle)
            self.moved = False
        else:
            insort_right(self.edges, edge, key=self._angle)

    def _angle(self, edge: Edge) -> float:
        other = edge.b if edge.a is self else edge.a
        return angle(other.y - self.y, other.x - self.x)


class Edge:
    """A line between two points, with the faces on either side."""

    __slots__ = ("a", "b", "curved", "id", "left", "right", "x", "y", "z")

    def __init__(self, a: Vertex, b: Vertex, *, curved: bool = False) -> None:
        self.id = -1
        self.a = a
        self.b = b
        self.curved = curved
        self.left: Face | None = None
        self.right: Face | None = None
        self.settle()

    def settle(self) -> None:
        """Take the place in the middle of the ends."""
        self.x = (self.a.x + self.b.x) * 0.5
        self.y = (self.a.y + self.b.y) * 0.5
        self.z = (self.a.z + self.b.z) * 0.5

    def other(self, vertex: Vertex) -> Vertex:
        """The other end."""
        return self.b if self.a is vertex else self.a

    def across(self, face: Face) -> Face | None:
        """The face on the other side."""
        if self.left is face:
            return self.right
        return self.left if self.right is face else None

    @property
    def length(self) -> float:
        """How far its ends are apart."""
        dx, dy, dz = self.b.x - self.a.x, self.b.y - self.a.y, self.b.z - self.a.z
        return sqrt(dx * dx + dy * dy + dz * dz)

    @property
    def pivot(self) -> Vertex | None:
        """What its ends turn around."""
        return self.a.pivot or self.b.pivot


class Face:
    """An area: its corners clockwise, and the lines from each to the next."""

    __slots__ = ("corners", "id", "sides", "x", "y", "z")

    def __init__(self, corners: Sequence[Vertex], sides: Sequence[Edge]) -> None:
        self.id = -1
        self.corners = corners
        self.sides = sides
        self.settle()

    def settle(self) -> None:
        """Take the place in the middle of the corners."""
        self.x = self.y = self.z = 0.0
        for vertex in self.corners:
            self.x += vertex.x
            self.y += vertex.y
            self.z += vertex.z
        self.x /= len(self.corners)
        self.y /= len(self.corners)
        self.z /= len(self.corners)

    @property
    def pivot(self) -> Vertex | None:
        """What its corners turn around."""
        return next((vertex.pivot for vertex in self.corners if vertex.pivot), None)


class Graph:
    """Vertices, edges and faces in the order of their numbers."""

    def __init__(self) -> None:
        self.vertices: list[Vertex] = []
        self.edges: list[Edge] = []
        self.faces: list[Face] = []
        self.basis = ""
        """The tiling it was made on, as long as nothing else was done to it: Square, Triangular, Hexagonal."""

        self._patches: dict[tuple[int, int], list[Vertex]] | None = None

    def add_vertex(self, x: float, y: float, z: float = 0.0) -> Vertex:
        """Add a point."""
        vertex = Vertex(x, y, z)
        vertex.id = len(self.vertices)
        within_limit(vertex.id + 1)
        self.vertices.append(vertex)
        if self._patches is not None:
            self._patches.setdefault(_patch(x, y), []).append(vertex)
        return vertex

    def find_vertex(self, x: float, y: float, z: float = 0.0) -> Vertex | None:
        """The first point that is at a place, or almost."""
        if self._patches is None:
            self._patches = {}
            for vertex in self.vertices:
                self._patches.setdefault(_patch(vertex.x, vertex.y), []).append(vertex)
        corners = {_patch(x + dx, y + dy) for dx in (-_TOLERANCE, _TOLERANCE) for dy in (-_TOLERANCE, _TOLERANCE)}
        found = (vertex for corner in corners for vertex in self._patches.get(corner, ()))
        return min((v for v in found if v.near(x, y, z, _TOLERANCE)), key=_number, default=None)

    def vertex_at(self, x: float, y: float, z: float = 0.0) -> Vertex:
        """The point at a place, added if there is none."""
        return self.find_vertex(x, y, z) or self.add_vertex(x, y, z)

    def drop_vertex(self, vertex: Vertex) -> None:
        """Take out a point that has no lines; the numbers behind it are those from before until they are made anew."""
        self.vertices.remove(vertex)
        if self._patches is not None:
            self._patches[_patch(vertex.x, vertex.y)].remove(vertex)

    def add_edge(self, a: Vertex, b: Vertex, *, curved: bool = False) -> Edge:
        """Add a line, even where there is one already."""
        edge = Edge(a, b, curved=curved)
        edge.id = len(self.edges)
        if edge.id >= MAX_EDGES:
            raise TooLarge(f"a board of more than {MAX_EDGES} lines")
        self.edges.append(edge)
        for vertex in (a, b):
            vertex.add_edge(edge)
        return edge

    def join(self, a: Vertex, b: Vertex, *, curved: bool = False) -> Edge:
        """The line between two points, added if there is none."""
        return a.edge_to(b) or self.add_edge(a, b, curved=curved)

    def join_nearby(self, length: float, tolerance: float) -> None:
        """Join all points that are a length apart, or almost."""
        points = np.array([(v.x, v.y, v.z) for v in self.vertices]).reshape(-1, 3)
        for vertex in self.vertices:
            away = np.sqrt(((points - points[vertex.id]) ** 2).sum(axis=1))
            for other in np.flatnonzero(np.abs(away - length) < tolerance):
                if other != vertex.id:
                    self.join(vertex, self.vertices[other])

    def connect(self) -> None:
        """Join all points that are about as near to each other as the ends of lines."""
        reach = 1.1 * self.average_length()
        points = np.array([(v.x, v.y) for v in self.vertices]).reshape(-1, 2)
        for vertex in self.vertices:
            away = np.sqrt(((points - points[vertex.id]) ** 2).sum(axis=1))
            for other in np.flatnonzero(away < reach):
                if other != vertex.id:
                    self.join(vertex, self.vertices[other])

    def add_face(self, corners: Sequence[Vertex]) -> Face | None:
        """Add the area between lines that exist: clockwise, so that it is on their right."""
        sides = []
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            edge = a.edge_to(b)
            if edge is None:
                return None
            sides.append(edge)
        face = Face(corners, sides)
        face.id = len(self.faces)
        self.faces.append(face)
        for corner, edge in zip(corners, sides, strict=True):
            if edge.a is corner:
                edge.right = face
            else:
                edge.left = face
            corner.faces.append(face)
        return face

    def clear_faces(self) -> None:
        """Forget all faces."""
        for edge in self.edges:
            edge.left = edge.right = None
        for vertex in self.vertices:
            vertex.faces.clear()
        self.faces.clear()

    def clear_edges(self) -> None:
        """Forget all lines, and the faces with them."""
        self.edges.clear()
        for vertex in self.vertices:
            vertex.edges.clear()
        self.clear_faces()

    def sort_faces(self) -> None:
        """Put the faces around each point in the order of their angles."""
        for vertex in self.vertices:
            vertex.faces.clear()
        for face in self.faces:
            for vertex in face.corners:
                vertex.faces.append(face)
        for vertex in self.vertices:
            x, y = vertex.x, vertex.y
            vertex.faces.sort(key=lambda face, x=x, y=y: angle(face.y - y, face.x - x))  # type: ignore[misc]

    def reorder(self, kinds: Iterable[str] = ("Vertex", "Edge", "Cell")) -> None:
        """Number from the bottom up and from left to right: by 100 y + x, so that rows hardly apart mix."""
        wanted = set(kinds)
        if "Vertex" in wanted:
            self.vertices.sort(key=_height)
        if "Edge" in wanted:
            self.edges.sort(key=_height)
        if "Cell" in wanted:
            self.faces.sort(key=_height)
        self.renumber()

    def renumber(self) -> None:
        """Number elements by their places in the lists."""
        for number, vertex in enumerate(self.vertices):
            vertex.id = number
        for number, edge in enumerate(self.edges):
            edge.id = number
        for number, face in enumerate(self.faces):
            face.id = number
        self._patches = None

    def move(self, place: Callable[[Vertex], tuple[float, float, float]]) -> None:
        """Move every point; lines and faces follow, and keep their numbers and their order around points."""
        for vertex in self.vertices:
            vertex.x, vertex.y, vertex.z = place(vertex)
            vertex.moved = True
        for edge in self.edges:
            edge.settle()
        for face in self.faces:
            face.settle()
        self._patches = None

    def average_length(self) -> float:
        """How long lines are."""
        return sum(edge.length for edge in self.edges) / len(self.edges) if self.edges else 0.0

    def bounds(self) -> tuple[float, float, float, float]:
        """The box around it: left, bottom, width and height."""
        xs, ys = [v.x for v in self.vertices], [v.y for v in self.vertices]
        if not xs:
            return 0.0, 0.0, 0.0, 0.0
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def single(number: float) -> float:
    """A number as 32 bits hold it."""
    return float(np.float32(number))


def _patch(x: float, y: float) -> tuple[int, int]:
    return floor(x / _PATCH), floor(y / _PATCH)


def _height(element: Vertex | Edge | Face) -> float:
    return element.y * 100 + element.x


def _number(vertex: Vertex) -> int:
    return vertex.id
