"""Graphs written out point by point, wedges, and polygons repeated in rows and columns."""

from __future__ import annotations

from itertools import pairwise

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import assemble, make_faces
from ludarium.ludii.board.graph import Graph


def given(arguments: Arguments) -> Graph:
    """`(graph vertices:{..} edges:{..})`: numbered as written."""
    points = arguments.points("vertices")
    pairs = arguments.dim_lists("edges")
    for pair in pairs:
        if len(pair) != 2 or not all(0 <= end < len(points) for end in pair):
            arguments.fail(
                f"there is no edge {{{' '.join(map(str, pair))}}}", f"vertices go from 0 to {len(points) - 1}"
            )
    return assemble(points, [(pair[0], pair[1]) for pair in pairs])


def wedge(arguments: Arguments) -> Graph:
    """`(wedge rows columns)`: a triangle of rows that all have as many points, but for the tip."""
    rows, columns = arguments.size("rows"), arguments.size("columns", 3)
    if rows < 1 or columns < 2:
        arguments.fail("a wedge has at least one row, and two columns")
    graph = Graph()
    tip = graph.add_vertex(float(rows - 1), float(rows - 1))
    lines = []
    for row in range(1, rows):
        left, right, y = rows - 1 - row, rows - 1 + row, rows - 1 - row
        shares = [column / (columns - 1) for column in range(columns)]
        lines.append([graph.add_vertex(left + share * (right - left), float(y)) for share in shares])
    for below in lines[0] if lines else ():
        graph.add_edge(tip, below)
    for k, line in enumerate(lines):
        for a, b in pairwise(line):
            graph.add_edge(a, b)
        for a, b in zip(line, lines[k + 1], strict=True) if k + 1 < len(lines) else ():
            graph.add_edge(a, b)
    return graph


def repeat(arguments: Arguments) -> Graph:
    """`(repeat rows columns step:{..} (poly ..))`."""
    rows, columns = arguments.size("rows"), arguments.size("columns")
    steps = arguments.points("step")
    if len(steps) < 2:
        arguments.fail("two steps are needed: to the next column, and to the next row")
    across, up = steps[0], steps[1]
    polygons = arguments.polygons("polys") if arguments.has("polys") else [arguments.polygon("poly")]
    graph = Graph()
    for row in range(rows):
        for column in range(columns):
            x, y = column * across[0] + row * up[0], column * across[1] + row * up[1]
            for corners in polygons:
                for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
                    graph.join(graph.vertex_at(x + ax, y + ay), graph.vertex_at(x + bx, y + by))
    make_faces(graph)
    graph.reorder()
    return graph
