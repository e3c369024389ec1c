"""A determinizer that knows where the pea can be."""

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import UnsupportedGame
from ludarium.hidden import UNLIMITED, Draw, Sampler

from .game import Cups, Table


@dataclass(frozen=True)
class AnyCup:
    """Puts the pea under any cup that was not lifted, all equally likely."""

    name: ClassVar[str] = "any-cup"

    def sampler(self, game, role):
        """Make a sampler for one match."""
        if not isinstance(game, Cups):
            raise UnsupportedGame(f"any-cup cannot imagine states of {game.name}: it only knows the shell game")
        return CupSampler(game, role)


class CupSampler(Sampler):
    """Any cup, for a role in a match."""

    def draw(self, info, count, rng, calls=UNLIMITED):
        """Draw states; no forward calls are needed."""
        self.check(info)
        last = info.seen[-1]
        if len(last) != 2 + self.game.cups:
            raise self.contradiction("there are other cups on the table")
        lifted = tuple(map(bool, last[2:]))
        if not last[1]:
            return Draw([self.game.initial()], 0, more=False)
        down = [last[0] - 1] if last[0] else [cup for cup, up in enumerate(lifted) if not up]
        return Draw([Table(self.game, rng.choice(down), lifted) for _ in range(min(count, 128))], 0, more=True)
