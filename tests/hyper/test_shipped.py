"""The tables and the model that come along."""

import csv
import json
import zipfile

import numpy as np
import pytest

from ludarium import catalog, game, play
from ludarium.hyper.chosen import model_of
from ludarium.hyper.features import features
from ludarium.hyper.models.model import train
from ludarium.hyper.models.store import _release, save
from ludarium.hyper.models.tables import join, read
from ludarium.hyper.shipped import GAMES, LEAST, MODEL, folder, paths
from ludarium.studies.hyper_agents.study import AGENTS
from tests.commands import run

MOST_BYTES = 4_000_000


def test_the_model_comes_from_the_tables_byte_by_byte(tmp_path):
    with zipfile.ZipFile(folder() / MODEL) as archive:
        about = json.loads(archive.read("about.json"))
    if about["scikit-learn"] != _release():
        pytest.skip(f"it was learned with scikit-learn {about['scikit-learn']}")
    out = tmp_path / "again.zip"
    assert run("hyper", "train", "--out", out).exit_code == 0
    assert out.read_bytes() == (folder() / MODEL).read_bytes()
    save(train(join(*paths()), matches=LEAST), tmp_path / "third.zip")
    assert (tmp_path / "third.zip").read_bytes() == out.read_bytes()


def test_it_knows_the_five_agents_and_is_small():
    assert set(model_of(None).candidates) == set(AGENTS)
    assert sum(each.stat().st_size for each in folder().iterdir() if each.is_file()) < MOST_BYTES


def test_the_tables_go_together():
    _, scores = read(paths()[1])
    with (folder() / GAMES).open(newline="") as file:
        played = {row["GameName"]: row for row in csv.DictReader(file)}
    assert list(played) == list(scores) == list(read(paths()[0][0], gaps=True)[1])
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


def test_think_says_whom_why_and_how_sure():
    shown = " ".join(run("think", "lud:hex", "--agent", "portfolio", "--iterations", "40").output.split())
    for part in ("sent ", "% in all games", "expected: ", " to ", "nearest game", "choosing cost"):
        assert part in shown
    predicted = run("hyper", "predict", "gdl:tic-tac-toe").output
    assert "The nearest game learned from is" in predicted
