"""Large pieces: what they cover, where they can be put and moved to."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.ludii.game import from_text
from ludarium.testing import check_game

GAME = """
(game "Tiles"
    (players 2)
    (equipment {{ (board (square 3)) (tile "Bar" P1 {bar}) (tile "Hook" P2 {{ F R F }}) (piece "Dot" Neutral) {more} }})
    (rules (start {{ {start} }}) (play {play}) (end (if (no Moves Next) (result Mover Win))))
)
"""


def made(play, start="", bar="{ F }", more=""):
    return from_text(GAME.format(play=play, start=start, bar=bar, more=more))


def texts(game, state):
    return [game.text(move) for move in state.legal(state.movers[0])]


def test_a_large_piece_needs_all_its_sites():
    """A bar that lies upwards has room from the six sites below, and from fewer if something is in its way."""
    play = "(move Add (piece (mover) state:0) (to (sites Empty)))"
    assert len(texts(*begun(made(play)))) == 6
    assert len(texts(*begun(made(play, '(place "Dot0" (sites {4}))')))) == 4


def begun(game):
    return game, game.initial()


def test_without_a_state_all_are_tried():
    """Of a bar there are 12 places, each told from both ends."""
    assert len(texts(*begun(made("(move Add (piece (mover)) (to (sites Empty)))")))) == 24


def test_several_walks_are_several_states():
    game = made("(move Add (piece (mover)) (to (sites { 0 })))", bar="{ { F } { F F } }")
    assert texts(*begun(game)) == [f"add a1 piece=bar1 state={state}" for state in (0, 1, 4, 5)]


def test_covered_sites_are_not_empty_and_nothing_stands_there():
    game = made("(or (move Add (piece (mover) state:1) (to (sites {3}))) (move Select (from (sites Empty))))")
    state = game.initial()
    state = state.after(next(move for move in state.legal(0) if "add" in game.text(move)))
    at = game.compiled.layout.state(bytearray(state.block))
    assert [site for site in range(9) if at.what[site]] == [3]
    assert [game.text(move) for move in state.legal(1) if "select" in game.text(move)] == [
        f"select {site}" for site in ("a1", "b1", "c1", "c2", "a3", "b3", "c3")
    ]
    assert game.picture(state).count("B") == 2


def test_a_large_piece_may_move_over_itself():
    """The bar on b2 and c2 can turn around b2 or c2 and go to where it is free, but not stay as it is."""
    play = "(move (from (sites Occupied by:Mover)) (to (union (sites Empty) (sites Occupied by:Mover))))"
    game = made(play, '(place "Bar1" coord:"B2" state:1)')
    found = texts(*begun(game))
    assert "b2-b2 state=1" not in found
    assert {"b2-c2 state=3", "b2-b2 state=3", "b2-c2 state=0", "b2-a1 state=0"} <= set(found)
    assert len(found) == 23  # all 24 but the one it lies in
    state = game.initial()
    state = state.after(next(move for move in state.legal(0) if game.text(move) == "b2-b2 state=3"))
    assert game.picture(state).count("B") == 2


def test_taking_a_large_piece_away_uncovers_its_sites():
    game = made("(move Remove (sites Occupied by:All))", '(place "Bar1" coord:"B2" state:1)')
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert not any(game.compiled.layout.state(bytearray(state.block)).covered)


def test_the_sites_of_a_large_piece():
    play = "(move Select (from (sites LargePiece at:4)))"
    game = made(play, '(place "Hook2" coord:"B2" state:0) (place "Dot0" (sites {0}))')
    assert texts(*begun(game)) == ["select b2", "select b3", "select c3"]
    game = made("(move Select (from (sites LargePiece at:0)))", '(place "Dot0" (sites {0}))')
    assert texts(*begun(game)) == ["select a1"]


@pytest.mark.parametrize(
    "play", ["(move Add (piece (mover)) (to (sites Empty)))", "(move (from (sites Hand Mover)) (to (sites Empty)))"]
)
def test_they_are_games_like_others(play):
    start = '(place "Bar1" (handSite P1)) (place "Hook2" (handSite P2))'
    check_game(made(play, start, more="(hand Each)"))


def test_what_moves_pieces_otherwise_is_refused():
    with pytest.raises(RulesError, match="with large pieces"):
        made("(forEach Piece (move Step (to if:(is Empty (to)))))")


@pytest.mark.parametrize(("asked", "size"), [("at:0", 2), ("at:8", 1), ("at:4", 0), ("in:(sites {0 4 8})", 3)])
def test_large_pieces_count_as_many_sites_as_they_would_cover_in_the_centre(asked, size):
    start = '(place "Bar1" (sites {0})) (place "Dot0" (sites {8}))'
    game, state = begun(made(f"(move Select (from (sites {{ (size LargePiece {asked}) }})))", start))
    (move,) = state.legal(0)
    assert game.coordinates.leaf(move).read(move, "from") == size


def test_what_does_not_fit_into_the_centre_covers_nothing():
    play = "(move Select (from (sites { (size LargePiece at:0) })))"
    game, state = begun(made(play, '(place "Bar1" (sites {0}))', bar="{ F F }"))
    (move,) = state.legal(0)
    assert game.coordinates.leaf(move).read(move, "from") == 0
