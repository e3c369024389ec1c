"""Numbers of boards, conditions, and where moves have been."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import holds, made, worth


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("(count Orthogonal at:0)", 2),
        ("(count Orthogonal at:12)", 4),
        ("(count Adjacent at:12)", 8),
        ("(count Diagonal at:1)", 2),
        ("(count Orthogonal in:(sites Row 2))", 3),
        ("(+ 1 (count Orthogonal at:99))", 0),
        ("(- (count Vertices) 30)", 6),
        ("(- (count Edges) 40)", 20),
        ("(- (count Cells) 20)", 5),
    ],
)
def test_how_many_there_are(number, found):
    assert worth(number) == found


def test_one_of_two_conditions_holds():
    sides = {"(= 1 1)": True, "(is Empty 0)": False}
    for one, first in sides.items():
        for other, second in sides.items():
            assert holds(f"(xor {one} {other})", ("Man1", [0])) is (first != second)


def test_where_the_last_move_has_been():
    """A move from a1 to a2 that also puts a wall on b1: the next player may select where all that was."""
    play = """(if (= (mover) 1)
        (move (from 0) (to 5) (then (add (piece "Wall0") (to 1))))
        (move Select (from (sites LastTo)))
    )"""
    game = made(play, ("Man1", [0]))
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert [game.text(move) for move in state.legal(1)] == ["select b1", "select a2"]


TWICE = """
(game "Twice"
    (players 2)
    (equipment { (board (square 2)) (piece "Stone" Each) })
    (rules
        (play (or (move Add (to (sites Empty) (apply (set Var "Own" 1))) (then (set Var "Inner" (+ 1 (var "Inner")))))
            (move Pass) (then (set Var "Outer" (+ 1 (var "Outer"))))))
        (end (if (= (counter) 9) (result Mover Draw)))
    )
)
"""


def test_what_is_listed_twice_has_the_consequences_around_it_twice():
    game = from_text(TWICE)
    state = game.initial()
    add, skip = state.legal(0)[0], state.legal(0)[-1]
    names = game.compiled.layout.vars

    def variables(move):
        record = game.compiled.layout.state(bytearray(state.after(move).block))
        before = game.compiled.layout.state(bytearray(state.block))
        return {name: record.var[k] - before.var[k] for k, name in enumerate(names)}

    assert (variables(add)["Inner"], variables(add)["Outer"]) == (1, 2)
    assert (variables(skip)["Inner"], variables(skip)["Outer"]) == (0, 1)


def test_the_moves_that_one_was_chosen_from_are_counted():
    play = "(move Add (to (sites Empty)) (then (set Counter (count LegalMoves))))"
    for way in ("native", "python"):
        with using(way):
            game = made(play, ("Wall0", [0, 1, 2]), ends="(if (= 21 (count LegalMoves)) (result Next Win))")
            state, counted = game.initial(), []
            while state.movers:
                state = state.after(state.legal(state.movers[0])[0])
                counted.append(game.compiled.layout.state(bytearray(state.block)).choices)
            assert counted == [22, 21]
            assert state.utilities() == (1.0, 0.0)


def test_a_forced_pass_is_one_move():
    ends = "(if (and (= 2 (count Moves)) (= 1 (count LegalMoves))) (result P2 Win))"
    game = made("(move Remove (sites Occupied by:Mover))", ("Man1", [0, 1]), ends=ends)
    state = game.initial()
    for _ in range(2):
        state = state.after(state.legal(state.movers[0])[0])
    assert state.over


@pytest.mark.parametrize(
    ("play", "why"),
    [
        ("(if (< 3 (count LegalMoves)) (move Pass))", "moves are counted while they are looked for"),
        ("(do (move Pass) ifAfterwards:(= 1 (count LegalMoves)))", "where moves are tried before one is chosen"),
    ],
)
def test_moves_are_not_counted_before_they_are_known(play, why):
    with pytest.raises(RulesError, match=why):
        made(play)


def test_moves_are_not_counted_where_that_would_tell_what_is_hidden():
    hidden = "(then (if (= 1 (count LegalMoves)) (set Hidden at:0 to:P2)))"
    with pytest.raises(RulesError, match="it would tell what others can do"):
        made(f"(move Add (to (sites Empty)) {hidden})")
