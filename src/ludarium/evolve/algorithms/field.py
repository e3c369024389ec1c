"""Everybody who may play in a generation: the populations, the archive of each role, and bouts between them.

What is drawn is keyed by the seed, the generation and what it is for, so it is the same whatever else was drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.bouts import Bouts, Numbers, Players, seeds

Places = npt.NDArray[np.int64]


class Field:
    """The networks of a generation, by role; those of archives come behind."""

    def __init__(
        self,
        bouts: Bouts,
        populations: Sequence[Sequence[Network]],
        archives: Sequence[Sequence[Network]],
        seed: int,
        generation: int,
    ) -> None:
        self.bouts, self.seed, self.generation = bouts, seed, generation
        self.populations, self.archives = populations, archives
        self.roles, self.size = len(populations), len(populations[0])
        every = [network for each in (*populations, *archives) for network in each]
        sizes = [len(each) for each in (*populations, *archives)]
        self._firsts = np.concatenate([[0], np.cumsum(sizes)])
        self.played = 0
        bouts.load(every)

    def members(self, role: int) -> Places:
        """The numbers of a population."""
        return np.arange(self._firsts[role], self._firsts[role + 1])

    def archive(self, role: int) -> Places:
        """The numbers of an archive."""
        return np.arange(self._firsts[self.roles + role], self._firsts[self.roles + role + 1])

    def play(self, rows: npt.ArrayLike, what: str) -> Numbers:
        """Play bouts, a row of numbers each; give what they were worth to each role."""
        players: Players = np.asarray(rows, np.int32).reshape(-1, self.roles)
        self.played += len(players)
        return self.bouts.play(players, seeds(len(players), self.seed, self.generation, what))

    def draw(self, what: str) -> np.random.Generator:
        """A stream for what is no match."""
        return np.random.default_rng(seeds(4, self.seed, self.generation, what))

    def random_bouts(self, count: int) -> list[Numbers]:
        """Let everybody play so many bouts against random combinations of the others; per role, what each has in all."""
        drawn = self.draw("combinations")
        rows = np.concatenate(
            [
                np.stack([drawn.permutation(self.members(role)) for role in range(self.roles)], axis=1)
                for _ in range(count)
            ]
        )
        worth = self.play(rows, "bouts")
        return [
            np.bincount(rows[:, role] - self._firsts[role], worth[:, role], self.size).astype(np.float64)
            for role in range(self.roles)
        ]


def beaten(worth: Numbers, role: int) -> npt.NDArray[np.bool_]:
    """In which bouts a role had more than everybody else."""
    others = np.delete(worth, role, axis=1)
    return np.asarray(worth[:, role] > others.max(axis=1))
