"""Archives with other solution concepts than to beat everybody: what is kept is said by a concept, the rest is common to all.

Both roles have an archive, whose members are players and, for the other role, tests. In each generation everybody plays the
other archive and random opponents; the fittest few are candidates. What candidates and archives are worth against each other is
played out, and the concept says who stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.algorithms.cca import TIED
from ludarium.evolve.algorithms.concepts import CONCEPTS, Kept
from ludarium.evolve.algorithms.field import Field
from ludarium.evolve.bouts import Numbers
from ludarium.evolve.settings import Settings

CANDIDATES = 5
"""The fittest of a generation that may come into the archive."""

LARGEST = 30
"""Members of an archive."""


class Archive:
    """Two archives, and the concept by which they are kept."""

    def __init__(self, settings: Settings, roles: int) -> None:
        self.settings, self.roles = settings, roles
        self.concept = CONCEPTS[settings.algorithm]
        self.teachers: list[list[Network]] = [[] for _ in range(roles)]
        self.weights: list[list[float]] = [[] for _ in range(roles)]
        """What each member counts as a test, and as a solution."""
        self.undominated = TIED

    @property
    def archives(self) -> Sequence[Sequence[Network]]:
        """Whom a generation plays against."""
        return self.teachers

    def step(self, field: Field) -> list[Numbers]:
        """Let a generation play; say how fit everybody is, by role, and renew the archives."""
        alpha = self.settings.alpha
        fitness = []
        for role, scores in enumerate(field.random_bouts(self.settings.bouts)):
            fitness.append((1 - alpha) * scores + alpha * self._tested(field, role))
        chosen = [[int(k) for k in np.argsort(-each, kind="stable")[:CANDIDATES]] for each in fitness]
        players = [
            np.concatenate([field.archive(role), field.members(role)[chosen[role]]]) for role in range(self.roles)
        ]
        table = self._cross(field, players)
        old = [len(field.archive(role)) for role in range(self.roles)]
        kept = self.concept(table, (old[0], old[1]), LARGEST)
        everybody = [
            [*self.teachers[role], *(field.populations[role][k] for k in chosen[role])] for role in range(self.roles)
        ]
        self._keep(everybody, kept)
        return fitness

    def champions(self, field: Field) -> list[Network]:  # noqa: ARG002  # others ask it
        """The member of each role that counts most; the highest of equals."""
        found = []
        for teachers, weights in zip(self.teachers, self.weights, strict=True):
            best = max(range(len(teachers)), key=lambda k, known=weights: (known[k], k))  # type: ignore[misc]
            found.append(teachers[best])
        return found

    def written(self) -> dict[str, Any]:
        """Write down all that the next generations depend on."""
        return {
            "teachers": [[each.written() for each in teachers] for teachers in self.teachers],
            "weights": self.weights,
            "undominated": self.undominated,
        }

    def restore(self, given: Any) -> None:
        """Go on from what was written down."""
        self.teachers = [[Network.read(each) for each in teachers] for teachers in given["teachers"]]
        self.weights = [list(map(float, each)) for each in given["weights"]]
        self.undominated = int(given["undominated"])

    def _tested(self, field: Field, role: int) -> Numbers:
        """What everybody is worth against the other archive, as much as its members count; as many points as it has members."""
        tests = field.archive(1 - role)
        if not len(tests):
            return np.zeros(field.size)
        rows = np.zeros((field.size * len(tests), 2), np.int64)
        rows[:, role] = np.repeat(field.members(role), len(tests))
        rows[:, 1 - role] = np.tile(tests, field.size)
        worth = field.play(rows, f"tests {role}")[:, role].reshape(field.size, len(tests))
        return np.asarray(worth @ self._shares(1 - role)) * len(tests)

    def _shares(self, role: int) -> Numbers:
        weights = np.array(self.weights[role]) + 1e-3  # what does not count in the equilibrium is a test all the same
        return np.asarray(weights / weights.sum())

    def _cross(self, field: Field, players: Sequence[Any]) -> Numbers:
        """What the first role has against the second, from -1 to 1: all against all."""
        first, second = players
        rows = np.stack([np.repeat(first, len(second)), np.tile(second, len(first))], axis=1)
        worth = field.play(rows, "archives")
        return np.asarray((worth[:, 0] - worth[:, 1]).reshape(len(first), len(second)))

    def _keep(self, everybody: Sequence[Sequence[Network]], kept: Kept) -> None:
        for role in range(self.roles):
            self.teachers[role] = [everybody[role][k] for k in kept.places[role]]
            self.weights[role] = [float(x) for x in kept.weights[role]]
        self.undominated = TIED if abs(kept.value) < 1e-9 else 0 if kept.value > 0 else 1
