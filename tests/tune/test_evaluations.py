import sqlite3

import pytest

from ludarium.arena import Store, StoreError
from ludarium.tune.evaluations import Evaluations
from ludarium.tune.problem import Evaluation


def test_what_is_stored_is_there_when_the_file_is_opened_again(tmp_path):
    path = tmp_path / "tune.db"
    with Evaluations(path) as store:
        store.begin({"game": "nim", "seeds": (1, 2)})
        store.add("search", 1, '{"c": 1}', Evaluation(0.1 + 0.2, {"plies": 3}))
        store.add("search", 0, '{"c": 2}', Evaluation(1.0, {}))
        store.add("check", 0, '{"c": 2}', Evaluation(0.5, {}))
    with Evaluations(path) as store:
        store.begin({"game": "nim", "seeds": [1, 2]})
        rows = store.rows("search")
        assert [(row.number, row.config, row.fitness) for row in rows] == [
            (0, '{"c": 2}', 1.0),
            (1, '{"c": 1}', 0.1 + 0.2),
        ]
        assert [row.fitness for row in store.rows("check", '{"c": 2}')] == [0.5]
        assert store.rows("check", '{"c": 1}') == []


def test_what_was_stored_first_counts(tmp_path):
    with Evaluations(tmp_path / "tune.db") as store:
        assert store.add("search", 0, "{}", Evaluation(1.0, {})).fitness == 1.0
        assert store.add("search", 0, "{}", Evaluation(0.0, {})).fitness == 1.0
        assert len(store.rows("search")) == 1


def test_another_tuning_is_refused(tmp_path):
    with Evaluations(tmp_path / "tune.db") as store:
        store.begin({"game": "nim", "seed": 0})
        with pytest.raises(StoreError, match=r"begun with another tuning \(seed 1, not 0\)"):
            store.begin({"game": "nim", "seed": 1})


def test_other_files_are_refused(tmp_path):
    arena = tmp_path / "arena.db"
    Store(arena).close()
    with pytest.raises(StoreError, match="a database of another program"):
        Evaluations(arena)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(StoreError, match="a database of another program"):
        Evaluations(foreign)
    text = tmp_path / "text.db"
    text.write_text("no database, " * 200)
    with pytest.raises(StoreError, match="is not an SQLite file"):
        Evaluations(text)
    with pytest.raises(StoreError, match="cannot be opened"):
        Evaluations(tmp_path / "no" / "such" / "folder.db")


def test_a_file_of_the_future_is_refused(tmp_path):
    path = tmp_path / "tune.db"
    Evaluations(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer Ludarium"):
        Evaluations(path)
