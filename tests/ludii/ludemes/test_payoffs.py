"""What players are paid in the end decides their places."""

import pytest

from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import made


def ended(payoffs, **options):
    """The utilities after the first move, with which the game ends."""
    game = made("(move Add (to (sites Empty)))", ends=f"(if True (payoffs {{ {payoffs} }}))", **options)
    state = game.initial()
    return state.after(state.legal(0)[0]).utilities()


@pytest.mark.parametrize(
    ("payoffs", "utilities"),
    [
        ("(payoff P1 5.5) (payoff P2 1.2)", (1.0, 0.0)),
        ("(payoff P1 1.25) (payoff P2 1.5)", (0.0, 1.0)),
        ("(payoff P1 2.0) (payoff P2 2.0)", (0.5, 0.5)),
        ("(payoff P2 -0.5)", (1.0, 0.0)),
        ("(payoff Mover (* 2.0 (toFloat (count Pieces P1)))) (payoff Next (max 1.5 (sqrt 3.9)))", (1.0, 0.0)),
        ("(payoff P1 (abs (- 1.0 3.5))) (payoff P2 (+ {0.5 1.0 1.5}))", (0.0, 1.0)),
        ("(payoff P1 (/ 1.0 3.0)) (payoff P2 (toFloat (= 1 2)))", (1.0, 0.0)),
        ("(payoff P1 (log10 100.0)) (payoff P2 (min (exp 1.0) (tan 1.0)))", (1.0, 0.0)),
    ],
)
def test_who_is_paid_more_wins(payoffs, utilities):
    assert ended(payoffs) == utilities


@pytest.mark.parametrize(("paid", "utility"), [("0.1", 1.0), ("0.0", 0.0), ("-1.0", 0.0)])
def test_who_plays_alone_wins_by_any_gain(paid, utility):
    game = from_text(f"""
        (game "Alone" (players 1)
            (equipment {{ (board (square 2)) (piece "Man" P1) }})
            (rules (play (move Add (to (sites Empty)))) (end (if True (payoffs {{ (payoff P1 {paid}) }})))))
    """)
    state = game.initial()
    assert state.after(state.legal(0)[0]).utilities() == (utility,)


def test_a_power_is_refused_with_its_place():
    with pytest.raises(Exception, match=r"'float: \^' cannot be played yet: in what is paid"):
        ended("(payoff P1 (^ 2.0 0.5))")
