import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from threading import Thread

import numpy as np
import pandas as pd
import pytest

from ludarium import agent, game, play
from ludarium.arena import Store, StoreError, round_robin
from ludarium.arena.play import contest
from ludarium.arena.results import Labels, Moves, Results
from ludarium.arena.store import schema
from ludarium.arena.store.export import COLUMNS, rows
from ludarium.core import Limit, Match, Terms
from tests.arena import odd_catalog as odd

PLAIN = Match(game="x", agents=("a", "b"), seed=2**64 - 1, moves=("m", "n"), utilities=(0.25, 0.75))


def some_matches():
    made = [play(game(name), [agent("random")] * 2, seed=seed) for name in ("nim", "kuhn-poker") for seed in (1, 2)]
    made.append(contest(game("nim"), [odd.agent("fail"), agent("flat")], Terms(limit=Limit(iterations=9)), 1))
    made.append(contest(game("nim"), [odd.agent("seat-fail"), agent("flat")], Terms(move_limit=2), 1, record="moves"))
    made.append(contest(game("tron"), [agent("random")] * 2, Terms(), 1, record="result"))
    return [*made, PLAIN]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.db") as opened:
        yield opened


def test_readers_leave_no_files_behind(store, tmp_path):
    store.close()
    with Store(store.path, readonly=True) as mine, Store(store.path, readonly=True):
        assert len(mine) == len(list(mine.matches()))
    assert [each.name for each in store.path.parent.glob(f"{store.path.name}*")] == [store.path.name]


def test_what_goes_in_comes_out(store):
    matches = some_matches()
    assert all(store.add(match) for match in matches)
    assert list(store.matches()) == [replace(match, roles=match.roles or ("role 1", "role 2")) for match in matches]
    assert len(store) == len(matches)
    for stored, match in zip(store.matches(), matches, strict=True):
        assert stored.seconds == pytest.approx(match.seconds, abs=1e-5)
        assert stored.thinking == match.thinking
        assert store.match(stored.id) == store.match(stored.id[:6]) == stored


def test_a_match_is_stored_once(store):
    assert store.add(PLAIN)
    assert not store.add(PLAIN)
    assert store.add(replace(PLAIN, seed=1))
    assert store.add(replace(PLAIN, id="mine"))
    assert not store.add(replace(PLAIN, id="mine", seed=7))
    assert len(store) == 3
    assert "mine" in store
    assert "yours" not in store


def test_matches_of_a_game_or_an_agent(store):
    store.add_all(some_matches())
    assert {match.game for match in store.matches(game="nim")} == {"nim"}
    assert len(list(store.matches(agent="flat"))) == 2
    assert not list(store.matches(game="nim", agent="a"))
    assert not list(store.matches(agent="nobody"))


def test_a_match_that_is_not_there(store):
    store.add_all(some_matches())
    for name, said in (("zz", "no match 'zz'"), ("", "several matches ''"), ("%", "no match '%'")):
        with pytest.raises(StoreError, match=said):
            store.match(name)


def test_the_table_is_what_statistics_read(store):
    matches = some_matches()
    store.add_all(matches)
    columns = store.table()
    results = Results.of(columns)
    assert len(results) == 2 * len(matches)
    assert results.utility.tolist() == [utility for match in matches for utility in match.utilities]
    assert results.plies.tolist() == [match.plies for match in matches for _ in range(2)]
    assert columns["agent"].tolist() == [name for match in matches for name in match.agents]
    assert columns["opponents"].tolist() == [name for match in matches for name in match.agents[::-1]]
    assert np.isnan(results.seconds[-1])
    assert columns["seed"][-1] == 2**64 - 1
    assert columns["budget"][[0, -1]].tolist() == ["1000 iterations", ""]
    assert columns["crashes"].sum() > 2
    assert columns["cut"].sum() == 2


def test_every_column_of_a_table_and_of_a_frame_has_a_row_per_role(store):
    """A DataFrame of the table was a table whose cells held whole columns."""
    matches = some_matches()
    store.add_all(matches)
    for made in (pd.DataFrame(store.table()), store.frame()):
        assert len(made) == 2 * len(matches)
        assert made["agent"].tolist() == [name for match in matches for name in match.agents]
        assert made.groupby("agent", observed=True)["utility"].mean().between(0, 1).all()
        assert not any(isinstance(cell, (Labels, np.ndarray, tuple)) for cell in made.iloc[0])
    assert str(store.frame()["game"].dtype) == "category"
    assert pd.DataFrame(store.moves())["agent"].isin(["uct", "flat", "random", *store.table()["agent"]]).all()


def test_outcomes_tell_wins_from_draws(store):
    four = Match(game="x", agents=("a", "b", "b", "c"), seed=1, moves=(), utilities=(0, 0.4, 0.4, 0.2))
    alone = [replace(four, agents=("d",), utilities=(worth,)) for worth in (1.0, 0.3, 0.0)]
    store.add_all([replace(PLAIN, utilities=(0.6, 0.4)), replace(PLAIN, utilities=(0.5, 0.5)), four, *alone])
    outcomes = ["won", "lost", "drawn", "drawn", "lost", "drawn", "drawn", "lost", "won", "drawn", "lost"]
    assert store.table()["outcome"].tolist() == outcomes
    assert [row[COLUMNS.index("outcome")] for row in rows(store)] == outcomes


def test_opponents_in_a_game_of_four(store):
    four = Match(game="x", agents=("a", "b", "b", "c"), seed=1, moves=(), utilities=(0, 0, 0, 1))
    store.add_all([PLAIN, four, replace(four, agents=("c", "b", "b", "a"))])
    assert store.table()["opponents"][2:].tolist() == [
        "b, b, c", "a, b, c", "a, b, c", "a, b, b", "b, b, a", "c, b, a", "c, b, a", "c, b, b",
    ]  # fmt: skip


def test_the_moves_are_what_statistics_read(store):
    matches = some_matches()
    store.add_all(matches)
    moves = Moves.of(store.moves())
    expected = [turn for match in matches for turn in match.turns if turn.ply >= 0]
    assert moves.ply.tolist() == [turn.ply for turn in expected]
    assert moves.choices.tolist() == [turn.choices for turn in expected]
    assert moves.value.tolist() == pytest.approx(
        [np.nan if t.value is None else t.value for t in expected], nan_ok=True
    )
    assert set(moves.match.tolist()) <= set(Results.of(store.table()).match.tolist())


@pytest.mark.parametrize("number", [2**40, 2**63 - 1])
def test_a_gap_in_the_numbers_of_matches_costs_nothing(store, number):
    store.add_all(some_matches())
    store.close()
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("UPDATE matches SET number = ? WHERE number = 2", [number])
        connection.execute("UPDATE seats SET match = ? WHERE match = 2", [number])
    with Store(store.path, readonly=True) as opened:
        table = opened.table()
    assert table["match"][-1] == number
    assert len(table["match"]) == 2 * len(some_matches())


def test_an_empty_store_has_empty_tables(store):
    assert len(Results.of(store.table())) == len(Moves.of(store.moves())) == len(store) == 0


def test_a_changed_plan_is_refused_unless_it_extends(store):
    plan = round_robin(["nim"], ["flat", "random"], matches=2, iterations=9)
    store.begin(plan)
    store.begin(plan)
    store.begin(round_robin(["nim"], ["flat", "random"], matches=5, iterations=9))  # more of the same
    other = round_robin(["nim"], ["flat", "random"], matches=5, iterations=10)
    with pytest.raises(StoreError, match=r"begun with another plan \(iterations 10, not 9\); use another store"):
        store.begin(other)
    store.begin(other, extend=True)
    assert [len(plan) for plan in store.plans()] == [4, 10, 10]


def test_claims_keep_two_processes_apart(store):
    assert store.claim(["a", "b"]) == ["a", "b"]
    assert store.claim(["b", "c"]) == ["b", "c"]  # one's own
    code = "import sys; from ludarium.arena import Store; print(Store(sys.argv[1]).claim(['a', 'd']))"
    other = [sys.executable, "-c", code, str(store.path)]
    assert subprocess.run(other, capture_output=True, text=True, check=True).stdout == "['d']\n"
    assert store.claim(["d"]) == ["d"]  # its owner is gone
    store.add(replace(PLAIN, id="a"))
    assert store.claim(["a"]) == []
    store.release()
    assert subprocess.run(other, capture_output=True, text=True, check=True).stdout == "['d']\n"


def test_failures_are_noted_until_the_match_is_played(store):
    store.fail("a", "the game is broken")
    store.fail("b", "so is this one")
    store.add(replace(PLAIN, id="b"))
    assert store.failures() == {"a": "the game is broken"}


def test_two_may_write_at_once(store):
    def write(first):
        with Store(store.path) as mine:
            for number in range(first, first + 100):
                mine.add(replace(PLAIN, id=str(number), agents=(f"agent {number}", "b")))

    threads = [Thread(target=write, args=(first,)) for first in (0, 50, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(match.id) for match in store.matches()) == list(range(200))
    assert all(match.agents[0] == f"agent {match.id}" for match in store.matches())


def test_all_or_none(store):
    def given():
        yield PLAIN
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        store.add_all(given())
    assert len(store) == 0
    assert store.add(PLAIN)  # the names that were made on the way are made again
    assert next(store.matches()).game == "x"


# What can be wrong with a file


def test_a_full_disk_loses_nothing(store):
    store.add(PLAIN)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="the disk is full: .* what was stored before is safe"):
        store.add_all(replace(PLAIN, id=str(number), moves=("long",) * 1000) for number in range(50))
    assert len(store) == 1
    store.connection.execute("PRAGMA max_page_count = 1000000")
    assert store.add(replace(PLAIN, seed=5))


def test_a_locked_store_says_so(store):
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Store(store.path, wait_seconds=0.1) as mine, pytest.raises(StoreError, match=r"is locked: .* for 0.1 s"):
        mine.add(PLAIN)
    other.close()
    assert store.add(PLAIN)


def test_a_store_that_may_only_be_read(store):
    store.add(PLAIN)
    with Store(store.path, readonly=True) as mine:
        assert len(list(mine.matches())) == 1
        with pytest.raises(StoreError, match="is read-only: nothing can be stored there"):
            mine.add(replace(PLAIN, seed=5))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_only_be_read(tmp_path):
    path = tmp_path / "results.db"
    with Store(path) as made:
        made.add(PLAIN)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    with Store(path, readonly=True) as mine:
        assert len(mine) == 1
    with pytest.raises(StoreError):
        Store(path).add(PLAIN)
    tmp_path.chmod(0o755)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"hello, world" * 99, "it is not an SQLite file"), (b"\0" * 5000, "it is not an SQLite file")],
)
def test_a_file_that_is_no_store(tmp_path, content, said):
    path = tmp_path / "results.db"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=said):
        Store(path)
    assert path.read_bytes() == content


def test_a_damaged_store_says_so(tmp_path):
    path = tmp_path / "results.db"
    with Store(path) as made:
        made.add_all(replace(PLAIN, id=str(number), moves=("long",) * 200) for number in range(200))
        made.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[8192:] = os.urandom(len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"), Store(path) as mine:
        list(mine.matches())


def test_a_database_of_another_program(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    with pytest.raises(StoreError, match="a database of another program"):
        Store(path)


def test_no_such_folder(tmp_path):
    with pytest.raises(StoreError, match="is there such a folder"):
        Store(tmp_path / "no" / "results.db")
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "results.db", readonly=True)


def test_a_copy_of_the_process_stores_nothing(store):
    """An agent that forks takes the store along, and SQLite does not bear that."""
    child = os.fork()
    if child == 0:
        try:
            store.add(PLAIN)
        except StoreError as refused:
            os._exit(0 if "opened by another process" in str(refused) else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert len(store) == 0
    assert store.add(PLAIN)


def test_a_newer_store_is_refused(store):
    store.add(PLAIN)
    store.connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    with pytest.raises(StoreError, match=r"written by a newer Ludarium \(store version 4, this one knows 3\)"):
        Store(store.path)


def test_an_older_store_is_brought_up_to_date(store, monkeypatch):
    store.add(PLAIN)
    now = schema.VERSION
    steps = {
        now: "ALTER TABLE matches ADD COLUMN mood TEXT; CREATE TABLE moods (x)",
        now + 1: "ALTER TABLE moods ADD COLUMN y",
    }
    monkeypatch.setattr(Store, "kind", replace(schema.KIND, version=now + 2, steps=steps))
    with pytest.raises(StoreError, match="of an earlier version"):
        Store(store.path, readonly=True)
    with Store(store.path) as newer:
        assert newer.connection.execute("PRAGMA user_version").fetchone() == (now + 2,)
        assert newer.connection.execute("SELECT mood FROM matches").fetchall() == [(None,)]
        assert newer.connection.execute("SELECT y FROM moods").fetchall() == []
        assert newer.add(replace(PLAIN, seed=1))


def test_a_step_that_fails_leaves_the_store_as_it_was(store, monkeypatch):
    store.add(PLAIN)
    steps = {schema.VERSION: "CREATE TABLE moods (x); CREATE TABLE matches (y)"}
    monkeypatch.setattr(Store, "kind", replace(schema.KIND, version=schema.VERSION + 1, steps=steps))
    with pytest.raises(StoreError, match="already exists"):
        Store(store.path)
    monkeypatch.undo()
    with Store(store.path) as same:
        assert not same.connection.execute("SELECT * FROM sqlite_master WHERE name = 'moods'").fetchall()
        assert len(same) == 1


def test_numbers_of_all_kinds_come_back_as_columns(store, monkeypatch):
    """Utilities besides those of a win, a draw and a loss are kept to the last bit, also where texts are read in pieces."""
    monkeypatch.setattr("ludarium.arena.store.columns._TEXT_AT_ONCE", 3)
    matches = [
        replace(PLAIN, seed=number, utilities=(number / 7, 1 - number / 7), thinking=(number * 1.5e-7, 1e4))
        for number in range(8)
    ]
    store.add_all([*matches, *some_matches()])
    columns = store.table()
    assert columns["utility"][:16].tolist() == [each for match in matches for each in match.utilities]
    assert columns["seconds"][:16] == pytest.approx([each for match in matches for each in match.thinking], abs=1e-9)
    assert columns["seed"][:16].tolist() == [match.seed for match in matches for _ in (0, 1)]
    assert columns["crashes"].sum() == sum(turn.fault == "crash" for match in store.matches() for turn in match.turns)
    brief = store.table(brief=True)
    assert set(columns) - set(brief) == {"seed", "opponents", "outcome"}


def test_a_match_without_seats_does_not_shift_the_others(store):
    store.add_all(replace(PLAIN, seed=number, utilities=(number / 7, 1 - number / 7)) for number in range(4))
    store.connection.execute("DELETE FROM seats WHERE match = 2")
    assert store.table()["match"].tolist() == [1, 1, 3, 3, 4, 4]
    assert store.table()["seed"].tolist() == [0, 0, 2, 2, 3, 3]
