"""What a game may tell of itself to those who judge its states: bits that are pieces, bits that are facts, formulas.

A game offers them in its `Offers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludarium.core.game import Role


@dataclass(frozen=True)
class Pieces:
    """Pieces of a role, as bits of a state's block: `mask` begins at byte `offset`, lowest bit first."""

    role: Role
    offset: int
    mask: int
    name: str = ""
    """What the rules call them."""


@dataclass(frozen=True)
class Formulas:
    """When a game ends and what it is worth, as gates over bits of a state's block.

    A literal is 2 * node, plus 1 if negated. Node 0 is always true, then come the bits, then the gates in order of
    dependency; gates within a run of `loops` depend on each other.
    """

    bits: Sequence[int]
    """The bits that the formulas look at, counted from the beginning of the block."""

    gates: Sequence[tuple[bool, tuple[int, ...]]]
    """Whether a gate needs all of its literals or any of them, and the literals."""

    terminal: int
    goals: Sequence[tuple[Role, float, int]]
    """What it is worth to a role (0 to 1) if a literal holds at the end."""

    loops: Sequence[tuple[int, int]] = ()
    """Runs of nodes, first and end."""

    nearer: Sequence[Sequence[int]] = ()
    """Per bit, masks of bits that can bring it about in one step of play, in two, and so on; empty if not known."""
