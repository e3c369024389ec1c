"""Graphs that are moved as a whole keep their numbers."""

import pytest

from tests.ludii.board.boards import board, points


def test_shift_and_scale():
    assert points(board("(shift 2 -1 (square 2))", "Vertex")) == [(2, -1), (3, -1), (2, 0), (3, 0)]
    assert points(board("(scale 2 (square 2))", "Vertex")) == [(0, 0), (2, 0), (0, 2), (2, 2)]
    assert points(board("(scale 2 0.5 (square 2))", "Vertex"))[3] == (2, 0.5)
    assert board("(shift 0 0 3 (square 2))", "Vertex").vertices.z.tolist() == [3] * 4
    assert board("(scale 1 1 2 (shift 0 0 3 (square 2)))", "Vertex").vertices.z.tolist() == [6] * 4


def test_rotate_turns_counter_clockwise_around_the_middle():
    assert points(board("(rotate 90 (rectangle 1 3))", "Vertex")) == [(1, -1), (1, 0), (1, 1)]


def test_skew_leans_to_the_right():
    assert points(board("(skew 0.5 (square 2))", "Vertex")) == [(0, 0), (1, 0), (0.5, 1), (1.5, 1)]


def test_numbers_are_worked_out_in_32_bits():
    moved = board("(shift 0.1 (sqrt 2) (square 1))", "Vertex").vertices
    assert moved.x[0] == 0.10000000149011612
    assert moved.y[0] == pytest.approx(2**0.5, abs=1e-7)
    assert moved.y[0] != 2**0.5
    assert points(board("(shift (- (* 2 0.5) (/ 1 4)) (max {1 (abs -2.5)}) (square 1))", "Vertex")) == [(0.75, 2.5)]
