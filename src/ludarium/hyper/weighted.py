"""A weighted ensemble: several agents vote on every move, each with the weight of what a model expects of it in this game.

Thompson and Stephenson, "General game playing hyper-agents for Ludii".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium import registry
from ludarium.core import Agent, Game, Rng, Role, describe
from ludarium.core.parameters import check, flag, parts
from ludarium.hyper.chosen import rank
from ludarium.hyper.portfolio import check_file
from ludarium.hyper.voting import PAPER, VotingPlayer, voters_of


@dataclass(frozen=True)
class WeightedEnsemble:
    """Let several agents vote, those with more weight that are expected to do better."""

    name: ClassVar[str] = "weighted-ensemble"

    model: str = ""
    """The file of a model, as `ludarium hyper train` writes it; by default the one that comes along."""

    agents: tuple[Agent, ...] = parts(PAPER, "agent")
    """Who votes, as in `[uct, mast, alphabeta]`; by default the five agents of the paper."""

    parallel: bool = flag(default=False)
    """Whether all think at once, each for the whole time; what is counted is shared among them all the same."""

    graded: bool = flag(default=False)
    """Whether they also say how good they find the other moves, and not only which is the best."""

    def __post_init__(self) -> None:
        check(self)
        check_file(self.name, self.model)
        object.__setattr__(self, "agents", tuple(registry.make("agent", each) for each in self.agents))

    def seat(self, game: Game, role: Role, rng: Rng) -> VotingPlayer:
        """Make a player for one match; an `UnsupportedGame` if none of the agents can play it."""
        ranking = rank(self.name, self.model, self.agents, game)
        weights = {describe(agent): max(0.0, found.score) for agent, found in ranking.order}
        voters, absent = voters_of(self.name, self.agents, game, role, rng)
        if any(weights[each.name] > 0 for each in voters):
            voters = [replace(each, weight=weights[each.name]) for each in voters]
        return VotingPlayer(
            voters,
            game,
            rng,
            parallel=self.parallel,
            graded=self.graded,
            absent=absent,
            because=f"weights: {ranking.because()}",
        )
