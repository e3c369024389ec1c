import json
import sys
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from ludarium import game
from ludarium.core import BadParameter, Limit, LudariumError
from ludarium.evaluate import evaluator
from ludarium.evaluate.named import LUDII
from ludarium.hyper.models.store import load
from ludarium.hyper.models.tables import read
from ludarium.hyper.shipped import paths
from ludarium.studies import study as find
from ludarium.studies.hyper_agents.foreign import BEST, OURS, PLAIN, THEIRS, Choices, choices, is_foreign, races
from ludarium.studies.hyper_agents.judged import CHOSEN, OWN, judged
from ludarium.studies.hyper_agents.learning import kept
from ludarium.studies.hyper_agents.measuring import all_games, candidates, noted, notes, scored
from ludarium.studies.hyper_agents.tables import PUBLISHED
from tests.commands import run

STUDY = find("hyper-agents")


def test_the_plan_has_each_sub_agent_in_the_first_role_and_uct_in_the_others():
    made = STUDY.plan(STUDY.QUICK)
    assert len(made.pairings) == 3 * 5
    assert all(set(pairing.agents[1:]) == {"uct"} for pairing in made.pairings)
    assert {pairing.agents[0] for pairing in made.pairings} == set(STUDY.AGENTS)


def test_agents_that_cannot_play_a_game_are_left_out_of_it():
    made = STUDY.plan(STUDY.QUICK, games=["goofspiel"])
    assert {pairing.agents[0] for pairing in made.pairings} == set(STUDY.AGENTS) - {"alphabeta"}


def test_every_method_has_its_published_number():
    assert set(STUDY.METHODS) == set(PUBLISHED["agents"]) == set(PUBLISHED["heuristics"])


def test_what_was_learned_is_kept_and_not_learned_again(published, tmp_path):
    path = tmp_path / "study.db"
    scale = replace(STUDY.QUICK, data=published, methods=("mean", "tree"))
    said = []
    STUDY.play_alone(scale, path, said.append)
    assert len(said) == 4
    STUDY.play_alone(scale, path, said.append)
    assert len(said) == 4
    found = STUDY.findings_in(path)
    assert [sheet.name for sheet in found.sheets][:2] == ["regret-agents", "regret-heuristics"]
    rows = {row[0]: row for row in found.sheets[0].rows}
    assert rows["mean"][1] == 12.99
    assert "Choosing an agent costs least by" in found.answer[0]
    json.loads(kept(path).read_text())
    kept(path).write_text("{")
    with pytest.raises(LudariumError, match="delete it to learn again"):
        STUDY.findings_in(path)


def test_the_quick_form_measures_learns_and_writes_a_page(published, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    measured = run("study", "hyper-agents", "--quick", "--measure")
    assert measured.exit_code == 0, measured.output
    (tmp_path / "hyper-agents-quick.md").unlink()  # begun before there was anything to say about learning
    learned = run("study", "hyper-agents", "--quick", "--data", published)
    assert learned.exit_code == 0, learned.output
    page = (tmp_path / "hyper-agents-quick.md").read_text()
    assert "Table II" in page
    names, rows = read(tmp_path / "hyper-agents-quick" / "scores.csv")
    assert set(names) == set(STUDY.AGENTS)
    assert set(rows) == {"tic-tac-toe", "gdl:tic-tac-toe", "nim"}
    again = run("study", "hyper-agents", "--quick", "--measure")
    assert again.exit_code == 0
    for option in (["--workers", 2], ["--on", "threads"], ["--extend"]):
        refused = run("study", "hyper-agents", "--quick", "--measure", *option)
        assert refused.exit_code == 2
        assert f"takes no {option[0]}" in " ".join(refused.output.split())


def test_without_tables_or_matches_it_says_what_is_needed(tmp_path):
    with pytest.raises(BadParameter, match=r"--data FOLDER.*--measure"):
        STUDY.play_alone(STUDY.QUICK, tmp_path / "none.db", print)
    with pytest.raises(BadParameter, match=r"has no gameConceptsCompilation.csv"):
        STUDY.play_alone(replace(STUDY.QUICK, data=tmp_path), tmp_path / "none.db", print)
    with pytest.raises(BadParameter, match="nothing was learned or played yet"):
        STUDY.findings_in(tmp_path / "none.db")
    assert "takes no --measure" in run("study", "coevolution", "--measure").output


def test_what_is_missing_is_said_before_the_first_match(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = run("study", "hyper-agents", "--quick", "--measure", "--games", "nosuch")
    assert refused.exit_code == 2
    assert "unknown game 'nosuch'" in " ".join(refused.output.split())
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    refused = run("study", "hyper-agents", "--quick", "--measure")
    assert refused.exit_code == 2
    assert "statsmodels is not installed: pip install 'ludarium[report]'" in " ".join(refused.output.split())
    assert not list(tmp_path.iterdir())


def test_games_that_take_too_long_are_given_up_with_a_note_and_not_tried_again(tmp_path):
    path = tmp_path / "own.db"
    said = []
    scale = replace(STUDY.QUICK, match_seconds=0.0, games=("nim",))
    STUDY.measure(scale, path, said.append)
    assert "s were planned" in notes(path)["nim"].why
    assert scored(path) == {}
    told = len(said)
    STUDY.measure(scale, path, said.append)
    assert len(said) == told
    noted(path).write_text("{")
    with pytest.raises(LudariumError, match="delete it to try again"):
        notes(path)


def test_all_games_are_played_a_little_before_any_is_played_more(tmp_path):
    path = tmp_path / "own.db"
    said = []
    scale = replace(STUDY.QUICK, matches=4, games=("nim", "goofspiel", "no-such-game"))
    STUDY.measure(scale, path, said.append)
    assert [line.split(",")[0] for line in said] == ["nim", "goofspiel", "no-such-game", "nim", "goofspiel"]
    found = scored(path)
    assert {name: each.matches for name, each in found.items()} == {"nim": 4, "goofspiel": 4}
    assert found["goofspiel"].scores["alphabeta"] == 0, "it cannot play it"
    assert "no-such-game" in notes(path)


def test_a_game_that_is_given_up_in_the_second_round_keeps_its_first(tmp_path):
    path = tmp_path / "own.db"
    scale = replace(STUDY.QUICK, matches=2, games=("nim",))
    STUDY.measure(scale, path, lambda _: None)
    before = scored(path)["nim"]
    STUDY.measure(replace(scale, matches=4, match_seconds=0.0), path, lambda _: None)
    assert notes(path)["nim"].matches == 2
    assert scored(path)["nim"].matches == before.matches == 2
    noted(path).write_text('{"nim": "too slow, as an older release has noted it"}')
    assert scored(path) == {}


def test_our_own_games_come_first_and_each_comes_once():
    names = all_games()
    assert len(set(names)) == len(names)
    assert names.index("lud:hex") < names.index("nim") < names.index("gdl:nim")


def test_a_store_becomes_tables_and_a_model(tmp_path):
    names = (
        "tic-tac-toe",
        "nim",
        "gdl:nim",
        "gdl:tic-tac-toe",
        "kuhn-poker",
        "lud:tic-tac-toe",
        "hexapawn",
        "goofspiel",
    )
    names += ("pong-hau-ki", "mu-torere", "rock-paper-scissors")
    path, folder = tmp_path / "own.db", tmp_path / "tables"
    STUDY.measure(replace(STUDY.QUICK, forward_calls=60, games=names, move_limit=30), path, lambda _: None)
    refused = run("hyper", "gather", path, folder)
    assert "every agent has played 5 times" in " ".join(refused.output.split())
    made = run("hyper", "gather", path, folder, "--least", 2)
    assert made.exit_code == 0, made.output
    assert sorted(each.name for each in folder.iterdir()) == ["features.csv.xz", "games.csv", "model.zip", "scores.csv"]
    assert load(folder / "model.zip").likeness.games == tuple(sorted(names))
    assert "there is no store" in run("hyper", "gather", tmp_path / "none.db", folder).output


def test_portfolios_are_compared_in_games_that_they_have_not_seen(published):
    made = choices(published)
    assert made.games == tuple(read(paths()[1])[1])
    assert all((each <= made.won[BEST] + 1e-9).all() and (each >= 0).all() for each in made.won.values())
    assert {OURS, THEIRS, PLAIN, *STUDY.AGENTS} < set(made.won)
    foreign = np.array([is_foreign(name) for name in made.games])
    assert foreign.any()
    assert not foreign.all()
    part = made.of(foreign)
    assert len(part.games) == len(part.alike[THEIRS]) == foreign.sum()
    assert (made.alike[OURS] < 0.8).mean() > 0.9, "those that are alike are left out together"


def test_races_begin_with_what_a_model_expects_that_has_not_seen_the_game():
    for name, once, after in islice(races(Limit(forward_calls=500)), 2):
        scores = read(paths()[1])[1][name]
        assert once in scores
        assert after in scores


def test_how_far_one_is_ahead_has_an_interval_over_games():
    made = Choices(("a", "b", "c", "d"), {"one": np.array([50.0, 60, 70, 80]), "other": np.array([40.0, 60, 60, 60])})
    mean, low, high = made.ahead("one", "other")
    assert mean == 10
    assert (low, high) == pytest.approx((10 - 12.99, 10 + 12.99), abs=0.01)
    assert is_foreign("nim")
    assert is_foreign("gdl:nim")
    assert not is_foreign("lud:hex")
    assert not is_foreign("lud:board/hunt/Adugo")


def test_heuristics_are_measured_as_agents_are_and_become_a_model_of_heuristics(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = (
        "tic-tac-toe",
        "lud:tic-tac-toe",
        "gdl:tic-tac-toe",
        "hexapawn",
        "nim",
        "gdl:nim",
        "pong-hau-ki",
        "mu-torere",
    )
    names += ("achi", "three-mens-morris", "goofspiel", "kuhn-poker")
    scale = replace(STUDY.QUICK, heuristics=True, matches=1, forward_calls=20, games=names, move_limit=10)
    STUDY.measure(scale, tmp_path / "own.db", lambda _: None)
    found = scored(tmp_path / "own.db")
    assert len(found) >= 10
    assert "goofspiel" in notes(tmp_path / "own.db"), "alpha-beta cannot play it"
    assert "OwnRegionsCountPos" in found["achi"].absent
    assert set(found["achi"].scores) <= set(LUDII)
    made = run("hyper", "gather", "own.db", "tables", "--least", 1)
    assert made.exit_code == 0, made.output
    model = load(tmp_path / "tables" / "model.zip")
    assert model.way.name == "joint-forest"
    assert "judged by" in evaluator("predicted(model='tables/model.zip')").judge(game("achi")).note
    with pytest.raises(BadParameter, match="leave --agents out"):
        STUDY.measure(scale, tmp_path / "own.db", print, agents=["uct"])
    for option in (["--heuristics"], ["--cpu-seconds", 0.1]):
        refused = " ".join(run("study", "hyper-agents", *option).output.split())
        assert "only with --measure" in refused


def test_with_cpu_time_everybody_has_the_same_clock_and_the_names_of_tables_stay(tmp_path):
    scale = replace(STUDY.QUICK, cpu_seconds=0.002, games=("tic-tac-toe",), matches=1)
    made = STUDY.plan(scale)
    assert all("cpu_seconds=0.002" in each for pairing in made.pairings for each in pairing.agents)
    assert all(pairing.terms.limit.forward_calls is None for pairing in made.pairings)
    STUDY.measure(scale, tmp_path / "own.db", lambda _: None)
    assert set(scored(tmp_path / "own.db")["tic-tac-toe"].scores) == set(STUDY.AGENTS)


def test_heuristics_are_chosen_in_games_that_were_left_out_among_those_that_can_judge_them():
    made = judged(repeats=1)
    names, rows = read(paths(heuristics=True)[1])
    assert len(names) > 20
    assert all(won in rows[name] for name, won in zip(made.games, made.won[CHOSEN], strict=True))
    assert (made.won[CHOSEN] <= made.won[BEST]).all()
    own = read(paths()[1])
    assert made.won[OWN].tolist() == [own[1][name][own[0].index("alphabeta")] for name in made.games]


def test_players_are_called_by_their_heuristics_only_if_all_are():
    texts = ["alphabeta(evaluator='MaterialPos')", "limited(inner=alphabeta(evaluator='ScoreNeg'), cpu_seconds=0.01)"]
    assert list(candidates(texts).values()) == ["MaterialPos", "ScoreNeg"]
    assert list(candidates([*texts, "uct(c=1.0)"]).values()) == [
        "alphabeta(evaluator='MaterialPos')",
        "alphabeta(evaluator='ScoreNeg')",
        "uct(c=1.0)",
    ]
