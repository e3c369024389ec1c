"""Runs of the study, one row each in an SQLite file: how it went, and what its players do against random judgement."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from time import process_time
from typing import Any

import numpy as np

from ludarium import catalog
from ludarium.arena.store.database import Database, Kind
from ludarium.core import Game
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.algorithms.field import beaten
from ludarium.evolve.bouts import Bouts, Terms, seeds
from ludarium.evolve.run import Evolution, evolve
from ludarium.evolve.settings import ALGORITHMS, Settings
from ludarium.evolve.trials import against_random
from ludarium.studies.coevolution.duels import PLAIN, Duel, duel, pairs
from ludarium.studies.coevolution.study import Scale

_TABLES = """
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

_RANKS = 40  # teachers that are tried against random judgement, evenly spread if there are more
_TIMES = 4  # as many matches as other teachers have, champions have


@dataclass(frozen=True)
class Run:
    """What one evolution came to."""

    game: str
    roles: tuple[str, ...]
    mending: str
    generations: int
    population: int
    bouts: int
    seed: int
    trials: int
    teachers: list[list[int]]
    """By role, how many there were after each generation."""

    held: list[int]
    """Generations in which each role dominated, and in which none did."""

    ranks: list[list[float]]
    """By role, what teachers have against random judgement."""

    depths: list[list[Any]]
    """Depth, role, what the champion has there, half the width of its interval, what random players have, p, and matches."""

    matches: int
    seconds: float
    """Of CPU time, evolution and trials."""

    covered: list[float] = field(default_factory=list)
    """By role, the share of all teachers of the other role that its champion beats."""

    champions: list[Any] = field(default_factory=list)
    """The champions, as networks are written."""

    @property
    def size(self) -> tuple[int, int, int]:
        """Generations, population and bouts."""
        return self.generations, self.population, self.bouts


class Ledger(Database):
    """The file."""

    kind = Kind(0x4C554443, "a ledger of evolutions", f"{_TABLES};{_DUELS}", version=2, steps={1: _DUELS})
    # "LUDC"

    def runs(self) -> list[Run]:
        """Give all runs."""
        rows = self._all("SELECT result FROM runs ORDER BY game, mending, settings, trials, seed")
        return [_run(json.loads(text)) for (text,) in rows]

    def holds(self, key: tuple[Any, ...]) -> bool:
        """Whether there is a run."""
        query = "SELECT 1 FROM runs WHERE game = ? AND mending = ? AND settings = ? AND trials = ? AND seed = ?"
        return self._one(query, *key) is not None

    def note(self, key: tuple[Any, ...], run: Run) -> None:
        """Store a run."""
        self._all("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)", *key, json.dumps(asdict(run)))

    def duels(self) -> list[Duel]:
        """Give all duels."""
        rows = self._all("SELECT game, mending, size, seed, result FROM duels ORDER BY game, mending, size, seed")
        return [
            Duel(game, mending, tuple(json.loads(size)), seed, each["role"], each["score"], each["plain"])
            for game, mending, size, seed, text in rows
            for each in json.loads(text)
        ]

    def fight(self, say: Callable[[str], None]) -> None:
        """Let champions that have not done so play against plain ones."""
        for run, plain in pairs(self.runs(), _inputs):
            key = (run.game, run.mending, json.dumps(run.size), run.seed)
            if self._one("SELECT 1 FROM duels WHERE game = ? AND mending = ? AND size = ? AND seed = ?", *key) is None:
                say(f"{run.game}, {run.mending} against {PLAIN}, run {run.seed}")
                found = duel(_game(run.game), _inputs(run), run, plain)
                result = json.dumps([asdict(each) for each in found])
                self._all("INSERT OR REPLACE INTO duels VALUES (?, ?, ?, ?, ?)", *key, result)


def settings_of(scale: Scale, mending: str, seed: int) -> Settings:
    """What a mending changes."""
    plain = Settings(
        generations=scale.generations,
        population=scale.population,
        bouts=scale.bouts,
        seed=seed,
        inputs=Mapping(seed=seed),
        algorithm=mending if mending in ALGORITHMS else "cca",
    )
    if mending in ("groups", "features"):
        return replace(plain, inputs=Mapping(mending, seed=seed, counters=False))
    if mending == "no-cycles":
        return replace(plain, inputs=Mapping(seed=seed, counters=False), terms=Terms(avoid=True))
    return replace(plain, terms=Terms(depth=2)) if mending == "depth-2" else plain


def run_all(
    ledger: Ledger, scale: Scale, games: Sequence[str], mendings: Sequence[str], say: Callable[[str], None]
) -> None:
    """Evolve what is not stored yet; a run that was stopped goes on from its last generation."""
    for seed in range(1, scale.runs + 1):
        for mending in mendings:
            for name in games:
                settings = settings_of(scale, mending, seed)
                trials = f"{scale.trials} to depth {max(scale.depths)}"
                key = (name, mending, json.dumps(settings.written()), trials, seed)
                if not ledger.holds(key):
                    say(f"{name}, {mending}, run {seed} of {scale.runs}")
                    ledger.note(key, run_one(ledger, scale, name, mending, settings))


def run_one(ledger: Ledger, scale: Scale, name: str, mending: str, settings: Settings) -> Run:
    """Evolve, and try what came out against random judgement."""
    began, game = process_time(), _game(name)
    size = f"{settings.generations}-{settings.population}-{settings.bouts}"
    plain = "".join(letter if letter.isalnum() else "-" for letter in f"{name}-{mending}-{settings.seed}-{size}")
    checkpoint = ledger.path.with_name(f"{ledger.path.name}.{plain}.generations")
    made = evolve(game, settings, checkpoint=checkpoint)
    champions = made.champions()
    trying = Bouts(game, settings.inputs, replace(settings.terms, depth=1))
    ranks = [
        [trial.mean for trial in against_random(trying, _some(each), role, trials=scale.trials, seed=settings.seed)]
        for role, each in enumerate(champions.teachers)
    ]
    depths = [
        row
        for depth in scale.depths
        for row in _at_depth(trying, champions, depth, _TIMES * scale.trials, settings.seed)
    ]
    covered = [_covered(trying, champions, role, settings.seed) for role in range(len(game.roles))]
    trying.close()
    run = Run(
        game=name,
        roles=tuple(game.roles),
        mending=mending,
        generations=settings.generations,
        population=settings.population,
        bouts=settings.bouts,
        seed=settings.seed,
        trials=scale.trials,
        teachers=[[each.teachers[role] for each in made.history] for role in range(len(game.roles))],
        held=_held(made),
        ranks=ranks,
        depths=depths,
        matches=sum(each.bouts for each in made.history),
        seconds=process_time() - began,
        covered=covered,
        champions=[each.written() for each in champions.networks],
    )
    checkpoint.unlink(missing_ok=True)
    return run


def _held(made: Evolution) -> list[int]:
    roles = len(made.game.roles)
    return [sum(each.undominated == role for each in made.history) for role in (*range(roles), -1)]


def _at_depth(trying: Bouts, champions: Champions, depth: int, trials: int, seed: int) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for role, network in enumerate(champions.networks):
        (trial,) = against_random(trying, [network], role, trials=trials, depth=depth, seed=seed)
        rows.append([depth, role, trial.mean, trial.half, float(trial.random.mean()), trial.p, trials])
    return rows


def _some(teachers: Sequence[Network]) -> list[Network]:
    """At most so many teachers, the first and the last among them."""
    count = min(_RANKS, len(teachers))
    return [teachers[k * (len(teachers) - 1) // max(1, count - 1)] for k in range(count)]


def _covered(trying: Bouts, champions: Champions, role: int, seed: int) -> float:
    """The share of all teachers of the other role that a champion beats, several matches with each."""
    others = champions.teachers[1 - role]
    trying.load([champions.networks[role], *others])
    rows = np.zeros((_TIMES * len(others), 2), np.int32)
    rows[:, 1 - role] = np.repeat(np.arange(1, len(others) + 1), _TIMES)
    worth = trying.play(rows, seeds(len(rows), seed, "covered", role))
    return float(beaten(worth, role).mean()) if len(rows) else 0.0


def _inputs(run: Run) -> Mapping:
    scale = Scale(runs=1, generations=run.generations, population=run.population, bouts=run.bouts)
    return settings_of(scale, run.mending, run.seed).inputs


def _run(given: Any) -> Run:
    return Run(**{**given, "roles": tuple(given["roles"])})


@cache
def _game(name: str) -> Game:
    made: Game = catalog.game(name)
    return made
