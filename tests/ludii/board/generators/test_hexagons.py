"""Boards of hexagons."""

import pytest

from tests.ludii.board.boards import board, counts, euler


@pytest.mark.parametrize(
    ("graph", "cells"),
    [
        ("(hex 3)", 19),
        ("(hex 1)", 1),
        ("(hex Hexagon 3)", 19),
        ("(hex 2 3)", 12),
        ("(hex Limping 2)", 12),
        ("(hex {3 3})", 19),
        ("(hex Triangle 4)", 10),
        ("(hex Diamond 4)", 16),
        ("(hex Prism 2 3)", 10),
        ("(hex Rectangle 3 4)", 11),
        ("(hex Square 3)", 8),
        ("(hex Star 1)", 13),
        ("(hex (poly {{-1 -1} {-1 1} {4 1} {4 -1}}))", 3),
    ],
)
def test_shapes_have_so_many_cells_in_one_piece(graph, cells):
    built = board(graph)
    assert built.cells.count == cells
    assert euler(built) == 1


def test_the_size_is_the_same_on_points():
    assert counts(board("(hex 2)")) == counts(board("(hex 2)", "Vertex")) == (24, 30, 7)


def test_hexagons_stand_on_a_corner_but_on_a_side_in_a_diamond():
    assert board("(hex 3)").supported("Cell", "Orthogonal") == ("NNE", "E", "SSE", "SSW", "W", "NNW")
    assert board("(hex Diamond 3)").supported("Cell", "Orthogonal") == ("N", "ENE", "ESE", "S", "WSW", "WNW")


def test_the_sides_of_a_diamond_are_those_that_players_connect():
    rhombus = board("(hex Diamond 4)")
    sides = rhombus.cells.sides
    assert (sides["NE"], sides["SW"]) == ((9, 12, 14, 15), (0, 1, 3, 6))
    assert (sides["NW"], sides["SE"]) == ((6, 10, 13, 15), (0, 2, 5, 9))
