"""`ludarium ggp-player` and `ludarium ggp-host` as a user runs them."""

import json
import signal
import sqlite3
from time import sleep

import pytest

from ludarium.arena import Store
from ludarium.server.ggp import commands
from tests.commands import process, run
from tests.server.ggp.fuzzing import ask, player


@pytest.fixture(scope="module")
def place():
    with player("random") as where:
        yield where


def host(*words):
    return run("ggp-host", *words, "--start-clock", 60, "--play-clock", 60)


def test_a_player_says_where_it_listens_and_answers_until_it_is_ended():
    running = process("ggp-player", "--port", 0, "--agent", "random", "--name", "bold")
    try:
        told = running.stdout.readline()
        assert told.startswith("random listens on 127.0.0.1:")
        place = told.split(";")[0].split()[-1]
        assert ask(place, "( INFO )") == "( ( name bold ) ( status available ) ( species program ) )"
        other = run("ggp-player", "--port", place.split(":")[1], "--agent", "random")
        assert (other.exit_code, other.stderr) == (2, f"ludarium: cannot listen on {place}: Address already in use\n")
    finally:
        running.send_signal(signal.SIGTERM)
        assert "interrupted" in running.communicate(timeout=300)[1]
    assert running.returncode == 130


def test_matches_are_hosted_stored_and_written_down(place, tmp_path):
    words = [
        "gdl:tic-tac-toe",
        place,
        "random",
        "--matches",
        2,
        "--store",
        tmp_path / "x.db",
        "--records",
        tmp_path / "records",
        "--scramble",
    ]
    assert host(*words).exit_code == 0
    records = [json.loads(each.read_text()) for each in sorted((tmp_path / "records").iterdir())]
    assert len(records) == 2
    for record in records:
        assert (record["startClock"], record["playClock"], record["scrambled"], record["isCompleted"]) == (
            60,
            60,
            True,
            True,
        )
        assert record["playerNamesFromHost"] == [f"ggp:{place}(scramble=True)", "random"]
        assert not any(any(row) for row in record["errors"])
        assert len(record["states"]) == len(record["moves"]) + 1
    (tmp_path / "records" / f"{records[0]['matchId']}.json").unlink()
    again = host(*words)
    assert again.exit_code == 0
    assert "2 matches were already stored" in again.stdout
    assert len(list((tmp_path / "records").iterdir())) == 2


def test_a_record_is_there_as_soon_as_its_match_is_over(tmp_path, monkeypatch):
    seen = []
    add = commands._Records.add

    def adding(records, match):
        add(records, match)
        seen.append([each.stem for each in records.folder.iterdir()])

    monkeypatch.setattr(commands._Records, "add", adding)
    words = ["gdl:tic-tac-toe", "random", "random", "--matches", 2, "--store", tmp_path / "x.db", "--records"]
    assert host(*words, tmp_path / "records").exit_code == 0
    assert sorted(map(len, seen)) == [1, 2]
    assert all(each.suffix == ".json" for each in (tmp_path / "records").iterdir())


def test_the_arena_seats_players_of_the_protocol_in_all_its_plans(place, tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f'kind = "against-field"\ngames = ["gdl:nim"]\nagents = ["ggp:{place}"]\nfield = ["random"]\nrotate = true\nmatches = 1\nseconds = 60\n',
        encoding="utf-8",
    )
    result = run("tournament", plan, "--workers", 2, "--no-report", "--quiet")
    assert result.exit_code == 0, result.stderr
    with Store(tmp_path / "plan.db", readonly=True) as store:
        played = list(store.matches())
    assert {match.agents for match in played} == {(f"ggp:{place}", "random"), ("random", f"ggp:{place}")}
    assert all(match.faults == () for match in played)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["gdl:tic-tac-toe", "localhost:1", "random"], "no player at localhost:1: no connection: Connection refused"),
        (["gdl:tic-tac-toe", "localhost:1"], "gdl:tic-tac-toe has 2 roles (x, o), not 1: give a player for each"),
        (
            ["gdl:tic-tac-toe", "a:1", "b:1", "c:1"],
            "not 3: give a player for each, or let them take turns with --rotate",
        ),
        (["gdl:tic-tac-toe", "a:1", "a:1"], "a:1 plays one role at a time, and is named twice"),
        (["gdl:tic-tac-toe", "a:99999", "random"], "'a:99999' is not the address of a player; expected host:port"),
        (["connect-four", "a:1", "random"], "plays games described in GDL only, and connect-four is none"),
        (["no-such-game", "a:1", "random"], "unknown game 'no-such-game'"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(words, why):
    result = host(*words)
    assert result.exit_code == 2
    assert why in result.stderr


def test_a_name_that_is_no_word_is_refused():
    result = run("ggp-player", "--port", 0, "--name", "two words")
    assert result.exit_code == 2
    assert "the name 'two words' is no word" in result.stderr


def test_a_schedule_survives_kill_9(place, tmp_path):
    store = tmp_path / "days.db"
    words = [
        "ggp-host",
        "gdl:nim",
        place,
        "random",
        "--matches",
        12,
        "--store",
        store,
        "--start-clock",
        60,
        "--play-clock",
        60,
        "--quiet",
    ]
    running = process(*words)
    try:
        while stored(store) < 2 and running.poll() is None:
            sleep(0.05)
    finally:
        running.kill()
        running.communicate()
    assert stored(store) < 12
    assert run(*words).exit_code == 0
    assert stored(store) == 12
    with Store(store, readonly=True) as kept:
        assert all(match.faults == () for match in kept.matches())


def stored(store):
    """Count matches without getting in the way of whoever writes."""
    if not store.exists():
        return 0
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=30)
    try:
        return connection.execute("SELECT count(*) FROM matches").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # it is being made
    finally:
        connection.close()
