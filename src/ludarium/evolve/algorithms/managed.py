"""Managed challenge: teachers that are too hard for now wait in a test bank, so that there is always something to learn.

After Bongard and Lipson, "'Managed challenge' alleviates disengagement in co-evolutionary system identification" (2005), for the
covering competitive algorithm. A dominated population plays all teachers of the others that do not wait. If nobody beats them
all, those that fewest beat are put into the bank, one after the other, until somebody beats all that are left; it becomes a
teacher, and those of the bank that it beats, too, come back. So roles are dominated in turn, whatever their chances are: how far
apart they are shows in the bank, and not in who is dominated for how long.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.algorithms.cca import CCA
from ludarium.evolve.algorithms.field import Field, beaten
from ludarium.evolve.bouts import Numbers
from ludarium.evolve.settings import Settings


class Managed(CCA):
    """Covering competition with a test bank."""

    def __init__(self, settings: Settings, roles: int) -> None:
        super().__init__(settings, roles)
        self.banked: list[set[int]] = [set() for _ in range(roles)]
        """By role, the ranks of its teachers that wait."""

    def combinations(self, field: Field, role: int) -> list[Any]:
        """The teachers of the others that do not wait, by rank."""
        places = [field.archive(each) for each in range(self.roles)]
        rows = super().combinations(field, role)
        waiting = [{places[each][rank] for rank in self.banked[each]} for each in range(self.roles)]
        return [
            row for row in rows if not any(row[each] in waiting[each] for each in range(self.roles) if each != role)
        ]

    def climb(self, field: Field, role: int) -> tuple[Numbers, Any]:
        """Play all teachers that do not wait; put the hardest aside until somebody beats all others."""
        rows = self.combinations(field, role)
        if not rows:
            return np.zeros(field.size), np.ones(field.size, bool)
        games = np.repeat(np.array(rows), field.size, axis=0)
        games[:, role] = np.tile(field.members(role), len(rows))
        worth = field.play(games, "teachers")
        won = beaten(worth, role).reshape(len(rows), field.size)
        scores = np.where(won, worth[:, role].reshape(won.shape), 0.0).sum(axis=0)
        left = np.ones(len(rows), bool)
        counts = won.sum(axis=1)
        while not won[left].all(axis=0).any():
            fewest = counts[left].min()
            place = int(np.flatnonzero(left & (counts == fewest))[-1])
            left[place] = False
            self._put_aside(field, role, rows[place])
        return scores, won[left].all(axis=0)

    def induct(self, field: Field, role: int, place: int) -> None:
        """Make somebody a teacher, and take those out of the bank that it beats."""
        number = int(field.members(role)[place])
        for other in range(self.roles):
            if other == role or not self.banked[other]:
                continue
            ranks = sorted(self.banked[other])
            rows = np.array(
                [[field.archive(each)[-1] if len(field.archive(each)) else number for each in range(self.roles)]]
            )
            rows = np.repeat(rows, len(ranks), axis=0)
            rows[:, role], rows[:, other] = number, field.archive(other)[ranks]
            won = beaten(field.play(rows, f"bank {other}"), role)
            self.banked[other] -= {rank for rank, each in zip(ranks, won, strict=True) if each}
        super().induct(field, role, place)

    def champions(self, field: Field) -> list[Network]:
        """Of each role the teacher that beats most of all others' teachers, banked or not; the highest of equals."""
        found = super().champions(field)
        for role in range(self.roles):
            rows = CCA.combinations(self, field, role)
            mine = field.archive(role)
            if not rows or not len(mine):
                continue
            games = np.repeat(np.array(rows), len(mine), axis=0)
            games[:, role] = np.tile(mine, len(rows))
            won = beaten(field.play(games, f"champions {role}"), role).reshape(len(rows), len(mine)).sum(axis=0)
            found[role] = self.teachers[role][int(np.flatnonzero(won == won.max())[-1])]
        return found

    def written(self) -> dict[str, Any]:
        """Write down all that the next generations depend on."""
        return super().written() | {"banked": [sorted(each) for each in self.banked]}

    def restore(self, given: Any) -> None:
        """Go on from what was written down."""
        super().restore(given)
        self.banked = [set(each) for each in given["banked"]]

    def _put_aside(self, field: Field, role: int, combination: Any) -> None:
        for each in range(self.roles):
            if each != role:
                self.banked[each].add(int(combination[each] - field.archive(each)[0]))
