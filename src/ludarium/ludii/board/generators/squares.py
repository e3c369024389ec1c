"""Boards of squares: rectangles, diamonds, outlines of one's own, pyramids, with diagonals of several kinds."""

from __future__ import annotations

from math import sqrt

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.generators.lattice import Lattice, from_points, parallelogram, walked
from ludarium.ludii.board.geometry import bounding_box, inflated
from ludarium.ludii.board.graph import Graph, Vertex

_STEPS = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
_GRID = Lattice(lambda row, column: (float(column), float(row)))


def rectangle(given: Arguments) -> Graph:
    """`(rectangle rows columns)`."""
    rows = given.size("dimA")
    return squares(given, rows, given.size("dimB", rows))


def square(given: Arguments) -> Graph:
    """`(square size)`, `(square Diamond size)`, `(square {sides})` and so on."""
    if given.has("poly") or given.has("sides"):
        return _custom(given)
    size = given.size("dim")
    shape = given.word("shape", "Square")
    if shape == "Diamond":
        return _diamond(given, size)
    if shape not in ("Square", "Limping"):
        given.fail(f"squares make no {shape}", "Square, Limping and Diamond are possible")
    return squares(given, size, size + 1 if shape == "Limping" else size)


def squares(given: Arguments, rows: int, columns: int) -> Graph:
    """Rows and columns of points, or of the cells between them."""
    more = 1 if given.use == "Cell" else 0
    rows, columns = rows + more, columns + more
    graph = Graph()
    for row in range(rows):
        for column in range(columns):
            graph.add_vertex(float(column), float(row))
    for row in range(rows):
        for column in range(columns):
            here = row * columns + column
            if row + 1 < rows:
                graph.join(graph.vertices[here], graph.vertices[here + columns])
            if column + 1 < columns:
                graph.join(graph.vertices[here], graph.vertices[here + 1])
    if given.flag("pyramidal"):
        _pile_up(graph, rows, columns)
    _diagonals(given, graph, (0, rows), (0, columns))
    make_faces(graph)
    graph.basis = "Square"
    graph.reorder()
    return graph


def _pile_up(graph: Graph, rows: int, columns: int) -> None:
    """Add ever smaller layers, each point of which rests on four below."""
    for layer in range(1, rows):
        for row in range(rows - layer):
            for column in range(columns - layer):
                graph.vertex_at(layer * 0.5 + column, layer * 0.5 + row, layer * (1.0 / sqrt(2)))
    graph.join_nearby(1.0, 0.05)


def _diamond(given: Arguments, size: int) -> Graph:
    cells = [
        (row, column)
        for row, column in parallelogram(2 * size, 2 * size)
        if row + column >= size - 1 and abs(column - row) <= size and row + column < 3 * size
    ]
    graph = from_points(_GRID.points(cells))
    _diagonals(given, graph, (0, 2 * size), (0, 2 * size))
    make_faces(graph)
    graph.basis = "Square"
    graph.reorder()
    return graph


def _custom(given: Arguments) -> Graph:
    outline = given.polygon("poly") if given.has("poly") else walked(given.sides(), _STEPS)
    graph = from_points(_GRID.points(_GRID.inside(outline, 2)))
    left, bottom, right, top = (int(number) for number in bounding_box(inflated(outline)))
    _diagonals(given, graph, (bottom - 2, top + 2), (left - 2, right + 2))
    make_faces(graph)
    graph.basis = "Square"
    graph.reorder()
    return graph


def _diagonals(given: Arguments, graph: Graph, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    """Join corners of squares. What counts as the middle is off by a half where there is an even number of rows."""
    kind = given.word("diagonals", "Implied")
    middle_row, middle_column = int(sum(rows) / 2), int(sum(columns) / 2)
    if kind == "Radiating":
        _rays(graph, middle_row, middle_column, max((rows[1] - rows[0]) // 2, (columns[1] - columns[0]) // 2) + 1)
    if kind in ("Implied", "Radiating"):
        return
    for row in range(rows[0], rows[1] + 1):
        for column in range(columns[0], columns[1] + 1):
            corners = _corners(graph, row, column)
            if corners is None:
                continue
            if kind == "Solid":
                centre = graph.vertex_at(column + 0.5, row + 0.5)
                for corner in corners:
                    graph.join(corner, centre)
                continue
            odd = (row + column) % 2 == 1
            falling = (row < middle_row) == (column < middle_column)
            if kind == "SolidNoSplit" or not (odd if kind == "Alternating" else falling):
                graph.join(corners[0], corners[2])
            if kind == "SolidNoSplit" or (odd if kind == "Alternating" else falling):
                graph.join(corners[1], corners[3])


def _corners(graph: Graph, row: int, column: int) -> tuple[Vertex, Vertex, Vertex, Vertex] | None:
    """The corners of a square, clockwise from the lower left."""
    a, b = graph.find_vertex(column, row), graph.find_vertex(column, row + 1)
    c, d = graph.find_vertex(column + 1, row + 1), graph.find_vertex(column + 1, row)
    return (a, b, c, d) if a and b and c and d else None


def _rays(graph: Graph, x: int, y: int, length: int) -> None:
    """Join points along the diagonals from the middle outwards."""
    for k in range(length):
        for dx, dy in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
            a, b = graph.find_vertex(x + k * dx, y + k * dy), graph.find_vertex(x + (k + 1) * dx, y + (k + 1) * dy)
            if a and b:
                graph.join(a, b)
