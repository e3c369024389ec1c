"""What the kernels of words do with legal moves: a bit per move, counted from the first word of a role."""

from __future__ import annotations

from ludarium.kernel import buffer, ctz, i32, i64, kernel, nth, popcount, recast, u8, u64, view


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
    return 64 * k + nth(words[k], left)


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
def pick(state: view[u8], role: i64, number: i64, scratch: view[u8]) -> i64:
    """The slot of one of the moves that are offered in scratch memory."""
    return picked(recast(u64, scratch[0 : len(scratch) >> 3 << 3]), number)
