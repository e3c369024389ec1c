"""Positions of the past, kept in the state: a count, then hashes, marks and the words of each position."""

from __future__ import annotations

from ludarium.gdl.network.layout import POSITIONS, Layout
from ludarium.kernel import Kernel, i16, i64, kernel, u64, view


def memory(layout: Layout, holds: Kernel[bool]) -> tuple[Kernel[None], Kernel[bool]]:
    """Make the kernels that remember the present position, and that ask whether it is remembered."""
    past_words, past_masks, past_marks = (layout.tables[k] for k in ("past_words", "past_masks", "past_marks"))

    @kernel
    def position_hash(base: view[u64], mark: i64) -> u64:
        """The present position and a mark in 64 bits."""
        h = u64(mark + 1) * 0x9E3779B97F4A7C15
        for k in range(len(past_words)):
            h = (h ^ (base[past_words[k]] & past_masks[k])) * 0xD6E8FEB86659FD93
            h ^= h >> 32
        return h

    @kernel
    def recall(past: view[u64], base: view[u64], mark: i64) -> bool:
        """Whether the present position is remembered with a mark."""
        wanted = position_hash(base, mark)
        width = len(past_words)
        for k in range(i64(past[0])):
            if past[1 + k] == wanted and past[1 + POSITIONS + k] == u64(mark):
                same = True
                for w in range(width):
                    if past[1 + 2 * POSITIONS + k * width + w] != base[past_words[w]] & past_masks[w]:
                        same = False
                if same:
                    return True
        return False

    @kernel
    def remember(past: view[u64], c: view[i16], base: view[u64]) -> None:
        """Drop or keep what is remembered, and add the present position under the marks that the rules give it."""
        if not holds(c, past_marks[len(past_marks) - 1]):
            past[0] = 0
        width = len(past_words)
        for mark in range(len(past_marks) >> 1):
            if holds(c, past_marks[2 * mark + 1]) and not recall(past, base, mark):
                k = i64(past[0])
                assert k < POSITIONS, "the game remembers more positions than there is room for"
                past[0] += 1
                past[1 + k] = position_hash(base, mark)
                past[1 + POSITIONS + k] = u64(mark)
                for w in range(width):
                    past[1 + 2 * POSITIONS + k * width + w] = base[past_words[w]] & past_masks[w]

    return remember, recall
