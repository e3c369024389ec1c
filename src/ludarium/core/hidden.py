"""What a game may tell of the things it hides: where pieces can lie, or which things are dealt to hidden places.

A game offers one of these in its `Offers`. The kernels look at what a role was shown last, and at nothing else: so a game that
offers them shows all that matters each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

NOTHING, NOT_WHOLE = -1, -2
"""What is told of a piece: nothing, or that not all of its cells are in `covered`. From 0 on it is the way it lies."""


@dataclass(frozen=True)
class Positions:
    """Pieces in hidden places, none on top of another: each was laid in turn, in any way that was free."""

    ways: Sequence[Sequence[int]]
    """Per piece, the sets of cells that it can lie on, a bit per cell, below 128; 0 for a way that does not exist."""

    known: Any
    """`known(seen: view[u8], role, state, covered: view[u64], clear: view[u64], told: view[i64]) -> i64`.

    It makes `state` as far as it is known, and tells which cells are covered by some piece and which by none (two words
    each), what is told of each piece, and how many pieces lie there; -1 if nobody can have been shown that.
    """

    fill: Any
    """`fill(state, role, ways: view[i64])` lays the pieces that are hidden from a role, each in its way."""

    aim: Callable[[int], int] | None = None
    """The cell that a move is aimed at, -1 if it is none of those that are hidden; None if no move aims at cells."""


@dataclass(frozen=True)
class Deal:
    """Things of which the totals are known, each in a place of its own: cards in hands, ranks of pieces.

    Every arrangement was equally likely when they were dealt.
    """

    kinds: int
    """Kinds of things, from 0 on."""

    places: int
    """The most hidden places there can be."""

    known: Any
    """`known(seen: view[u8], role, state, left: view[i64], may: view[u8]) -> i64`.

    It makes `state` as far as it is known, and tells how many things of each kind lie unseen, how many hidden places
    there are, and for each of them and each kind (at `place * kinds + kind`) whether it can lie there: 1 or 0; -1 if
    nobody can have been shown that. Things that are left over lie somewhere else, say in a deck.
    """

    fill: Any
    """`fill(state, role, dealt: view[i64])` puts a kind to each place that is hidden from a role."""
