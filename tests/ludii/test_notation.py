"""Moves as people write them, and back."""

import pytest

from ludarium.core import IllegalMove, Rng
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


@pytest.mark.parametrize(
    "text", ["", "add z9", "add b2 piece=queen", "add b2 #7", "b2", "add b2 from=a1", "a1-a2 =", "="]
)
def test_what_is_no_move_is_refused(text):
    game = from_text(GAME.format(play="(move Add (to (sites Empty)))", moves="", more=""))
    with pytest.raises(IllegalMove):
        game.parse(text)
