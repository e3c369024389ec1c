"""Which moves of others a role can tell from what it is shown: those, and no others, are public to it.

Worlds are kept that agree with all that the role has seen: drawn where it has to choose, and led on from there. If, in all of
them, only one move of another leads to what the role is shown next, then the role knows that move.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from ludarium.core import InformationSet, LudariumError, Move, Rng, Role, State

_WORLDS = 8
_BEGINNINGS = 100  # that are drawn to find some that look the same to the role
_TRIES = 4_000  # moves that are tried in all worlds
_DRAWS = 16  # of the chance that follows a move


class PublicMoves:
    """What one role knows of a match that somebody watches for it."""

    def __init__(self, role: Role, state: State) -> None:
        self.role, self.state = role, state
        shown = state.observe(role)
        drawn = (state.game.initial(Rng(seed)) for seed in range(_BEGINNINGS))
        self._worlds = [world for world in drawn if world.observe(role) == shown][:_WORLDS]

    def choosing(self, info: InformationSet) -> None:
        """Draw worlds anew from all that the role knows, now that it has to choose."""
        from ludarium.hidden import determinizer  # most commands show no match

        try:
            sampler = determinizer("auto").sampler(info.game, self.role)
            self._worlds = list(sampler.sample(info, _WORLDS, Rng.keyed(len(info.seen), "told")))
        except LudariumError:
            return  # those from before are led on

    def after(self, state: State, moves: Mapping[Role, Move]) -> dict[Role, Move]:
        """Go on to the next state, and say which of the moves that led there the role knows."""
        known = {role: move for role, move in moves.items() if role == self.role}
        others = [role for role in moves if role != self.role]
        possible = self._led_on(others, known, state.observe(self.role))
        for place, role in enumerate(others):
            if {joint[place] for joint in possible} == {moves[role]}:
                known[role] = moves[role]
        self.state = state
        return known

    def _led_on(self, others: list[Role], own: Mapping[Role, Move], shown: bytes) -> set[tuple[Move, ...]]:
        """Lead the worlds on to what is shown, and give the moves of others that do so; none if there are too many."""
        found: set[tuple[Move, ...]] = set()
        led: dict[State, None] = {}
        tries, draws = 0, 1 if self.state.game.traits.deterministic else _DRAWS
        for world in [self.state, *self._worlds]:
            if set(world.movers) != {*others, *own} or any(own[role] not in world.legal(role) for role in own):
                continue
            for joint in product(*(world.legal(role) for role in others)):
                for _ in range(draws):
                    tries += 1
                    if tries > _TRIES:
                        self._worlds = []
                        return set()
                    after = world.after(dict(own) | dict(zip(others, joint, strict=True)), Rng(tries))
                    if after.observe(self.role) == shown:
                        found.add(joint)
                        led[after] = None
                        break
        self._worlds = list(led)[:_WORLDS]
        return found
