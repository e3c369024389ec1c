"""A feature of a game: something that can be said of any game in one number, and how it was found out."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Feature(NamedTuple):
    """What is known of a game, and where it comes from."""

    value: float | None
    """The number, or 1 and 0 for yes and no; None if nothing is known."""

    source: str
    """Where it comes from: a place in the rules, the board, random games."""

    beside: bool = False
    """Whether it comes from what stands beside the rules, such as how the game is drawn."""

    @property
    def status(self) -> Literal["found", "absent", "unknown"]:
        """Whether the game has it."""
        return "unknown" if self.value is None else "found" if self.value else "absent"
