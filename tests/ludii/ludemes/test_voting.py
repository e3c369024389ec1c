"""Proposals, votes, swapped seats and cycles in small games of our own."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from ludarium.testing import check_game

TALK = """
(game "Talk"
    (players PLAYERS)
    (equipment { (board (square 3)) (piece "Stone" Each) })
    (rules
        (play
            (if (is Proposed "End")
                (or (move Vote "End") (move Vote "No"))
                (or (move Propose "End") (move Add (to (sites Empty))))
            )
        )
        (end { (if (is Decided "End") (result Mover Win)) (if (is Line 3) (result Mover Win)) })
    )
)
"""

SEATS = """
(game "Seats"
    (players 2)
    (equipment { (board (square 2)) (piece "Stone" Each) })
    (rules
        (play (or (if (= 0 (counter)) (move Swap Players P1 P2)) (move Add (to (sites Empty)))))
        (end (if (is Line 2) (result Mover Win)))
    )
)
"""

SHUTTLE = """
(game "Shuttle"
    (players 2)
    (equipment { (board (square 2)) (piece "Cart" Each (move Step Orthogonal (to if:(is Empty (to))))) })
    (rules
        (start { (place "Cart1" (sites {0})) (place "Cart2" (sites {2})) })
        (play (if (is Cycle) (move Pass) (forEach Piece)))
        (end (if (all Passed) (result Mover Draw)))
    )
)
"""


def say(game, state, *words):
    for word in words:
        role = state.movers[0]
        legal = {game.coordinates.leaf(move).kind + str(game.coordinates.leaf(move).read(move, "ballot")): move
                 for move in state.legal(role)}  # fmt: skip
        state = state.after(legal[word])
    return state


def test_what_all_vote_for_is_decided():
    game = from_text(TALK.replace("PLAYERS", "2"))
    state = say(game, game.initial(), "Propose0")
    assert len(state.legal(state.movers[0])) == 2
    state = say(game, state, "Vote0", "Vote0")
    assert state.utilities() == (1.0, 0.0)


def test_half_of_the_votes_decide_nothing_and_the_game_goes_on():
    game = from_text(TALK.replace("PLAYERS", "2"))
    state = say(game, game.initial(), "Propose0", "Vote1", "Vote0")
    assert not state.over
    assert len(state.legal(state.movers[0])) == 10


def test_more_than_half_of_the_votes_decide():
    game = from_text(TALK.replace("PLAYERS", "3").replace('"End") (result Mover Win)', '"End") (result Mover Draw)'))
    assert say(game, game.initial(), "Propose0", "Vote1", "Vote0", "Vote0").over
    assert not say(game, game.initial(), "Propose0", "Vote1", "Vote0", "Vote1").over


def test_players_swap_seats_and_the_colour_that_moves_stays():
    game = from_text(SEATS)
    state = game.initial()
    first = state.after(state.legal(0)[0])
    swap = next(move for move in first.legal(1) if game.coordinates.leaf(move).kind == "Swap")
    second = first.after(swap)
    assert second.movers == (0,)  # the second colour, for the first player
    assert len(second.legal(0)) == 3


def test_states_that_come_three_times_in_a_row_are_a_cycle():
    game = from_text(SHUTTLE)
    state = game.initial()
    for _ in range(3):
        for text in ("a1-b1", "a2-b2", "b1-a1", "b2-a2"):
            assert game.parse(text) in state.legal(state.movers[0])
            state = state.after(game.parse(text))
    assert [game.coordinates.leaf(move).kind for move in state.legal(state.movers[0])] == ["Pass"]


@pytest.mark.parametrize("text", [TALK.replace("PLAYERS", "2"), SEATS, SHUTTLE])
def test_machine_code_and_python_agree_and_promises_are_kept(text):
    def played():
        game, rng = from_text(text), Rng(5)
        state, seen = game.initial(), []
        while not state.over and len(seen) < 40:
            legal = state.legal(state.movers[0])
            seen.append((tuple(legal), bytes(state.block)))
            state = state.after(legal[rng.below(len(legal))])
        return seen

    native = played()
    with using("python"):
        assert played() == native
    check_game(from_text(text))
