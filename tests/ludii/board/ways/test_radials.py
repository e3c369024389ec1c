"""Straight lines."""

from ludarium.ludii.board.topology import Radial
from ludarium.ludii.board.ways.radials import bending, distinct, lines
from tests.ludii.board.boards import board, labels

CHESS = board("(square 8)")
E4 = CHESS.cells.by_label["E4"]


def test_a_rook_goes_to_the_rim():
    (north,) = CHESS.radials("Cell", "N")[E4]
    assert labels(CHESS, north.sites) == ["E4", "E5", "E6", "E7", "E8"]
    assert [labels(CHESS, line)[-1] for line in north.opposites] == ["E1"]
    assert CHESS.radials("Cell", "S")[0] == ()


def test_lines_of_a_group_come_clockwise_from_the_north():
    ends = [labels(CHESS, radial.sites)[-1] for radial in CHESS.radials("Cell", "Adjacent")[E4]]
    assert ends == ["E8", "H7", "H4", "H1", "E1", "B1", "A4", "A8"]
    assert [radial.sites for radial in CHESS.radials("Cell", "Diagonal")[E4]] == [
        radial.sites for radial in CHESS.radials("Cell", "Adjacent")[E4][1::2]
    ]


def test_every_line_through_a_site_counts_once():
    distinct_lines = CHESS.distinct_radials("Cell", "Adjacent")[E4]
    assert [labels(CHESS, radial.sites)[-1] for radial in distinct_lines] == ["E8", "H7", "H4", "H1"]
    for radial in distinct_lines:
        assert len(radial.opposites) == 1
    assert len(CHESS.distinct_radials("Cell", "Adjacent")[0]) == 3


def test_opposites_of_single_directions_are_found_across_their_names():
    (east,) = CHESS.radials("Cell", "E")[E4]
    (west,) = CHESS.radials("Cell", "W")[E4]
    assert east.opposites == (west.sites,)
    assert west.opposites == (east.sites,)


def test_a_line_bends_a_little_but_not_much():
    places = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.2, 0.0), (3.0, 0.8, 0.0)]
    targets = [(1,), (2,), (3,), ()]
    assert lines(places, targets, "All")[0] == [(0, 1, 2)]
    assert lines(places, targets, "CW")[0] == [(0, 1, 2, 3)]
    assert bending(places[0], places[1], places[0]) == float("inf")


def test_a_line_forks_where_two_ways_are_equally_straight():
    places = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.125, 0.0), (2.0, -0.125, 0.0)]
    assert lines(places, [(1,), (2, 3), (), ()], "All")[0] == [(0, 1, 2), (0, 1, 3)]


def test_a_line_ends_before_it_comes_to_a_site_again():
    ring = board("(concentric {1 8})", "Vertex")
    assert all(len(set(radial.sites)) == 8 for here in ring.radials("Vertex", "CW")[1:] for radial in here)


def test_rotational_lines_are_those_in_out_and_around_without_beginnings_of_others():
    ring = board("(concentric {1 8 8})", "Vertex")
    here = [radial.sites for radial in ring.radials("Vertex", "Rotational")[1]]
    for name in ("CW", "CCW", "In", "Out"):
        for radial in ring.radials("Vertex", name)[1]:
            assert any(line[: len(radial.sites)] == radial.sites for line in here)
    assert not any(one != other and other[: len(one)] == one for one in here for other in here)


def test_distinct_leaves_out_what_is_opposite_to_an_earlier_one():
    a, b, c = Radial((0, 1), ((0, 2),)), Radial((0, 2), ((0, 1),)), Radial((0, 3))
    assert distinct([a, b, c]) == (a, c)
