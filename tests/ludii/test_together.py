"""Games whose players choose at the same time, and games that nobody plays."""

import pytest

from ludarium.arena import play
from ludarium.core.problems import RulesError
from ludarium.ludii.game import from_text
from ludarium.testing import check_game

DUEL = """
(game "Duel"
    (players 2)
    (mode Simultaneous)
    (equipment { (board (square 3)) (piece "Man" Each) })
    (rules
        (start { (set Amount P1 4) (set Amount P2 4) })
        phases:{
        (phase "Bet"
            (play (or
                (move Bet P1 (range 0 2) (then (set Pot (+ (pot) (amount P1)))))
                (move Bet P2 (range 1 2) (then (set Pot (+ (pot) (amount P2)))))
            ))
            (nextPhase "Step")
        )
        (phase "Step"
            (play (or {
                (move Select (from 0) P1 (then (set Var "First" 0)))
                (move Select (from 1) P1 (then (set Var "First" 1)))
                (move Select (from 3) P2 (then (set Var "Second" 0)))
                (move Select (from 4) P2 (then (set Var "Second" 1)))
                } (then (if (= (var "First") (var "Second")) (addScore P1 1) (addScore P2 1)) applyAfterAllMoves:True)
            ))
            (nextPhase (> (counter) 4) "Rest")
        )
        (phase "Rest" (play (move Pass)))
        }
        (end (if (= (counter) 9) (byScore)))
    )
)
"""

CELLS = """
(game "Cells"
    (players 0)
    (equipment { (board (square 4)) (piece "Cell" Shared) })
    (rules
        (start (place "Cell" (sites { 0 5 })))
        (play (forEach Site (sites Board)
            (if (is Empty (to))
                (if (= 2 (count Sites in:(intersection (sites Around (to) Orthogonal) (sites Occupied by:All))))
                    (add (piece "Cell") (to (to))))
                (if (= 3 (to)) (remove (to)))
            )
        ))
        (end (if (= (count Moves) 20) (result Mover Draw)))
    )
)
"""


def at(game, state):
    return game.compiled.layout.state(bytearray(state.block))


def moves(game, state, role):
    return {game.text(move): move for move in state.legal(role)}


def test_all_choose_among_their_own_moves():
    game = from_text(DUEL)
    state = game.initial()
    assert not game.traits.turn_taking
    assert state.movers == (0, 1)
    assert (len(state.legal(0)), len(state.legal(1))) == (3, 2)


def test_what_all_have_chosen_is_done_in_their_order():
    game = from_text(DUEL)
    state = game.initial()
    first, second = moves(game, state, 0), moves(game, state, 1)
    state = state.after({0: first["bet bet=2"], 1: second["bet bet=1 #2"]})
    assert (at(game, state).pot, at(game, state).amount[1], at(game, state).amount[2]) == (3, 2, 1)


@pytest.mark.parametrize(("one", "other", "scores"), [("a1", "b2", (0, 2)), ("b1", "b2", (2, 0))])
def test_consequences_may_wait_for_all(one, other, scores):
    """Each of the two moves has the consequence, so it comes twice, when both have been made."""
    game = from_text(DUEL)
    state = game.initial()
    state = state.after({role: state.legal(role)[0] for role in (0, 1)})
    picks = [next(move for text, move in moves(game, state, role).items() if site in text)
             for role, site in ((0, one), (1, other))]  # fmt: skip
    state = state.after(dict(enumerate(picks)))
    assert (at(game, state).score[1], at(game, state).score[2]) == scores


def test_who_has_no_move_of_his_own_passes():
    game = from_text(DUEL)
    state = game.initial()
    while at(game, state).phase[1] != 2:
        state = state.after({role: state.legal(role)[0] for role in state.movers})
    assert [[game.text(move) for move in state.legal(role)] for role in (0, 1)] in (
        [["skip"], ["pass"]],
        [["pass"], ["skip"]],
    )


def test_it_is_a_game_like_others():
    game = from_text(DUEL)
    check_game(game)
    assert sum(play(game, ["uct", "random"], seed=1, iterations=50).utilities) == 1


@pytest.mark.parametrize(
    ("rule", "more"),
    [("(move Pass)", "(meta (no Repeat))"), ("(max Moves (move Pass))", ""), ("(if (no Moves Next) (move Pass))", "")],
)
def test_what_speaks_of_one_mover_is_refused(rule, more):
    text = f"""(game "Bad" (players 2) (mode Simultaneous) (equipment {{ (board (square 3)) (piece "Man" Each) }})
        (rules {more} (play {rule}) (end (if (= (counter) 9) (byScore)))))"""
    with pytest.raises(RulesError, match="in a game of simultaneous moves"):
        from_text(text, "bad.lud")


def test_a_simulation_does_all_at_once_until_nothing_happens():
    game = from_text(CELLS)
    state = game.initial()
    assert (len(game.roles), state.movers, len(state.legal(0))) == (1, (0,), 1)
    found = []
    while state.movers:
        state = state.after(state.legal(0)[0])
        found.append(sum(1 for site in range(16) if at(game, state).what[site]))
    assert found == [4]
    assert state.utilities() == (0.0,)
    check_game(game)


def test_a_simulation_has_no_last_move():
    with pytest.raises(RulesError, match="in a simulation"):
        from_text(CELLS.replace("(= 3 (to))", "(= 3 (last To))"))
