"""What the kernel that scores states reads: terms, masks of pieces, numbers, and room to work in."""

from __future__ import annotations

from ludarium.evaluate.degrees import Net
from ludarium.kernel import Bundle, Record, array, f64, i64, u8, u64, view

MOBILITY, ADVANCED, MATERIAL, GOALS, PLACES, AMOUNTS, INFLUENCE, LINES, SAFE, TURN, NOTHING = range(11)

MEMOS = 1024
"""A power of two: how many judgements are remembered by what was counted."""

MEMO_ROLES, MEMO_MOVES, MEMO_MASKS = 3, 1 << 12, 1 << 10
"""Remembered are judgements for so many roles at most, fewer moves than that and fewer words with pieces."""


class Term(Record):
    """Features of one kind, one per role from the feature `first` on, and what they need to know."""

    kind: i64
    first: i64
    begin: i64
    """The first of its masks."""
    stop: i64
    """The mask behind its last."""
    looks: i64
    power: i64
    truth: f64
    row: i64
    """The first of its numbers."""
    end: i64
    """The number behind its last."""


class Mask(Record):
    """Bits in a word of a state that are pieces, counted for the feature `feature`."""

    bits: u64
    word: i64
    feature: i64
    worth: f64
    """What one of them counts; of material, 1."""


class Memo(Record):
    """What states are worth of which a key says what was counted."""

    key: u64
    values = array(f64, MEMO_ROLES)


class Sheet(Bundle):
    """What is looked at, what it counts, and room to work in."""

    terms: view[Term]
    masks: view[Mask]
    net: Net
    weights: view[f64]
    """Per role a constant, then a weight for every feature."""
    columns: view[u64]
    """Words of the state that are facts: which, and which of their bits."""
    facts: view[f64]
    """Per bit of the columns, a weight for every role."""
    values: view[f64]
    """The features, once they are found."""
    moves: view[u64]
    joint: view[u64]
    state: view[u8]
    words: view[u64]
    """The same memory as `state`, which is longer than the state if that does not end with a word."""
    after: view[u8]
    memos: view[Memo]
    numbers: view[i64]
    """What terms have to know beside pieces."""
    seen: view[u64]
    """Room for a set of sites, for what stands on each cell, and for two words per mask."""
    mover: i64
    """Where a state says who is to move, one more than the role; -1 if it does not."""
    before: i64
    """Where it says who moved before."""
    padded: bool
    countable: bool
    """Whether pieces, moves and the mover are all that is looked at."""
    mobile: bool
    """Whether moves are."""
