"""Heuristic: generate an evaluation function from the rules, and search with it.

The Heuristic player of the hnefatafl tournament (Configurable Game Player, 2020) "uses heuristic evaluation function generation",
after Clune, "Heuristic evaluation functions for general game playing" (2007): see `evaluate/generated.py`. Weights are found
by random games when the player is seated. Where roles take turns and nothing is left to chance it searches with alpha-beta,
elsewhere it looks one step ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.alphabeta import AlphaBeta
from ludarium.agents.osla import OSLA
from ludarium.agents.search.support import require
from ludarium.core import Agent, Budget, Decision, Game, InformationSet, Player, Rng, Role
from ludarium.core.parameters import check, number
from ludarium.evaluate.generated import Generated


@dataclass(frozen=True)
class Heuristic:
    """Search with an evaluation function that was generated from the rules."""

    name: ClassVar[str] = "heuristic"

    games: int = number(200, 1, 1_000_000, tries=(50, 200, 1000))
    """How many random games are played to find the weights."""

    states: int = number(4_000, 1, 10_000_000)
    """How many states of them are looked at, at most."""

    depth: int = number(1000, 1, 10_000, tries=(1, 2, 4, 8, 1000))
    """How many plies to look ahead at most, where roles take turns."""

    seed: int = number(0, 0, 2**64 - 1)
    """What the random games are drawn from: with the same seed the same evaluation function is found."""

    def __post_init__(self) -> None:
        check(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> HeuristicPlayer:
        """Make a player for one match."""
        require(game, self, perfect_information=True)
        found = Generated(self.games, self.states, self.seed).chosen(game).name
        turns = game.traits.turn_taking and game.traits.deterministic
        search: Agent = AlphaBeta(evaluator=found, depth=self.depth) if turns else OSLA(evaluator=found)
        return HeuristicPlayer(search.seat(game, role, rng), found)


@dataclass
class HeuristicPlayer:
    """A search in its seat, and the evaluation function that it goes by."""

    search: Player
    evaluation: str

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Search, and tell what states were judged by."""
        made = self.search.choose(info, budget)
        note = "; ".join(filter(None, (made.note, f"judged by {self.evaluation}")))
        return replace(made, note=note)
