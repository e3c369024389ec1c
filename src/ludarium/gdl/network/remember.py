"""Positions of the past, kept in the state: a count, then hashes, marks and the words of each position."""

from __future__ import annotations

from typing import NamedTuple

from ludarium.gdl.network.layout import POSITIONS, Layout
from ludarium.kernel import Kernel, i64, kernel, u64, view


class Memory(NamedTuple):
    """The kernels of a memory of positions; marks are a bit each."""

    position: Kernel[int]
    """`(base) -> u64`: the position that facts make, as a hash."""

    recall: Kernel[int]
    """`(past, base, position) -> u64`: the marks with which a position is remembered."""

    remember: Kernel[None]
    """`(past, base, position, keep, marks)`: keep or drop what is remembered, and add a position under marks that it has not."""


def memory(layout: Layout) -> Memory:
    """Make the kernels for a game."""
    past_words, past_masks, past_marks = (layout.tables[k] for k in ("past_words", "past_masks", "past_marks"))

    @kernel
    def position(base: view[u64]) -> u64:
        h = u64(0x9E3779B97F4A7C15)
        for k in range(len(past_words)):
            h = (h ^ (base[past_words[k]] & past_masks[k])) * 0xD6E8FEB86659FD93
            h ^= h >> 32
        return h

    @kernel
    def recall(past: view[u64], base: view[u64], wanted: u64) -> u64:
        width = len(past_words)
        count = i64(past[0])
        alike = 0
        for k in range(count):  # without a way out, so that many are looked at together
            alike += 1 if past[1 + k] == wanted else 0
        marks = u64(0)
        if alike == 0:
            return marks
        for k in range(count):
            if past[1 + k] == wanted:
                same = True
                for w in range(width):
                    if past[1 + 2 * POSITIONS + k * width + w] != base[past_words[w]] & past_masks[w]:
                        same = False
                if same:
                    marks |= u64(1) << past[1 + POSITIONS + k]
        return marks

    @kernel
    def remember(past: view[u64], base: view[u64], here: u64, keep: bool, marks: u64) -> None:
        if not keep:
            past[0] = 0
        width = len(past_words)
        for mark in range(len(past_marks) >> 1):
            if (marks >> mark) & 1 == 1:
                k = i64(past[0])
                assert k < POSITIONS, "the game remembers more positions than there is room for"
                past[0] += 1
                past[1 + k] = here
                past[1 + POSITIONS + k] = u64(mark)
                for w in range(width):
                    past[1 + 2 * POSITIONS + k * width + w] = base[past_words[w]] & past_masks[w]

    return Memory(position, recall, remember)
