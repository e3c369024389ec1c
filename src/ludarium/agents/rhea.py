"""RHEA: a population of plans, bred by tournament, crossover and mutation; the best stay.

Perez-Liebana et al., "Rolling horizon evolutionary algorithms for general video game playing" (2021), and Gaina et al.,
"Analysis of vanilla rolling horizon evolution parameters in general video game playing" (2017), for the shift buffer and
the defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.agents.rolling.evolve import CROSSOVERS, Evolution, evolve_plans
from ludarium.agents.rolling.opponents import check_words
from ludarium.agents.rolling.player import UNLIMITED, RollingPlayer
from ludarium.core import Agent, BadParameter, Game, Rng, Role
from ludarium.core.parameters import choice, flag, number, part
from ludarium.evaluate import Evaluator


@dataclass(frozen=True)
class RHEA:
    """Rolling-horizon evolution of a population."""

    name: ClassVar[str] = "rhea"

    population: int = number(10, 2, 10_000, tries=(2, 5, 10, 20))
    """Plans in a generation."""

    length: int = number(10, 1, 1000, tries=(6, 8, 10, 12, 14, 16, 20))
    """Own moves in a plan."""

    discount: float = number(0.9, 0.0, 1.0, tries=(0.0, 0.9, 0.95, 1.0))
    """How much less each later state counts in the average that judges a plan; 0 judges its end alone."""

    elites: int = number(1, 0, 10_000, tries=(0, 1, 2))
    """The best plans that stay as they are in the next generation."""

    tournament: int = number(3, 1, 10_000, tries=(1, 2, 3, 5))
    """Plans that are drawn to choose the best of them as a parent."""

    crossover: str = choice("uniform", CROSSOVERS)
    """How two parents are mixed: each gene of either (`uniform`), both sides of a point (`one-point`), or not at all."""

    rate: float = number(0.1, 0.0, 1.0, tries=(0.0, 0.1, 0.2, 0.3, 0.5))
    """The probability that a gene is drawn anew, for each gene; one always is."""

    shift_buffer: bool = flag(default=True)
    """Whether the population is kept for the next move, without the first gene of each plan."""

    rescore: bool = flag(default=True)
    """Whether the elites are tried again in each generation, and their tries are averaged: against luck."""

    evaluator: str | Evaluator = part("auto", "evaluator")
    """What judges states."""

    opponent: Agent | str = part("random", "agent", tries=("nothing", "random", "osla"))
    """What the other roles are expected to do: as `nothing`, `random`, `osla` or any other agent does."""

    opponent_share: float = number(0.02, 0.0001, 0.9, tries=(0.005, 0.01, 0.02, 0.05))
    """The share of the budget that the opponent model may use for each of its moves."""

    def __post_init__(self) -> None:
        check_words(self)
        if self.elites >= self.population:
            raise BadParameter(
                f"rhea: elites is {self.elites}; expected fewer than the population of {self.population}"
            )

    def seat(self, game: Game, role: Role, rng: Rng) -> RollingPlayer:
        """Make a player for one match."""
        evolution = Evolution()
        evolution.population, evolution.elites = self.population, self.elites
        evolution.tournament = self.tournament
        evolution.crossover = CROSSOVERS.index(self.crossover)
        evolution.rate = self.rate
        evolution.rescore = self.rescore
        evolution.evaluations = UNLIMITED
        player = RollingPlayer(self, game, role, rng, evolve_plans, evolution, 2 * self.population)
        player.scene.planning.discount = self.discount
        return player
