"""What a network becomes on words: rows of bits with a place each, and flags."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ludarium.gdl.words.floods import Spread

NOWHERE = -1
"""The board of a flag, and the bit."""


class Place(NamedTuple):
    """Where a fact or a gate is found: its value, and the bit in it, or -1 for a flag."""

    value: int
    bit: int = NOWHERE


class Part(NamedTuple):
    """What a value is made of: how another value is read.

    With a shift, a bit is read at that distance from its own place; with a bit, that bit is read from all places;
    a flag is read as it is. Moves have the value -1, and a number that tells inputs of a gate apart.
    """

    value: int
    negated: bool
    shift: int | None = None
    bit: int = NOWHERE
    number: int = 0

    def order(self) -> tuple[int, ...]:
        """Something to sort by."""
        return self.value, self.negated, self.shift is None, self.shift or 0, self.bit, self.number


@dataclass
class Value:
    """A value: for each of its bits (bit 0 of a flag) which parts it reads, joined by all or by any of them."""

    space: int
    """The board; -1 for a flag, and less for what has places of its own."""

    words: int
    every: bool = False
    parts: dict[Part, int] = field(default_factory=dict)
    """The bits that read a part."""

    moves: dict[Part, dict[int, int]] = field(default_factory=dict)
    """For a part that reads moves: by move, the bits for which it is one of them."""

    tests: dict[tuple[int, bool], int] = field(default_factory=dict)
    """For a flag: the bits of values, negated or not, that it reads."""

    spreads: dict[Spread, int] = field(default_factory=dict)
    """For a loop: the bits that are reached in a way."""

    needs: list[frozenset[Part]] = field(default_factory=list)
    """For a loop: parts that all have to hold, as its spreads number them."""

    steps: int = 0
    """For a ray: the most steps that are taken along it; a flood is spread until nothing is new."""

    bits: int = 0
    fixed: int = 0
    """Bits that are always on."""

    @property
    def flag(self) -> bool:
        """Whether it is one."""
        return self.space == NOWHERE


class Entry(NamedTuple):
    """A gate on its way into a value."""

    gate: int
    bit: int
    parts: frozenset[Part]
    moves: dict[Part, frozenset[int]]


class Kind(NamedTuple):
    """Gates of one kind at one level: all in their order, and those that have places by what they read."""

    entries: list[Entry]
    alike: dict[frozenset[Part], list[Entry]]
