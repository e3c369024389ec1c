"""Ways to coevolve, behind one interface: a generation plays, everybody's fitness comes out, and who is worth keeping is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.algorithms.archive import Archive
from ludarium.evolve.algorithms.balanced import Balanced
from ludarium.evolve.algorithms.cca import CCA, TIED
from ludarium.evolve.algorithms.field import Field
from ludarium.evolve.algorithms.managed import Managed
from ludarium.evolve.bouts import Numbers
from ludarium.evolve.settings import Settings

__all__ = ["TIED", "Algorithm", "Field", "algorithm"]


class Algorithm(Protocol):
    """What is kept from one generation to the next, besides the populations."""

    teachers: list[list[Network]]
    """By role, those that were kept, in the order in which they came."""

    @property
    def archives(self) -> Sequence[Sequence[Network]]:
        """Whom a generation may have to play against, by role."""
        ...

    @property
    def undominated(self) -> int:
        """The role that dominates now, or `TIED`."""
        ...

    def step(self, field: Field) -> list[Numbers]:
        """Let a generation play; say how fit everybody is, by role."""
        ...

    def champions(self, field: Field) -> list[Network]:
        """The solution, a network for each role; the field has the archives as they are now."""
        ...

    def written(self) -> dict[str, Any]:
        """Write down all that the next generations depend on."""
        ...

    def restore(self, given: Any) -> None:
        """Go on from what was written down."""
        ...


_MAKERS: dict[str, Any] = {"cca": CCA, "managed": Managed, "balanced": Balanced}


def algorithm(settings: Settings, roles: int) -> Algorithm:
    """Make the algorithm that settings name."""
    made: Algorithm = _MAKERS.get(settings.algorithm, Archive)(settings, roles)
    return made
