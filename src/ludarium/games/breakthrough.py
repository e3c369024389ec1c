"""Breakthrough (Dan Troyka, 2000) on bit boards: the sets of targets in three directions are the legal moves.

The playout of its own draws a move by its number and never lists the others: several times as fast as listing them.
"""

from __future__ import annotations

from ludarium.core import BadParameter, IllegalMove, Role, Traits
from ludarium.kernel import (
    Kernel,
    KernelGame,
    Record,
    Stream,
    array,
    below,
    buffer,
    ctz,
    f64,
    i64,
    kernel,
    popcount,
    u8,
    u64,
    view,
)

RULES = """\
Each side begins with two full rows. A piece moves one step ahead, straight or diagonally, onto an empty cell;
it captures an enemy by a diagonal step only. Whoever reaches the far row, or captures everything, wins.
White (X) moves first, upwards."""

class State(Record):
    """The pieces of each side, a bit per cell, row by row from a1; whose turn it is; 1 + the winner."""

    pieces = array(u64, 2)
    turn: u8
    winner: u8


def kernels(width, height):
    FULL = (1 << width * height) - 1
    HOME = (1 << 2 * width) - 1
    FILE_A = sum(1 << row * width for row in range(height))
    NOT_FIRST = FULL & ~FILE_A
    NOT_LAST = FULL & ~(FILE_A << (width - 1))
    GOAL = ((1 << width) - 1) | (((1 << width) - 1) << (width * (height - 1)))

    @kernel
    def init(state: State, rng: Stream) -> None:
        """Begin with two rows each."""
        state.pieces[0] = HOME
        state.pieces[1] = HOME << (width * (height - 2))
        state.turn = 0
        state.winner = 0

    @kernel
    def movers(state: State) -> i64:
        return 0 if state.winner != 0 else 1 << state.turn

    @kernel
    def ahead(pieces: u64, role: i64, step: i64) -> u64:
        """Move all pieces ahead: one column to the left (step -1), straight (0) or to the right (1)."""
        if role == 0:
            return (pieces << (width + step)) & FULL
        return pieces >> (width - step)

    @kernel
    def put(targets: u64, back: i64, out: buffer[u64], count: i64) -> i64:
        while targets != 0:
            to = ctz(targets)
            out[count] = u64((to + back) * 64 + to)
            count += 1
            targets &= targets - 1
        return count

    @kernel
    def legal(state: State, role: i64, out: buffer[u64]) -> i64:
        mine = state.pieces[role]
        free = ~(mine | state.pieces[1 - role])
        back = 2 * role * width - width
        count = put(ahead(mine & NOT_FIRST, role, -1) & ~mine, back + 1, out, 0)
        count = put(ahead(mine, role, 0) & free, back, out, count)
        return put(ahead(mine & NOT_LAST, role, 1) & ~mine, back - 1, out, count)

    @kernel
    def apply(state: State, joint: view[u64], rng: Stream) -> None:
        """Move a piece, and take what stands there."""
        role = state.turn
        move = joint[role]
        to = u64(1) << (move & 63)
        state.pieces[role] ^= to | (u64(1) << (move >> 6))
        state.pieces[1 - role] &= ~to
        if to & GOAL != 0 or state.pieces[1 - role] == 0:
            state.winner = role + 1
        state.turn = 1 - role

    @kernel
    def nth(bits: u64, n: i64) -> u64:
        for i in range(n):
            bits &= bits - 1
        return bits & (0 - bits)

    @kernel
    def playout(state: State, rng: Stream, limit: i64) -> i64:
        """Play at random: draw a move by its number, without listing the others."""
        role = state.turn
        mine = state.pieces[role]
        theirs = state.pieces[1 - role]
        plies = 0
        while plies < limit and state.winner == 0:
            left = ahead(mine & NOT_FIRST, role, -1) & ~mine
            straight = ahead(mine, role, 0) & ~(mine | theirs)
            right = ahead(mine & NOT_LAST, role, 1) & ~mine
            lefts = popcount(left)
            straights = popcount(straight) + lefts
            n = below(rng, straights + popcount(right))
            to = right
            side = 1
            if n < lefts:
                to = left
                side = -1
            elif n < straights:
                to = straight
                side = 0
                n -= lefts
            else:
                n -= straights
            to = nth(to, n)
            back = ahead(to, 1 - role, -side)
            mine ^= to | back
            theirs &= ~to
            if to & GOAL != 0 or theirs == 0:
                state.winner = role + 1
            other = mine
            mine = theirs
            theirs = other
            role = 1 - role
            plies += 1
        state.turn = role
        state.pieces[role] = mine
        state.pieces[1 - role] = theirs
        return plies

    @kernel
    def utilities(state: State, out: view[f64]) -> None:
        """A line wins; a full board is a draw."""
        out[0] = 0.5
        out[1] = 0.5
        if state.winner != 0:
            out[0] = 1.0 if state.winner == 1 else 0.0
            out[1] = 1.0 - out[0]
    return dict(init=init, movers=movers, legal=legal, apply=apply, utilities=utilities, playout=playout)


def breakthrough(width=8, height=8, own=True):
    k = kernels(width, height)
    if not own:
        del k["playout"]
    return KernelGame("breakthrough" + str(own), ("white", "black"),
        Traits(turn_taking=True, deterministic=True, perfect_information=True, constant_sum=True, max_plies=2*width*(2*height-5)+1),
        state=State, max_moves=6*width, text=str, parse=int, picture=lambda s, r: "", **k)
