"""The memory of the kernel that scores states: what it has to know of a game, laid out as it reads it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludarium.core.hints import Pieces
from ludarium.evaluate.score import (
    ADVANCED,
    GOALS,
    MATERIAL,
    MEMO_MASKS,
    MEMO_MOVES,
    MEMO_ROLES,
    MEMOS,
    MOBILITY,
    Head,
    Mask,
    Memo,
    Term,
)
from ludarium.kernel import Table


@dataclass(frozen=True)
class Feature:
    """One number per role: what kind, and what the kernel has to know of the game."""

    kind: int
    pieces: Sequence[Pieces] = ()
    net: bytes = b""
    looks: int = 0


@dataclass(frozen=True)
class Facts:
    """Single bits of a state with a weight each per role: word by word, which bits count, and 64 rows of weights."""

    columns: Sequence[tuple[int, int]]
    weights: Sequence[float]


def sheet(table: Table, kinds: Sequence[Feature], weights: Sequence[float], facts: Facts | None = None) -> bytearray:
    """Make the memory of `score`: per role a constant, then a weight for every feature of every role."""
    roles, size = table.roles, table.state_size
    masks, nets, terms = bytearray(), bytearray(), bytearray()
    for place, kind in enumerate(kinds):
        term = Term(bytearray(Term.size))
        term.kind, term.first, term.begin = kind.kind, place * roles, len(masks) // Mask.size
        for each in kind.pieces:
            for word, bits in split(each.mask << 8 * each.offset):
                masks += array("Q", [bits, word, each.role]).tobytes()
        term.stop = len(masks) // Mask.size
        if kind.kind == GOALS:
            term.begin, term.stop = len(nets), len(nets) + len(kind.net)
            nets += kind.net
        if kind.kind == ADVANCED:
            term.begin = kind.looks
        terms += term.memory
    facts = facts or Facts((), ())
    columns = array("Q", [x for column in facts.columns for x in column])
    head = Head()
    head.terms, head.features, head.columns = len(kinds), len(kinds) * roles, len(facts.columns)
    head.masks, head.padded = len(masks) // Mask.size, int(size % 8 != 0)
    found = [kind.kind for kind in kinds]
    few = set(found) <= {MATERIAL, MOBILITY} and found.count(MATERIAL) < 2 and not facts.columns
    head.countable = int(few and roles <= MEMO_ROLES and table.max_moves < MEMO_MOVES and head.masks < MEMO_MASKS)
    head.mobile = int(MOBILITY in found)
    parts: dict[str, bytes | bytearray] = {
        "terms": terms,
        "masks": masks,
        "nets": nets,
        "weights": array("d", weights).tobytes(),
        "columns": columns.tobytes(),
        "facts": array("d", facts.weights).tobytes(),
        "values": bytes(8 * len(kinds) * roles),
        "moves": bytes(8 * table.max_moves),
        "joint": bytes(8 * roles),
        "state": bytes(-(-size // 8) * 8),
        "after": bytes(-(-size // 8) * 8),
        "memos": bytes(Memo.size * MEMOS * head.countable),
    }
    offsets = [Head.size]
    for part in parts.values():
        offsets.append(offsets[-1] + len(part))
    for name, (begin, _) in zip(parts, pairwise(offsets), strict=True):
        setattr(head, f"{name}_at", begin)
    head.end = offsets[-1]
    memory = bytearray(head.memory)
    for part in parts.values():
        memory += part
    for k, kind in enumerate(kinds):  # formulas are found from the beginning of the memory
        if kind.kind == GOALS:
            term = Term(memoryview(memory)[head.terms_at + k * Term.size :])
            term.begin += head.nets_at
            term.stop += head.nets_at
    return memory


def split(mask: int) -> Iterator[tuple[int, int]]:
    """Take a mask apart into words: their numbers and their bits."""
    word = 0
    while mask:
        if mask & 2**64 - 1:
            yield word, mask & 2**64 - 1
        mask >>= 64
        word += 1
