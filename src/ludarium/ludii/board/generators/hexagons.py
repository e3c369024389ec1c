"""Boards of hexagons."""

from __future__ import annotations

from math import sqrt

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.generators.lattice import (
    Lattice,
    hexagon,
    parallelogram,
    prism,
    staggered,
    star,
    triangle,
)
from ludarium.ludii.board.graph import Graph

_U = sqrt(3) / 2
_CORNERS = ((0.0, 1.0), (_U, 0.5), (_U, -0.5), (0.0, -1.0), (-_U, -0.5), (-_U, 0.5))  # clockwise from the north
POINTED = Lattice(lambda row, column: (sqrt(3) * (column - 0.5 * row), 1.5 * row), _CORNERS)
"""With a corner on top."""

FLAT = Lattice(
    lambda row, column: (1.5 * (column - row), sqrt(3) * (row + column) * 0.5), [(y, x) for x, y in _CORNERS]
)
"""With a side on top, rows and columns going up to the left and to the right."""

_MARGIN = 3


def hexagons(given: Arguments) -> Graph:
    """`(hex size)`, `(hex Diamond size)`, `(hex {sides})` and so on."""
    if given.has("poly"):
        return POINTED.graph(POINTED.inside(given.polygon("poly"), _MARGIN), "Hexagonal")
    if given.has("sides"):
        return _sides(given.sides())
    size = given.size("dimA")
    other = given.size("dimB", size)
    shape = given.word("shape", "Hexagon")
    if shape == "Hexagon":
        return _sides([size, other]) if given.has("dimB") else large_hexagon(size)
    if shape == "Limping":
        return _sides([size, size + 1])
    if shape == "Diamond":
        return FLAT.graph(parallelogram(size, size), "Hexagonal")
    if shape == "Prism":
        return FLAT.graph(prism(size, other), "Hexagonal")
    cells = {
        "Triangle": triangle(size),
        "Star": star(size),
        "Square": staggered(size, size),
        "Rectangle": staggered(size, other),
    }
    if shape not in cells:
        given.fail(f"hexagons make no {shape}", "leave it out for a board with six sides")
    return POINTED.graph(cells[shape], "Hexagonal")


def large_hexagon(size: int) -> Graph:
    """A hexagon of hexagons, which is exact to 64 bits unlike the other shapes."""
    graph = Graph()
    across = 2 * size - 1
    half = across // 2
    cells = list(hexagon(size))
    for (
        row,
        column,
    ) in cells:  # the lower corners of the lower half: south-west, south, and south-east at the end of a row
        if row <= half:
            last = column + 1 > half + row
            _add(graph, row, column, (4, 3, 2) if last else (4, 3))
    for row, column in cells:  # the upper corners of the upper half
        if row >= half:
            _add(graph, row, column, (5, 0, 1) if column == across - 1 else (5, 0))
    for vertex in graph.vertices:
        for dx, dy in _CORNERS:
            other = graph.find_vertex(vertex.x + dx, vertex.y + dy)
            if other is not None and other.id > vertex.id:
                graph.join(vertex, other)
    make_faces(graph)
    graph.reorder()
    return graph


def _add(graph: Graph, row: int, column: int, corners: tuple[int, ...]) -> None:
    x, y = POINTED.centre(row, column)
    for corner in corners:
        graph.add_vertex(x + _CORNERS[corner][0], y + _CORNERS[corner][1])


def _sides(sides: list[int]) -> Graph:
    return POINTED.graph(POINTED.inside(POINTED.outline(sides), _MARGIN), "Hexagonal")
