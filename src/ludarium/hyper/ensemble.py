"""An ensemble: several agents think about every move, and the move that most of them choose is played.

Anderson, Rodgers, Levine, Guerrero-Romero and Perez-Liebana, "Ensemble decision systems for general video game playing"
(2019), as in Thompson and Stephenson, "General game playing hyper-agents for Ludii": one vote each, ties at random.
An agent that cannot play the game, fails, or has no budget left does not vote, and the decision says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium import registry
from ludarium.core import Agent, Game, Rng, Role
from ludarium.core.parameters import check, flag, parts
from ludarium.hyper.voting import PAPER, VotingPlayer, voters_of


@dataclass(frozen=True)
class Ensemble:
    """Let several agents vote on every move."""

    name: ClassVar[str] = "ensemble"

    agents: tuple[Agent, ...] = parts(PAPER, "agent")
    """Who votes, as in `[uct, mast, alphabeta]`; by default the five agents of the paper."""

    parallel: bool = flag(default=False)
    """Whether all think at once, each for the whole time; what is counted is shared among them all the same."""

    graded: bool = flag(default=False)
    """Whether they also say how good they find the other moves, and not only which is the best."""

    def __post_init__(self) -> None:
        check(self)
        object.__setattr__(self, "agents", tuple(registry.make("agent", each) for each in self.agents))

    def seat(self, game: Game, role: Role, rng: Rng) -> VotingPlayer:
        """Make a player for one match; an `UnsupportedGame` if none of the agents can play it."""
        voters, absent = voters_of(self.name, self.agents, game, role, rng)
        return VotingPlayer(voters, game, rng, parallel=self.parallel, graded=self.graded, absent=absent)
