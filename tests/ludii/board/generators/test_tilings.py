"""Boards of several kinds of polygons."""

from collections import Counter

import pytest

from tests.ludii.board.boards import board, euler


@pytest.mark.parametrize(
    ("graph", "polygons"),
    [
        ("(tiling T488 2)", {8: 4, 4: 1}),
        ("(tiling T488 2 3)", {8: 6, 4: 2}),
        ("(tiling T3636 2)", {6: 7, 3: 12}),
        ("(tiling T3636 1 2)", {6: 3}),
        ("(tiling T3464 2)", {6: 7, 4: 30, 3: 24}),
        ("(tiling T3464 1 2)", {6: 2, 4: 11, 3: 10}),
        ("(tiling T31212 2)", {12: 7, 3: 12}),
        ("(tiling T4612 2)", {12: 7, 4: 12, 6: 6}),
        ("(tiling T33344 2)", {4: 4, 3: 4}),
        ("(tiling T33336 2)", {6: 7}),
        ("(tiling T33434 2)", {4: 12}),
        ("(tiling T333333_33434 2)", {6: 7, 4: 42, 3: 54}),
        ("(tiling T488 (poly {{0 0} {0 3} {3 3} {3 0}}))", {8: 4, 4: 1}),
        ("(tiling T3636 {2 2})", {6: 7}),
        ("(tiling T33434 (poly {{-2 0} {-2 4} {2 4} {2 0}}))", {}),
        ("(tiling T4612 {5 5})", {12: 19}),
    ],
)
def test_a_tiling_has_so_many_polygons_of_each_kind(graph, polygons):
    built = board(graph)
    found = Counter(len(corners) for corners in built.corners_of)
    assert euler(built) == 1
    for sides, count in polygons.items():
        assert found[sides] == count, found
    assert built.cells.count > 0


def test_the_largest_polygons_are_major():
    built = board("(tiling T3464 2)")
    assert len(built.cells.groups["Major"]) == 7
    assert len(built.cells.groups["Minor"]) == built.cells.count - 7


def test_octagons_are_numbered_as_they_were_made():
    built = board("(tiling T488 2)")
    assert (built.vertices.x[0], built.vertices.y[0]) == pytest.approx((0.5, 1.2071), abs=1e-4)
