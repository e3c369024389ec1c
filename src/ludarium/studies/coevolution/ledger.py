"""Runs of the study, one row each in an SQLite file, and the duels of their champions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from ludarium.arena.store.database import Database, Kind
from ludarium.evolve.settings import EDITIONS, Settings
from ludarium.studies.coevolution.duels import PLAIN, Duel, duel, pairs
from ludarium.studies.coevolution.runs import Run, basis_mark, game_of, mark_of, run_one, settings_for, settings_of
from ludarium.studies.coevolution.study import Scale

_RUNS = """
CREATE TABLE IF NOT EXISTS runs (
    game TEXT, mending TEXT, settings TEXT, trials TEXT, seed INTEGER, result TEXT,
    PRIMARY KEY (game, mending, settings, trials, seed)
) WITHOUT ROWID
"""

_DUELS = """
CREATE TABLE IF NOT EXISTS duels (
    game TEXT, mending TEXT, size TEXT, seed INTEGER, result TEXT, PRIMARY KEY (game, mending, size, seed)
) WITHOUT ROWID
"""


_UNMARKED = """
DELETE FROM runs WHERE json_extract(result, '$.mark') IS NULL;
DELETE FROM duels WHERE json_extract(result, '$[0].mark') IS NULL
"""


class Ledger(Database):
    """The file."""

    kind = (
        Kind(  # "LUDC"; duels did not tell the edition once, nor runs the version that made them: they are made again
            0x4C554443,
            "a ledger of evolutions",
            f"{_RUNS};{_DUELS}",
            version=4,
            steps={1: _DUELS, 2: "DELETE FROM duels", 3: _UNMARKED},
        )
    )

    def runs(self) -> list[Run]:
        """Give all runs of algorithms as they are now."""
        rows = self._all("SELECT result FROM runs ORDER BY game, mending, settings, trials, seed")
        return [run for run in (Run.read(json.loads(text)) for (text,) in rows) if _lasting(run)]

    def holds(self, key: tuple[Any, ...], mark: str, basis: str = "") -> bool:
        """Whether there is a run by the same rules, those of its basis too, and the same version."""
        query = "SELECT result FROM runs WHERE game = ? AND mending = ? AND settings = ? AND trials = ? AND seed = ?"
        found = self._one(query, *key)
        known = json.loads(found or "{}")
        return found is not None and (known["mark"], known.get("basis", "")) == (mark, basis)

    def note(self, key: tuple[Any, ...], run: Run) -> None:
        """Store a run."""
        self._all("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)", *key, json.dumps(asdict(run)))
        if run.basis:  # duels do not tell which one it was
            self._all("DELETE FROM duels WHERE game = ? AND mending = ? AND size = ? AND seed = ?", *_place(run))

    def duels(self) -> list[Duel]:
        """Give all duels."""
        rows = self._all("SELECT mending, size, result FROM duels ORDER BY game, mending, size, seed")
        return [
            Duel(**{**each, "size": (generations, population, bouts)})
            for mending, size, text in rows
            for generations, population, bouts, edition in [json.loads(size)]
            for each in json.loads(text)
            if edition == EDITIONS.get(mending, 1)
        ]

    def take(self, kept: Iterable[tuple[Run, Sequence[Duel]]]) -> None:
        """Store runs that were kept elsewhere, and their duels, where there are none with the same settings and seed."""
        with self._transaction():
            for run, fought in kept:
                if _lasting(run):
                    key = _key(
                        run.game, run.mending, settings_for(run), run.trials, max(row.depth for row in run.depths)
                    )
                    self._all("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?)", *key, json.dumps(asdict(run)))
                    if fought:
                        result = json.dumps([asdict(each) for each in fought])
                        self._all("INSERT OR IGNORE INTO duels VALUES (?, ?, ?, ?, ?)", *_place(run), result)

    def fight(self, say: Callable[[str], None]) -> None:
        """Let champions that have not done so play against plain ones."""
        for run, plain in pairs(self.runs(), lambda each: settings_for(each).inputs):
            query = "SELECT result FROM duels WHERE game = ? AND mending = ? AND size = ? AND seed = ?"
            known = self._one(query, *_place(run))
            if known is None or json.loads(known)[0]["mark"] != run.mark:
                say(f"{run.game}, {run.mending} against {PLAIN}, run {run.seed}")
                found = duel(game_of(run.game), settings_for(run).inputs, run, plain)
                result = json.dumps([asdict(each) for each in found])
                self._all("INSERT OR REPLACE INTO duels VALUES (?, ?, ?, ?, ?)", *_place(run), result)


def run_all(
    ledger: Ledger, scale: Scale, games: Sequence[str], mendings: Sequence[str], say: Callable[[str], None]
) -> None:
    """Evolve what is not stored yet; a run that was stopped goes on from at most ten generations before."""
    for seed in range(1, scale.runs + 1):
        for mending in mendings:
            for name in games:
                settings = settings_of(scale, mending, seed)
                key = _key(name, mending, settings, scale.trials, max(scale.depths))
                if not ledger.holds(key, mark_of(name), basis_mark(mending)):
                    say(f"{name}, {mending}, run {seed} of {scale.runs}")
                    ledger.note(key, run_one(scale, name, mending, settings, ledger.path))


def _key(name: str, mending: str, settings: Settings, trials: int, deepest: int) -> tuple[Any, ...]:
    """By what a run is known in the file."""
    return name, mending, json.dumps(settings.written()), f"{trials} to depth {deepest}", settings.seed


def _place(run: Run) -> tuple[Any, ...]:
    """By what the duels of a run are known in the file."""
    return run.game, run.mending, json.dumps([*run.size, run.edition]), run.seed


def _lasting(run: Run) -> bool:
    """Whether the algorithm is still the one that made the run."""
    return run.edition == EDITIONS.get(run.mending, 1)
