"""The determinizer that fits a game: its own way to deal anew, what it declares to hide, else replay, and then a walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Game, InformationSet, Rng, Role
from ludarium.hidden.declarations.constraint import Constraint
from ludarium.hidden.histories.replay import Replay
from ludarium.hidden.histories.walk import Wander
from ludarium.hidden.redeal import Redeal
from ludarium.hidden.sampler import UNLIMITED, Draw, NotFound, Sampler
from ludarium.kernel import TableGame

_ENOUGH = 1 << 17  # forward calls of replay at one decision before the first state, after which a walk is worth trying


@dataclass(frozen=True)
class Auto:
    """Deal anew where the game says how, draw by constraints where it declares what it hides, else replay; then walk."""

    name: ClassVar[str] = "auto"

    def sampler(self, game: Game, role: Role) -> Sampler:
        """Make a sampler for one match."""
        if game.offers.redeal is not None:
            return Redeal().sampler(game, role)
        if game.offers.hidden is not None:
            return Constraint().sampler(game, role)
        if isinstance(game, TableGame):
            return ReplayOrWalk(game, role)
        return Replay().sampler(game, role)


class ReplayOrWalk(Sampler):
    """Replay as long as it finds states at a reasonable price; from then on a walk, for the rest of the match."""

    game: TableGame

    def __init__(self, game: TableGame, role: Role) -> None:
        super().__init__(game, role)
        self.replay = Replay().sampler(game, role)
        self.walk = Wander().sampler(game, role)  # now: compiled later, it would be on the clock of a move
        offered = game.offers.exchanges
        self.walks = (
            offered is not None and offered.arrange is not None
        )  # no beginning drawn at random would look right
        self._seen, self._spent = 0, 0

    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Draw as whoever's turn it is does."""
        if not self.walks:
            if len(info.seen) != self._seen:
                self._seen, self._spent = len(info.seen), 0
            self.replay.clocked = self.clocked
            try:
                drawn = self.replay.draw(info, count, rng, calls)
            except NotFound:
                drawn = Draw([], 0, more=True)
                self._spent = _ENOUGH
            self._spent += drawn.calls
            if not self.replay.poor and (drawn.states or self._spent < _ENOUGH):
                self._spent = 0 if drawn.states else self._spent
                return drawn
            self.walks = True
            return Draw([], drawn.calls, more=True)
        self.walk.clocked = self.clocked
        return self.walk.draw(info, count, rng, calls)
