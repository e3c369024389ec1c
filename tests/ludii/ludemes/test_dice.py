"""Dice: what effects do with them, what they are filtered with, and where they lie."""

from ludarium.core import Rng
from tests.ludii.ludemes.small import made, selected

DICE = "(dice facesByDie:{{3 3} {4 4}} num:2)"


def test_effects_use_up_their_dice():
    play = """(do (roll) next:(move Select (from 0)
        (then (and (forEach Die (if (= 3 (pips)) (remember Value (pips)))) (moveAgain)))))"""
    game = made(play, ("Man1", [0]), more=DICE)
    state = game.initial(Rng(0))
    record = game.compiled.layout.state(bytearray(state.block))
    assert [record.current[k] for k in range(2)] == [3, 4]
    game = made(play.replace("(roll)", "(if (= 0 (count Moves)) (roll))"), ("Man1", [0]), more=DICE)
    state = game.initial(Rng(0))
    state = state.after(state.legal(0)[0], rng=Rng(0))
    record = game.compiled.layout.state(bytearray(state.block))
    assert [record.current[k] for k in range(2)] == [0, 4]


def kinds(game):
    state = game.initial(Rng(0))
    return [leaf.kind if (leaf := game.coordinates.leaf(code)) else "forced" for code in state.legal(0)]


def test_who_could_move_before_a_filter_does_not_pass_with_the_dice():
    """If all moves are filtered out there is a pass that is forced; if there is none, one that comes with the roll."""
    play = '(do (do (roll) next:(move Add (piece (id "Man" Mover)) (to {}))) ifAfterwards:{})'
    start = ("Man1", [0]), ("Man2", range(1, 25))
    assert kinds(made(play.format("(sites {5})", "(= 2 (count Pieces P1))"), ("Man1", [0]), more=DICE)) == ["Add"]
    assert kinds(made(play.format("(sites {5})", "(= 1 (count Pieces P1))"), ("Man1", [0]), more=DICE)) == ["forced"]
    assert kinds(made(play.format("(sites Empty)", "(= 1 (count Pieces P1))"), *start, more=DICE)) == ["Pass"]


def test_dice_are_a_hand_that_all_share():
    assert selected("(sites Hand Shared)", ("Man1", [0]), more=DICE) == [25, 26]
    assert selected("(sites Hand Shared)", ("Man1", [0]), more="(hand P1 size:3)") == [25, 26, 27]
    assert selected("(sites Hand P2)", ("Man1", [0]), more="(hand P1 size:3)") == []


def offered(game):
    return [game.text(move).partition(" #")[0] for move in game.initial(Rng(0)).legal(0)]


def test_dice_are_rolled_where_a_rule_comes_to_them():
    """In the second of two rules only if the first makes no moves, and among effects before a move."""
    by_die = "(if (is AnyDie 3) (move Add (to 3)) (move Add (to 4)))"
    play = "(priority {{(if {} (move Add (to 5))) (do (roll) next:{})}})"
    for first, found in (("False", "add d1"), ("True", "add a2")):
        assert offered(made(play.format(first, by_die), ("Man1", [0]), more=DICE)) == [found]
    play = f'(do (seq {{(set Var "X" 1) (roll)}}) next:{by_die})'
    assert offered(made(play, ("Man1", [0]), more=DICE)) == ["add d1"]
