"""From a state to the inputs of a network: every bit that is set adds its weights to some inputs."""

from __future__ import annotations

from ludarium.kernel import Bundle, Table, buffer, copy, ctz, f64, i32, i64, kernel, recast, u8, u64, view

MOVES = 1.0 / 16.0
"""What a legal move counts."""


class Inputs(Bundle):
    """Which bits are looked at, what they add, and room to look."""

    words: view[i64]
    """Which words of the state are looked at."""
    masks: view[u64]
    """Which bits of them."""
    starts: view[i32]
    """Per bit of these words where its targets begin; and where the last ends."""
    targets: view[i32]
    weights: view[f64]
    block: view[u8]
    """A state, or what is observed of it, filled up to whole words."""
    wide: view[u64]
    """The same memory, as words."""
    seen: buffer[u8]
    moves: buffer[u64]
    count: i64
    """How many inputs there are."""
    mobility: i64
    """The first input that counts legal moves, one for each role; -1 if none does."""
    observed: bool
    """Whether it is looked at what role 0 observes, and not at the bytes of the state."""
    padded: bool
    """Whether a state does not end with a word."""


@kernel
def look(table: Table, state: view[u8], acting: i64, inputs: Inputs, values: view[f64]) -> None:
    """Write the inputs that a state gives."""
    for k in range(inputs.count):
        values[k] = 0.0
    words = recast(u64, state)
    if inputs.observed:
        words = inputs.wide
        for k in range(len(words)):
            words[k] = 0
        table.observe(state, 0, inputs.seen)
    elif inputs.padded:
        copy(inputs.block, state)
        words = inputs.wide
    base = 0
    for k in range(len(inputs.words)):
        bits = words[inputs.words[k]] & inputs.masks[k]
        while bits != 0:
            row = base + ctz(bits)
            bits &= bits - 1
            for at in range(inputs.starts[row], inputs.starts[row + 1]):
                values[inputs.targets[at]] += inputs.weights[at]
        base += 64
    if inputs.mobility >= 0:
        for role in range(table.roles):
            if (acting >> role) & 1 == 1:
                values[inputs.mobility + role] = MOVES * f64(table.legal(state, role, inputs.moves))
