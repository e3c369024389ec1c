"""Boards of triangles; played on their points as often as on their cells."""

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

_H = sqrt(3) / 2.0
UPRIGHT = Lattice(lambda row, column: (column - 0.5 * row, _H * row))
"""Points in level rows."""

TILTED = Lattice(lambda row, column: (_H * (column - row), (row + column) * 0.5))
"""Rows and columns going up to the left and to the right."""

_MARGIN = 2


def triangles(given: Arguments) -> Graph:
    """`(tri size)`, `(tri Hexagon size)`, `(tri {sides})` and so on."""
    if given.has("poly"):
        return UPRIGHT.graph(UPRIGHT.inside(given.polygon("poly"), _MARGIN), "Triangular")
    if given.has("sides"):
        return _sides(given.sides())
    shape = given.word("shape", "Triangle")
    size = given.size("dimA")
    if shape == "Limping":
        return _sides([size, size + 1])
    if shape == "Star":
        return UPRIGHT.graph(star(size), "Triangular")
    more = 1 if given.use == "Cell" else 0
    size, other = size + more, given.size("dimB", size) + more
    if shape == "Triangle":
        return large_triangle(size)
    if shape == "Hexagon":
        return _hexagon(size)
    if shape == "Diamond":
        return TILTED.graph(parallelogram(size, size), "Triangular")
    if shape == "Prism":
        return TILTED.graph(prism(size, other), "Triangular")
    if shape not in ("Square", "Rectangle"):
        given.fail(f"triangles make no {shape}", "leave it out for a board with three sides")
    return UPRIGHT.graph(staggered(size, size if shape == "Square" else other), "Triangular")


def large_triangle(size: int) -> Graph:
    """A triangle with so many points on a side."""
    return UPRIGHT.graph(triangle(size), "Triangular")


def _hexagon(size: int) -> Graph:
    """A hexagon of triangles, which is exact to 64 bits; in its upper half lines go down from row to row."""
    graph = Graph()
    cells = list(hexagon(size))
    for cell in cells:
        graph.add_vertex(*UPRIGHT.centre(*cell))
    number = {cell: k for k, cell in enumerate(cells)}
    for lines in (((0, 1),), ((1, 0), (1, 1))):
        for (row, column), k in number.items():
            for down, right in lines:
                other = number.get((row + down, column + right))
                if other is not None:
                    upper = down and row >= size - 1
                    a, b = (other, k) if upper else (k, other)
                    graph.join(graph.vertices[a], graph.vertices[b])
    make_faces(graph)
    graph.reorder()
    return graph


def _sides(sides: list[int]) -> Graph:
    limping = len(sides) == 2 and sides[0] == sides[1] - 1
    margin = max(sides[0], 0) if limping else _MARGIN
    return UPRIGHT.graph(UPRIGHT.inside(UPRIGHT.outline(sides), margin), "Triangular")
