"""What is triggered stays so, for the player it was triggered for."""

from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import made

GAME = """
(game "Bell"
    (players 2)
    (equipment { (board (square 2)) (piece "Man" Each) })
    (rules
        (play (move Add (to (sites Empty)) (then (if (= (last To) 3) (trigger "Bell" %s)))))
        (end { (if (is Triggered "Bell" P1) (result P1 Win)) (if (is Full) (result Mover Draw)) })
    )
)
"""


def test_a_trigger_is_for_one_player():
    for role, utilities in [("Mover", (1.0, 0.0)), ("Next", (0.5, 0.5))]:
        game = from_text(GAME % role)
        state = game.initial()
        state = state.after(state.legal(state.movers[0])[3])
        while state.movers:
            state = state.after(state.legal(state.movers[0])[0])
        assert tuple(state.utilities()) == utilities


def test_what_was_pending_before_a_move_decides_what_the_move_does():
    play = (
        "(if (is Pending)"
        " (move (from (sites {0})) (to (sites Empty) (apply if:(is Pending) (moveAgain))))"
        " (move Add (to (sites {0})) (then (set Pending))))"
    )
    game = made(play, ("Man1", [8]), ends="(if (no Pieces P1) (result P2 Win))", board="(square 3)")
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert state.movers == (1,)
    state = state.after(state.legal(1)[0])
    assert state.movers == (1,)  # the second player moves again, since something was pending when he chose


def test_a_number_that_is_pending_need_not_be_a_site():
    """The board has nine sites, and 31 is pending."""
    play = "(if (is In (+ 30 (count Moves)) (sites Pending)) (move Pass) (move Add (to (sites {0})) (then (set Pending 31))))"
    game = made(play, board="(square 3)")
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert [game.text(move) for move in state.legal(1)][0].startswith("pass")
