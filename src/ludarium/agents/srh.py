"""SRH: a plan of seeds; each seed draws an action in the state where the plan has come to.

Bravi et al., "Rinascimento: optimising statistical forward planning agents for playing Splendor" (2019), section VII C,
table V; the defaults are the best found there (table VII), tuned for 1000 forward calls a move: with a larger budget, raise
`evaluations`. As in the released code the best plan is tried again beside every
changed one; here its tries are averaged, there the last one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.agents.rolling.climb import MUTATIONS, Climb, climb_plans
from ludarium.agents.rolling.opponents import check_words
from ludarium.agents.rolling.player import RollingPlayer
from ludarium.core import Agent, Game, Rng, Role
from ludarium.core.parameters import flag, number, part
from ludarium.evaluate import Evaluator


@dataclass(frozen=True)
class SRH:
    """Rolling horizon over seeds."""

    name: ClassVar[str] = "srh"

    length: int = number(2, 1, 1000, tries=(1, 2, 3, 5, 10, 20))
    """Own moves in a plan (l)."""

    evaluations: int = number(200, 0, 1 << 60, tries=(0, 1, 5, 10, 20, 50, 100, 200))
    """Changed plans to try for a move, if the budget allows (n)."""

    shift_buffer: bool = flag(default=True)
    """Whether the plan is kept for the next move, without its first seed (usb)."""

    mutate_once: bool = flag(default=False)
    """Whether a plan that would stay as it is gets one new seed (mo)."""

    rate: float = number(0.9, 0.0, 1.0, tries=(0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0))
    """The probability that a seed is drawn anew, for each seed (mr)."""

    rescore: bool = flag(default=True)
    """Whether the best plan is tried again after each change, and its tries are averaged: against luck."""

    evaluator: str | Evaluator = part("auto", "evaluator")
    """What judges states."""

    opponent: Agent | str = part("nothing", "agent", tries=("nothing", "random", "osla"))
    """What the other roles are expected to do: as `nothing`, `random`, `osla` or any other agent does (om)."""

    opponent_share: float = number(0.05, 0.0001, 0.9, tries=(0.001, 0.005, 0.01, 0.02, 0.05))
    """The share of the budget that the opponent model may use for each of its moves (omsb)."""

    def __post_init__(self) -> None:
        check_words(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> RollingPlayer:
        """Make a player for one match."""
        climb = Climb()
        climb.mutation = MUTATIONS.index("rate")
        climb.at_least_one = self.mutate_once
        climb.rate = self.rate
        climb.rescore = self.rescore
        climb.evaluations = self.evaluations
        player = RollingPlayer(self, game, role, rng, climb_plans, climb, 2)
        player.scene.planning.seeds = True
        return player
