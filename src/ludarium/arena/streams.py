"""The streams of a match, all from its seed: one of chance, one for each player, one for the moves of those who fail.

Each is a keyed hash (BLAKE2b) of the seed and what the stream is for, so neither the seed nor another stream can be
worked out from one, but by trying seeds. The seed is the referee's, and no player is told it. A seed that nobody has
chosen is drawn from the system's entropy and has 63 bits, too many to try; one that somebody has chosen can be guessed.
"""

from __future__ import annotations

from hashlib import blake2b
from secrets import randbits

from ludarium.core import Rng, Role

_BITS = 63
"""Of a seed: so the seeds that follow it fit into 64 bits, too."""


def fresh_seed() -> int:
    """Draw a seed that nobody can guess."""
    return randbits(_BITS)


def derived_seed(seed: int, what: str) -> int:
    """Give the seed that belongs to something, by another seed; it tells nothing about that one."""
    key = seed.to_bytes(max(8, (seed.bit_length() + 7) // 8), "little")
    made = blake2b(what.encode(), key=key[:64], digest_size=8, person=b"match")
    return int.from_bytes(made.digest(), "little") >> (64 - _BITS)


def chance(seed: int) -> Rng:
    """Make the stream that the chance of a match is drawn from."""
    return Rng.keyed(seed, "chance")


def player(seed: int, role: Role) -> Rng:
    """Make the stream that a player is given when it sits down."""
    return Rng.keyed(seed, "agent", role)


def replacement(seed: int, ply: int, role: Role) -> Rng:
    """Make the stream that a move is drawn from for a player that did not give one."""
    return Rng.keyed(seed, "replacement", ply, role)
