"""Plane geometry, at and around its tolerances."""

import pytest

from ludarium.ludii.board.geometry import (
    between,
    bounding_box,
    contains,
    crossing_point,
    distance,
    distance_to_line,
    inflated,
    is_clockwise,
    repeated,
    segments_meet,
    side_of,
    turned,
)

SQUARE = [(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)]


def test_distances():
    assert distance((0, 0), (3, 4)) == 5
    assert distance_to_line((1, 1), (0, 0), (5, 0)) == 1
    assert distance_to_line((3, 4), (0, 0), (0, 0)) == 5


def test_turns():
    assert is_clockwise((0, 0), (0, 1), (1, 1))
    assert is_clockwise((0, 0), (1, 0), (2, 0))
    assert not is_clockwise((0, 0), (1, 0), (1, 1))
    assert [side_of(point, (0, 0), (1, 0)) for point in [(0, 1), (0, -1), (5, 0)]] == [1, -1, 0]
    assert turned(0.5 * 3.141592653589793, (1, 0)) == pytest.approx((0, 1))


def test_lines_cross_inside_but_only_touch_at_their_ends():
    assert crossing_point((0, 0), (2, 2), (0, 2), (2, 0)) == (1, 1)
    assert crossing_point((0, 0), (2, 0), (1, 0), (1, 5)) is None
    assert segments_meet((0, 0), (2, 0), (1, 0), (1, 5))
    assert not segments_meet((0, 0), (2, 0), (0, 1), (2, 1))
    assert between(0.25, (0, 0), (4, 8)) == (1, 2)


def test_a_point_is_inside_or_outside():
    assert contains(SQUARE, (1, 1))
    assert not contains(SQUARE, (3, 1))
    assert not contains(SQUARE, (-1, 1))
    assert not contains([], (0, 0))
    assert not contains([(0, 0)], (0, 0))


def test_an_inflated_polygon_has_its_own_corners_inside():
    larger = inflated(SQUARE)
    assert all(contains(larger, corner) for corner in SQUARE)
    assert bounding_box(larger) == pytest.approx((-0.05, -0.05, 2.05, 2.05))
    hollow = [(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (2.0, 2.0), (4.0, 0.0)]
    assert all(contains(inflated(hollow), corner) for corner in hollow)


def test_a_polygon_is_repeated():
    assert repeated(SQUARE, 1) == SQUARE
    assert len(repeated(SQUARE, 3)) == 12
    assert repeated([(1.0, 0.0), (2.0, 0.0)], -2)[:2] == [(2.0, 0.0), (1.0, 0.0)]
