"""Going along with records of games in which chance does more than roll dice."""

import random
from dataclasses import replace

import pytest

from ludarium.ludii.game import from_text
from ludarium.ludii.replaying import LudReplay
from ludarium.ludii.trial.compare import compare
from ludarium.ludii.trial.reader import parse
from ludarium.ludii.trial.recorder import record
from ludarium.ludii.trial.replay import Outcomes
from ludarium.ludii.trial.writer import text

COIN = """
(game "Coin"
    (players 2)
    (equipment { (board (square 3)) (piece "Stone" Each) })
    (rules
        (play (move Add (to (sites Empty)) (then (set Var "Side" (value Random (range 1 6))))))
        (end (if (is Line 3) (result Mover Win)))
    )
)
"""


@pytest.mark.parametrize("side", range(1, 7))
def test_what_was_drawn_is_found_by_what_it_led_to(side):
    replay = LudReplay(from_text(COIN))
    replay.start(Outcomes())
    chosen = [replay.legal()[0]]
    led = replay.after(chosen, Outcomes())
    leading = replace(led, values={**led.values, "variables": {"Side": side}})
    replay.play(chosen, Outcomes(leading=leading))
    assert replay.snapshot().values["variables"] == {"Side": side}


def test_what_cannot_be_drawn_is_not_found():
    replay = LudReplay(from_text(COIN))
    replay.start(Outcomes())
    chosen = [replay.legal()[0]]
    led = replay.after(chosen, Outcomes())
    leading = replace(led, values={**led.values, "variables": {"Side": 7}})
    replay.play(chosen, Outcomes(leading=leading))
    assert replay.snapshot().values["variables"]["Side"] in range(1, 7)


@pytest.mark.parametrize("mover", [1, 2])
def test_who_moves_next_may_be_what_was_drawn(mover):
    text = COIN.replace(
        '(set Var "Side" (value Random (range 1 6)))', "(if (= 1 (value Random (range 1 6))) (moveAgain))"
    )
    replay = LudReplay(from_text(text))
    replay.start(Outcomes())
    chosen = [replay.legal()[0]]
    replay.play(chosen, Outcomes(leading=replay.after(chosen, Outcomes()), mover=mover))
    assert replay.movers == (mover,)


WALLS = """
(game "Walls"
    (players 2)
    (equipment { (board (square 3)) (hand Each) (piece "Wall" Each) (piece "Man" Each (move Step (to if:(is Empty (to))))) })
    (rules
        (start { (place "Wall" "Hand" count:3) (place "Man1" 0) (place "Man2" 8) })
        (play (or (move (from (handSite Mover)) (to Edge (sites Empty Edge))) (forEach Piece)))
        (end (if (> (count Moves) 12) (result Mover Draw)))
    )
)
"""


@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_down_tells_the_types_of_sites(seed):
    rng = random.Random(seed)
    trial = record(LudReplay(from_text(WALLS)), "/lud/Walls.lud", lambda legal: [rng.choice(legal)])
    built = [move.decision for move in trial.played if move.decision.fields.get("typeTo") == "Edge"]
    assert built
    assert all(each.fields["typeFrom"] == "Cell" for each in built)
    assert compare(parse(text(trial)), LudReplay(from_text(WALLS))) is None
