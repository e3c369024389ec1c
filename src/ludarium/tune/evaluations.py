"""Evaluations in one SQLite file: each is safe as soon as it is made, and a search that was stopped finds them again.

Two tables: `tuning` has one row, whose `words` say what is tuned and how; `evaluations` has a row per evaluation: the phase
("search" or "check"), its number in the phase, the configuration, the fitness, what happened in detail (as JSON), the thinking
time, and when it was stored, in seconds since 1970.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import time
from typing import Any, NamedTuple

from ludarium.arena.plan.plan import same_but_for
from ludarium.arena.store.database import MEMORY, Database, Kind, StoreError
from ludarium.tune.problem import Evaluation

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


class Evaluations(Database):
    """The file that evaluations are stored in."""

    kind = Kind(0x4C554454, "a file of evaluations", _TABLES)  # "LUDT"

    def __init__(self, path: str | Path = MEMORY) -> None:
        super().__init__(path)

    def begin(self, words: dict[str, Any]) -> None:
        """Note what is tuned here; a file that was begun with something else is refused."""
        before = self.words
        said = json.loads(json.dumps(words))
        if before is None:
            self._all("INSERT INTO tuning VALUES (?, ?)", json.dumps(words), time())
        elif before != said:
            raise StoreError(
                f"{self.path} was begun with another tuning ({same_but_for(before, said)}); use another file"
            )

    @property
    def words(self) -> dict[str, Any] | None:
        """What is tuned here; None in a new file."""
        rows = self._all("SELECT words FROM tuning")
        return json.loads(rows[0][0]) if rows else None

    def add(self, phase: str, number: int, config: str, evaluation: Evaluation) -> Evaluation:
        """Store an evaluation for good; if another process was faster, what it has stored is what counts."""
        row = (phase, number, config, evaluation.fitness, json.dumps(evaluation.detail), evaluation.seconds, time())
        self._all("INSERT OR IGNORE INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
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
        return [Row(*row) for row in self._all(f"{query} ORDER BY number", *values)]
