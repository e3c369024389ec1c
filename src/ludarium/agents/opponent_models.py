"""The models of opponents that are kernels: next to free for a search."""

from __future__ import annotations

from functools import cache

from ludarium.agents.actions import Actions, sampled
from ludarium.kernel import (
    Kernel,
    Record,
    Stream,
    Table,
    below,
    buffer,
    copy,
    f64,
    fn,
    i64,
    kernel,
    recast,
    u8,
    u64,
    view,
)

STOP = -1
"""What a model subtracts its calls from when time is up and the search has to end."""


class Model(Record):
    """A model in a search: it writes a move to `moves[0]` and answers the forward calls it took, or `STOP` less them."""

    choose: fn[
        [Table, Actions, view[u8], i64, i64, i64, view[u8], view[u8], view[f64], view[u64], buffer[u64], Stream], i64
    ]


@kernel
def random_model(
    table: Table,
    actions: Actions,
    state: view[u8],
    role: i64,
    allowed: i64,
    price: i64,
    memory: view[u8],
    spare: view[u8],
    values: view[f64],
    joint: view[u64],
    moves: buffer[u64],
    rng: Stream,
) -> i64:
    """Draw an action."""
    sampled(table, actions, state, role, moves, rng)
    return 0


@kernel
def nothing_model(
    table: Table,
    actions: Actions,
    state: view[u8],
    role: i64,
    allowed: i64,
    price: i64,
    memory: view[u8],
    spare: view[u8],
    values: view[f64],
    joint: view[u64],
    moves: buffer[u64],
    rng: Stream,
) -> i64:
    """Pass if that is legal, else draw an action; the memory lists the passing moves."""
    passes = recast(u64, memory)
    for k in range(len(passes)):
        if actions.fits(table, state, role, passes[k], moves) != 0:
            moves[0] = passes[k]
            return 0
    sampled(table, actions, state, role, moves, rng)
    return 0


@cache
def osla_model(judge: Kernel[int]) -> Kernel[int]:
    """Make the model that looks one step ahead with a judge; the memory is the judge's."""

    @kernel
    def osla(
        table: Table,
        actions: Actions,
        state: view[u8],
        role: i64,
        allowed: i64,
        price: i64,
        memory: view[u8],
        spare: view[u8],
        values: view[f64],
        joint: view[u64],
        moves: buffer[u64],
        rng: Stream,
    ) -> i64:
        """Try each legal move once, in random order, as far as the calls go; others that move at once draw theirs."""
        acting = table.movers(state)
        count: i64 = table.legal(state, role, moves)
        assert count > 0, "a mover has no legal move"
        others = moves[table.max_moves : 2 * table.max_moves]
        calls = 0
        tried = 0
        best = -1.0
        chosen = moves[below(rng, count)]
        while tried < count and calls + price < allowed and count > 1:
            place = tried + below(rng, count - tried)
            move = moves[place]
            moves[place] = moves[tried]
            moves[tried] = move
            for other in range(table.roles):
                joint[other] = 0
                if other != role and (acting >> other) & 1 == 1:
                    joint[other] = sampled(table, actions, state, other, others, rng)
            joint[role] = move
            copy(spare, state)
            table.apply(spare, joint, rng)
            calls += 1 + judge(table, spare, values, memory, rng)
            if values[role] > best:
                best = values[role]
                chosen = move
            tried += 1
        moves[0] = chosen
        return calls

    return osla
