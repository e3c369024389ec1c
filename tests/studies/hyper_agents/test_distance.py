"""What choices cost by how near the nearest game is that was learned from."""

import json
from dataclasses import replace

import numpy as np
import pytest

from ludarium.core.files import write_file
from ludarium.studies.hyper_agents.distance import bands, distances, nearest
from ludarium.studies.hyper_agents.learning import by_game, kept, learn
from ludarium.studies.hyper_agents.study import QUICK
from ludarium.studies.hyper_agents.tables import found
from tests.hyper.tables import table


def test_a_twin_that_is_left_out_too_is_not_near():
    made = table(20)
    twins = replace(made, features=np.vstack([made.features[:10], made.features[:10]]))
    apart = [np.arange(10), np.arange(10, 20)]
    together = [np.array([k, k + 10]) for k in range(10)]
    assert nearest(twins, apart) == pytest.approx(1.0)
    assert (nearest(twins, together) < 0.99).all()


def test_every_game_is_in_one_band():
    alike = np.array([1.0, 0.95, 0.94, 0.8, 0.6, 0.4, 0.39, -0.2])
    made = {each.name: each.inside.sum() for each in bands(alike)}
    assert made == {"0.95 and more": 2, "0.8 to 0.95": 2, "0.6 to 0.8": 1, "0.4 to 0.6": 1, "less than 0.4": 2}
    assert [each.name for each in bands(np.array([0.7]))] == ["0.6 to 0.8"]


def test_a_line_says_what_the_forest_gains_on_the_best_on_average():
    alike = [0.99, 0.99, 0.1]
    learned = [
        {"target": "agents", "method": "forest", "regrets": [1.0, 3.0, 10.0], "alike": alike},
        {"target": "agents", "method": "mean", "regrets": [5.0, 5.0, 9.0], "alike": alike},
        {"target": "heuristics", "method": "mean", "regrets": [5.0, 5.0, 9.0], "alike": alike},
    ]
    (sheet,) = distances(learned)
    assert [row[:6] for row in sheet.rows] == [
        ("agents", "0.95 and more", 2, 2.0, 5.0, 3.0),
        ("agents", "less than 0.4", 1, 10.0, 9.0, -1.0),
    ]
    assert sheet.rows[0][6] < 3.0 < sheet.rows[0][7]
    assert distances(learned[1:]) == []


def test_the_study_has_the_table_and_adds_it_to_what_was_learned_before(tmp_path, published):
    path, said = tmp_path / "study.db", []
    scale = replace(QUICK, data=published, methods=("forest", "mean"))
    learn(scale, path, said.append)
    sheets = {sheet.name: sheet for sheet in found(path).sheets}
    assert sum(row[2] for row in sheets["distance"].rows if row[0] == "agents") == 40
    before = json.loads(kept(path).read_text())
    older = {key: {name: each for name, each in line.items() if name != "alike"} for key, line in before.items()}
    kept(path).write_text(json.dumps(older))
    assert "distance" not in {sheet.name for sheet in found(path).sheets}
    told = len(said)
    learn(scale, path, said.append)
    assert len(said) == told, "nothing is learned again"
    assert json.loads(kept(path).read_text()) == before
    assert all(len(each["alike"]) == 40 for each in by_game(path))


def test_what_is_known_is_written_again_only_if_others_were_the_newest(tmp_path, published, monkeypatch):
    path = tmp_path / "study.db"
    scale = replace(QUICK, data=published, methods=("forest", "mean"))
    learn(scale, path, lambda _: None)
    before, written = kept(path).read_text(), []

    def write(file, content):
        written.append(file)
        write_file(file, content)

    monkeypatch.setattr("ludarium.studies.hyper_agents.learning.write_file", write)
    learn(scale, path, lambda _: None)
    assert written == []
    lines = json.loads(before)
    kept(path).write_text(json.dumps(dict(reversed(lines.items()))))
    learn(scale, path, lambda _: None)
    assert (written, kept(path).read_text()) == ([kept(path)], before)
