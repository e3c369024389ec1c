"""Heuristics that a model chooses, and sums that it weighs."""

from dataclasses import replace

import numpy as np
import pytest

from ludarium import agent, game, play
from ludarium.arena.position import after as position
from ludarium.core import BadParameter, LudariumError, Rng
from ludarium.evaluate import evaluator
from ludarium.evaluate.named import LUDII
from ludarium.hyper.heuristics import term_weights
from ludarium.hyper.models.model import Forecast, Prediction, train
from ludarium.hyper.models.store import save
from tests.agents.positions import decide
from tests.hyper.tables import table

HEX = "lud:hex(options='Size/5x5')"
SCORES = {
    "ComponentValuesPos": 95,
    "CentreProximityPos": 80,
    "CentreProximityNeg": 10,
    "SidesProximityNeg": 60,
    "MaterialPos": 5,
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """One that expects about the same of heuristics in every game."""
    path = tmp_path_factory.mktemp("models") / "heuristics.zip"
    made = table()
    base = np.array(list(SCORES.values()))
    scores = base + np.random.default_rng(1).normal(0, 1, (len(made.games), len(base)))
    save(train(replace(made, candidates=tuple(SCORES), scores=scores.clip(0, 100)), learns="joint-forest"), path)
    return str(path)


def test_the_best_that_can_judge_the_game_judges_it(model):
    this = game(HEX)
    state = position(this, "add c3", seed=0).state
    chosen = evaluator(f"predicted(model='{model}')")
    plain = evaluator("centre")
    assert chosen.values(this, [state], Rng(1)) == plain.values(this, [state], Rng(1))
    made = decide(agent(f"alphabeta(evaluator=predicted(model='{model}'))"), state, iterations=50)
    assert "judged by CentreProximityPos 80 %" in made.note
    assert "left out: ComponentValuesPos" in made.note


def test_a_blend_weighs_terms_by_what_is_expected_of_them_and_of_their_opposites(model):
    forecasts = tuple(Forecast(name, score, 0, 100) for name, score in SCORES.items())
    weights = {
        term.name: weight for term, weight in term_weights(model, Prediction("", forecasts, "", 0, 0, 0)).items()
    }
    assert weights == pytest.approx({"values": 0.95, "centre": 0.7, "sides": -0.6, "material": 0.05})
    this = game(HEX)
    sums = evaluator(f"blended(model='{model}')").chosen(this)
    assert [term.name for term in sums.terms] == ["centre", "sides"]
    assert sums.terms[0].weight > 0 > sums.terms[1].weight
    assert [term.name for term in evaluator(f"blended(model='{model}', most=1)").chosen(this).terms] == ["centre"]


def saved(path, **scores):
    made = table()
    rows = np.tile(np.array(list(scores.values()), float), (len(made.games), 1))
    rows += np.random.default_rng(1).normal(0, 0.1, rows.shape)
    save(train(replace(made, candidates=tuple(scores), scores=rows), learns="joint-forest"), path)
    return str(path)


def test_nothing_takes_no_place_in_a_blend(tmp_path):
    slight = {"CentreProximityPos": 52, "CentreProximityNeg": 48, "NullHeuristicPos": 50}
    chosen = evaluator(f"blended(model='{saved(tmp_path / 'slight.zip', **slight)}', most=1)").chosen(game(HEX))
    assert [term.name for term in chosen.terms] == ["centre"]


def test_code_that_a_model_names_is_not_run(tmp_path):
    (tmp_path / "evil.py").write_text("raise SystemExit\n", "utf-8")
    model = saved(tmp_path / "evil.zip", **{f"{tmp_path}/evil.py:Evil": 60, "MaterialPos": 20})
    for kind in ("predicted", "blended"):
        with pytest.raises(BadParameter, match="names code as a heuristic"):
            evaluator(f"{kind}(model='{model}')").judge(game(HEX))


@pytest.mark.parametrize("name", [HEX, "gdl:tic-tac-toe"])
@pytest.mark.parametrize("kind", ["predicted", "blended"])
def test_alphabeta_plays_by_them(kind, name, model):
    made = play(name, [f"alphabeta(evaluator={kind}(model='{model}'), depth=2)", "random"], seed=1, iterations=100)
    assert sum(made.utilities) == 1


def test_what_is_no_model_of_heuristics_is_refused(tmp_path):
    for kind in ("predicted", "blended"):
        with pytest.raises(LudariumError, match="there is no such file"):
            evaluator(f"{kind}(model='{tmp_path}/none.zip')").judge(game("tic-tac-toe"))
        with pytest.raises(BadParameter, match="model is 3; expected"):
            evaluator(f"{kind}(model=3)")
    path = tmp_path / "agents.zip"
    save(train(table()), path)
    with pytest.raises(BadParameter, match="is no model of heuristics"):
        evaluator(f"predicted(model='{path}')").judge(game("tic-tac-toe"))


def test_every_heuristic_of_the_tables_has_an_opposite_but_nothing():
    names = set(LUDII) - {"NullHeuristicPos"}
    assert {name.replace("Pos", "Neg") for name in names if name.endswith("Pos")} <= names
