"""The tables and the model that come along."""

import csv
import json
import zipfile

import numpy as np
import pytest

from ludarium import catalog, game, play
from ludarium.core import UnsupportedGame
from ludarium.evaluate import evaluator
from ludarium.evaluate.named import LUDII
from ludarium.hyper.chosen import model_of
from ludarium.hyper.features import features
from ludarium.hyper.models.model import train
from ludarium.hyper.models.store import _release, save
from ludarium.hyper.models.tables import join, read
from ludarium.hyper.shipped import GAMES, LEAST, MODEL, WAYS, absent, folder, paths
from ludarium.studies.hyper_agents.study import AGENTS
from tests.commands import run

MOST_BYTES = 4_000_000


BOTH = pytest.mark.parametrize("heuristics", [False, True])


@BOTH
def test_the_model_comes_from_the_tables_byte_by_byte(heuristics, tmp_path):
    there = folder(heuristics=heuristics) / MODEL
    with zipfile.ZipFile(there) as archive:
        about = json.loads(archive.read("about.json"))
    if about["scikit-learn"] != _release():
        pytest.skip(f"it was learned with scikit-learn {about['scikit-learn']}")
    out = tmp_path / "again.zip"
    assert run("hyper", "train", *(["--heuristics"] if heuristics else []), "--out", out).exit_code == 0
    assert out.read_bytes() == there.read_bytes()
    save(train(join(*paths(heuristics=heuristics)), learns=WAYS[heuristics], matches=LEAST), tmp_path / "third.zip")
    assert (tmp_path / "third.zip").read_bytes() == out.read_bytes()


@BOTH
def test_a_zero_of_the_model_has_no_sign_as_that_depends_on_the_processor(heuristics):
    model = model_of(None, heuristics=heuristics)
    for values in (model.errors, model.learned):
        assert not np.signbit(values[values == 0]).any()


def test_it_knows_the_five_agents_and_all_heuristics_and_is_small():
    assert set(model_of(None).candidates) == set(AGENTS)
    assert set(model_of(None, heuristics=True).candidates) <= set(LUDII)
    assert sum(each.stat().st_size for each in folder().rglob("*") if each.is_file()) < MOST_BYTES


@BOTH
def test_the_tables_go_together(heuristics):
    (features_file,), scores_file = paths(heuristics=heuristics)
    names, scores = read(scores_file)
    with (folder(heuristics=heuristics) / GAMES).open(newline="") as file:
        played = {row["GameName"]: row for row in csv.DictReader(file)}
    assert list(played) == list(scores) == list(read(features_file, gaps=True)[1])
    for game_name, away in absent(heuristics=heuristics).items():
        assert all(scores[game_name][names.index(each)] == 0 for each in away)
    assert all(0 <= score <= 100 for row in scores.values() for score in row)
    assert all(int(row["matches"]) >= 5 and row["rules"] for row in played.values())


@pytest.mark.parametrize("name", ["lud:hex", "nim", "gdl:connect-four"])
def test_features_in_the_table_are_what_we_find(name):
    columns, rows = read(paths()[0][0], gaps=True)
    if name not in rows:
        pytest.skip(f"{name} was not measured")
    found = np.array(features(game(name)).row(columns), dtype=float)
    assert np.allclose(found, rows[name], equal_nan=True)


@pytest.mark.parametrize("name", ["lud:hex", "gdl:tic-tac-toe", "nim", "kuhn-poker", "goofspiel"])
def test_a_portfolio_plays_at_once(name):
    assert not play(name, ["portfolio", "weighted-ensemble"], iterations=20, seed=1).faults
    assert catalog.game(name) is not None


@pytest.mark.parametrize("name", ["lud:hex", "gdl:breakthrough", "connect-four"])
def test_alphabeta_has_a_predicted_heuristic_at_once(name):
    this = game(name)
    chosen = model_of(None, heuristics=True).predict(features(this)).forecasts
    able = []
    for each in chosen:
        try:
            evaluator(each.candidate).judge(this)
        except UnsupportedGame:
            continue
        able.append(each.candidate)
    assert f"judged by {able[0]} " in evaluator("predicted").judge(this).note
    assert not play(
        this, ["alphabeta(evaluator=predicted)", "alphabeta(evaluator=blended)"], iterations=20, seed=1
    ).faults


def test_predict_says_which_heuristic():
    assert "CentreProximity" in run("hyper", "predict", "lud:hex", "--heuristics").output


def test_think_says_whom_why_and_how_sure():
    shown = " ".join(run("think", "lud:hex", "--agent", "portfolio", "--iterations", "40").output.split())
    for part in ("sent ", "% in all games", "expected: ", " to ", "nearest game", "choosing cost"):
        assert part in shown
    predicted = run("hyper", "predict", "gdl:tic-tac-toe").output
    assert "The nearest game learned from is" in predicted
