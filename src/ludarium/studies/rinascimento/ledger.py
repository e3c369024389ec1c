"""What many games of Rinascimento came to, and what tunings found, in one SQLite file: what is in it is not done again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludarium import catalog
from ludarium.arena.store.database import Database, Kind
from ludarium.core import Rng, describe
from ludarium.studies.rinascimento.contest import Contest, Won

BLOCK = 20
"""Games that are played and stored at once; each block has its own seed."""

_KEPT = 500  # agents that are ready to play at the same time

_TABLES = """
CREATE TABLE IF NOT EXISTS contests (
    agent TEXT, others TEXT, rules TEXT, calls INTEGER, block INTEGER, wins INTEGER, stale INTEGER, plies INTEGER,
    PRIMARY KEY (agent, others, rules, calls, block)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS searches (
    planner TEXT, way TEXT, words TEXT, budget INTEGER, repeat INTEGER, config TEXT, fitness REAL, seconds REAL,
    thinking REAL, PRIMARY KEY (planner, way, words, budget, repeat)
) WITHOUT ROWID
"""


@dataclass(frozen=True)
class Tuning:
    """What one tuning found."""

    planner: str
    way: str
    """Whether an evaluation was drawn from the win rates of a grid (`grid`), or a game, in it (`games`) or the `whole` space."""

    words: str
    """What else it depends on: the method, and how well the grid was known."""

    budget: int
    repeat: int
    config: Mapping[str, Any]
    fitness: float
    """What it is worth: measured in new games, or what the grid says."""

    seconds: float
    thinking: float
    """Seconds that the search itself took, of all."""

    games: int = 0
    """Games that tell what it is worth."""


class Ledger(Database):
    """The file."""

    kind = Kind(0x4C55444C, "a ledger of contests", _TABLES, unmarked="contests")  # "LUDL"

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self._made: dict[tuple[Any, ...], Contest] = {}

    def known(self, agent: str, others: str, rules: str, calls: int, blocks: int = 1 << 40) -> Won | None:
        """Add up the games that were played, or those of the first blocks; None if there are none."""
        query = (
            "SELECT COUNT(*), SUM(wins), SUM(stale), SUM(plies) FROM contests "
            "WHERE agent = ? AND others = ? AND rules = ? AND calls = ? AND block < ?"
        )
        ((count, *sums),) = self._all(query, spelled(agent), others, rules, calls, blocks)
        return Won(count * BLOCK, *sums) if count else None

    def play(
        self, agent: str, games: int, *, others: str = "OSLA", rules: str = "rinascimento", calls: int = 1000
    ) -> Won:
        """Play so many games, rounded up to blocks; what is stored is not played again, and what is more does not count."""
        name, blocks = spelled(agent), -(-games // BLOCK)
        for block in range(blocks):
            key = (name, others, rules, calls, block)
            query = "SELECT 1 FROM contests WHERE agent = ? AND others = ? AND rules = ? AND calls = ? AND block = ?"
            if self._one(query, *key) is None:
                contest = self.contest(name, others=others, rules=rules, calls=calls)
                won = contest.play(BLOCK, Rng.keyed(0, *map(str, key)))
                row = (*key, won.wins, won.stale, won.plies)
                self._all("INSERT OR IGNORE INTO contests VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
        found = self.known(name, others, rules, calls, blocks)
        assert found is not None
        return found

    def contest(self, agent: str, *, others: str = "OSLA", rules: str = "rinascimento", calls: int = 1000) -> Contest:
        """Make an agent ready to play; it is kept for the next time."""
        key = (agent, others, rules, calls)
        if key not in self._made:
            if len(self._made) >= _KEPT:
                self._made.clear()
            planner: Any = catalog.agent(agent)
            self._made[key] = Contest(planner, rules=rules, calls=calls, looking=others == "OSLA")
        return self._made[key]

    def note(self, tuning: Tuning) -> None:
        """Store what a tuning found."""
        config = json.dumps(dict(tuning.config))
        row = (tuning.planner, tuning.way, tuning.words, tuning.budget, tuning.repeat, config, tuning.fitness,
               tuning.seconds, tuning.thinking)  # fmt: skip
        self._all("INSERT OR REPLACE INTO searches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)

    def tunings(self) -> Iterator[Tuning]:
        """Give what all tunings found."""
        for planner, way, words, budget, repeat, config, *rest in self._all(
            "SELECT * FROM searches ORDER BY planner, way, words, budget, repeat"
        ):
            yield Tuning(planner, way, words, budget, repeat, json.loads(config), *rest)


def spelled(agent: str) -> str:
    """Write an agent as the catalog describes it, so that two spellings are one."""
    return describe(catalog.agent(agent))
