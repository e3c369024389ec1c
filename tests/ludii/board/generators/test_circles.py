"""Round boards."""

import pytest

from ludarium.core.problems import RulesError
from tests.ludii.board.boards import board, counts, points


def test_cells_in_circles_around_one_in_the_middle():
    wheel = board("(concentric {1 4 8})")
    assert wheel.cells.count == 13
    middle = wheel.cells.centre[0]
    assert len(wheel.steps("Cell", "Adjacent")[middle]) == 4


def test_points_on_circles_around_a_middle():
    torere = board("(concentric {1 8})", "Vertex")
    assert counts(torere)[:2] == (9, 16)
    assert points(torere)[0] == (0, 0)
    assert len(torere.steps("Vertex", "Out")[0]) == 8
    ring = [torere.steps("Vertex", "CW")[site] for site in range(1, 9)]
    assert all(len(here) == 1 for here in ring)
    assert torere.steps("Vertex", "In")[1] == (0,)


def test_one_goes_around_clockwise_and_back():
    torere = board("(concentric {1 8})", "Vertex")
    (around,) = torere.radials("Vertex", "CW")[1]
    assert len(around.sites) == 8
    (back,) = torere.radials("Vertex", "CCW")[1]
    assert back.sites == (1, *reversed(around.sites[1:]))
    assert around.opposites == (back.sites,)


def test_circles_may_have_no_middle_or_no_line_around():
    assert counts(board("(concentric {8})", "Vertex"))[:2] == (8, 8)
    assert counts(board("(concentric {4 4})", "Vertex"))[:2] == (8, 12)
    assert counts(board("(concentric {1 -6})", "Vertex"))[:2] == (7, 6)


def test_staggered_circles_are_half_a_cell_apart():
    straight, staggered = board("(concentric {1 4})"), board("(concentric {1 4} stagger:True)")
    assert straight.cells.count == staggered.cells.count
    assert points(straight, "Cell") != points(staggered, "Cell")


def test_a_target_has_a_cell_for_each_ring():
    target = board("(concentric Target rings:3)")
    assert points(target, "Cell") == [(0, 0), (0, -1.5), (0, -2.5)]
    with pytest.raises(RulesError, match="a target is played on its cells"):
        board("(concentric Target rings:3)", "Vertex")
    assert board("(concentric Target rings:2 steps:6)").cells.count == 12


def test_a_spiral_is_one_long_line_from_the_middle():
    snake = board("(spiral turns:3 sites:20)", "Vertex")
    assert counts(snake) == (20, 19, 0)
    assert snake.ends == tuple((k, k + 1) for k in range(19))
    away = [x * x + y * y for x, y in points(snake)]
    assert away == sorted(away)
    mirror = board("(spiral turns:3 sites:20 clockwise:False)", "Vertex")
    assert points(mirror) == [(-x + 0.0, y) for x, y in points(snake)]
