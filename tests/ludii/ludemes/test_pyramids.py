"""Boards with several layers: what carries what, and what is seen from above.

The pyramid of side 3 has the sites 0 1 2 / 5 6 8 / 11 12 13 on the ground, 3 4 / 9 10 above, and 7 on top of all.
"""

import pytest

from ludarium.core.problems import RulesError
from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import holds, made, selected, worth

PYRAMID = {"board": "(square 3 pyramidal:True) use:Vertex"}


def test_the_numbers_of_the_sites():
    sites = made("(move Pass)", **PYRAMID).model.topology.sites()
    assert [site for site in range(14) if sites.layers[site] == 0] == [0, 1, 2, 5, 6, 8, 11, 12, 13]
    assert [site for site in range(14) if sites.layers[site] == 1] == [3, 4, 9, 10]


@pytest.mark.parametrize(("top", "visible", "all_"), [([], 3, 3), (["Wall0"], 1, 3)])
def test_what_lies_straight_above_covers(top, visible, all_):
    row, above = ("Man1", [5, 6, 8]), [(name, [7]) for name in top]
    asked = "(max (sizes Group Orthogonal P1 {}))"
    assert worth(asked.format("isVisible:True"), row, *above, **PYRAMID) == visible
    assert worth(asked.format(""), row, *above, **PYRAMID) == all_
    assert (
        worth("(count SizeBiggestGroup Orthogonal if:(= 1 (who at:(to))) isVisible:True)", row, *above, **PYRAMID)
        == visible
    )
    assert holds("(is Line 3 SameLayer through:5 isVisible:True)", row, *above, **PYRAMID) == (not top)
    assert holds("(is Line 3 SameLayer through:5)", row, *above, **PYRAMID)


def test_two_pieces_hide_where_others_touch():
    pair = ("Man1", [1, 6])
    seen = "(sites Group at:1 Orthogonal isVisible:True)"
    assert selected(seen, pair, ("Man2", [3]), **PYRAMID) == [1, 6]
    assert selected(seen, pair, ("Man2", [3, 4]), **PYRAMID) == [1]
    line = "(is Line 2 SameLayer through:1 isVisible:True)"
    assert holds(line, pair, ("Man2", [3]), **PYRAMID)


def test_the_largest_group_that_touches_some_sites():
    places = ("Man1", [0, 1, 2]), ("Man2", [11])
    assert worth("(count SizeBiggestGroup Orthogonal)", *places, **PYRAMID) == 3
    assert worth("(count SizeBiggestGroup Orthogonal (sites {11 13}))", *places, **PYRAMID) == 1


def test_the_largest_line():
    places = ("Man1", [0, 1, 6, 13]), ("Man2", [11])
    assert worth("(count SizeBiggestLine SameLayer if:(= 1 (who at:(to))))", *places, **PYRAMID) == 3
    assert worth("(count SizeBiggestLine Orthogonal if:(= 1 (who at:(to))))", *places, **PYRAMID) == 2
    assert worth("(+ 1 (count SizeBiggestLine if:(is Empty (to))))", ("Wall0", range(14)), **PYRAMID) == 1


def test_what_carries_a_piece():
    assert selected("(sites Support)", ("Man1", [3]), **PYRAMID) == [0, 1, 5, 6]
    assert selected("(sites Support 1)", ("Man1", [3]), ("Man2", [4]), **PYRAMID) == [0, 1, 5, 6]
    assert selected("(sites Support 2)", ("Man1", [3]), ("Man2", [4]), **PYRAMID) == [1, 2, 6, 8]


def test_freedom_is_a_free_hole_of_the_ground():
    walls = ("Wall0", [0, 2])
    assert holds("(is Freedom (sites {1}))", walls, **PYRAMID)
    assert not holds("(is Freedom (sites {1}) 6)", walls, **PYRAMID)
    assert not holds("(is Freedom (sites {3}))", walls, ("Wall0", range(5, 14)), **PYRAMID)


def test_corners_of_a_pyramid():
    corners = [0, 2, 11, 13]
    assert holds("(is PyramidCorners from:7)", ("Man1", [7, *corners]), **PYRAMID)
    assert not holds("(is PyramidCorners from:7)", ("Man1", corners), ("Man2", [7]), **PYRAMID)
    assert not holds("(is PyramidCorners from:0)", ("Man1", corners), **PYRAMID)
    assert holds("(is PyramidCorners froms:(sites Occupied by:P1))", ("Man1", [3, 0, 1, 5, 6]), **PYRAMID)
    assert not holds("(is PyramidCorners froms:(sites Occupied by:P2))", ("Man1", [3, 0, 1, 5, 6]), **PYRAMID)


def test_whether_something_is_visible_is_no_question_of_the_state():
    with pytest.raises(RulesError, match="as the game goes"):
        selected("(sites Group at:1 isVisible:(is Mover P1))", ("Man1", [1]), **PYRAMID)


def test_a_piece_that_is_pending_comes_to_the_board():
    game = from_text(
        """
        (game "Pending" (players 2)
            (equipment { (board (square 3)) (piece "Man" Each) (piece "Rook" Each) })
            (rules
                (play
                    (if (is Pending)
                        (move Add (piece (value Pending)) (to (sites Empty)))
                        (move Add (to (sites Empty)) (then (and (set Pending 4) (moveAgain))))
                    )
                )
                (end (if (is Full) (result Mover Win)))
            )
        )
        """
    )
    state = game.initial()
    for _ in range(2):
        state = state.after(state.legal(0)[0])
    record = game.compiled.layout.state(bytearray(state.block))
    assert [record.what[site] for site in range(3)] == [1, 4, 0]


def test_a_pattern_leads_down_and_up_again():
    """Two steps up or down, with a turn to the right after each of them."""
    walk = "(is Pattern {F R R F} from:7)"
    assert holds(walk, ("Man1", [7, 10, 13]), board="(square 3 pyramidal:True) use:Vertex") is False
    assert holds("(is Pattern {F F} from:7)", ("Man1", [7, 10, 13]), **PYRAMID)
    assert holds("(is Pattern {F F} from:13)", ("Man1", [7, 10, 13]), **PYRAMID)
    assert not holds("(is Pattern {F F} from:7)", ("Man1", [7, 10, 12]), **PYRAMID)
