"""Which rules of a description are used: those that can never matter are told, and no others."""

from ludarium.core import Rng
from ludarium.ludii.game import from_text

RULES = """
(game "Idle"
    (players 2)
    (equipment {
        (board (square 3))
        (piece "Man" Each (or (move Step Orthogonal (to if:(is Empty (to)))) (if (= 1 2) (move Step Diagonal (to)))))
        (piece "Statue" Neutral)
    })
    (rules
        (start { (place "Man1" 0) (place "Man2" 8) (place "Statue0" 4) })
        (play (forEach Piece (then (if (>= (count Moves) 99) (addScore Mover 1) (addScore Mover 2)))))
        (end {
            (if (> (score Mover) 500) (result Mover Win))
            (if (>= (count Moves) 12) (result Mover Draw))
        })
    )
)
"""


def followed(text, matches=3):
    game = from_text(text)
    seen = game.offers.coverage()
    for seed in range(matches):
        rng = Rng(seed)
        states, joints = [game.initial(rng)], []
        while not states[-1].over:
            joints.append({role: rng.choice(states[-1].legal(role)) for role in states[-1].movers})
            states.append(states[-1].after(joints[-1], rng))
        seen.follow(states, joints)
    return seen


def test_moves_effects_and_ends_that_never_come_are_told():
    rules = followed(RULES).rules()
    assert [rule.rule for rule in rules if not rule.used] == [
        "(move Step Diagonal (to))",
        "(addScore Mover 1)",
        "(result Mover Win)",
    ]
    used = {rule.rule for rule in rules if rule.used}
    assert {"(addScore Mover 2)", "(result Mover Draw)"} <= used
    assert rules[0].place.startswith("<text>:6:")


def test_pieces_that_never_move_are_told():
    assert followed(RULES).pieces() == {"Man1": True, "Man2": True, "Statue0": False}


def test_phases_that_are_never_left_are_told():
    phases = """
        (game "Stay" (players 2)
            (equipment { (board (square 2)) (piece "Man" Each) })
            (rules
                phases:{
                    (phase "One" (play (move Add (to (sites Empty)))) (nextPhase (= 1 (count Moves)) "Two"))
                    (phase "Two" (play (move Add (to (sites Empty)))) (nextPhase (= 1 (count Moves)) "One"))
                }
                (end (if (is Full) (result Mover Draw)))
            )
        )
    """
    dead = [rule.rule for rule in followed(phases).rules() if not rule.used]
    assert len(dead) == 1
    assert '"One"' in dead[0]
