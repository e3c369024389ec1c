"""Random games and the features of their states: what evaluators are scaled and fitted with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludarium.core import Game, GameError, Rng
from ludarium.evaluate.layout import Sheet
from ludarium.evaluate.score import features
from ludarium.kernel import Bundle, Stream, Table, TableGame, below, bridge, copy, f64, i64, kernel, u8, view, zeros


class Notes(Bundle):
    """Room for what is noted of a game, and to play it in."""

    sheet: Sheet
    rows: view[f64]
    """The features of every state."""
    blocks: view[u8]
    """The first `keep` bytes of every state."""
    state: view[u8]
    out: view[f64]
    """The utilities at the end."""
    keep: i64


@kernel
def play_and_note(table: Table, notes: Notes, rng: Stream, limit: i64) -> i64:
    """Play a random game; note the features and the first `keep` bytes of its states, and at last its utilities."""
    sheet = notes.sheet
    state = notes.state
    joint = sheet.joint
    features_each = len(sheet.values)
    keep = notes.keep
    table.init(state, rng)
    noted = 0
    while noted < limit:
        acting = table.movers(state)
        if acting == 0:
            break
        features(table, state, acting, sheet, rng)
        if features_each > 0:
            copy(notes.rows[noted * features_each : (noted + 1) * features_each], sheet.values)
        if keep > 0:
            copy(notes.blocks[noted * keep : (noted + 1) * keep], state[0:keep])
        for role in range(table.roles):
            joint[role] = 0
            if (acting >> role) & 1 == 1:
                count = table.legal(state, role, sheet.moves)
                assert count > 0, "a mover has no legal move"
                joint[role] = sheet.moves[below(rng, count)]
        table.apply(state, joint, rng)
        noted += 1
    table.utilities(state, notes.out)
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


def sample(game: Game, sheet: Sheet, rng: Rng, *, games: int, states: int, keep: int = 0) -> Sample:
    """Play random games until there are enough of them, or of states; an end that there is no room for tells nothing."""
    reached = bridge(game)
    table, width = (
        reached.table,
        len(sheet.values),
    )  # a table of a game in plain Python works as long as its bridge is held
    limit = max(1, min(1000, states))
    notes = Notes(
        sheet=sheet,
        rows=zeros(f64, limit * width),
        blocks=bytearray(limit * keep),
        state=bytearray(table.state_size),
        out=zeros(f64, table.roles),
        keep=keep,
    )
    found: list[Numbers] = []
    blocks: list[npt.NDArray[np.uint8]] = []
    ends: list[Numbers] = []
    total = 0
    for _ in range(games):
        room = min(limit, states - total)
        with _blaming(game):
            count = play_and_note(table, notes, rng, room)
        if found and count == room < limit:
            break
        rows = np.frombuffer(notes.rows.memory, dtype=np.float64)[: count * width]
        found.append(rows.reshape(count, width).copy())
        kept = np.frombuffer(notes.blocks.memory, dtype=np.uint8)[: count * keep]
        blocks.append(kept.reshape(count, keep).copy())
        ends.append(np.tile(np.array(list(notes.out)), (count, 1)))
        total += count
    lengths = [len(each) for each in found]
    return Sample(np.concatenate(found), np.concatenate(blocks), np.concatenate(ends), lengths)


@contextmanager
def _blaming(game: Game) -> Iterator[None]:
    """Tell a game that breaks its promises from a mistake of ours."""
    try:
        yield
    except (AssertionError, IndexError) as problem:
        if not isinstance(game, TableGame):
            raise
        raise GameError(f"game '{game.name}' cannot be judged: {problem}") from problem
