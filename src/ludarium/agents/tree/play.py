"""What an iteration plays on: a state and room for moves, what it may cost, what is recorded of it and learnt from it."""

from __future__ import annotations

from ludarium.agents.search.actions import Actions
from ludarium.kernel import Bundle, Record, f64, i64, kernel, u8, u64, view


class Settings(Record):
    """The parameters of an agent that selection, playouts and learning look at; those that it does not have are 0."""

    c: f64
    untried: f64
    """What a move not tried yet counts; below 0, the average of its siblings."""
    epsilon: f64
    temperature: f64
    reference: f64
    """Visits that a node needs more of, to be looked at by the nodes below."""
    bias: f64
    weight: f64


class TrailMove(Record):
    """A move that was played in an iteration, in the tree or below it, and the two mixed into a key."""

    move: u64
    key: u64
    role: i64


class Credit(Record):
    """How often something was seen, and the sum of what came of it."""

    key: u64
    total: f64
    visits: f64
    weight: f64
    """What a policy has worked out from the two before, until they change; 0 if nothing."""


class Play(Bundle):
    """An iteration at work."""

    state: view[u8]
    spare: view[u8]
    moves: view[u64]
    joint: view[u64]
    values: view[f64]
    """What the iteration was worth to each role."""
    actions: Actions
    settings: Settings
    trail: view[TrailMove]
    ledger: view[Credit]
    """What moves were worth wherever they were played."""
    calls: i64
    call_limit: i64
    reserve: i64
    """The most forward calls that judging a state can take."""
    playout_limit: i64
    recorded: i64
    """How many moves the trail holds."""
    learnt: i64
    """How many keys the ledger holds."""
    ledger_full: bool

    @kernel
    def allowed(self: Play) -> i64:
        """How many plies a playout may have."""
        return max(0, min(self.playout_limit, self.call_limit - self.calls - self.reserve))

    @kernel
    def record(self: Play, role: i64, move: u64) -> None:
        """Add a move to the trail, as long as there is room."""
        if self.recorded < len(self.trail):
            step = self.trail[self.recorded]
            step.move = move
            step.role = role
            step.key = move_key(role, move)
            self.recorded += 1


@kernel
def move_key(role: i64, move: u64) -> u64:
    """Mix a role and a move; never 0."""
    key = (move ^ (u64(role + 1) * 0x9E3779B97F4A7C15)) * 0xD6E8FEB86659FD93
    return (key ^ (key >> 32)) | 1
