"""Random numbers in kernels: the stream of `core.Rng`, advanced in the same memory."""

from __future__ import annotations

from ludarium.kernel.kernel import kernel
from ludarium.kernel.language import array, f64, i64, mulhi, u64
from ludarium.kernel.types import Record


class Stream(Record):
    """The four words of a xoshiro256** generator."""

    words = array(u64, 4)


@kernel
def draw(rng: Stream) -> u64:
    """Return the next 64 bits."""
    scaled = rng.words[1] * 5
    result = ((scaled << 7) | (scaled >> 57)) * 9
    shifted = rng.words[1] << 17
    rng.words[2] ^= rng.words[0]
    rng.words[3] ^= rng.words[1]
    rng.words[1] ^= rng.words[2]
    rng.words[0] ^= rng.words[3]
    rng.words[2] ^= shifted
    rng.words[3] = (rng.words[3] << 45) | (rng.words[3] >> 19)
    return result


@kernel
def below(rng: Stream, count: i64) -> i64:
    """Return a number from 0 to count - 1, each equally likely (Lemire's method)."""
    assert count > 0, "below needs a count of at least 1"
    n = u64(count)
    x = draw(rng)
    high = mulhi(x, n)
    low = x * n
    if low < n:
        least = (0 - n) % n
        while low < least:
            x = draw(rng)
            high = mulhi(x, n)
            low = x * n
    return i64(high)


@kernel
def uniform(rng: Stream) -> f64:
    """Return a number in [0, 1)."""
    return f64(draw(rng) >> 11) * (1.0 / 9007199254740992.0)
