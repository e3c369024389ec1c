"""What the kernels of words do with legal moves: a bit per move, counted from the first word of a role."""

from __future__ import annotations

from ludarium.kernel import Stream, below, buffer, ctz, i32, i64, kernel, popcount, u64, view


@kernel
def counted(words: view[u64]) -> i64:
    """Count the moves in words."""
    count = 0
    for k in range(len(words)):
        count += popcount(words[k])
    return count


@kernel
def picked(words: view[u64], number: i64) -> i64:
    """The slot of a move, given by its number."""
    left = number
    k = 0
    while left >= popcount(words[k]):
        left -= popcount(words[k])
        k += 1
    bits = words[k]
    for _skip in range(left):
        bits &= bits - 1
    return 64 * k + ctz(bits)


@kernel
def listed(words: view[u64], codes: view[i32], out: buffer[u64]) -> i64:
    """Write the codes of the moves in words; how many there are."""
    count = 0
    for k in range(len(words)):
        bits = words[k]
        while bits != 0:
            out[count] = u64(codes[64 * k + ctz(bits)])
            count += 1
            bits &= bits - 1
    return count


@kernel
def drawn(words: view[u64], rng: Stream) -> i64:
    """Draw a move that chance makes."""
    count = counted(words)
    assert count > 0, "a role has no legal move"
    return picked(words, below(rng, count))


@kernel
def made(words: view[u64], slots: view[i32], code: u64) -> i64:
    """The slot of the move that a role makes: its only one, or the one that was chosen."""
    count = counted(words)
    assert count > 0, "a role has no legal move"
    if count == 1:
        return picked(words, 0)
    assert code < u64(len(slots)), "there is no such move"
    assert slots[code] >= 0, "the role has no such move"
    return i64(slots[code])
