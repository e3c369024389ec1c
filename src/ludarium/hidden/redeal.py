"""Dealing anew: states made from what a role was shown last, by the game's own kernel.

A game offers `redeal(seen: view[u8], role, state, rng) -> i64`, where `state` is its record: it makes a state from an
observation and chance alone, and answers 1, or 0 if nobody can have been shown that. This suits games that show all that
matters each time. What the choices of others tell about their hidden cards is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Game, InformationSet, Rng, Role, State, UnsupportedGame
from ludarium.hidden.sampler import UNLIMITED, Draw, Sampler, same
from ludarium.kernel import Kernel, KernelGame

_BATCH = 128  # states between two looks at a budget: about a millisecond


@dataclass(frozen=True)
class Redeal:
    """Deal what is hidden anew, as the game itself does it."""

    name: ClassVar[str] = "redeal"

    def sampler(self, game: Game, role: Role) -> RedealSampler:
        """Make a sampler for one match."""
        if not isinstance(game, KernelGame) or not isinstance(game.offers.redeal, Kernel):
            raise UnsupportedGame(
                f"redeal cannot imagine states of {game.name}: the game does not say how to deal anew"
            )
        return RedealSampler(game, role)


class RedealSampler(Sampler):
    """Redeal for a role in a match."""

    game: KernelGame

    def __init__(self, game: KernelGame, role: Role) -> None:
        super().__init__(game, role)
        self._redeal: Kernel[int] = game.offers.redeal
        self._info: InformationSet | None = None

    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Deal states; no forward calls are needed."""
        self.check(info)
        states = [self._dealt(info, rng) for _ in range(min(count, _BATCH))]
        if states and not same(self._info, info):
            self._compare(states[0], info)
            self._info = info
        return Draw(states, 0, more=True)

    def _dealt(self, info: InformationSet, rng: Rng) -> State:
        state = self.game.state_record(bytearray(self.game.state_size))
        if not self._redeal(info.seen[-1], self.role, state, rng):
            raise self.contradiction("what is hidden cannot be dealt")
        return self.game.state(bytes(state.memory))

    def _compare(self, state: State, info: InformationSet) -> None:
        if state.observe(self.role) != info.seen[-1] or sorted(state.legal(self.role)) != sorted(info.legal):
            raise self.contradiction("what was dealt looks otherwise, or allows other moves")
