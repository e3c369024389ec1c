"""Rules that have too many instances: an error that stands alone, since those who catch it may have no use for the rest."""

from __future__ import annotations

from ludarium.core import LudariumError


class GroundingTooLarge(LudariumError):
    """The rules have more instances than are worth having; names the relation that has most of them."""

    def __init__(self, most: int, where: str, *, facts: int = 0, moves: int = 0) -> None:
        super().__init__(f"the rules have more than {most} instances, most of them of {where}")
        self.facts, self.moves = facts, moves
        """How many seemed possible, as far as it came."""

    def __reduce__(self) -> tuple[type[LudariumError], tuple[str]]:
        return LudariumError, (str(self),)
