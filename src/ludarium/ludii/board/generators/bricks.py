"""Boards of bricks, twice as long as high."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.graph import Graph

_WHOLE = ((0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (1, 0))  # corners clockwise from the lower left
_HALF = ((0, 0), (0, 1), (1, 1), (1, 0))
_UPRIGHT = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0))


def brick(given: Arguments) -> Graph:
    """`(brick rows columns)`, `(brick Diamond size)`, `(brick Spiral size)` and so on."""
    graph = Graph()
    size = given.size("dimA")
    other = given.size("dimB", size)
    shape = given.word("shape", "Square")
    trim = given.flag("trim")
    if shape == "Spiral":
        _spiral(graph, size)
    elif shape in ("Diamond", "Prism"):
        _lay(graph, _diamond(size, other if shape == "Prism" else 0), 2 * size, trim=trim)
    else:
        columns = 2 * (size + 1 if shape == "Limping" else other) + 1
        places = ((row, column) for row in range(size) for column in range(row % 2, columns, 2))
        _lay(graph, places, columns, trim=trim)
    graph.reorder()
    return graph


def _diamond(size: int, middle: int) -> Iterator[tuple[int, int]]:
    for row in range(2 * size + 2 * middle):
        for column in range((row + 1) % 2, 2 * size, 2):
            if size - 1 <= row + column < 3 * size - 1 and column - row < size and row - column <= size:
                yield row, column


def _lay(graph: Graph, places: Iterator[tuple[int, int]], columns: int, *, trim: bool) -> None:
    """Lay bricks; those that stick out are cut in half if that is asked for."""
    for row, column in places:
        if trim and column == 0:
            _add(graph, row, column + 1, _HALF)
        elif trim and column >= columns - 1:
            _add(graph, row, column, _HALF)
        else:
            _add(graph, row, column, _WHOLE)


def _spiral(graph: Graph, rings: int) -> None:
    for ring in range(rings):
        if ring == 0:
            _add(graph, rings - 1, rings - 1, _HALF)
        for k in range(0, 2 * ring, 2):
            _add(graph, rings - ring + k, rings - ring - 1, _UPRIGHT)
            _add(graph, rings + ring - 1, rings - ring + k, _WHOLE)
            _add(graph, rings - ring - 1 + k, rings + ring - 1, _UPRIGHT)
            _add(graph, rings - ring - 1, rings - ring - 1 + k, _WHOLE)


def _add(graph: Graph, row: int, column: int, shape: tuple[tuple[int, int], ...]) -> None:
    corners = [graph.vertex_at(float(column + dx), float(row + dy)) for dx, dy in shape]
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        graph.join(a, b)
    if not any(set(face.corners) == set(corners) for face in corners[0].faces):
        graph.add_face(corners)
