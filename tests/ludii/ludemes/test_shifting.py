"""Pieces that change places, are pushed, drawn near or turned over."""

from tests.ludii.ludemes.small import after, made, standing

THEN = "(move Select (from (sites {%d})) (then %s))"


def test_pieces_change_places():
    assert after("(move Swap Pieces 3 8)", ("Man1", [3]), ("Man2", [8])) == {3: "Man2", 8: "Man1"}


def test_a_line_without_gaps_is_pushed():
    places = ("Man1", [5, 7]), ("Man2", [6]), ("Rook2", [9])
    pushed = {6: "Man1", 7: "Man2", 8: "Man1", 9: "Rook2"}
    assert after(THEN % (5, "(push (from (last To)) E)"), *places) == pushed


def test_what_is_pushed_falls_off():
    places = ("Man1", [7, 9]), ("Man2", [8])
    assert after(THEN % (7, "(push (from (last To)) E)"), *places) == {8: "Man1", 9: "Man2"}


def test_pieces_are_drawn_near_in_their_order():
    places = ("Man1", [0, 3]), ("Man2", [4]), ("Rook1", [20])
    drawn = {0: "Man1", 1: "Man1", 2: "Man2", 5: "Rook1"}
    assert after(THEN % (0, "(attract (from (last To)) Orthogonal)"), *places) == drawn


def test_a_shot_goes_as_far_as_the_line_is_free():
    game = made('(move Shoot (piece "Wall0") (from 5) E)', ("Man1", [5]), ("Man2", [8]))
    state = game.initial()
    found = [standing(game, state.after(move)) for move in state.legal(state.movers[0])]
    assert found == [{5: "Man1", 8: "Man2", to: "Wall0"} for to in (6, 7)]


def test_a_piece_is_turned_over():
    game = made(
        "(move Select (from (sites {6})) (then (flip (last To))))",
        ("Man1", [0]), more='(piece "Disc" Neutral (flips 1 2))', start='(place "Disc0" {6} state:2)',
    )  # fmt: skip
    state, found = game.initial(), []
    for _ in range(3):
        found.append(game.compiled.layout.state(bytearray(state.block)).state[6])
        state = state.after(state.legal(state.movers[0])[0])
    assert found == [2, 1, 2]


def test_a_site_is_claimed_by_the_piece_with_the_number_of_the_mover():
    assert after("(move Claim (to (sites {3})))", ("Wall0", [8]), moves=2) == {3: "Man1", 8: "Wall0"}
    assert after("(move Claim (to (sites Empty)))", ("Man1", [8]), moves=2) == {0: "Man1", 1: "Man2", 8: "Man1"}


def test_what_is_shot_along_a_line_knows_the_site_before():
    """As long as the site before is not the third of the row; in the first step there is none."""
    play = '(move Shoot (piece "Wall0") (from 0) E (to if:(and (is Empty (to)) (!= 2 (between)))))'
    game = made(play, ("Man1", [0]))
    assert [game.text(move) for move in game.initial().legal(0)] == ["add b1", "add c1"]
