"""Whether a game shows what it hides: to a role that cannot tell two worlds apart, all must look the same in both.

Observations say what a role can tell apart, so they are held against what else a game says that it hides: what it
declares to be hidden, and what its pictures for that role leave out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludarium.arena.leaks.other_worlds import World
from ludarium.arena.position import Position
from ludarium.core import Rng, Role, State
from ludarium.hidden import NoSuchState, determinizer

_DRAWN = 16  # states that are filled in anew
_ANEW = 20  # matches with other chance

ORDER, PICTURE, OBSERVED, DECLARED = (
    "the order of the legal moves",
    "the picture for the role",
    "the observation, of what its picture does not show",
    "the observation, of what it declares to be hidden",
)


@dataclass(frozen=True)
class Exposure:
    """A proof that a game shows a role what it hides."""

    game: str
    role: str
    what: str
    """By what it is shown."""

    seed: int
    moves: str
    worlds: tuple[str, str]
    """Two states that ought to look the same to the role, as people see them."""

    shown: tuple[str, str]
    """What the role is shown in each."""


def exposures(role: Role, world: World, other: World | None, rng: Rng) -> Iterator[Exposure]:
    """Compare all that a role is shown in two worlds that it cannot tell apart, and in states that could be instead."""
    look = _Look(role, world)
    if other is not None:
        for ply, (here, there) in enumerate(zip(world, other, strict=True)):
            yield from look.differences(ply, here.state, there.state)
    yield from look.declared(rng)
    yield from look.by_chance(rng)


class _Look:
    """What a role is shown in a match."""

    def __init__(self, role: Role, world: World) -> None:
        self.role, self.world, self.game = role, world, world.game

    def differences(self, ply: int, here: State, there: State) -> Iterator[Exposure]:
        """Compare two states that the role cannot tell apart."""
        game, role = self.game, self.role
        pictures = game.picture(here, role), game.picture(there, role)
        if pictures[0] != pictures[1]:
            yield self._exposure(PICTURE, ply, (here, there), pictures)
        if role in here.movers and role in there.movers:
            legal = [", ".join(map(game.text, each.legal(role))) for each in (here, there)]
            if legal[0] != legal[1]:
                yield self._exposure(ORDER, ply, (here, there), (legal[0], legal[1]))

    def declared(self, rng: Rng) -> Iterator[Exposure]:
        """Fill in anew what the game declares to hide: the role must see the same, and have the same choice."""
        game, position, ply = self.game, self.world.end, len(self.world.steps)
        if game.offers.hidden is None and game.offers.redeal is None:
            return
        known, real = position.information_set(self.role), position.state
        seen = known.seen[-1]
        try:
            states = determinizer("auto").sampler(game, self.role).sample(known, _DRAWN, rng)
        except NoSuchState as problem:
            yield self._exposure(DECLARED, ply, (real, real), (seen.hex(), str(problem)))
            return
        for state in states:
            if (instead := state.observe(self.role)) != seen:
                yield self._exposure(DECLARED, ply, (real, state), (seen.hex(), instead.hex()))
            else:
                yield from self.differences(ply, real, state)

    def by_chance(self, rng: Rng) -> Iterator[Exposure]:
        """Let chance fall otherwise: as long as all move and the role sees pictures as before, it must see as before."""
        if self.game.traits.deterministic:
            return
        for _ in range(_ANEW):
            other = Position(self.game, rng.next() >> 12)
            for ply, here in enumerate(self.world):
                if not self._same_picture(here.state, other.state):
                    break
                shown = here.state.observe(self.role), other.state.observe(self.role)
                if shown[0] != shown[1]:
                    yield self._exposure(OBSERVED, ply, (here.state, other.state), (shown[0].hex(), shown[1].hex()))
                    break
                if ply < len(self.world.steps):
                    joint = self.world.steps[ply].joint
                    if not all(move in other.state.legal(mover) for mover, move in joint.items()):
                        break
                    other.play(joint)

    def _same_picture(self, here: State, there: State) -> bool:
        role, game = self.role, self.game
        if here.movers != there.movers or game.picture(here, role) != game.picture(there, role):
            return False
        return role not in here.movers or sorted(here.legal(role)) == sorted(there.legal(role))

    def _exposure(self, what: str, ply: int, states: tuple[State, State], shown: tuple[str, str]) -> Exposure:
        game, (here, there) = self.game, states
        return Exposure(
            game=game.name,
            role=game.roles[self.role],
            what=what,
            seed=self.world.seed,
            moves=self.world.moves(ply),
            worlds=(game.picture(here), game.picture(there)),
            shown=shown,
        )
