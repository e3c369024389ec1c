"""The rules of Attaque as kernels.

A piece is a byte: 1 + its rank, or `UNKNOWN`; whose it is (bit 4); whether it has moved and whether it was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludarium.kernel import (
    Record,
    Stream,
    array,
    below,
    buffer,
    constant,
    copy,
    f64,
    i64,
    kernel,
    u8,
    u64,
    view,
)

LETTERS = "fbsomcg"
"""The ranks: flag, bomb, spy, scout, miner, captain, marshal."""

RANKS = len(LETTERS)
FLAG, BOMB, SPY, SCOUT, MINER, CAPTAIN, MARSHAL = range(1, RANKS + 1)
RANK, OWNER, MOVED, SHOWN = 15, 16, 32, 64
UNKNOWN = 15
CELLS = 64
"""The most cells of a board."""

PLIES = 200
DRAW = 3
WORTH = (0.0, 0.0, 2.0, 3.0, 2.0, 3.0, 5.0, 8.0)
"""What a piece counts when a state is judged, by its rank."""


class State(Record):
    """The pieces by cells; how many of each rank a side has lost; the moves made; whose turn it is; 1 + the winner."""

    cells = array(u8, CELLS)
    lost = array(u8, 2 * RANKS)
    plies: u8
    turn: u8
    winner: u8


def kernels(width: int, height: int, army: Sequence[int]) -> dict[str, Any]:
    """Make the kernels for a board and an army, a rank per piece."""
    size, cells = len(army), width * height
    ranks = constant(i64, [1 + rank for rank in army])
    totals = constant(i64, [army.count(rank) for rank in range(RANKS)])
    worth = constant(f64, WORTH)
    whole = sum(WORTH[1 + rank] for rank in army)

    @kernel
    def init(state: State, rng: Stream) -> None:
        """Put up both armies at random."""
        order = array(i64, size)
        for at in range(CELLS):
            state.cells[at] = 0
        for k in range(2 * RANKS):
            state.lost[k] = 0
        for role in range(2):
            for k in range(size):
                order[k] = ranks[k]
            last = size - 1
            while last >= 0:
                other = below(rng, last + 1) if last > 0 else 0
                at = last if role == 0 else cells - 1 - last
                state.cells[at] = order[other] | (OWNER * role)
                order[other] = order[last]
                last -= 1
        state.plies = 0
        state.turn = 0
        state.winner = 0

    @kernel
    def movers(state: State) -> i64:
        """Take turns until a side has won or time is up."""
        return 0 if state.winner != 0 else 1 << state.turn

    @kernel
    def moves_of(state: State, role: i64, out: buffer[u64], most: i64) -> i64:
        """List moves of a role, at most so many."""
        count = 0
        for at in range(cells):
            piece = state.cells[at]
            rank = piece & RANK
            if piece != 0 and (piece >> 4) & 1 == role and rank != FLAG and rank != BOMB:
                for way in range(4):
                    to = at
                    while True:
                        column = to % width
                        edge = (way == 0 and column == 0) or (way == 1 and column == width - 1)
                        to += (width if way == 3 else 0 - width) if way >= 2 else 2 * way - 1
                        if edge or to < 0 or to >= cells:
                            break
                        met = state.cells[to]
                        if met != 0 and (met >> 4) & 1 == role:
                            break
                        if count == most:
                            return count
                        out[count] = u64(at * CELLS + to)
                        count += 1
                        if met != 0 or rank != SCOUT:
                            break
        return count

    @kernel
    def legal(state: State, role: i64, out: buffer[u64]) -> i64:
        """List the moves, piece by piece."""
        return moves_of(state, role, out, len(out))

    @kernel
    def apply(state: State, joint: view[u64], rng: Stream) -> None:
        """Move a piece, and let it fight whoever stands there."""
        role = state.turn
        start = i64(joint[role]) // CELLS
        to = i64(joint[role]) % CELLS
        piece = state.cells[start] | MOVED
        if abs(to // width - start // width) + abs(to % width - start % width) > 1:
            piece |= SHOWN
        state.cells[start] = 0
        met = state.cells[to]
        if met == 0:
            state.cells[to] = piece
        else:
            fight(state, piece | SHOWN, met | SHOWN, to)
        state.plies += 1
        state.turn = 1 - role
        if state.winner == 0:
            found = array(u64, 1)
            if moves_of(state, 1 - role, found, 1) == 0:
                state.winner = role + 1
            elif state.plies == PLIES:
                state.winner = DRAW

    @kernel
    def fight(state: State, piece: i64, met: i64, at: i64) -> None:
        """Compare ranks; what loses is noted, and taking the flag wins."""
        mine = piece & RANK
        theirs = met & RANK
        wins = mine > theirs
        loses = mine < theirs
        if theirs == BOMB and mine != MINER:
            wins = False
            loses = True
        if mine == SPY and theirs == MARSHAL:
            wins = True
            loses = False
        state.cells[at] = piece if wins else met if loses else 0
        if not wins:
            state.lost[RANKS * ((piece >> 4) & 1) + mine - 1] += 1
        if not loses:
            state.lost[RANKS * ((met >> 4) & 1) + theirs - 1] += 1
        if theirs == FLAG:
            state.winner = 1 + ((piece >> 4) & 1)

    @kernel
    def utilities(state: State, out: view[f64]) -> None:
        """A draw, and a game that goes on, are worth a half."""
        out[0] = 0.5 if state.winner == 0 or state.winner == DRAW else 1.0 if state.winner == 1 else 0.0
        out[1] = 1.0 - out[0]

    @kernel
    def judge(state: State, out: view[f64]) -> None:
        """Compare what is left of the armies."""
        lead = 0.0
        for rank in range(RANKS):
            lead += worth[rank + 1] * (state.lost[RANKS + rank] - state.lost[rank])
        out[0] = 0.5 + 0.49 * lead / max(whole, 1.0)
        out[1] = 1.0 - out[0]

    @kernel
    def observe(state: State, role: i64, out: buffer[u8]) -> i64:
        """See everything but the ranks of enemies that were never shown."""
        shown = State(out[0 : State.size])
        copy(shown, state)
        for at in range(cells):
            piece = state.cells[at]
            if piece != 0 and (piece >> 4) & 1 != role and piece & SHOWN == 0:
                shown.cells[at] = piece | UNKNOWN
        return State.size

    @kernel
    def known(seen: view[u8], role: i64, state: State, left: view[i64], may: view[u8]) -> i64:
        """Tell which ranks the enemy has left, and that flag and bombs do not move."""
        if len(seen) != State.size:
            return -1
        copy(state, State(seen))
        for rank in range(RANKS):
            left[rank] = totals[rank] - state.lost[RANKS * (1 - role) + rank]
        places = 0
        for at in range(cells):
            piece = state.cells[at]
            if piece != 0 and (piece >> 4) & 1 != role:
                rank = piece & RANK
                if rank == UNKNOWN:
                    if places == size:
                        return -1
                    for kind in range(RANKS):
                        fixed = kind + 1 == FLAG or kind + 1 == BOMB
                        may[places * RANKS + kind] = 0 if fixed and piece & MOVED != 0 else 1
                    places += 1
                else:
                    if rank == 0 or rank > RANKS:
                        return -1
                    left[rank - 1] -= 1
        total = 0
        for rank in range(RANKS):
            if left[rank] < 0:
                return -1
            total += left[rank]
        return places if total == places else -1

    @kernel
    def fill(state: State, role: i64, dealt: view[i64]) -> None:
        """Give ranks to the enemies that are not known."""
        place = 0
        for at in range(cells):
            if state.cells[at] & RANK == UNKNOWN:
                state.cells[at] = (state.cells[at] & ~RANK) | (dealt[place] + 1)
                place += 1

    return {
        "init": init,
        "movers": movers,
        "legal": legal,
        "apply": apply,
        "utilities": utilities,
        "observe": observe,
        "judge": judge,
        "known": known,
        "fill": fill,
    }
