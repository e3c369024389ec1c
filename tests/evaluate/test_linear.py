import json

import numpy as np
import pytest

from ludarium import game
from ludarium.core import BadParameter, Rng, UnsupportedGame
from ludarium.evaluate import Model, evaluator, train, values
from ludarium.evaluate.linear import fit
from tests.agents.positions import after

CONNECT_FOUR = game("connect-four")


def test_a_fit_finds_the_weights_that_made_the_ends():
    rows = np.random.default_rng(3).normal(size=(500, 4)) * [1.0, 5.0, 0.1, 0.0] + [0.0, 3.0, 0.0, 7.0]
    true = np.array([[1.0, -1.0], [0.5, 0.0], [-4.0, 4.0], [0.0, 0.0]])
    constant, found = fit(rows, rows @ true + [0.25, -1.0], 0.0)
    assert found == pytest.approx(true, abs=1e-6)
    assert constant == pytest.approx([0.25, -1.0], abs=1e-6)


def test_a_fit_with_a_price_stays_nearer_to_nothing():
    rows = np.random.default_rng(3).normal(size=(500, 2))
    ends = rows @ np.array([[2.0], [1.0]])
    _, free = fit(rows, ends, 0.0)
    _, dear = fit(rows, ends, 1.0)
    assert np.all(np.abs(dear) < 0.6 * np.abs(free))


def test_a_fit_to_nothing_says_nothing():
    constant, found = fit(np.zeros((0, 2)), np.zeros((0, 3)), 1.0)
    assert not constant.any()
    assert not found.any()
    assert found.shape == (2, 3)


def test_the_centre_of_connect_four_is_learned_to_be_worth_more_than_its_edge():
    model = train(CONNECT_FOUR, games=1500, states=40_000)
    found = values(
        model.judge(CONNECT_FOUR), CONNECT_FOUR, [after(CONNECT_FOUR, "d"), after(CONNECT_FOUR, "a")], Rng(0)
    )
    assert found[0][0] > found[1][0] + 0.01
    assert [sum(each) for each in found] == pytest.approx([1.0, 1.0])  # what one wins the other loses


@pytest.mark.parametrize("name", ["connect-four", "gdl:tic-tac-toe", "goofspiel"])
def test_what_was_learned_survives_a_file(name, tmp_path):
    made = game(name)
    model = train(made, games=20)
    path = tmp_path / "weights.json"
    model.save(path)
    assert Model.load(path) == model
    rng = Rng(1)
    state = made.initial(rng)
    state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
    judging = evaluator(f"linear(file={str(path)!r})")
    assert values(judging.judge(made), made, [state], Rng(0)) == values(model.judge(made), made, [state], Rng(0))


def test_the_same_seed_learns_the_same_and_another_does_not():
    assert train(CONNECT_FOUR, games=5) == train(CONNECT_FOUR, games=5)
    assert train(CONNECT_FOUR, games=5) != train(CONNECT_FOUR, games=5, seed=1)


def test_weights_are_for_the_game_that_they_were_learned_from(tmp_path):
    train(CONNECT_FOUR, games=2).save(tmp_path / "weights.json")
    judging = evaluator(f"linear(file={str(tmp_path / 'weights.json')!r})")
    with pytest.raises(UnsupportedGame, match="linear cannot judge nim: its weights were learned from connect-four"):
        judging.judge(game("nim"))


def test_weights_for_larger_states_are_refused(tmp_path):
    train(CONNECT_FOUR, games=2).save(tmp_path / "weights.json")
    given = json.loads((tmp_path / "weights.json").read_text())
    given["facts"] = {"100000": [1.0, 1.0]}
    (tmp_path / "weights.json").write_text(json.dumps(given))
    with pytest.raises(UnsupportedGame, match="larger states"):
        Model.load(tmp_path / "weights.json").judge(CONNECT_FOUR)


@pytest.mark.parametrize(
    "change",
    [
        {"weights": [1.0]},
        {"weights": "abc"},
        {"terms": ["goals", "mobility"]},
        {"facts": {"-1": [0.0, 0.0]}},
        {"facts": {"3": [0.0]}},
        {"facts": {"x": [0.0, 0.0]}},
        {"facts": 5},
        {"roles": None},
    ],
)
def test_files_that_hold_something_else_are_refused(change, tmp_path):
    path = tmp_path / "weights.json"
    train(CONNECT_FOUR, games=2).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BadParameter, match="holds no weights of a linear evaluator"):
        Model.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", "\x00", "[" * 100_000])
def test_files_of_no_model_are_refused(text, tmp_path):
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(BadParameter, match="holds no weights of a linear evaluator"):
        Model.load(tmp_path / "other.json")


def test_missing_files_are_told(tmp_path):
    with pytest.raises(BadParameter, match="cannot read .*nowhere.json: No such file"):
        evaluator(f"linear(file={str(tmp_path / 'nowhere.json')!r})").judge(CONNECT_FOUR)
