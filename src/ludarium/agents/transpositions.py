"""What a search has found out about states that can be reached in several ways.

Buckets of two entries: the first keeps what was searched deepest, the second takes whatever comes. A result that
no deeper search can change counts as deeper than any other.
"""

from __future__ import annotations

import numpy as np

from ludarium.core import BadParameter
from ludarium.kernel import Record, f64, i32, i64, kernel, u64, view

EXACT = 1
AT_LEAST = 2
AT_MOST = 3
SOLVED = 1 << 20
"""The depth of a result that depends on no evaluation."""

NO_MOVE = (1 << 64) - 1
"""Stands for a move that is not known; if a game has a move of this code, it is only ordered worse."""

_CACHE_LINE = 64  # bytes


class Entry(Record):
    """A state by its hash: its best move, and a value or a bound of it that was found by looking so deep."""

    key: u64
    move: u64
    value: f64
    depth: i32
    bound: i32


@kernel
def find(entries: view[Entry], key: u64) -> i64:
    """Give the place of a state, or -1."""
    place = bucket(entries, key)
    if entries[place].key == key and entries[place].bound != 0:
        return place
    if entries[place + 1].key == key and entries[place + 1].bound != 0:
        return place + 1
    return -1


@kernel
def store(entries: view[Entry], key: u64, move: u64, value: f64, depth: i64, bound: i64) -> None:
    """Remember a result; a shallower one of the same state is replaced, a deeper one of another is kept beside."""
    place = bucket(entries, key)
    first = entries[place]
    if first.key == key and first.depth > depth:
        return
    if first.key != key and first.bound != 0 and first.depth > depth:
        place += 1
        if entries[place].key == key and entries[place].bound != 0 and entries[place].depth > depth:
            return
    entry = entries[place]
    entry.key = key
    entry.move = move
    entry.value = value
    entry.depth = depth
    entry.bound = bound


@kernel
def bucket(entries: view[Entry], key: u64) -> i64:
    """Give the first place of a state's bucket: the hash is mixed once more, as a game may have made it."""
    return i64((key * 0x9E3779B97F4A7C15) >> 20) & (len(entries) - 2)


def entries_memory(bits: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Make room for 2**bits buckets, each in a cache line of its own; for none at all if there are no bits."""
    size = Entry.size * (2 << bits) if bits else 0
    try:
        memory = np.zeros(size + _CACHE_LINE, np.uint8)
    except MemoryError:
        needed = f"{size / 2**30:.1f} GiB"
        raise BadParameter(f"no memory for a transposition table of {needed}: choose fewer table_bits") from None
    start = -memory.ctypes.data % _CACHE_LINE
    return memory[start : start + size]
