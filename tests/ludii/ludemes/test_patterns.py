"""Patterns, walks and relations."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.kernel import using
from tests.ludii.ludemes.small import holds, selected, worth

CORNER = ("Man1", [6, 7, 12])


def test_a_pattern_is_found_in_any_direction():
    assert holds("(is Pattern {F L F} from:6)", CORNER)
    assert holds("(is Pattern {F R F} from:6)", ("Man1", [6, 7, 2]))
    assert not holds("(is Pattern {F F} from:6)", CORNER)


def test_the_pieces_of_a_pattern_may_be_named():
    walk = '(is Pattern {F F} from:6 whats:{(id "Man" P1) (id "Rook" P1)})'
    assert holds(walk, ("Man1", [6, 8]), ("Rook1", [7]))
    assert not holds(walk, ("Man1", [6, 7]), ("Rook1", [8]))


def test_the_sites_of_a_pattern():
    assert selected("(sites Pattern {F L F} from:6)", CORNER) == [6, 7, 12]


def test_where_walks_end():
    assert selected("(sites 12 {{F F R F}})", ("Man1", [0])) == [1, 9, 15, 23]
    assert selected("(sites 12 {{F F R F}} rotations:False)", ("Man1", [0])) == [23]


def test_related_sites():
    assert holds("(is Related Orthogonal 6 7)", CORNER)
    assert not holds("(is Related Orthogonal 6 12)", CORNER)
    assert holds("(is Related Diagonal 6 (sites {12 20}))", CORNER)


def test_a_piece_within_a_region():
    assert holds('(is Within (id "Rook" P1) in:(sites Bottom))', ("Rook1", [3]))
    assert not holds('(is Within (id "Rook" P1) in:(sites Bottom))', ("Rook1", [8]), ("Man1", [3]))


def test_regions_for_each_site_of_another():
    assert selected("(forEach of:(sites {6 18}) (sites Around (site) Orthogonal))", CORNER) == [
        1,
        5,
        7,
        11,
        13,
        17,
        19,
        23,
    ]


def test_steps_by_a_rule():
    wall = ("Wall0", [1, 6, 11]), ("Man1", [0])
    rule = "(step Orthogonal (to if:(is Empty (to))))"
    assert worth(f"(count Steps {rule} 0 2)", *wall) == 8
    assert holds(f"(> (count Steps {rule} 0 2) 1000)", ("Wall0", [1, 5]), ("Man1", [0]))
    assert selected(f"(sites Distance {rule} from:0 (range 1 2))", *wall) == [5, 10]
    assert selected("(sites Distance from:0 (exact 1))", ("Man1", [0])) == [1, 5, 6]


def test_a_target_on_its_sites():
    places = ("Man1", [0]), ("Man2", [1])
    assert holds("(is Target {1 2} {0 1})", *places)
    assert not holds("(is Target {2 1} {0 1})", *places)
    assert not holds("(is Target {1 2} 0)", *places)
    assert holds("(is Target {1 2 0 0} )", *places, board="(square 2)")
    assert not holds("(is Target {1 2 0} )", *places, board="(square 2)")


def test_a_stack_as_a_target():
    start = '(place Stack items:{"Man1" "Man2"} 6)'
    assert holds("(is Target {1 2} 6)", start=start)
    assert holds("(is Target {1 2} {3 6})", start=start)
    assert not holds("(is Target {1} 6)", start=start)
    assert not holds("(is Target {1 2} 7)", start=start)


def test_a_target_is_on_the_board():
    with pytest.raises(RulesError, match="its sites are 0 to 24"):
        holds("(is Target {1} 25)", ("Man1", [0]))


def test_nothing_is_no_pattern_unless_it_is_asked_for():
    square, places = "{F R F R F}", [("Man1", [0, 1, 5, 6]), ("Man2", [24])]
    with using("python"):
        assert holds(f"(is Pattern {square} from:0)", *places)
        assert not holds(f"(is Pattern {square} from:12)", *places)
        assert holds(f"(is Pattern {square} from:12 what:0)", *places)
        assert selected(f"(sites Pattern {square} from:18)", *places)  # as in Ludii, where these sites are one


def test_empty_sites_around_are_nobody_elses_pieces():
    places = ("Man1", [6]), ("Man2", [8]), ("Wall0", [12])
    with using("python"):
        assert selected("(sites Around 7 NotOwn Orthogonal)", *places) == [8, 12]
        assert selected("(sites Around 7 Own Orthogonal)", *places) == [6]
