"""Pools of states that agree with all that was seen up to some ply of a match, in one piece of memory."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from ludarium.core import Rng, State
from ludarium.hidden.histories.replay_kernels import Level, Past
from ludarium.kernel.table import Bridge

_KEPT = 6  # pools of the past


@dataclass
class Pool:
    """States, the place in memory where they lie, and how likely they are."""

    ply: int
    slot: int
    size: int = 0
    exact: bool = False
    """Whether these are all states that there can be."""

    weighted: bool = False
    """Whether some are likelier than others."""


class Pools:
    """The pools of a match, the newest first, and room for one more."""

    def __init__(self, bridge: Bridge, room: int) -> None:
        self.bridge, self.room, self.size = bridge, room, bridge.table.state_size
        places = room * (_KEPT + 1)
        self._states, self._owns = bytearray(self.size * places), array("q", bytes(8 * places))
        self.weights, self._heights = array("d", bytes(8 * places)), array("d", bytes(8 * places))
        self.past = Past(states=self._states, owns=self._owns, weights=self.weights, heights=self._heights)
        """The same memory, as kernels see it."""

        self.kept: list[Pool] = []

    @property
    def last(self) -> int:
        """The ply of the newest pool, -1 if there is none."""
        return self.kept[0].ply if self.kept else -1

    def first(self, pool: Pool) -> int:
        """Tell the place of the first state."""
        return pool.slot * self.room

    def free(self, ply: int) -> Pool:
        """Make a pool that is not kept yet, where there is room."""
        taken = {pool.slot for pool in self.kept}
        return Pool(ply, min(slot for slot in range(_KEPT + 1) if slot not in taken))

    def weigh(self, pool: Pool) -> None:
        """Let the weights of a pool add up to 1; all are the same if it is not weighted."""
        first, end = self.first(pool), self.first(pool) + pool.size
        weights = self.weights[first:end] if pool.weighted else array("d", [1.0]) * pool.size
        total = sum(weights)
        self.weights[first:end] = array("d", [weight / total for weight in weights])
        self._heights[first:end] = array("d", accumulate(self.weights[first:end]))

    def keep(self, pool: Pool) -> None:
        """Put a pool to those of the past, of which the most crowded one goes if there are too many."""
        self.weigh(pool)
        self.kept.insert(0, pool)
        if len(self.kept) > _KEPT:
            ages = [pool.ply + 1 - each.ply for each in self.kept]
            self.kept.pop(min(range(1, _KEPT), key=lambda k: ages[k + 1] / ages[k - 1]))

    def levels(self) -> bytearray:
        """Write down where tries can begin: at states of any pool, or at the beginning of the match."""
        levels = bytearray(Level.size * (len(self.kept) + 1))
        for place, pool in enumerate(self.kept):
            level = Level(memoryview(levels)[place * Level.size :])
            level.ply, level.first, level.states = pool.ply, self.first(pool), pool.size
            level.weighted = pool.weighted
        return levels

    def state(self, place: int) -> State:
        """Give the state in a place."""
        return self.bridge.state(bytes(self._states[place * self.size : (place + 1) * self.size]))

    def drawn(self, pool: Pool, rng: Rng) -> State:
        """Draw a state as often as it is likely."""
        first, end = self.first(pool), self.first(pool) + pool.size
        place = bisect_right(self._heights, rng.uniform() * self._heights[end - 1], first, end)
        return self.state(min(place, end - 1))

    def renumber(self) -> None:
        """Let a game in plain Python forget the states that no pool holds; its blocks are numbers of states."""
        size = self.size
        places = [self.first(pool) + k for pool in self.kept for k in range(pool.size)]
        for place, block in zip(places, self.bridge.blocks([self.state(place) for place in places]), strict=True):
            self._states[place * size : (place + 1) * size] = block
