"""What a game may tell of itself to those who judge its states: bits that are pieces, bits that are facts, formulas.

A game offers them in its `Offers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
class Amount:
    """A number in a state's block that counts for a role: so many bytes from `offset` on, with a sign, lowest byte first."""

    role: Role
    offset: int
    size: int
    given: int = -1
    """The bit of the block on which it depends; -1 if it always counts."""


@dataclass(frozen=True)
class Turn:
    """The bytes of a block that say who is to move and who moved before, each one more than the role."""

    mover: int
    before: int


@dataclass(frozen=True)
class Targets:
    """Where moves go: the lowest `bits` bits of a move say which rule made it, and each rule keeps its site elsewhere."""

    bits: int
    rules: Sequence[tuple[int, int, int]]
    """The lowest bit of the site in a move, which is one larger than it is, how many bits it has, and what is added to it."""

    sites: int
    """How many there are for pieces to stand on."""

    numbers: int
    """How many numbers sites have."""


@dataclass(frozen=True)
class Lines:
    """Straight lines of cells, all of one length."""

    pieces: Sequence[Pieces]
    """Of the roles; those of one more than there are belong to nobody, and are in the way."""

    cells: Mapping[int, int]
    """By bit of the block, the cell that a piece stands on."""

    windows: Sequence[tuple[tuple[int, ...], int, int]]
    """The cells of a line, and those behind its ends, or -1."""


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
