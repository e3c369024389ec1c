"""Rosin's covering competitive algorithm, as Reisinger et al. (2007) describe it.

Every role has ranked teachers. One population is dominated: it has nobody yet who beats all teachers of the others. Each of its
individuals plays these in order of rank, up to the first that it does not beat. Whoever beats all becomes a teacher, and then the
next role is dominated. If several do, the fittest does; where the paper says that the first one does, the order would decide.

With more than two roles an individual meets combinations of the others' teachers of the same rank, or of the highest there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.algorithms.field import Field, beaten
from ludarium.evolve.bouts import Numbers
from ludarium.evolve.settings import Settings

TIED = -1


class CCA:
    """Teachers of every role, and who is dominated."""

    def __init__(self, settings: Settings, roles: int) -> None:
        self.settings, self.roles = settings, roles
        self.teachers: list[list[Network]] = [[] for _ in range(roles)]
        self.dominated = 0
        self.best: list[Network | None] = [None] * roles
        """The fittest of each role in the last generation."""

    @property
    def archives(self) -> Sequence[Sequence[Network]]:
        """Whom a generation may have to play against."""
        return self.teachers

    @property
    def undominated(self) -> int:
        """The role that dominates the others; `TIED` as long as not all have teachers."""
        if not all(self.teachers):
            return TIED
        return (self.dominated - 1) % self.roles

    def step(self, field: Field) -> list[Numbers]:
        """Let a generation play; say how fit everybody is, by role."""
        alpha = self.settings.alpha
        fitness = [(1 - alpha) * scores for scores in self.random_scores(field)]
        role = self.dominated
        scores, winners = self.climb(field, role)
        fitness[role] += alpha * scores
        self.best = [field.populations[each][int(np.argmax(fitness[each]))] for each in range(self.roles)]
        if winners.any():
            fittest = int(np.argmax(np.where(winners, fitness[role], -np.inf)))
            self.induct(field, role, fittest)
        return fitness

    def random_scores(self, field: Field) -> list[Numbers]:
        """What everybody has of bouts with random opponents."""
        return field.random_bouts(self.settings.bouts)

    def climb(self, field: Field, role: int) -> tuple[Numbers, Any]:
        """Let a population play teachers, lowest rank first; say what each has of those it beat, and whether these are all."""
        scores, alive = np.zeros(field.size), np.ones(field.size, bool)
        members = field.members(role)
        for rank, combination in enumerate(self.combinations(field, role)):
            left = np.flatnonzero(alive)
            if not len(left):
                break
            rows = np.tile(combination, (len(left), 1))
            rows[:, role] = members[left]
            worth = field.play(rows, f"rank {rank}")
            won = beaten(worth, role)
            scores[left[won]] += worth[won, role]
            alive[left[~won]] = False
        return scores, alive

    def combinations(self, field: Field, role: int) -> list[Any]:
        """The teachers of the others, by rank; a row of numbers each."""
        places = [field.archive(each) for each in range(self.roles)]
        others = [each for each in range(self.roles) if each != role and len(places[each])]
        if len(others) < self.roles - 1:  # somebody has no teacher yet: there is nobody to beat
            return []
        ranks = max(len(places[each]) for each in others)
        rows = []
        for rank in range(ranks):
            row = np.zeros(self.roles, np.int32)
            for each in others:
                row[each] = places[each][min(rank, len(places[each]) - 1)]
            rows.append(row)
        return rows

    def induct(self, field: Field, role: int, place: int) -> None:
        """Make somebody a teacher; the next role is dominated now."""
        self.teachers[role].append(field.populations[role][place])
        self.dominated = (role + 1) % self.roles

    def champions(self, field: Field) -> list[Network]:  # noqa: ARG002  # others ask it
        """The highest teacher of each role; the fittest of the last generation where there is none."""
        found = [teachers[-1] if teachers else best for teachers, best in zip(self.teachers, self.best, strict=True)]
        assert all(each is not None for each in found)
        return [each for each in found if each is not None]

    def written(self) -> dict[str, Any]:
        """Write down all that the next generations depend on."""
        return {
            "teachers": [[each.written() for each in teachers] for teachers in self.teachers],
            "dominated": self.dominated,
            "best": [None if each is None else each.written() for each in self.best],
        }

    def restore(self, given: Any) -> None:
        """Go on from what was written down."""
        self.teachers = [[Network.read(each) for each in teachers] for teachers in given["teachers"]]
        self.dominated = int(given["dominated"])
        self.best = [None if each is None else Network.read(each) for each in given["best"]]
