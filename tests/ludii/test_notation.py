"""Moves as people write them, and back."""

import pytest

from ludarium.core import IllegalMove, Rng
from ludarium.ludii.code.sinks import PASS
from ludarium.ludii.game import from_text

GAME = """(game "Toy"
    (players 2)
    (equipment {{ (board (square 3)) (piece "Stone" Each {moves}) (piece "Knight" P1) {more} }})
    (rules (start (place "Stone1" 0)) (play {play}) (end (if (is Full) (result Mover Win))))
)
"""


def written(play, moves="", more=""):
    """The moves of the first state; all are read back as what they were."""
    game = from_text(GAME.format(play=play, moves=moves, more=more))
    legal = game.initial(Rng(1)).legal(0)
    texts = [game.text(move) for move in legal]
    assert [game.parse(text) for text in texts] == list(legal)
    assert len(set(texts)) == len(legal)
    return texts


def test_a_move_is_written_by_its_ends():
    assert written("(forEach Piece)", "(move Step (to if:(is Empty (to))))") == ["a1-a2", "a1-b2", "a1-b1"]


def test_what_can_be_told_from_the_ends_is_left_out():
    play = "(forEach Site (sites Empty) (move Add (to (site)) (then (set Score P1 (site)))))"
    assert written(play)[:2] == ["add b1", "add c1"]


def test_pieces_are_written_by_name():
    play = '(move Add (piece {"Stone1" "Knight1"}) (to (sites {4})))'
    assert written(play) == ["add b2 piece=stone1", "add b2 piece=knight1"]


def test_dice_tell_moves_apart():
    play = "(do (roll) next:(forEach Die (move (from 0) (to (+ 1 (pips))))))"
    texts = written(play, more="(dice d:3 num:2)")
    assert all(text.startswith("a1-") for text in texts)
    assert not any("_" in text for text in texts)


def test_alike_moves_of_two_rules_are_numbered():
    play = "(or (move Add (to (sites {4}))) (move Add (to (sites {4})) (then (moveAgain))))"
    assert written(play) == ["add b2", "add b2 #2"]


def test_rules_whose_moves_never_have_the_same_ends_need_no_numbers():
    play = "(forEach Piece (or {(move Step Orthogonal (to if:(is Empty (to)))) (move Step Diagonal (to if:(is Empty (to))))}))"
    assert written(play) == ["a1-a2", "a1-b1", "a1-b2"]
    leap = "(forEach Piece (or (move Leap {{F F R F}} (to)) (move Slide Orthogonal)))"
    assert written(leap) == ["a1-b3", "a1-a2", "a1-a3", "a1-b1", "a1-c1"]


def test_the_piece_that_moves_tells_rules_apart():
    knight = '(piece "Rider" Each (move Slide))'
    texts = written("(forEach Piece)", "(move Step (to if:(is Empty (to))))", knight)
    assert texts == ["a1-a2", "a1-b2", "a1-b1"]
    game = from_text(
        GAME.format(play="(forEach Piece)", moves="(move Step (to if:(is Empty (to))))", more=knight).replace(
            '(place "Stone1" 0)', '{(place "Stone1" 0) (place "Rider1" 8)}'
        )
    )
    assert {game.text(move) for move in game.initial().legal(0)} >= {
        "a1-b2",
        "rider c3-c2",
        "rider c3-c1",
        "rider c3-b2",
    }
    assert all(game.parse(game.text(move)) == move for move in game.initial().legal(0))


def test_a_way_is_told_only_where_several_lead_there():
    hop = "(move Hop Orthogonal (between before:%d after:%d if:(is Occupied (between)) (apply (remove (between)))) (to if:(is Empty (to))))"
    rules = GAME.replace("square 3", "square 6").replace(
        '(place "Stone1" 0)', '{{(place "Stone1" 0) (place "Stone2" {at})}}'
    )

    def texts(before, after, at):
        game = from_text(rules.format(play=f"(forEach Piece {hop % (before, after)})", moves="", more="", at=at))
        legal = game.initial().legal(0)
        assert [game.parse(game.text(move)) for move in legal] == list(legal)
        return [game.text(move) for move in legal]

    assert texts(0, 0, 1) == ["a1-c1"]
    assert texts(3, 3, 1) == ["a1-c1", "a1-d1 over=b1", "a1-e1 over=b1", "a1-f1 over=b1"]
    assert texts(3, 3, 2) == ["a1-d1 over=c1", "a1-e1 over=c1", "a1-f1 over=c1"]


def test_passing_is_called_so_and_having_no_move_otherwise():
    game = from_text(GAME.format(play="(or (move Pass) (move Add (to (sites Empty))))", moves="", more=""))
    passes = next(move for move in game.initial().legal(0) if game.text(move) == "pass")
    assert game.parse("pass") == passes != PASS
    assert game.parse("skip") == PASS
    assert game.text(PASS) == "skip"
    without = from_text(GAME.format(play="(move Add (to (sites Empty)))", moves="", more=""))
    assert (without.text(PASS), without.parse("pass")) == ("pass", PASS)


@pytest.mark.parametrize(
    "text", ["", "add z9", "add b2 piece=queen", "add b2 #7", "b2", "add b2 from=a1", "a1-a2 =", "="]
)
def test_what_is_no_move_is_refused(text):
    game = from_text(GAME.format(play="(move Add (to (sites Empty)))", moves="", more=""))
    with pytest.raises(IllegalMove):
        game.parse(text)
