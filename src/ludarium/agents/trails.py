"""Random playouts that keep a trail of what is played, for searches that learn from it."""

from __future__ import annotations

from ludarium.agents.actions import Actions, sample_listed
from ludarium.agents.nodes import Search, Step, record_step
from ludarium.agents.playouts import allowed
from ludarium.kernel import Stream, Table, array, f64, i64, kernel, u8, u64, view

TOLD = 129
"""Words in which a game tells what is played, a few dozen turns at a time."""


@kernel
def random_trail(
    table: Table,
    actions: Actions,
    state: view[u8],
    search: Search,
    trail: view[Step],
    moves: view[u64],
    joint: view[u64],
    parameters: view[f64],
    memory: view[u8],
    rng: Stream,
) -> i64:
    """Play uniformly random moves until the end, the playout limit or the last forward call."""
    limit = allowed(search)
    told = array(u64, TOLD)
    plies = 0
    turns = i64(actions.told(table, state, rng, limit, told))
    while turns > 0:
        plies += turns
        for k in range(1, i64(told[0]), 2):
            record_step(search, trail, i64(told[k]), told[k + 1])
        turns = actions.told(table, state, rng, limit - plies, told)
    if turns == 0:
        return plies
    for role in range(table.roles):
        joint[role] = 0
    while plies < limit:
        acting = table.movers(state)
        if acting == 0:
            break
        for role in range(table.roles):
            if (acting >> role) & 1 == 1:
                if actions.sample(table, state, role, moves, rng) == 0:
                    sample_listed(table, state, role, moves, rng)
                joint[role] = moves[0]
                record_step(search, trail, role, moves[0])
        table.apply(state, joint, rng)
        for role in range(table.roles):
            joint[role] = 0
        plies += 1
    return plies
