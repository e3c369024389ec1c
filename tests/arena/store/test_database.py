"""Several processes may begin one file at the same moment."""

import sqlite3
from contextlib import suppress

import pytest

from ludarium.arena.store import database
from ludarium.arena.store.database import Database, Kind, StoreError


class Notes(Database):
    kind = Kind(0x4E4F5445, "a file of notes", "CREATE TABLE notes (text TEXT NOT NULL)")


def test_a_file_that_another_makes_meanwhile_is_of_no_other_program(tmp_path):
    path = tmp_path / "notes.db"

    class Looking(Notes):
        def _all(self, query, *values):
            if "sqlite_master" in query:  # the application was looked up already
                with suppress(StoreError):
                    Notes(path, wait_seconds=0.0).close()
            return super()._all(query, *values)

    with Looking(path) as store:
        assert store._one("SELECT count(*) FROM notes") == 0


def test_whoever_begins_a_file_waits_for_those_that_begin_it_too(tmp_path, monkeypatch):
    path = tmp_path / "notes.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waited = []

    def wait(seconds):
        waited.append(seconds)
        if len(waited) == 3:
            other.execute("ROLLBACK")

    monkeypatch.setattr(database, "sleep", wait)
    with Notes(path) as store:
        assert store._one("PRAGMA journal_mode") == "wal"
        assert store._one("PRAGMA busy_timeout") == 30_000
    assert len(waited) == 3
    other.close()


def test_waiting_has_an_end(tmp_path, monkeypatch):
    path = tmp_path / "notes.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(database, "sleep", lambda seconds: None)
    with pytest.raises(StoreError, match="notes.db is locked: another process has been writing for 2 s"):
        Notes(path, wait_seconds=2.0)
    other.close()
