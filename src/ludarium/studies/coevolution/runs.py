"""A run of the study: how an evolution went, and what its players do against random judgement."""

from __future__ import annotations

from collections.abc import Mapping as Given
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from ludarium import catalog
from ludarium.core import Game
from ludarium.core.fingerprint import digest
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.algorithms.field import beaten
from ludarium.evolve.basis import basis_of
from ludarium.evolve.bouts import Bouts, Terms, seeds
from ludarium.evolve.run import Evolution, evolve
from ludarium.evolve.settings import ALGORITHMS, Settings
from ludarium.evolve.trials import against_random
from ludarium.studies.coevolution.study import BASIS_GAMES, DEEPER, Scale

_RANKS = 40  # teachers that are tried against random judgement, evenly spread if there are more
_TIMES = 4  # as many matches as other teachers have, champions have
_EVERY = 10  # generations after which a run is written down: with many teachers that takes as long as a generation


class Tried(NamedTuple):
    """What a champion did against random judgement, where both look equally far."""

    depth: int
    role: int
    score: float
    half: float
    """Half the width of the interval of the score, over its matches."""

    random: float
    """What random players have in its place."""

    p: float
    matches: int


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

    depths: list[Tried]
    """What the champions did, by depth and role."""

    matches: int
    seconds: float
    """Of CPU time, evolution and trials."""

    covered: list[float]
    """By role, the share of all teachers of the other role that its champion beats."""

    edition: int
    """Of the algorithm."""

    mark: str
    """Of the game and of how this version evolves for it."""

    basis: str = ""
    """The mark of the games of the basis, if it began with one."""

    champions: list[Any] = field(default_factory=list)
    """The champions, as networks are written; none in runs that are kept beside a page."""

    @classmethod
    def read(cls, given: Given[str, Any]) -> Run:
        """Make a run of what JSON has of it."""
        return cls(**{**given, "roles": tuple(given["roles"]), "depths": [Tried(*row) for row in given["depths"]]})

    @property
    def size(self) -> tuple[int, int, int]:
        """Generations, population and bouts."""
        return self.generations, self.population, self.bouts


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
    return replace(plain, terms=Terms(depth=2)) if mending == DEEPER else plain


def run_one(scale: Scale, name: str, mending: str, settings: Settings, beside: Path) -> Run:
    """Evolve, and try what came out against random judgement; what a run has come to so far is written beside a file."""
    began, game = process_time(), game_of(name)
    size = f"{settings.generations}-{settings.population}-{settings.bouts}-{settings.edition}-{mark_of(name)}"
    plain = "".join(letter if letter.isalnum() else "-" for letter in f"{name}-{mending}-{settings.seed}-{size}")
    begun = basis_mark(mending)
    checkpoint = beside.with_name(f"{beside.name}.{plain}{begun and '-'}{begun}.generations")
    basis = basis_for(settings) if mending == "basis" else ()
    made = evolve(game, settings, checkpoint=checkpoint, every=_EVERY, basis=basis)
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
        edition=settings.edition,
        mark=mark_of(name),
        basis=begun,
        champions=[each.written() for each in champions.networks],
    )
    checkpoint.unlink(missing_ok=True)
    return run


def settings_for(run: Run) -> Settings:
    """What a run was evolved with."""
    scale = Scale(runs=1, generations=run.generations, population=run.population, bouts=run.bouts)
    return settings_of(scale, run.mending, run.seed)


@cache
def basis_for(settings: Settings) -> list[list[Network]]:
    """What runs with a basis begin with: as long an evolution in other games, with the same seed."""
    return basis_of([game_of(name) for name in BASIS_GAMES], settings)


@cache
def basis_mark(mending: str) -> str:
    """The fingerprints of the games that a basis evolves in, in a few letters, for the mending that begins with one."""
    return digest(game_of(name).fingerprint for name in BASIS_GAMES)[:8] if mending == "basis" else ""


@cache
def mark_of(name: str) -> str:
    """The fingerprint of a game, and what a tiny evolution comes to: another version may play the same rules otherwise."""
    game = game_of(name)
    tiny = evolve(game, Settings(generations=5, population=6, bouts=3), threads=1)
    said = [(each.teachers, each.undominated, each.bouts, [f"{x:.6f}" for x in each.best]) for each in tiny.history]
    return f"{game.fingerprint}-{digest(map(str, said))[:8]}"


def _held(made: Evolution) -> list[int]:
    roles = len(made.game.roles)
    return [sum(each.undominated == role for each in made.history) for role in (*range(roles), -1)]


def _at_depth(trying: Bouts, champions: Champions, depth: int, matches: int, seed: int) -> list[Tried]:
    rows = []
    for role, network in enumerate(champions.networks):
        (trial,) = against_random(trying, [network], role, trials=matches, depth=depth, seed=seed)
        rows.append(Tried(depth, role, trial.mean, trial.half, float(trial.random.mean()), trial.p, matches))
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


@cache
def game_of(name: str) -> Game:
    """A game of the catalog."""
    made: Game = catalog.game(name)
    return made
