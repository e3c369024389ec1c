"""Determinizers for games that declare what they hide: constraint-based, heatmap-guided, and random for comparison.

Lechat, "Improving imperfect-information reasoning in Ludii through constraint-based hypothesis generation" (2026),
chapter 3, has the three of them for Battleship. These here never fall back to anything else: they draw exactly from the
distribution that each one states, or say that nothing agrees with what was seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Game, Role, UnsupportedGame
from ludarium.core.hidden import Positions
from ludarium.core.parameters import check, number
from ludarium.hidden.declarations.deals import DealSampler
from ludarium.hidden.declarations.declared import DeclaredSampler, declared
from ludarium.hidden.declarations.positions import PositionSampler
from ludarium.kernel import KernelGame


@dataclass(frozen=True)
class Constraint:
    """Draw what is hidden so that it agrees with everything that was shown.

    Hidden positions come as likely as they are if pieces were laid one after the other, each in any free way. Hidden
    hands and identities come as likely as they were dealt; what others chose since then is not looked at, unless the
    game shows what follows from it.
    """

    name: ClassVar[str] = "constraint"

    def sampler(self, game: Game, role: Role) -> DeclaredSampler:
        """Make a sampler for one match."""
        return _sampler(game, role, self.name)


@dataclass(frozen=True)
class Heatmap:
    """Draw hidden positions as `constraint` does, and prefer such as cover much of what many of them cover.

    Some layouts are drawn first; the heat of a cell is the share of them that cover it, and a layout is drawn as often
    as it would be otherwise, times the heat of the cells that it covers beyond those that are known.
    """

    name: ClassVar[str] = "heatmap"

    samples: int = number(100, 1, 1 << 20, tries=(10, 50, 100))
    """Layouts that are drawn for the heatmap."""

    def __post_init__(self) -> None:
        check(self)

    def sampler(self, game: Game, role: Role) -> PositionSampler:
        """Make a sampler for one match."""
        declaration = declared(game, self.name)
        if not isinstance(declaration, Positions):
            raise UnsupportedGame(f"heatmap cannot imagine states of {game.name}: it is not positions that are hidden")
        assert isinstance(game, KernelGame)
        return PositionSampler(game, role, declaration, heat=self.samples)


@dataclass(frozen=True)
class Unconstrained:
    """Draw what is hidden as if nothing had been seen since the beginning: a bad example, to compare others with."""

    name: ClassVar[str] = "random"

    def sampler(self, game: Game, role: Role) -> DeclaredSampler:
        """Make a sampler for one match."""
        return _sampler(game, role, self.name, free=True)


def _sampler(game: Game, role: Role, name: str, *, free: bool = False) -> DeclaredSampler:
    declaration = declared(game, name)
    assert isinstance(game, KernelGame)
    if isinstance(declaration, Positions):
        return PositionSampler(game, role, declaration, free=free)
    return DealSampler(game, role, declaration, free=free)
