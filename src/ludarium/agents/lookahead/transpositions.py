"""What a search has found out about states that can be reached in several ways.

Buckets of two entries: the first keeps what was searched deepest, the second takes whatever comes. A result that
no deeper search can change counts as deeper than any other.

A tag for every entry, part of its key and its depth, is kept apart. Most looks into the table end there, and tags are so
much smaller than entries that they stay in the cache. The hash of a state is mixed once more, as a game may have made it.
"""

from __future__ import annotations

import numpy as np

from ludarium.core import BadParameter
from ludarium.kernel import Record, f64, i32, i64, kernel, u32, u64, view

EXACT = 1
AT_LEAST = 2
AT_MOST = 3
SOLVED = 1 << 20
"""The depth of a result that depends on no evaluation."""

NO_MOVE = (1 << 64) - 1
"""Stands for a move that is not known; if a game has a move of this code, it is only ordered worse."""

_DEPTH_BITS = 16
_DEEPEST = (1 << _DEPTH_BITS) - 1
_CACHE_LINE = 64  # bytes


class Entry(Record):
    """A state by its hash: its best move, and a value or a bound of it that was found by looking so deep."""

    key: u64
    move: u64
    value: f64
    depth: i32
    bound: i32


@kernel
def find(entries: view[Entry], tags: view[u32], key: u64) -> i64:
    """Give the place of a state, or -1."""
    mixed = key * 0x9E3779B97F4A7C15
    place = bucket(tags, mixed)
    tag = tag_of(mixed)
    if tags[place] >> _DEPTH_BITS == tag and entries[place].key == key:
        return place
    if tags[place + 1] >> _DEPTH_BITS == tag and entries[place + 1].key == key:
        return place + 1
    return -1


@kernel
def store(entries: view[Entry], tags: view[u32], key: u64, move: u64, value: f64, depth: i64, bound: i64) -> None:
    """Remember a result; a shallower one of the same state is replaced, a deeper one of another is kept beside."""
    mixed = key * 0x9E3779B97F4A7C15
    place = bucket(tags, mixed)
    tag = tag_of(mixed)
    told = min(depth, _DEEPEST)
    if tags[place] & _DEEPEST > told:
        if tags[place] >> _DEPTH_BITS == tag and entries[place].key == key:
            return
        place += 1
        if tags[place] & _DEEPEST > told and tags[place] >> _DEPTH_BITS == tag and entries[place].key == key:
            return
    tags[place] = tag << _DEPTH_BITS | told
    entry = entries[place]
    entry.key = key
    entry.move = move
    entry.value = value
    entry.depth = depth
    entry.bound = bound


@kernel
def bucket(tags: view[u32], mixed: u64) -> i64:
    """Give the first place of a state's bucket."""
    return i64(mixed >> 20) & (len(tags) - 2)


@kernel
def tag_of(mixed: u64) -> i64:
    """Give what a place is marked with that holds a state; never 0."""
    return i64(mixed >> 48) | 1


class Transpositions:
    """The memory of 2**bits buckets, each in a cache line of its own; of none at all if there are no bits."""

    def __init__(self, bits: int) -> None:
        count = 2 << bits if bits else 0
        try:
            memory = np.zeros((Entry.size + 4) * count + _CACHE_LINE, np.uint8)
        except MemoryError:
            needed = f"{Entry.size * count / 2**30:.1f} GiB"
            raise BadParameter(f"no memory for a transposition table of {needed}: choose fewer table_bits") from None
        start = -memory.ctypes.data % _CACHE_LINE
        end = start + Entry.size * count
        self.entries, self.tags = memory[start:end], memory[end : end + 4 * count].view(np.uint32)

    def clear(self) -> None:
        """Forget everything."""
        self.tags[:] = 0
