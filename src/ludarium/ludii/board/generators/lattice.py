"""Lattices: where the cells of a tiling are by row and column, where their corners are, and which cells a shape has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor
from typing import TypeAlias

import numpy as np

from ludarium.ludii.board.faces import assemble
from ludarium.ludii.board.geometry import Point, bounding_box, contains, distance, inflated
from ludarium.ludii.board.graph import MAX_VERTICES, Graph, TooLarge, within_limit

Cell: TypeAlias = tuple[int, int]
"""Row and column."""

_SAME = 0.1  # corners nearer than this are one
_UNIT = 1.0
_TOLERANCE = 0.01
_TURNS = (
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
)  # (row, column) of the six neighbours, in their order around


@dataclass(frozen=True)
class Lattice:
    """A tiling of the plane."""

    centre: Callable[[int, int], Point]
    """Of the cell in a row and column."""

    corners: Sequence[Point] = ((0.0, 0.0),)
    """Seen from the centre."""

    def graph(self, cells: Iterable[Cell], basis: str = "", *, reorder: bool = True) -> Graph:
        """Some cells of the lattice, with lines wherever corners are one apart."""
        graph = from_points(self.points(cells))
        graph.basis = basis
        if reorder:
            graph.reorder()
        return graph

    def points(self, cells: Iterable[Cell]) -> list[Point]:
        """The corners of cells, each once."""
        found: list[Point] = []
        patches: dict[tuple[int, int], list[Point]] = {}
        for row, column in cells:
            x, y = self.centre(row, column)
            for dx, dy in self.corners:
                point = (x + dx, y + dy)
                around = {_patch(point[0] + ex, point[1] + ey) for ex in (-_SAME, _SAME) for ey in (-_SAME, _SAME)}
                if any(distance(other, point) < _SAME for patch in around for other in patches.get(patch, ())):
                    continue
                patches.setdefault(_patch(*point), []).append(point)
                found.append(point)
                within_limit(len(found))
        return found

    def inside(self, polygon: Sequence[Point], margin: int) -> Iterator[Cell]:
        """The cells whose centre is inside of a polygon, looked for in the box around it and a margin."""
        outline = inflated(polygon)
        left, bottom, right, top = (int(number) for number in bounding_box(outline))
        if (right - left + 2 * margin) * (top - bottom + 2 * margin) > 16 * MAX_VERTICES:
            raise TooLarge("a board inside of so large a polygon")
        for row in range(bottom - margin, top + margin + 1):
            for column in range(left - margin, right + margin + 1):
                if contains(outline, self.centre(row, column)):
                    yield row, column

    def outline(self, sides: Sequence[int]) -> list[Point]:
        """The polygon of cells that one walks around, turning left behind each side, right before a negative one."""
        row = column = 0
        towards = 1
        points = [self.centre(row, column)]
        for k in range(max(5, len(sides))):
            side = sides[k % len(sides)]
            length = side + 1 if side < 0 else side - 1
            towards = (towards + (-1 if length < 0 else 1)) % 6
            if length > 0:
                row += length * _TURNS[towards][0]
                column += length * _TURNS[towards][1]
                points.append(self.centre(row, column))
        return points


def from_points(points: Sequence[Point]) -> Graph:
    """A graph with lines between all points that are one apart."""
    places = np.array(points, dtype=np.float64).reshape(-1, 2)
    pairs: list[tuple[int, int]] = []
    for k in range(len(places)):
        dx, dy = (places[k] - places[k + 1 :]).T
        near = np.flatnonzero(np.abs(np.sqrt(dx * dx + dy * dy) - _UNIT) < _TOLERANCE)
        pairs += [(k, k + 1 + int(other)) for other in near]
    return assemble(points, pairs)


def walked(sides: Sequence[int], steps: Sequence[Point]) -> list[Point]:
    """The polygon that one walks around with right-angled steps; a negative side turns the other way, and goes backwards."""
    x = y = 0.0
    towards = len(steps) - 1
    points = [(x, y)]
    for side in sides:
        towards = (towards + (-1 if side < 0 else 1)) % len(steps)
        x += side * steps[towards][0]
        y += side * steps[towards][1]
        points.append((x, y))
    return points


def hexagon(size: int) -> Iterator[Cell]:
    """The cells of a hexagon with sides of a length, row by row."""
    within_limit(3 * size * (size - 1))
    across = 2 * size - 1
    for row in range(across):
        for column in range(across):
            if column <= across // 2 + row and row - column <= across // 2:
                yield row, column


def parallelogram(rows: int, columns: int) -> Iterator[Cell]:
    """All cells of some rows and columns."""
    return ((row, column) for row in range(rows) for column in range(columns))


def prism(a: int, b: int) -> Iterator[Cell]:
    """A rhombus of two sizes without the cells at two of its corners."""
    return ((row, column) for row, column in parallelogram(a + b - 1, a + b - 1) if abs(row - column) < a)


def triangle(size: int) -> Iterator[Cell]:
    """The cells of a triangle."""
    return ((row, column) for row, column in parallelogram(size, size) if row <= column)


def staggered(rows: int, columns: int) -> Iterator[Cell]:
    """The cells of a rectangle: every other row begins half a cell further on."""
    for row in range(rows):
        for column in range((row + 1) // 2, columns + row // 2):
            yield row, column


def star(size: int) -> Iterator[Cell]:
    """The cells of a star with six points."""
    for row, column in parallelogram(4 * size + 1, 4 * size + 1):
        if row < size or 2 * size < row <= 3 * size:
            inside = column >= size and column - row <= size
        else:
            inside = row - column <= size and column <= 3 * size
        if inside:
            yield row, column


def _patch(x: float, y: float) -> tuple[int, int]:
    return floor(2.0 * x), floor(2.0 * y)
