"""Bouts: many matches between networks at once, on as many threads as there are processors.

Every bout has a seed of its own, so what comes of it depends neither on the threads nor on the order.
"""

from __future__ import annotations

import os
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ludarium.core import BadParameter, Game, GameError, Rng
from ludarium.evaluate.evolved.inputs import Mapping, Seen, seen
from ludarium.evaluate.evolved.network import Network, flat
from ludarium.evolve.bouts_kernels import RANDOM, Frame, Ring, play_bouts
from ludarium.kernel import TableGame, bridge, f64, i32, u8, u64, zeros

Numbers = npt.NDArray[np.float64]
Players = npt.NDArray[np.int32]

MOST_DEPTH = 8
_PIECE = 16  # bouts that a thread takes at once: Ctrl-C waits for one piece


@dataclass(frozen=True)
class Terms:
    """How bouts are played."""

    depth: int = 1
    """Plies that players look ahead."""

    samples: int = 4
    """How often a move is tried where others move at once."""

    avoid: bool = False
    """Whether players avoid states that have been there in a match, not looking at counters."""

    limit: int = 400
    """Plies after which a match is a draw."""

    def __post_init__(self) -> None:
        given = {"depth": (self.depth, MOST_DEPTH), "samples": (self.samples, 1000), "move_limit": (self.limit, 10**6)}
        for name, (value, most) in given.items():
            if not 1 <= value <= most:
                raise BadParameter(f"{name} is {value}; expected 1 to {most}")


class Bouts:
    """A game, the way that networks see it, and networks that can be called up by their numbers."""

    def __init__(self, game: Game, mapping: Mapping, terms: Terms, *, threads: int | None = None) -> None:
        self.game, self.terms = game, terms
        self.seen: Seen = seen(game, mapping)
        native = isinstance(game, TableGame)
        self.threads = (threads or os.cpu_count() or 1) if native else 1
        self.roles = len(game.roles)
        self._bridges = [bridge(game) for _ in range(self.threads)]
        self._networks: Sequence[Network] = ()
        self._rings: list[Ring] = []
        self._pool: ThreadPoolExecutor | None = None

    def load(self, networks: Sequence[Network]) -> None:
        """Make networks ready; they are known by their places from now on."""
        self._networks = networks
        self._rings = [self._ring(each.table, flat(networks, self.seen.count)) for each in self._bridges]

    def play(self, players: Players, seeds: npt.NDArray[np.uint64], *, depth: int | None = None) -> Numbers:
        """Play a bout per row of players, a network for each role; give what each was worth to each role."""
        count = len(players)
        out = np.zeros((count, self.roles))
        if not count:
            return out
        given: Any = np.ascontiguousarray(players, np.int32).reshape(-1)
        lengths = np.zeros(count, np.int32)
        for ring in self._rings:
            ring.fill(players=given, seeds=np.ascontiguousarray(seeds, np.uint64), out=out.reshape(-1), lengths=lengths)
            ring.depth = depth or self.terms.depth
        pieces = [(k, min(k + _PIECE, count)) for k in range(0, count, _PIECE)]
        with _blaming(self.game):
            if self.threads == 1:
                for first, end in pieces:
                    play_bouts(self._bridges[0].table, self._rings[0], first, end)
            else:
                self._pool = self._pool or ThreadPoolExecutor(self.threads)
                queue = iter(pieces)
                try:
                    list(self._pool.map(lambda place: self._work(place, queue), range(self.threads)))
                finally:
                    deque(queue, maxlen=0)  # interrupted, threads stop after their present piece
        self.lengths = lengths
        return out

    def close(self) -> None:
        """Let the threads go; they come back if there is more to play."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _work(self, place: int, queue: Iterator[tuple[int, int]]) -> None:
        """Play pieces as long as there are any."""
        for first, end in queue:
            play_bouts(self._bridges[place].table, self._rings[place], first, end)

    def _ring(self, table: Any, networks: Any) -> Ring:
        size, width, roles = table.state_size, table.max_moves, self.roles
        return Ring(
            inputs=self.seen.bundle(table),
            networks=networks,
            players=array("i", [RANDOM] * roles),
            seeds=array("Q", [0]),
            out=zeros(f64, roles),
            lengths=zeros(i32, 1),
            states=zeros(u8, (MOST_DEPTH + 2) * size),
            chosen=zeros(u64, roles),
            joint=zeros(u64, roles),
            moves=zeros(u64, (MOST_DEPTH + 1) * width),
            others=zeros(u64, width),
            values=zeros(f64, roles),
            frames=zeros(Frame, MOST_DEPTH + 2),
            known=zeros(u64, self.terms.limit + 1 if self.terms.avoid else 1),
            kept=self._kept(size) if self.terms.avoid else array("Q"),
            depth=self.terms.depth,
            samples=self.terms.samples,
            limit=self.terms.limit,
        )

    def _kept(self, size: int) -> array[int]:
        """By word, the bits by which states are known again."""
        if self.seen.observed:
            raise BadParameter(f"cycles cannot be avoided in {self.game.name}: its states are not made of bytes")
        mask = self.game.offers.facts_mask() if self.game.offers.facts_mask else (1 << 8 * size) - 1
        mask &= ~self.seen.clocks
        words = min(size // 8, -(-mask.bit_length() // 64))
        return array("Q", [mask >> 64 * word & 2**64 - 1 for word in range(words)])


def seeds(count: int, seed: int, *keys: int | str) -> npt.NDArray[np.uint64]:
    """Draw a seed for each of some bouts."""
    rng = Rng.keyed(seed, *keys)
    return np.array([rng.next() for _ in range(count)], np.uint64)


@contextmanager
def _blaming(game: Game) -> Iterator[None]:
    """Tell a game that breaks its promises from a mistake of ours."""
    try:
        yield
    except (AssertionError, IndexError) as problem:
        if not isinstance(game, TableGame):
            raise
        raise GameError(f"game '{game.name}' cannot be evolved for: {problem}") from problem
