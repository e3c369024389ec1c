"""All that an evolution depends on, besides its game."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ludarium.core import BadParameter, Game, UnknownName, UnsupportedGame
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evolve.bouts import Terms

ALGORITHMS: dict[str, str] = {
    "cca": "Rosin's covering competitive algorithm: beat all teachers of the others, lowest rank first",
    "managed": "cca with a test bank: teachers that nobody can beat are put aside for later",
    "balanced": "cca that plays all teachers, and opponents that are neither too weak nor too strong",
    "pareto": "a Pareto archive, as in IPCA: whoever nobody dominates, and the tests that tell them apart",
    "nash": "a Nash memory: the equilibrium of what was found, and who does better against it",
    "maxsolve": "MaxSolve: whoever solves most tests",
}
"""Ways to evolve, and what they look for."""

EDITIONS = {"managed": 3}
"""Algorithms that gave other runs once, and their present edition: what an earlier one made is not taken for theirs."""

MOST = 100_000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is evolved and how; the defaults are those of Reisinger et al. (2007), who do not say how large populations were."""

    generations: int = 300
    population: int = 100
    seed: int = 1
    algorithm: str = "cca"
    bouts: int = 50
    """N: bouts of everybody with random opponents, in each generation."""

    alpha: float = 10 / 11
    """What teachers count, against bouts with random opponents."""

    inputs: Mapping = field(default_factory=Mapping)
    terms: Terms = field(default_factory=Terms)

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise UnknownName("algorithm", self.algorithm, ALGORITHMS)
        given = {"generations": (self.generations, 1), "population": (self.population, 2), "bouts": (self.bouts, 1)}
        for name, (value, least) in given.items():
            if not least <= value <= MOST:
                raise BadParameter(f"{name} is {value}; expected {least} to {MOST}")
        if not 0 <= self.seed < 2**64:
            raise BadParameter(f"a seed is a whole number from 0 to 2**64 - 1, not {self.seed}")
        if not 0 <= self.alpha <= 1:
            raise BadParameter(f"alpha is {self.alpha}; expected a number from 0 to 1")

    @property
    def edition(self) -> int:
        """Which form of the algorithm it is."""
        return EDITIONS.get(self.algorithm, 1)

    def check(self, game: Game) -> None:
        """Refuse a game for which nothing can be coevolved."""
        roles = len(game.roles)
        if roles < 2:
            raise UnsupportedGame(f"{game.name} has one role: coevolution needs somebody to play against")
        if roles > 2 and self.algorithm in ("pareto", "nash", "maxsolve"):
            raise UnsupportedGame(
                f"{self.algorithm} is for two roles, and {game.name} has {roles}; cca is for any number"
            )

    def written(self) -> dict[str, Any]:
        """Write them as JSON has it, with the edition of the algorithm if it is not the first."""
        return asdict(self) | ({"edition": self.edition} if self.edition > 1 else {})
