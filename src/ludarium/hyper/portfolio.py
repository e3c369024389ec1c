"""A portfolio: at the beginning of a match a model says which agent will do best in this game, and that agent plays it.

Thompson and Stephenson, "General game playing hyper-agents for Ludii". With `race=True` that is only where it starts from: the
candidates then play fast matches, and whoever looks best by forecast and matches together is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ludarium import registry
from ludarium.arena.seating import sit_down
from ludarium.core import (
    Agent,
    BadParameter,
    Budget,
    Decision,
    Game,
    InformationSet,
    Limit,
    Player,
    Rng,
    Role,
    UnsupportedGame,
    describe,
)
from ludarium.core.parameters import check, flag, number, parts
from ludarium.hyper.chosen import rank
from ludarium.hyper.models.model import Forecast
from ludarium.hyper.race import Racer, race
from ludarium.hyper.voting import PAPER

_CALLS = 500_000
"""What a race may look at by default: some seconds."""


@dataclass(frozen=True)
class Portfolio:
    """Let a model choose who plays."""

    name: ClassVar[str] = "portfolio"

    model: str = ""
    """The file of a model, as `ludarium hyper train` writes it; by default the one that comes along."""

    agents: tuple[Agent, ...] = parts(PAPER, "agent")
    """Whom it chooses from, as in `[uct, mast, alphabeta]`; by default the five agents of the paper."""

    race: bool = flag(default=False)
    """Whether candidates play fast matches before the first move, beginning from what the model expects of them."""

    race_seconds: float = number(0.0, 0.0, 1e6)
    """How long the race takes at most; 0 sets no such limit."""

    race_iterations: int = number(0, 0, 1 << 53)
    """How many iterations it takes at most; 0 sets no such limit."""

    race_forward_calls: int = number(0, 0, 1 << 53)
    """How many states it looks at, at most; 0 sets no such limit. Without any limit of the race it is 500,000."""

    def __post_init__(self) -> None:
        check(self)
        check_file(self.name, self.model)
        object.__setattr__(self, "agents", tuple(registry.make("agent", each) for each in self.agents))

    def seat(self, game: Game, role: Role, rng: Rng) -> PortfolioPlayer:
        """Make a player for one match: the best of those that can play the game."""
        ranking = rank(self.name, self.model, self.agents, game)
        seated: list[tuple[Agent, Forecast, Player]] = []
        refused: list[str] = []
        for each, forecast in ranking.order:
            try:
                seated.append((each, forecast, sit_down(each, game, role, rng.split())))
            except UnsupportedGame as refusal:
                refused.append(f"left out: {refusal}")
            if seated and not self.race:
                break  # nobody else is asked
        if not seated:
            raise UnsupportedGame(f"{self.name} cannot play {game.name}: {'; '.join(refused)}")
        if self.race:
            likely = [min(max(found.score / 100, 0.0), 1.0) for _, found, _ in seated]
            racers = [
                Racer(each, score) if ranking.scored else Racer(each)
                for (each, *_), score in zip(seated, likely, strict=True)
            ]
            forecasts = [found for _, found in ranking.order]
            places = [forecasts.index(found) for _, found, _ in seated]
            errors = ranking.errors[np.ix_(places, places)] / 100**2 if ranking.scored else None
            order = race(racers, game, role, self._limit(), rng.split(), errors=errors)
            best = next(player for each, _, player in seated if each is order[0].agent)
            refused += [f"left out: {describe(each.agent)}: {each.failure}" for each in order if each.failure]
            ran = f"race of {sum(len(each.points) for each in order)} matches: {', '.join(map(str, order))}"
            return PortfolioPlayer(best, order[0].agent, [*refused, ran, ranking.because(order[0].agent)])
        sent, _, player = seated[0]
        return PortfolioPlayer(player, sent, [*refused, ranking.because(sent)])

    def _limit(self) -> Limit:
        if not (self.race_seconds or self.race_iterations or self.race_forward_calls):
            return Limit(forward_calls=_CALLS)
        return Limit(
            seconds=self.race_seconds or None,
            iterations=self.race_iterations or None,
            forward_calls=self.race_forward_calls or None,
        )


class PortfolioPlayer:
    """The agent that was chosen, in the seat."""

    def __init__(self, player: Player, sent: Agent, reasons: Sequence[str]) -> None:
        self.player, self.sent = player, sent
        self.because = "; ".join([f"sent {describe(sent)}", *reasons])

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Choose as the agent does, and say who that is."""
        made = self.player.choose(info, budget)
        return replace(made, note="; ".join(each for each in (self.because, made.note) if each))


def check_file(name: str, file: object) -> None:
    """Refuse what is no name of a file."""
    if not isinstance(file, str):
        raise BadParameter(f"{name}: model is {file!r}; expected the name of a file, such as model.zip")
