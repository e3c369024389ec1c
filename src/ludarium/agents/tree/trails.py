"""Random playouts that keep a trail of what is played, for searches that learn from it."""

from __future__ import annotations

from ludarium.agents.search.actions import sample_listed
from ludarium.agents.tree.play import Play
from ludarium.kernel import Stream, Table, array, i64, kernel, u64

ROOM = 129
"""Words in which a game records what is played, a few dozen turns at a time."""


@kernel
def random_trail(table: Table, play: Play, rng: Stream) -> i64:
    """Play uniformly random moves until the end, the playout limit or the last forward call."""
    limit = play.allowed()
    actions = play.actions
    state = play.state
    moves = play.moves
    joint = play.joint
    record = array(u64, ROOM)
    plies = 0
    turns = i64(actions.record(table, state, rng, limit, record))
    while turns > 0:
        plies += turns
        for k in range(1, i64(record[0]), 2):
            play.record(i64(record[k]), record[k + 1])
        turns = actions.record(table, state, rng, limit - plies, record)
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
                play.record(role, moves[0])
        table.apply(state, joint, rng)
        for role in range(table.roles):
            joint[role] = 0
        plies += 1
    return plies
