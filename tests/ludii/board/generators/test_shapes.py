"""Graphs written out, wedges, repeated polygons, bricks, knots and quadrilaterals."""

import pytest

from tests.ludii.board.boards import board, counts, euler, points


def test_a_graph_is_numbered_as_it_is_written():
    built = board("(graph vertices:{{5 5} {0 0} {5 0}} edges:{{2 1} {0 1} {0 2}})", "Vertex")
    assert points(built) == [(5, 5), (0, 0), (5, 0)]
    assert built.ends == ((2, 1), (0, 1), (0, 2))
    assert counts(board("(graph vertices:{{0 0} {1 1}})", "Vertex")) == (2, 0, 0)


def test_a_wedge_widens_from_its_tip():
    built = board("(wedge 3)", "Vertex")
    assert points(built) == [(2, 2), (1, 1), (2, 1), (3, 1), (0, 0), (2, 0), (4, 0)]
    assert counts(built) == (7, 10, 0)
    assert counts(board("(wedge 2 5)", "Vertex")) == (6, 9, 0)
    assert counts(board("(wedge 1)", "Vertex")) == (1, 0, 0)


def test_a_polygon_is_repeated_in_rows_and_columns():
    built = board("(repeat 2 3 step:{{1 0} {0 1}} (poly {{0 0} {0 1} {1 1} {1 0}}))")
    assert counts(built) == counts(board("(rectangle 2 3)"))
    two = board("(repeat 1 2 step:{{2 0} {0 2}} {(poly {{0 0} {0 1} {1 1} {1 0}}) (poly {{1 0} {1 1} {2 1} {2 0}})})")
    assert counts(two) == counts(board("(rectangle 1 4)"))


@pytest.mark.parametrize(
    ("graph", "cells"),
    [
        ("(brick 2)", 5),
        ("(brick 2 trim:True)", 5),
        ("(brick 2 3)", 7),
        ("(brick Limping 2)", 7),
        ("(brick Diamond 2)", 4),
        ("(brick Prism 2 1)", None),
        ("(brick Spiral 2)", 5),
        ("(celtic 2)", None),
        ("(celtic 2 3)", None),
        ("(celtic (poly {{0 0} {0 3} {3 3} {3 0}}))", None),
        ("(celtic {2 2 2 2})", None),
        ("(quadhex 2)", 24),
        ("(quadhex 2 thirds:True)", 28),
    ],
)
def test_other_tilings_are_in_one_piece(graph, cells):
    built = board(graph)
    assert euler(built) == 1
    assert cells is None or built.cells.count == cells


def test_bricks_are_twice_as_long_as_high_but_for_halves():
    whole, trimmed = board("(brick 2)"), board("(brick 2 trim:True)")
    assert {len(corners) for corners in whole.corners_of} == {6}
    assert sorted(len(corners) for corners in trimmed.corners_of) == [4, 4, 6, 6, 6]


def test_a_knot_has_loops_around_its_corners():
    knot = board("(celtic 2)")
    assert {len(corners) for corners in knot.corners_of} == {3, 4}
