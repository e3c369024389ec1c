"""The determinizer that fits a game: its own way to deal anew, what it declares to hide, else replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Game, Role
from ludarium.hidden.declarations.constraint import Constraint
from ludarium.hidden.histories.replay import Replay
from ludarium.hidden.redeal import Redeal
from ludarium.hidden.sampler import Sampler


@dataclass(frozen=True)
class Auto:
    """Deal anew where the game says how, draw by constraints where it declares what it hides, else replay."""

    name: ClassVar[str] = "auto"

    def sampler(self, game: Game, role: Role) -> Sampler:
        """Make a sampler for one match."""
        if game.offers.redeal is not None:
            return Redeal().sampler(game, role)
        if game.offers.hidden is not None:
            return Constraint().sampler(game, role)
        return Replay().sampler(game, role)
