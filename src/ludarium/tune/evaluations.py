"""Evaluations in one SQLite file: each is safe as soon as it is made, and a search that was stopped finds them again.

Two tables: `tuning` has one row, whose `words` say what is tuned and how; `evaluations` has a row per evaluation: the phase
("search" or "check"), its number in the phase, the configuration, the fitness, what happened in detail (as JSON), the thinking
time, and when it was stored, in seconds since 1970.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Any, NamedTuple, Self

from ludarium.arena.plan import same_but_for
from ludarium.arena.store import StoreError
from ludarium.tune.problem import Evaluation

APPLICATION = 0x4C554454  # "LUDT": tells a file of evaluations from other SQLite files
VERSION = 1
MEMORY = ":memory:"

_TABLES = """
CREATE TABLE IF NOT EXISTS tuning (words TEXT NOT NULL, added REAL NOT NULL);
CREATE TABLE IF NOT EXISTS evaluations (
    phase TEXT NOT NULL,
    number INTEGER NOT NULL,
    config TEXT NOT NULL,
    fitness REAL NOT NULL,
    detail TEXT NOT NULL,
    seconds REAL NOT NULL,
    added REAL NOT NULL,
    PRIMARY KEY (phase, config, number)
) WITHOUT ROWID
"""


class Row(NamedTuple):
    """A stored evaluation."""

    phase: str
    number: int
    config: str
    fitness: float
    detail: str


class Evaluations:
    """The file that evaluations are stored in."""

    def __init__(self, path: str | Path = MEMORY) -> None:
        self.path = path
        with self._told():
            self._connection = sqlite3.connect(path, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, words: dict[str, Any]) -> None:
        """Note what is tuned here; a file that was begun with something else is refused."""
        before = self.words
        said = json.loads(json.dumps(words))
        if before is None:
            self._run("INSERT INTO tuning VALUES (?, ?)", json.dumps(words), time())
        elif before != said:
            raise StoreError(
                f"{self.path} was begun with another tuning ({same_but_for(before, said)}); use another file"
            )

    @property
    def words(self) -> dict[str, Any] | None:
        """What is tuned here; None in a new file."""
        rows = self._run("SELECT words FROM tuning")
        return json.loads(rows[0][0]) if rows else None

    def add(self, phase: str, number: int, config: str, evaluation: Evaluation) -> Evaluation:
        """Store an evaluation for good; if another process was faster, what it has stored is what counts."""
        row = (phase, number, config, evaluation.fitness, json.dumps(evaluation.detail), evaluation.seconds, time())
        self._run("INSERT OR IGNORE INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
        (found,) = self.rows(phase, config, number)
        return Evaluation(found.fitness, evaluation.detail, evaluation.seconds)

    def rows(self, phase: str, config: str | None = None, number: int | None = None) -> list[Row]:
        """Give the evaluations of a phase in order, or those of a configuration, or of a number."""
        query = "SELECT phase, number, config, fitness, detail FROM evaluations WHERE phase = ?"
        values: list[Any] = [phase]
        for column, value in (("config", config), ("number", number)):
            if value is not None:
                query += f" AND {column} = ?"
                values.append(value)
        return [Row(*row) for row in self._run(f"{query} ORDER BY number", *values)]

    def _open(self) -> None:
        application, version = (self._run(f"PRAGMA {each}")[0][0] for each in ("application_id", "user_version"))
        if application == APPLICATION and version == VERSION:
            return
        if application == APPLICATION:
            raise StoreError(f"{self.path} was written by a newer Ludarium: update Ludarium to open it")
        if application or version or self._run("SELECT 1 FROM sqlite_master"):
            raise StoreError(f"{self.path} is a database of another kind, not a file of evaluations")
        self._run("PRAGMA journal_mode = WAL")
        self._run("BEGIN IMMEDIATE")
        for table in _TABLES.split(";"):
            self._run(table)
        self._run(f"PRAGMA application_id = {APPLICATION}")
        self._run(f"PRAGMA user_version = {VERSION}")
        self._run("COMMIT")

    def _run(self, query: str, *values: Any) -> list[Any]:
        with self._told():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say what is wrong with the file as its user would."""
        try:
            yield
        except sqlite3.Error as problem:
            said = str(problem)
            for part, sentence in {
                "disk is full": "the disk is full; what was stored before is safe, and the same command goes on from there",
                "locked": "it is locked by another process",
                "readonly": "it is read-only: nothing can be stored there",
                "not a database": "it is no SQLite file, or its beginning is damaged",
                "unable to open": "it cannot be opened: is there such a folder, and may you write to it?",
            }.items():
                said = sentence if part in said else said
            raise StoreError(f"{self.path}: {said}") from problem
