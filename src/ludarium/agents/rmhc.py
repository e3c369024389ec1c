"""RMHC: one plan, of which one gene is changed at a time; what is not worse stays.

The random mutation hill climber of rolling-horizon evolution: Perez-Liebana et al., "Rolling horizon evolutionary
algorithms for general video game playing" (2021). The horizon and the discount are those of the Tabletop Games framework,
whose climber draws all genes behind the changed one anew (`mutation=uniform`, or `bmrh`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.agents.rolling.climb import MUTATIONS, Climb, climb_plans
from ludarium.agents.rolling.opponents import check_words
from ludarium.agents.rolling.player import UNLIMITED, RollingPlayer
from ludarium.core import Agent, Game, Rng, Role
from ludarium.core.parameters import choice, flag, number, part
from ludarium.evaluate import Evaluator


@dataclass(frozen=True)
class RMHC:
    """Random mutation hill climbing over a plan."""

    name: ClassVar[str] = "rmhc"

    length: int = number(10, 1, 1000, tries=(6, 8, 10, 12))
    """Own moves in a plan."""

    discount: float = number(0.9, 0.0, 1.0, tries=(0.9, 0.95, 1.0))
    """How much less each later state counts in the average that judges a plan; 0 judges its end alone."""

    mutation: str = choice("gene", ("gene", "uniform"))
    """Draw one `gene` anew, or all from a `uniform` point on."""

    shift_buffer: bool = flag(default=True)
    """Whether the plan is kept for the next move, without its first gene."""

    rescore: bool = flag(default=False)
    """Whether the best plan is tried again after each change, and its tries are averaged: against luck."""

    evaluator: str | Evaluator = part("auto", "evaluator")
    """What judges states."""

    opponent: Agent | str = part("random", "agent", tries=("nothing", "random", "osla"))
    """What the other roles are expected to do: as `nothing`, `random`, `osla` or any other agent does."""

    opponent_share: float = number(0.02, 0.0001, 0.9, tries=(0.005, 0.01, 0.02, 0.05))
    """The share of the budget that the opponent model may use for each of its moves."""

    def __post_init__(self) -> None:
        check_words(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> RollingPlayer:
        """Make a player for one match."""
        climb = Climb()
        climb.mutation = MUTATIONS.index(self.mutation)
        climb.rescore = self.rescore
        climb.evaluations = UNLIMITED
        player = RollingPlayer(self, game, role, rng, climb_plans, climb, 2)
        player.scene.planning.discount = self.discount
        return player
