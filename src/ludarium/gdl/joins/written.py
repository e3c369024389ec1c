"""Rules that were written as kernels: their text, and all else that the functions of a game are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludarium.gdl.joins.tables import Records, Sizes, bit, drop, find, flip, lists, put, questions, records, some
from ludarium.gdl.joins.turns import Names, functions
from ludarium.kernel import Kernel
from ludarium.kernel.generate import kernels


@dataclass(frozen=True)
class Written:
    """The kernels of a description as text; nothing of it is in there but numbers."""

    name: str
    text: str
    origins: list[str]
    """The place in the rules that each line came from."""

    tables: Mapping[str, Any]
    initial: str
    """The table of the facts to begin with."""

    sizes: Sizes
    chance: int

    @cached_property
    def records(self) -> Records:
        """The records of a state and of the memory to work in."""
        return records(self.sizes)

    @cached_property
    def _own(self) -> dict[str, Kernel[Any]]:
        sizes, kept = self.sizes, self.records
        offer, clear_offers = lists(sizes, kept.work)
        scope = {
            "State": kept.state,
            "Work": kept.work,
            "offer": offer,
            "bit": bit,
            "put": put,
            "drop": drop,
            "flip": flip,
        }
        scope |= {"some": some, "find": find, "STATE": max(1, sizes.state), "SEEN": max(1, sizes.seen)}
        made = kernels(self.name, self.text, scope | questions(sizes, kept.work) | dict(self.tables), self.origins)
        return made | {"clear_offers": clear_offers}

    def functions(self, names: Names | None = None) -> dict[str, Kernel[Any]]:
        """Make the functions of the game table, if wanted with other codes for moves."""
        return functions(self.records, self.sizes, self._own, self.tables[self.initial], self.chance, names)
