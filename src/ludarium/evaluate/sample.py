"""Random games and the features of their states: what evaluators are scaled and fitted with."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludarium.core import Game, GameError, Rng
from ludarium.evaluate.score import Head, features
from ludarium.kernel import (
    Stream,
    Table,
    TableGame,
    below,
    bridge,
    copy,
    f64,
    i64,
    kernel,
    recast,
    u8,
    u64,
    view,
)


@kernel
def play_and_note(
    table: Table,
    state: view[u8],
    memory: view[u8],
    rows: view[f64],
    kept: view[u8],
    moves: view[u64],
    joint: view[u64],
    out: view[f64],
    rng: Stream,
    keep: i64,
    limit: i64,
) -> i64:
    """Play a random game; note the features and the first `keep` bytes of its states, and at last its utilities."""
    head = Head(memory)
    values = recast(f64, memory[head.values_at : head.moves_at])
    table.init(state, rng)
    noted = 0
    while noted < limit:
        acting = table.movers(state)
        if acting == 0:
            break
        features(table, state, acting, memory, rng)
        if head.features > 0:
            copy(rows[noted * head.features : (noted + 1) * head.features], values[0 : head.features])
        if keep > 0:
            copy(kept[noted * keep : (noted + 1) * keep], state[0:keep])
        for role in range(table.roles):
            joint[role] = 0
            if (acting >> role) & 1 == 1:
                count = table.legal(state, role, moves)
                assert count > 0, "a mover has no legal move"
                joint[role] = moves[below(rng, count)]
        table.apply(state, joint, rng)
        noted += 1
    table.utilities(state, out)
    return noted


Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """States of random games: their features, the first bytes of their blocks, and what their games ended with."""

    features: Numbers
    blocks: npt.NDArray[np.uint8]
    utilities: Numbers
    lengths: Sequence[int]
    """How many states each game has, one game after the other."""


def sample(game: Game, memory: bytearray, rng: Rng, *, games: int, states: int, keep: int = 0) -> Sample:
    """Play random games until there are enough of them, or of states; an end that there is no room for tells nothing."""
    reached, head = bridge(game), Head(memory)
    table = reached.table  # the table of a game in plain Python works as long as its bridge is held
    limit = max(1, min(1000, states))
    rows, kept = array("d", bytes(8 * limit * head.features)), bytearray(limit * keep)
    state, out = bytearray(table.state_size), array("d", bytes(8 * table.roles))
    moves, joint = array("Q", bytes(8 * table.max_moves)), array("Q", bytes(8 * table.roles))
    found: list[Numbers] = []
    blocks: list[npt.NDArray[np.uint8]] = []
    ends: list[Numbers] = []
    total = 0
    for _ in range(games):
        room = min(limit, states - total)
        with _told(game):
            count = play_and_note(table, state, memory, rows, kept, moves, joint, out, rng, keep, room)
        if found and count == room < limit:
            break
        found.append(np.array(rows[: count * head.features]).reshape(count, head.features))
        blocks.append(np.frombuffer(bytes(kept[: count * keep]), dtype=np.uint8).reshape(count, keep))
        ends.append(np.tile(np.array(out), (count, 1)))
        total += count
    lengths = [len(each) for each in found]
    return Sample(np.concatenate(found), np.concatenate(blocks), np.concatenate(ends), lengths)


@contextmanager
def _told(game: Game) -> Iterator[None]:
    """Tell a game that breaks its promises from a mistake of ours."""
    try:
        yield
    except (AssertionError, IndexError) as problem:
        if not isinstance(game, TableGame):
            raise
        raise GameError(f"game '{game.name}' cannot be judged: {problem}") from problem
