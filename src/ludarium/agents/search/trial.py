"""Trying moves from one state: what searches without a tree share."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ludarium.core import Move, Role
from ludarium.kernel import (
    Bundle,
    Stream,
    Table,
    below,
    buffer,
    copy,
    f64,
    i64,
    kernel,
    u8,
    u64,
    view,
    zeros,
)


class Trial(Bundle):
    """The moves of a role that are tried, what came of them, and room to play them."""

    root: view[u8]
    state: view[u8]
    moves: view[u64]
    worth: view[f64]
    """What came of each move: the sum or the average, as the search likes it."""
    visits: view[i64]
    others: buffer[u64]
    joint: view[u64]
    values: view[f64]
    role: i64
    count: i64
    """How many moves there are to try."""
    tries: i64
    calls: i64
    call_limit: i64

    @kernel
    def others_move(self: Trial, table: Table, state: view[u8], acting: i64, but: i64, rng: Stream) -> None:
        """Draw a move for everybody who moves in a state, other than one role."""
        for other in range(table.roles):
            self.joint[other] = 0
            if other != but and (acting >> other) & 1 == 1:
                count = table.legal(state, other, self.others)
                assert count > 0, "a mover has no legal move"
                self.joint[other] = self.others[below(rng, count)]

    @kernel
    def make(self: Trial, table: Table, acting: i64, place: i64, rng: Stream) -> None:
        """Make a move from the root; others who move there, too, draw theirs."""
        copy(self.state, self.root)
        self.others_move(table, self.root, acting, self.role, rng)
        self.joint[self.role] = self.moves[place]
        table.apply(self.state, self.joint, rng)
        self.calls += 1


def trial(table: Table, role: Role) -> Trial:
    """Make the room for a role; there are no moves yet."""
    return Trial(
        root=bytes(table.state_size),
        state=zeros(u8, table.state_size),
        moves=zeros(u64, 0),
        worth=zeros(f64, 0),
        visits=zeros(i64, 0),
        others=zeros(u64, table.max_moves),
        joint=zeros(u64, table.roles),
        values=zeros(f64, table.roles),
        role=role,
    )


def begin(made: Trial, root: bytes, moves: Sequence[Move]) -> tuple[memoryview, memoryview]:
    """Start over from a state, with moves of which nothing is known; gives what will be known: their worth and visits."""
    worth, visits = zeros(f64, len(moves)), zeros(i64, len(moves))
    made.fill(root=root, moves=array("Q", moves), worth=worth, visits=visits, count=len(moves), tries=0, calls=0)
    return worth, visits
