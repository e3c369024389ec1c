"""Boards of squares."""

import pytest

from tests.ludii.board.boards import board, counts, euler, points


def test_rectangles():
    assert counts(board("(rectangle 2 3)")) == (12, 17, 6)
    assert counts(board("(rectangle 2 3)", "Vertex")) == (6, 7, 2)
    assert counts(board("(rectangle 3)")) == counts(board("(square 3)"))
    assert counts(board("(square Limping 3)"))[2] == 12


def test_points_and_lines_go_up_row_by_row():
    grid = board("(square 2)", "Vertex")
    assert points(grid) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert grid.ends == ((0, 1), (0, 2), (1, 3), (2, 3))


def test_a_diamond_has_steps_for_sides():
    diamond = board("(square Diamond 2)")
    assert points(diamond) == [(1.5, 0.5), (0.5, 1.5), (1.5, 1.5), (2.5, 1.5), (1.5, 2.5)]


@pytest.mark.parametrize(
    ("kind", "edges", "cells"),
    [
        ("Implied", 12, 4),
        ("Alternating", 16, 8),
        ("Solid", 28, 16),
        ("SolidNoSplit", 20, None),
        ("Concentric", 16, 8),
        ("Radiating", 16, 8),
    ],
)
def test_diagonals(kind, edges, cells):
    grid = board(f"(square 3 diagonals:{kind})", "Vertex")
    assert grid.edges.count == edges
    assert cells is None or grid.cells.count == cells


def test_alternating_diagonals_are_those_of_alquerque():
    grid = board("(square 5 diagonals:Alternating)", "Vertex")
    assert len(grid.steps("Vertex", "Adjacent")[12]) == 8
    assert len(grid.steps("Vertex", "Adjacent")[11]) == 4


def test_solid_diagonals_cross_at_points_of_their_own():
    grid = board("(square 2 diagonals:Solid)", "Vertex")
    assert points(grid) == [(0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)]


def test_a_pyramid_rests_on_its_ground():
    pyramid = board("(square 3 pyramidal:True)", "Vertex")
    assert pyramid.vertices.count == 9 + 4 + 1
    assert sorted(pyramid.vertices.layers.tolist()) == [0] * 9 + [1] * 4 + [2]
    top = int(pyramid.vertices.z.argmax())
    assert len(pyramid.steps("Vertex", "Downward")[top]) == 4
    assert {name for here in pyramid.steps("Vertex", "UNE") for name in here}


def test_outlines_of_ones_own():
    assert points(board("(square {2 2 2})", "Vertex")) == [(x, y) for y in range(3) for x in range(3)]
    corner = board("(square (poly {{0 0} {0 2} {1 2} {1 1} {2 1} {2 0}}))", "Vertex")
    assert (2, 2) not in points(corner)
    assert counts(corner) == (8, 10, 3)
    assert euler(corner) == 1
