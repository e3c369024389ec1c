"""Random numbers: xoshiro256** seeded by SplitMix64, the same stream in Python and in kernels.

Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021); bounded numbers by Lemire, "Fast
random integer generation in an interval" (2019). The four words of state are memory that kernels advance in
place, so `words` is filled and never replaced.
"""

from array import array
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from hashlib import blake2b
from typing import Any, Self, TypeVar

from ludarium.core.errors import BadParameter

_MASK = 2**64 - 1

_T = TypeVar("_T")


class Rng:
    """A stream of random numbers, fixed by its seed.

    >>> rng = Rng(7)
    >>> [rng.below(6) + 1 for _ in range(8)]
    [5, 2, 6, 6, 6, 6, 1, 1]
    """

    __slots__ = ("words",)

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= _MASK:
            raise BadParameter(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
        mixed = splitmix64(seed)
        self.words = array("Q", [next(mixed) for _ in range(4)])

    @classmethod
    def keyed(cls, seed: int, *keys: int | str) -> Self:
        """Make the stream that belongs to these keys, independent of the streams of all others.

        Neither the seed nor the stream of other keys can be worked out from it, but by trying seeds.
        """
        digest = blake2b(digest_size=32)
        for key in (seed, *keys):
            name = f"{'text' if isinstance(key, str) else 'number'} {key}".encode()
            digest.update(len(name).to_bytes(8, "little") + name)
        raw = digest.digest()
        return cls._of(int.from_bytes(raw[at : at + 8], "little") for at in range(0, 32, 8))

    def next(self) -> int:
        """Draw 64 bits."""
        a, b, c, d = self.words
        times5 = b * 5 & _MASK
        c ^= a
        d ^= b
        self.words[0] = a ^ d
        self.words[1] = b ^ c
        self.words[2] = c ^ (b << 17 & _MASK)
        self.words[3] = _rotated(d, 45)
        return _rotated(times5, 7) * 9 & _MASK

    def below(self, n: int) -> int:
        """Draw one of 0, 1, ..., n - 1, each equally likely."""
        if not 0 < n <= _MASK:
            raise ValueError(f"below(n) needs n from 1 to 2**64 - 1, not {n}")
        product = self.next() * n
        if product & _MASK < n:
            threshold = (2**64 - n) % n
            while product & _MASK < threshold:
                product = self.next() * n
        return product >> 64

    def uniform(self) -> float:
        """Draw a number from [0, 1), a multiple of 2**-53."""
        return float((self.next() >> 11) * 2.0**-53)

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put the items into random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def choice(self, items: Sequence[_T]) -> _T:
        """Draw one of the items."""
        if not items:
            raise ValueError("choice needs at least one item")
        return items[self.below(len(items))]

    def split(self) -> Self:
        """Make a child stream from one draw."""
        return type(self)(self.next())

    def copy(self) -> Self:
        """Make a stream that continues as this one would, apart from it."""
        return self._of(self.words)

    def __copy__(self) -> Self:
        return self.copy()

    def __repr__(self) -> str:
        return f"<Rng {' '.join(f'{word:016x}' for word in self.words)}>"

    @classmethod
    def _of(cls, words: Iterable[int]) -> Self:
        rng = cls.__new__(cls)
        rng.words = array("Q", words)
        return rng


def splitmix64(seed: int) -> Iterator[int]:
    """Draw 64 bits at a time from a generator whose whole state is the seed."""
    while True:
        seed = seed + 0x9E3779B97F4A7C15 & _MASK
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _MASK
        yield word ^ word >> 31


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> 64 - by) & _MASK
