"""Lines of pieces, in small games of our own."""

from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import holds, made, worth

SINGLES = """
(game "Singles"
    (players 2)
    (equipment { (board (rectangle 1 4)) (piece "Disc" Each) })
    (rules
        (start { (place Stack "Disc2" 0) (place Stack "Disc1" 1) (place Stack "Disc1" 2) })
        (play (move Add (to (sites Board)) stack:True))
        (end (if (is Line 3 if:(= 1 (size Stack at:(to)))) (result Mover Win)))
    )
)
"""


def test_where_pieces_stack_a_condition_is_not_asked_of_the_piece_that_came_last():
    game = from_text(SINGLES)
    state = game.initial()
    assert [game.text(move) for move in state.legal(0) if state.after(move).over] == ["add a1", "add d1"]


def test_a_line_may_go_one_way_only():
    for men, expected in [([5, 6, 7], (True, False)), ([6, 7, 8], (True, True))]:
        asked = ["(is Line 3 E through:6)", "(is Line 3 E through:6 useOpposites:False)"]
        assert tuple(holds(each, ("Man1", men)) for each in asked) == expected


def test_a_line_may_need_several_kinds():
    line = '(is Line 3 E through:6 whats:{(id "Man" P1) (id "Man" P2)} throughHowMuch:2)'
    assert holds(line, ("Man1", [5, 6]), ("Man2", [7]))
    assert not holds(line, ("Man1", [5, 6, 7]))


def test_a_pyramid_has_as_many_rows_as_its_ground():
    assert (
        worth("(if (is Flat 0) (count Rows) (layer of:0))", ("Man1", [0]), board="(square 4 pyramidal:True) use:Vertex")
        == 4
    )


def test_a_state_that_is_set_first_stays_when_a_piece_comes():
    game = made("(move Add (to (sites {6}) (apply (set State at:(to) 2))))", ("Man1", [0]))
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert game.compiled.layout.state(bytearray(state.block)).state[6] == 2
