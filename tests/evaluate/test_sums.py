import math

import pytest

from ludarium import game
from ludarium.core import Rng, UnsupportedGame
from ludarium.evaluate import evaluator
from ludarium.evaluate.sums import Auto
from tests.agents.positions import after
from tests.evaluate.positions import judged


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("breakthrough", "material + 0.001*mobility"),
        ("connect-four", "material + 0.001*mobility"),
        ("gdl:breakthrough", "material + 0.001*mobility"),
        ("checkers", "material + 0.001*mobility"),
        ("gdl:connect-four", "goals"),
        ("gdl:nim", "goals"),
        ("goofspiel", "mobility"),
        ("nim", "mobility"),
    ],
)
def test_auto_takes_what_suits_the_game(name, chosen):
    assert Auto().chosen(game(name)).name == chosen


def test_terms_are_own_minus_others_and_balanced_states_are_worth_a_half():
    breakthrough = game("breakthrough")
    even, taken = after(breakthrough, "a2a3 h7h6"), after(breakthrough, "a2b3 b7b6 b3a4 h7h6 a4a5 h6h5 a5b6")
    assert judged("material", even) == [(0.5, 0.5)]
    ((white, black),) = judged("material", taken)
    assert white > 0.6
    assert black == pytest.approx(1 - white)


def test_others_are_averaged_where_there_are_several():
    rules = game("three-player-connect-four")
    state = rules.initial()
    assert judged("material", state) == [(0.5, 0.5, 0.5)]
    first = state.after(state.legal(state.movers[0])[0])
    ((red, yellow, green),) = judged("material", first)
    assert red > 0.5 > yellow == green
    assert math.atanh((red - 0.5) / 0.475) == pytest.approx(-2 * math.atanh((green - 0.5) / 0.475))


def test_factors_weigh_terms():
    breakthrough = game("breakthrough")
    state = after(breakthrough, "a2b3 b7b6 b3a4 h7h6 a4a5 h6h5 a5b6")
    ((plain, _), (turned, _)) = judged("material", state)[0], judged("-1*material", state)[0]
    assert turned == pytest.approx(1 - plain)
    assert judged("2*material", state) == judged("material", state)  # the scale is taken out again


def test_large_differences_are_told_apart():
    reversi = game("reversi")
    judge = evaluator("material")
    rng, state = Rng(0), reversi.initial()
    by_count = {}
    while not state.over:
        pieces = str(state)
        ((black, _),) = judge.values(reversi, [state], Rng(0))
        by_count[pieces.count("●") - pieces.count("○")] = black
        state = state.after({role: rng.choice(state.legal(role)) for role in state.movers})
    assert len(by_count) > 8
    assert len(set(by_count.values())) == len(by_count)


def test_scales_are_found_once_per_game(monkeypatch):
    tic_tac_toe = game("tic-tac-toe")
    evaluator("mobility").judge(tic_tac_toe)
    monkeypatch.setattr("ludarium.evaluate.sums.sample", None)
    evaluator("mobility").judge(tic_tac_toe)
    with pytest.raises(TypeError):
        evaluator("mobility + material").judge(tic_tac_toe)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [("material", "not known what its pieces are"), ("goals", "not known as ground formulas")],
)
def test_what_cannot_be_judged_is_refused(spec, reason):
    with pytest.raises(UnsupportedGame, match=f"{spec} cannot judge nim.*{reason}"):
        evaluator(spec).judge(game("nim"))
