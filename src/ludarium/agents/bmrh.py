"""BMRH: branching mutation of one plan: from a point on, everything is sampled anew while the plan is played.

Bravi et al., "Rinascimento: optimising statistical forward planning agents for playing Splendor" (2019), section VII B,
table IV; the defaults are the best found there (table VII), tuned for 1000 forward calls a move: with a larger budget, raise
`evaluations`. The released code differs from the paper: with `decay` it squares the probability from gene to gene, where the
paper says exponential decay (the same for plans of two moves); and it forgets to use the shifted plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.agents.rolling.climb import MUTATIONS, Climb, climb_plans
from ludarium.agents.rolling.opponents import check_words
from ludarium.agents.rolling.player import RollingPlayer
from ludarium.core import Agent, Game, Rng, Role
from ludarium.core.parameters import choice, flag, number, part
from ludarium.evaluate import Evaluator


@dataclass(frozen=True)
class BMRH:
    """Rolling horizon with branching mutation."""

    name: ClassVar[str] = "bmrh"

    length: int = number(2, 1, 1000, tries=(1, 2, 3, 5, 10, 20))
    """Own moves in a plan (l)."""

    evaluations: int = number(200, 0, 1 << 60, tries=(20, 50, 100, 200))
    """Changed plans to try for a move, if the budget allows (n)."""

    shift_buffer: bool = flag(default=True)
    """Whether the plan is kept for the next move, without its first gene (usb)."""

    mutate_once: bool = flag(default=True)
    """Whether a plan that would stay as it is gets a new last gene (mo)."""

    mutation: str = choice("uniform", ("fresh", "uniform", "decay", "gaussian", "none"))
    """Where a plan branches (ms): at a `uniform`, exponentially `decay`ing or `gaussian` point; `fresh` draws all anew."""

    decay: float = number(0.8, 0.0, 1.0, tries=(0.5, 0.7, 0.8, 0.9))
    """The probability of a `decay` branch at the first gene; it is multiplied with itself for each further one (dcy)."""

    mean: float = number(0.1, 0.0, 1.0, tries=(0.0, 0.1, 0.3, 0.5, 0.75))
    """Where the `gaussian` point lies on average, as a share of the length (mu)."""

    deviation: float = number(0.5, 0.0, 1000.0, tries=(0.5, 1.0, 2.0))
    """The standard deviation of the `gaussian` point, in genes (sigma)."""

    rescore: bool = flag(default=False)
    """Whether the best plan is tried again after each change, and its tries are averaged: against luck."""

    evaluator: str | Evaluator = part("auto", "evaluator")
    """What judges states."""

    opponent: Agent | str = part("nothing", "agent", tries=("nothing", "random", "osla"))
    """What the other roles are expected to do: as `nothing`, `random`, `osla` or any other agent does (om)."""

    opponent_share: float = number(0.02, 0.0001, 0.9, tries=(0.005, 0.01, 0.02, 0.05))
    """The share of the budget that the opponent model may use for each of its moves (omsb)."""

    def __post_init__(self) -> None:
        check_words(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> RollingPlayer:
        """Make a player for one match."""
        climb = Climb()
        climb.mutation = MUTATIONS.index(self.mutation)
        climb.at_least_one = self.mutate_once
        climb.rate, climb.mean, climb.deviation = self.decay, self.mean, self.deviation
        climb.rescore = self.rescore
        climb.evaluations = self.evaluations
        return RollingPlayer(self, game, role, rng, climb_plans, climb, 2)
