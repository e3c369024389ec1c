"""A run of evolution, written down as it goes, so that it can go on from there with the same result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludarium.core import BadParameter, Game
from ludarium.evaluate.evolved.champions import Champions, read_json, write_json
from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.algorithms import Field, algorithm
from ludarium.evolve.bouts import Bouts
from ludarium.evolve.genomes import Genomes
from ludarium.evolve.settings import Settings

FORMAT, VERSION = "ludarium evolution", 1


@dataclass(frozen=True)
class Generation:
    """What a generation came to."""

    number: int
    teachers: tuple[int, ...]
    """How many each role has."""

    undominated: int
    """The role that dominates, or -1."""

    best: tuple[float, ...]
    """The highest fitness of each role."""

    bouts: int
    nodes: float
    """Of a network on average."""

    links: float


class Evolution:
    """Populations for all roles of a game, what was kept of them, and how it went."""

    def __init__(
        self, game: Game, settings: Settings, *, threads: int | None = None, basis: Sequence[Sequence[Network]] = ()
    ) -> None:
        settings.check(game)
        self.game, self.settings = game, settings
        self.bouts = Bouts(game, settings.inputs, settings.terms, threads=threads)
        self.algorithm = algorithm(settings, len(game.roles))
        self.history: list[Generation] = []
        self._fitness: list[list[float]] = []
        self.populations = [
            Genomes(self.bouts.seen.count, settings.population, settings.seed, role) for role in range(len(game.roles))
        ]
        self.basis = [list(each) for each in basis] or [[] for _ in game.roles]
        wrong = [each.inputs for networks in self.basis for each in networks if each.inputs != self.bouts.seen.count]
        if wrong:
            raise BadParameter(f"the basis has networks of {wrong[0]} inputs; here there are {self.bouts.seen.count}")

    @property
    def key(self) -> str:
        """What this evolution is, in a few letters."""
        said: list[Any] = [self.game.fingerprint, self.bouts.seen.digest, self.settings.written()]
        said.append([[each.written() for each in networks] for networks in self.basis])
        return hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=12).hexdigest()

    @property
    def done(self) -> bool:
        """Whether all generations have lived."""
        return len(self.history) >= self.settings.generations

    def advance(self) -> Generation:
        """Live through one more generation."""
        if not self.history:
            for population, known in zip(self.populations, self.basis, strict=True):
                population.settle(known)
        else:
            for population, values in zip(self.populations, self._fitness, strict=True):
                population.breed(values)
        self._fitness = self.live([population.networks for population in self.populations])
        return self.history[-1]

    def live(self, networks: Sequence[Sequence[Network]]) -> list[list[float]]:
        """Let populations live through a generation; give how fit everybody is, by role."""
        field = Field(self.bouts, networks, self.algorithm.archives, self.settings.seed, len(self.history))
        fitness = [[float(x) for x in each] for each in self.algorithm.step(field)]
        every = [network for each in networks for network in each]
        lived = Generation(
            number=len(self.history),
            teachers=tuple(map(len, self.algorithm.teachers)),
            undominated=self.algorithm.undominated,
            best=tuple(max(each) for each in fitness),
            bouts=field.played,
            nodes=sum(len(network.nodes) for network in every) / len(every),
            links=sum(network.connections for network in every) / len(every),
        )
        self.history.append(lived)
        return fitness

    def champions(self) -> Champions:
        """What there is to play with now."""
        networks = [population.networks for population in self.populations]
        field = Field(self.bouts, networks, self.algorithm.archives, self.settings.seed, self.settings.generations)
        made = {"settings": self.settings.written(), "generations": len(self.history)}
        return Champions(
            self.game.name,
            self.game.fingerprint,
            tuple(self.game.roles),
            self.settings.inputs,
            self.bouts.seen.digest,
            tuple(self.algorithm.champions(field)),
            tuple(map(tuple, self.algorithm.teachers)),
            made,
        )

    def save(self, path: Path) -> None:
        """Write down all that the next generations depend on."""
        content = {
            "key": self.key,
            "game": self.game.name,
            "settings": self.settings.written(),
            "history": [asdict(each) for each in self.history],
            "fitness": self._fitness,
            "populations": [population.written() for population in self.populations],
            "algorithm": self.algorithm.written(),
        }
        write_json(path, FORMAT, VERSION, content)

    def load(self, path: Path) -> None:
        """Go on from what was written down; refused if that is another evolution."""
        given = read_json(path, FORMAT, VERSION)
        if given.get("key") != self.key:
            raise BadParameter(
                f"{path} belongs to another evolution, of {given.get('game')} or with other settings: name another file"
            )
        self.history = [_generation(each) for each in given["history"]]
        self._fitness = given["fitness"]
        for population, each in zip(self.populations, given["populations"], strict=True):
            population.restore(each)
        self.algorithm.restore(given["algorithm"])


def evolve(
    game: Game,
    settings: Settings,
    *,
    checkpoint: Path | None = None,
    every: int = 1,
    threads: int | None = None,
    basis: Sequence[Sequence[Network]] = (),
    progress: Callable[[Evolution], None] | None = None,
) -> Evolution:
    """Evolve until the last generation; with a checkpoint, written every so many generations, from where it was left."""
    if every < 1:
        raise BadParameter(f"every is {every}; expected a number of generations, 1 or more")
    made = Evolution(game, settings, threads=threads, basis=basis)
    if checkpoint is not None and checkpoint.exists():
        made.load(checkpoint)
    try:
        while not made.done:
            made.advance()
            lived = len(made.history)
            if checkpoint is not None and (lived % every == 0 or lived == settings.generations):
                made.save(checkpoint)
            if progress is not None:
                progress(made)
    finally:
        made.bouts.close()
    return made


def _generation(given: Any) -> Generation:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return Generation(**values)
