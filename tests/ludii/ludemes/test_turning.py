"""Pieces that turn, and directions that turn with them."""

import pytest

from tests.ludii.ludemes.small import made

STEP = '(forEach Piece "Man" (move Step {} (to if:(is Empty (to)))))'


def reached(directions, rotation, more=""):
    """Where a piece in the middle of the board gets that was turned so often."""
    start = f'(place "Man1" 12 rotation:{rotation})'
    game = made(STEP.format(directions), start=start, more=more)
    leaf = game.coordinates.leaf
    return sorted(leaf(code).read(code, "to") for code in game.initial().legal(0) if leaf(code))


@pytest.mark.parametrize(("rotation", "to"), [(0, 17), (1, 18), (2, 13), (7, 16), (8, 17), (9, 18)])
def test_forward_turns_by_all_directions_of_the_board(rotation, to):
    assert reached("Forward", rotation) == [to]
    assert reached("(directions Forward)", rotation) == [to]


@pytest.mark.parametrize(("rotation", "to"), [(0, 17), (1, 13), (2, 7), (3, 11), (4, 17)])
def test_forward_turns_by_some_of_them(rotation, to):
    assert reached("(directions Forward of:Orthogonal)", rotation) == [to]


def test_several_directions_turn_together():
    assert reached("(directions {FR FL})", 0) == [16, 18]
    assert reached("(directions {FR FL})", 2) == [8, 18]


@pytest.mark.parametrize(("by_site", "found"), [("", []), ("bySite:True", [2])])
def test_directions_of_each_site(by_site, found):
    """At the edge nothing lies ahead to the right; of what there is, the next one on that side is backwards."""
    play = f"(forEach Piece (move Step (directions {{FR}} {by_site}) (to if:(is Empty (to)))))"
    game = made(play, ("Man1", [5]), board="(square 3)")
    leaf = game.coordinates.leaf
    assert [leaf(code).read(code, "to") for code in game.initial().legal(0) if leaf(code)] == found


def rotations(play, rotation=0, board="(square 5)"):
    game = made(play, start=f'(place "Man1" 12 rotation:{rotation})', board=board)
    leaf = game.coordinates.leaf
    return game, [leaf(code).read(code, "rotation") for code in game.initial().legal(0) if leaf(code)]


def test_turning_to_the_left_and_to_the_right():
    each = '(forEach Piece "Man" (move Set Rotation {}))'
    assert rotations(each.format(""))[1] == [7, 1]
    assert rotations(each.format(""), 7)[1] == [6, 0]
    assert rotations(each.format("next:False"))[1] == [7]
    assert rotations(each.format("{2 4} previous:False next:False"))[1] == [2, 4]
    assert rotations(each.format("5 previous:False"))[1] == [5, 1]


def test_a_piece_that_has_turned():
    play = '(forEach Piece "Man" (move Set Rotation {2 4} previous:False next:False))'
    game, _ = rotations(play)
    state = game.initial()
    assert [game.text(move) for move in state.legal(0)] == ["setrotation c3 rotation=2", "setrotation c3 rotation=4"]
    assert [game.parse(game.text(move)) for move in state.legal(0)] == list(state.legal(0))
    record = game.compiled.layout.state(bytearray(state.after(state.legal(0)[1]).block))
    assert record.rotation[12] == 4


def test_turning_as_an_effect():
    play = "(move Select (from 12) (then (set Rotation (to (last To)) 3 previous:False next:False)))"
    game = made(play, ("Man1", [12]))
    state = game.initial()
    record = game.compiled.layout.state(bytearray(state.after(state.legal(0)[0]).block))
    assert record.rotation[12] == 3
