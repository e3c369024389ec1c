"""Making the sheet of the kernel that scores states: what it has to know of a game, laid out as it reads it."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ludarium.core.hints import Formulas, Pieces, Turn
from ludarium.evaluate.degrees import NO_FORMULAS, net_of
from ludarium.evaluate.layout import (
    GOALS,
    LINES,
    MATERIAL,
    MEMO_MASKS,
    MEMO_MOVES,
    MEMO_ROLES,
    MEMOS,
    MOBILITY,
    Mask,
    Memo,
    Sheet,
    Term,
)
from ludarium.kernel import Table, f64, u64, zeros


@dataclass(frozen=True)
class Feature:
    """One number per role: what kind, and what the kernel has to know of the game."""

    kind: int
    pieces: Sequence[Pieces] = ()
    worth: Sequence[float] = ()
    """What one of the pieces counts; 1 if nothing is said."""
    looks: int = 0
    formulas: Formulas = NO_FORMULAS
    truth: float = 0.0
    power: int = 0
    numbers: Sequence[int] = ()
    """What else there is to know."""
    cells: Mapping[int, int] = field(default_factory=dict)
    """Of lines: by bit of the block, the cell on which a piece stands."""
    room: int = 0
    """How many words it works with."""
    turn: Turn | None = None
    """Where a state says who is to move, if roles are asked as if they were."""


@dataclass(frozen=True)
class Facts:
    """Single bits of a state with a weight each per role: word by word, which bits count, and 64 rows of weights."""

    columns: Sequence[tuple[int, int]]
    weights: Sequence[float]


NO_FACTS = Facts((), ())


def sheet(table: Table, kinds: Sequence[Feature], weights: Sequence[float], facts: Facts = NO_FACTS) -> Sheet:
    """Make what `score` looks at: per role a constant, then a weight for every feature of every role."""
    roles, size = table.roles, table.state_size
    masks, terms, numbers = bytearray(), bytearray(), array("q")
    for place, kind in enumerate(kinds):
        term = Term()
        term.kind, term.first, term.begin = kind.kind, place * roles, len(masks) // Mask.size
        term.looks, term.truth, term.power, term.row = kind.looks, kind.truth, kind.power, len(numbers)
        numbers.extend(kind.numbers[:2] if kind.kind == LINES else kind.numbers)
        for each, worth in zip(kind.pieces, kind.worth or [1.0] * len(kind.pieces), strict=True):
            for word, bits in split(each.mask << 8 * each.offset):
                masks += struct.pack("=Qqqd", bits, word, each.role, worth)
                if kind.kind == LINES:
                    numbers.extend(kind.cells.get(64 * word + bit, 0) for bit in range(64))
        if kind.kind == LINES:
            numbers.extend(kind.numbers[2:])
        term.end = len(numbers)
        term.stop = len(masks) // Mask.size
        terms += term.memory
    found = [kind.kind for kind in kinds]
    few = set(found) <= {MATERIAL, MOBILITY} and found.count(MATERIAL) < 2 and not facts.columns
    counted = len(masks) // Mask.size
    countable = few and roles <= MEMO_ROLES and table.max_moves < MEMO_MOVES and counted < MEMO_MASKS
    formulas = next((kind.formulas for kind in kinds if kind.kind == GOALS), NO_FORMULAS)
    state = bytearray(-(-size // 8) * 8)
    turn = next((kind.turn for kind in kinds if kind.turn is not None), None)
    room = max([kind.room for kind in kinds] + [2 * counted])
    return Sheet(
        terms=terms,
        masks=masks,
        net=net_of(formulas, roles),
        weights=array("d", weights),
        columns=array("Q", [x for column in facts.columns for x in column]),
        facts=array("d", facts.weights),
        values=zeros(f64, len(kinds) * roles),
        moves=zeros(u64, table.max_moves),
        joint=zeros(u64, roles),
        state=state,
        words=memoryview(state).cast("Q"),
        after=bytearray(size),
        memos=bytearray(Memo.size * MEMOS * countable),
        numbers=numbers,
        seen=zeros(u64, room),
        mover=-1 if turn is None else turn.mover,
        before=-1 if turn is None else turn.before,
        padded=size % 8 != 0,
        countable=countable,
        mobile=MOBILITY in found,
    )


def split(mask: int) -> Iterator[tuple[int, int]]:
    """Take a mask apart into words: their numbers and their bits."""
    word = 0
    while mask:
        if mask & 2**64 - 1:
            yield word, mask & 2**64 - 1
        mask >>= 64
        word += 1
