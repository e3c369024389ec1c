"""What was played by other rules is told apart, whatever the game is called."""

from dataclasses import replace

import numpy as np
import pytest

from ludarium import agent, play
from ludarium.arena import Store, StoreError, export, round_robin, run
from ludarium.arena.own_record import to_own
from ludarium.arena.store import schema
from ludarium.core import LudariumError, fingerprint
from ludarium.ludii.game import from_text
from tests.commands import run as command

RULES = """(role x) (role y) (init (to x)) (<= (next (to y)) (true (to x)))
(<= (legal ?r (say ?n)) (true (to ?r)) (word ?n)) (<= (legal ?r wait) (role ?r) (not (true (to ?r)))) (word 1) (word 2)
(<= (next over) (true (to y))) (<= terminal (true over)) (<= (goal x WORTH) terminal) (<= (goal y 50) terminal)
"""
AGENTS = ("random", "flat")


def plan_of(path, worth, *, comment="", **options):
    path.write_text(f"{comment}\n{RULES.replace('WORTH', str(worth))}")
    return round_robin([str(path)], AGENTS, matches=2, iterations=4, **options)


def test_a_changed_rule_file_is_another_game(tmp_path):
    rules, results = tmp_path / "talk.kif", tmp_path / "results.db"
    run(plan_of(rules, 100), results, on="threads")
    assert run(plan_of(rules, 100, comment="; the same"), results, on="threads").before == 4
    with pytest.raises(StoreError, match=r"other rules of .*talk\.kif \([0-9a-f]{16} then, [0-9a-f]{16} now\)"):
        run(plan_of(rules, 0), results, on="threads")


def test_another_engine_is_another_game(tmp_path, monkeypatch):
    rules, results = tmp_path / "talk.kif", tmp_path / "results.db"
    run(plan_of(rules, 100), results, on="threads")
    monkeypatch.setattr(fingerprint, "ENGINE", fingerprint.ENGINE + 1)
    with pytest.raises(StoreError, match=r"other rules of .*talk\.kif"):
        run(plan_of(rules, 100), results, on="threads")
    run(plan_of(rules, 100), results, on="threads", extend=True)
    with Store(results) as store:
        assert len(set(store.table()["game"])) == 2


def test_rules_that_change_while_they_are_played_are_noticed(tmp_path):
    rules = tmp_path / "talk.kif"
    plan = plan_of(rules, 100)
    plan_of(rules, 0)
    outcome = run(plan, tmp_path / "results.db", on="threads")
    assert outcome.played == 0
    assert all("have changed since the plan was made" in reason for reason in outcome.failed.values())


@pytest.fixture
def both(tmp_path):
    """A store with matches of two versions of a game, and of another game."""
    rules, results = tmp_path / "talk.kif", tmp_path / "results.db"
    for worth in (100, 0):
        assert run(plan_of(rules, worth), results, on="threads", extend=True).played == 4
    run(round_robin(["nim"], AGENTS, matches=1, iterations=2), results, on="threads", extend=True)
    with Store(results) as store:
        yield store, str(rules)


def test_a_store_with_two_versions_never_mixes_them(both):
    store, rules = both
    table = store.table()
    names = sorted(set(table["game"]))
    versions = {match.rules for match in store.matches(game=rules)}
    assert names == sorted(["nim", *(f"{rules} [rules {each}]" for each in versions)])
    for name in names[:2]:
        firsts = table["utility"][(table["game"] == name) & (table["role_name"] == "x")]
        assert len(firsts) == 4
        assert len(np.unique(firsts)) == 1
    assert set(store.moves()["game"]) == set(names)


def test_exports_tell_versions_apart(both, tmp_path):
    store, rules = both
    export(store, tmp_path / "results.csv")
    lines = (tmp_path / "results.csv").read_text().splitlines()[1:]
    assert {line.split(",")[1].partition(" [")[0] for line in lines} == {"nim", rules}
    assert len({line.split(",")[1] for line in lines}) == 3


def test_where_there_is_one_version_names_stay_as_they_are(tmp_path):
    rules, results = tmp_path / "talk.kif", tmp_path / "results.db"
    run(plan_of(rules, 100), results, on="threads")
    with Store(results) as store:
        assert set(store.table()["game"]) == {str(rules)}


def test_a_store_of_the_first_version_is_read_on(tmp_path):
    rules, results = tmp_path / "talk.kif", tmp_path / "results.db"
    run(plan_of(rules, 100), results, on="threads")
    with Store(results) as store:
        before = list(store.matches())
        store.connection.execute("ALTER TABLE matches DROP COLUMN rules")
        store.connection.execute("DROP TABLE seeds")
        store.connection.execute("PRAGMA user_version = 1")
    with Store(results) as store:
        assert list(store.matches()) == [replace(match, rules="") for match in before]
        assert store.connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert set(store.table()["game"]) == {str(rules)}


def test_commands_say_that_there_are_several_versions_and_count_one(both, monkeypatch):
    store, rules = both
    versions = store.versions()
    assert list(versions) == [rules]
    assert len(versions[rules]) == 2
    monkeypatch.chdir(store.path.parent)
    told = command("results", store.path.name)
    assert "was played by 2 versions of its rules" in " ".join(told.output.split())
    given = ("--games", rules, "--agents", *AGENTS, "--games-per-pair", "4", "--iterations", "4", "--no-report")
    told = command("tournament", *given, "--store", store.path.name, "--extend", "--on", "threads")
    assert told.exit_code == 0, told.output
    assert "also holds 4 matches by other rules" in " ".join(told.output.split())
    assert len(list(store.matches(game=rules))) == 8  # the matches of the rules as they are now were there


def test_findings_and_tables_count_one_version(both):
    store, rules = both
    old, new = store.versions()[rules]
    told = " ".join(command("results", store.path, "--games", rules).output.split())
    assert "4 matches of 2 agents in 1 game" in told
    assert f"only the matches of {rules} [rules {new}] count here" in told
    assert f"ludarium results {store.path} --games '{rules} [rules {old}]'" in told
    told = " ".join(command("results", store.path, "--games", f"{rules} [rules {old}]").output.split())
    assert f"only the matches of {rules} [rules {old}] count here" in told
    told = command("results", store.path, "--games", *(f"{rules} [rules {each}]" for each in (old, new)))
    assert (told.exit_code, "not counted together" in told.output) == (2, True)
    told = " ".join(command("results", store.path).output.split())
    assert "6 matches of 4 agents in 2 games" in told


def test_a_tournament_concludes_about_its_own_rules(both):
    store, rules = both
    given = ("--games", rules, "--agents", *AGENTS, "--games-per-pair", "4", "--iterations", "4", "--no-report")
    told = command("tournament", *given, "--store", store.path, "--extend", "--on", "threads")
    assert "6 matches of 4 agents in 2 games" in " ".join(told.output.split())


def test_a_refused_plan_is_not_said_to_be_counted(tmp_path):
    rules, results = tmp_path / "talk.kif", tmp_path / "results.db"
    run(plan_of(rules, 100), results, on="threads")
    plan_of(rules, 0)
    given = ("--games", rules, "--agents", *AGENTS, "--games-per-pair", "4", "--iterations", "4", "--no-report")
    told = command("tournament", *given, "--store", results, "--on", "threads")
    assert told.exit_code == 2
    assert "not counted" not in " ".join(told.output.split())


def test_listed_matches_tell_versions_apart(both):
    store, rules = both
    told = "".join(command("results", store.path, "--matches", 20, columns=300).output.split())
    assert all(f"[rules{each}]" in told for each in store.versions()[rules])
    told = command("results", store.path, "--matches", 20, "--games", "nosuch")
    assert (told.exit_code, "unknown game of the store 'nosuch'" in told.output) == (2, True)


@pytest.mark.parametrize("option", ["--games-per-pair", "--memory"])
def test_numbers_that_are_too_large_are_refused(option, tmp_path):
    given = ("--games", "nim", "--agents", *AGENTS, "--store", tmp_path / "results.db", "--no-report")
    assert command("tournament", *given, option, 10**20).exit_code == 2


def test_too_many_matches_to_list_are_refused(both):
    assert command("results", both[0].path, "--matches", 10**20).exit_code == 2


@pytest.mark.parametrize("option", [(), ("--ggp",)])
def test_a_match_by_rules_that_have_changed_is_told_when_it_is_replayed(option, tmp_path):
    rules, results = tmp_path / "talk.kif", tmp_path / "results.db"
    run(plan_of(rules, 100), results, on="threads")
    plan_of(rules, 0)
    with Store(results) as store:
        match = next(store.matches())
    told = command("replay", results, match.id, *option)
    assert told.exit_code == 2
    assert "the match does not end as it did: now 0, 0.5" in " ".join(told.output.split())


LINES = """(game "Lines" (players 2) (equipment {(board (square 2)) (piece "Stone" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 2) (result Mover Win)))))"""


def test_no_trial_is_written_from_rules_that_have_changed():
    match = play(from_text(LINES), [agent("random")] * 2, seed=1)
    assert to_own(match, from_text(LINES)).startswith("game=")
    with pytest.raises(LudariumError, match="does not end as it did"):
        to_own(match, from_text(LINES.replace("Win", "Loss")))
