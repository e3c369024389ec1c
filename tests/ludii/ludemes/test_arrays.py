"""Arrays of numbers."""

import pytest

from tests.ludii.ludemes.small import selected, worth


@pytest.mark.parametrize(
    ("array", "size", "total"),
    [
        ("(difference (array {3 5 3 4}) (array {3 4}))", 2, 8),
        ("(difference (array {3 5 3 4}) 3)", 3, 12),
        ("(difference (array {3 5}) 4)", 2, 8),
        ("(intersection (array {3 5}) (array {3 3 4}))", 2, 6),
        ("(union (array {3 5}) (array {3 4}))", 3, 12),
    ],
)
def test_arrays_keep_what_comes_again(array, size, total):
    assert worth(f"(size Array {array})", ("Man1", [0])) == size
    assert worth(f"(+ {array})", ("Man1", [0])) == total


def test_results_of_all_pairs_of_a_large_board():
    """There are more pairs than numbers could be kept."""
    board = {"board": "(square 19)"}
    pairs = "(results from:(sites Board) to:(sites Board) (if (= (from) (to)) 1 0))"
    assert worth(f"(- (+ {pairs}) 200)", ("Man1", [0]), **board) == 161
    assert worth("(max (results from:(sites Corners) to:(from) (to)))", ("Man1", [0]), **board) == 360


def test_results_leave_what_rules_speak_of_alone():
    asked = "(forEach (sites Board) if:(= 3 (max (results from:(sites {1 2}) to:(sites {3}) (to)))))"
    assert len(selected(asked, ("Man1", [0]))) == 25


def test_a_number_of_results_and_one_of_them():
    assert worth("(size Array (results from:(sites {1 2}) to:(sites {3 4 5}) (to)))", ("Man1", [0])) == 6
    assert worth("(arrayValue (results from:(sites {1 2}) to:(sites {3 4 5}) (to)) index:4)", ("Man1", [0])) == 4


def test_results_of_no_site_are_results_all_the_same():
    asked = "(size Array (results from:(last From) to:(sites {3 4}) (to)))"
    assert worth(asked, ("Man1", [0])) == 2
