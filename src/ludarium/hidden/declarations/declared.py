"""Sampling where a game declares what it hides: states are made from what was shown last, many in one call.

No forward calls are needed. What the choices of others tell is looked at only as far as it is part of what was shown.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cache
from itertools import count as count_up
from time import perf_counter
from typing import Any

from ludarium.core import Game, GameError, InformationSet, Rng, Role, State, UnsupportedGame
from ludarium.core.hidden import Deal, Positions
from ludarium.hidden.declarations.declared_kernels import Making
from ludarium.hidden.sampler import UNLIMITED, Draw, Sampler, same
from ludarium.kernel import Kernel, KernelGame, i64, kernel, mode, u8, view

BATCH = 256  # states that are made in one call
_SLICE = 0.004  # seconds of work between two looks at a clock
_PIECE = 16  # calls between two looks at another budget


@dataclass
class Effort:
    """What drawing has cost so far."""

    copies: int = 0
    """States that were handed out; all of them agree with what was seen, unless the determinizer ignores that."""

    attempts: int = 0
    """Times that a single hidden thing was put somewhere, in vain or not."""

    seconds: float = 0.0
    fallbacks: int = 0
    """Copies that were made in another way because none was found: there is no such way."""

    @property
    def latency(self) -> float:
        """Seconds per copy."""
        return self.seconds / self.copies if self.copies else 0.0


class DeclaredSampler(Sampler):
    """A sampler for a role in a match of a game that declares what it hides."""

    game: KernelGame

    def __init__(self, game: KernelGame, role: Role, declaration: Positions | Deal, *, free: bool = False) -> None:
        super().__init__(game, role)
        declaration.known.unit(mode())  # compiled now, and not on the clock of the first move
        self.free = free
        """Whether what was seen is ignored."""

        self.effort = Effort()
        self.table = game.bridge.table
        self._base = bytearray(game.state_size)
        self._arena = bytearray(BATCH * game.state_size)
        record: Any = game.state_record
        self._making = Making(base=self._base, arena=self._arena, role=role, put=_fitted(declaration.fill, record))
        self._info: InformationSet | None = None
        self._compared = False

    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Draw states; they cost no forward calls."""
        started = perf_counter()
        self.check(info)
        if not same(self._info, info):
            self._info = None
            self._begin(info)
            self._info, self._compared = info, False
        found: list[State] = []
        for number in count_up():
            late = perf_counter() >= started + _SLICE if self.clocked else number >= _PIECE
            if len(found) >= count or late:
                break
            made = self._draw_states(min(count - len(found), BATCH), rng)
            found += self._handed_out(made)
        if found and not self._compared and not self.free:
            self._compare(found[0], info)
            self._compared = True
        self.effort.copies += len(found)
        self.effort.seconds += perf_counter() - started
        return Draw(found, 0, more=True)

    @abstractmethod
    def _begin(self, info: InformationSet) -> None:
        """Take in what a role knows; a `NoSuchState` if nothing agrees with it."""

    @abstractmethod
    def _draw_states(self, count: int, rng: Rng) -> int:
        """Put up to so many states into the arena."""

    def _handed_out(self, count: int) -> list[State]:
        size, game, memory = self.game.state_size, self.game, memoryview(self._arena)
        return [game.state(bytes(memory[at : at + size])) for at in range(0, count * size, size)]

    def _compare(self, state: State, info: InformationSet) -> None:
        """Whether what was drawn looks as it should: it does if the game declares what it hides correctly."""
        if state.observe(self.role) != info.seen[-1]:
            raise self.contradiction("what was drawn looks otherwise")
        if self.role not in state.movers or sorted(state.legal(self.role)) != sorted(info.legal):
            raise self.contradiction("it would not have to choose among these moves now")


def declared(game: Game, who: str) -> Positions | Deal:
    """Give what a game tells of the things it hides; an `UnsupportedGame` if it tells nothing."""
    declaration = game.offers.hidden
    if not isinstance(game, KernelGame) or not isinstance(declaration, Positions | Deal):
        raise UnsupportedGame(f"{who} cannot imagine states of {game.name}: the game does not say what it hides")
    for name in ("known", "fill"):
        if not isinstance(getattr(declaration, name), Kernel):
            raise GameError(f"game '{game.name}' declares hidden things, but '{name}' is not a kernel")
    return declaration


@cache
def _fitted(given: Kernel[None], record: Any) -> Kernel[None]:
    State = record  # noqa: N806

    @kernel
    def fill(state: view[u8], role: i64, drawn: view[i64]) -> None:
        given(State(state), role, drawn)

    return fill
