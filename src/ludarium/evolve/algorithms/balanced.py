"""Against imbalance of roles: opponents of the right strength, all teachers, and more for beating those that few beat.

Half of the bouts are with random opponents, as ever. What came of them says how strong each opponent is, and the other half is
played against those that tell most: that about half of the population beats. Teachers are played all, beaten or not, so that who
beats one more is fitter; and each of them shares one point out among those that beat it (competitive fitness sharing: Rosin and
Belew, "New methods for competitive coevolution", 1997).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.evolve.algorithms.cca import CCA
from ludarium.evolve.algorithms.field import Field, beaten
from ludarium.evolve.bouts import Numbers

_LEAST = 0.05  # what an opponent counts that everybody beats, or nobody


class Balanced(CCA):
    """Covering competition with balanced sampling and shared fitness."""

    def random_scores(self, field: Field) -> list[Numbers]:
        """Half of the bouts with anybody, half with opponents that tell most."""
        even = max(1, self.settings.bouts // 2)
        scores = field.random_bouts(even)
        left = self.settings.bouts - even
        if not left:
            return scores
        drawn = field.draw("balanced")
        rates = [each / even for each in scores]
        chances = [rate * (1 - rate) + _LEAST for rate in rates]
        for role in range(self.roles):
            rows = np.zeros((field.size * left, self.roles), np.int64)
            for other in range(self.roles):
                weights = chances[other] / chances[other].sum()
                rows[:, other] = drawn.choice(field.members(other), len(rows), p=weights)
            rows[:, role] = np.repeat(field.members(role), left)
            worth = field.play(rows, f"balanced {role}")
            scores[role] = scores[role] + worth[:, role].reshape(field.size, left).sum(axis=1)
        return scores

    def climb(self, field: Field, role: int) -> tuple[Numbers, Any]:
        """Let a population play all teachers; each shares a point for everybody out among those that beat it."""
        scores, alive = np.zeros(field.size), np.ones(field.size, bool)
        for rank, combination in enumerate(self.combinations(field, role)):
            rows = np.tile(combination, (field.size, 1))
            rows[:, role] = field.members(role)
            worth = field.play(rows, f"rank {rank}")
            won = beaten(worth, role)
            if won.any():
                scores[won] += worth[won, role] * min(field.size / won.sum(), 10.0)
            alive &= won
        return scores, alive
