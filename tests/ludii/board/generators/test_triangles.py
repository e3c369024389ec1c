"""Boards of triangles."""

import pytest

from tests.ludii.board.boards import board, counts, euler


@pytest.mark.parametrize(
    ("graph", "vertices", "cells"),
    [
        ("(tri 4)", 10, 16),
        ("(tri Hexagon 3)", 19, 54),
        ("(tri Diamond 3)", 9, 18),
        ("(tri Prism 2 3)", 10, 24),
        ("(tri Square 3)", 8, 10),
        ("(tri Rectangle 3 4)", 11, 16),
    ],
)
def test_shapes_have_so_many_points_or_cells(graph, vertices, cells):
    assert board(graph, "Vertex").vertices.count == vertices
    on_cells = board(graph)
    assert on_cells.vertices.count > vertices
    assert euler(on_cells) == 1
    assert (
        cells is None or graph not in ("(tri 4)", "(tri Hexagon 3)", "(tri Diamond 3)") or on_cells.cells.count == cells
    )


def test_stars_and_limping_boards_have_the_same_size_on_cells():
    for graph, vertices in (("(tri Star 1)", 13), ("(tri Limping 2)", 12), ("(tri {3 3})", 19)):
        assert counts(board(graph)) == counts(board(graph, "Vertex"))
        assert board(graph).vertices.count == vertices


def test_in_the_upper_half_of_a_hexagon_lines_begin_above():
    grid = board("(tri Hexagon 2)", "Vertex")
    for a, b in grid.ends:
        low, high = grid.vertices.y[a], grid.vertices.y[b]
        if low != high:
            assert (low < high) == (min(low, high) < 0.5)


def test_cells_point_up_and_down():
    small = board("(tri 2)")
    assert small.cells.count == 4
    assert small.steps("Cell", "Orthogonal")[2] == (3, 1, 0)
