"""The game table of a network: a turn is two waves of changes.

First the moves go on, which tells the facts that will change; then the moves go off and the facts change, which tells
the next legal moves.
"""

from __future__ import annotations

from typing import Any

from ludarium.gdl.network import hidden
from ludarium.gdl.network.gates import gates
from ludarium.gdl.network.layout import (
    BASE,
    CHANCE,
    CODES,
    COUNTERS,
    DIFF,
    GATES,
    LAZY,
    LEGAL,
    PAST,
    PENDING,
    ROLES,
    SEEN,
    STACK,
    SUMMARY,
    TERMINAL,
    Layout,
)
from ludarium.gdl.network.remember import memory
from ludarium.gdl.turn_kernels import Rules, turn_kernels
from ludarium.kernel import (
    Kernel,
    buffer,
    ctz,
    f64,
    i16,
    i64,
    kernel,
    nth,
    popcount,
    recast,
    u8,
    u64,
    view,
)
from ludarium.kernel.table import hash_bytes

MAX_ROLES = 64


def kernels(layout: Layout, *, hides: bool = False) -> dict[str, Kernel[Any]]:
    """The functions of the game table; in a game that hides the state a role is shown its percepts only."""
    HISTORY = layout.history
    at, role_groups, past_marks = (layout.tables[k] for k in ("at", "role_groups", "past_marks"))
    groups, bit_code, bit_does, code_does = (layout.tables[k] for k in ("groups", "bit_code", "bit_does", "code_does"))
    goals, role_goals, sees = (layout.tables[k] for k in ("goals", "role_goals", "sees"))
    made = gates(layout)
    settle, holds, work_out_goals = made.settle, made.holds, made.goals
    position, recall, remember = memory(layout)

    @kernel
    def count_moves(state: view[u8], role: i64, scratch: view[u8]) -> i64:
        """How many legal moves a role has."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        legal_bits = recast(u64, state[at[LEGAL] : at[DIFF]])
        total = 0
        for g in range(role_groups[role], role_groups[role + 1]):
            if holds(c, groups[4 * g + 1]):
                for w in range(groups[4 * g + 2], groups[4 * g + 3]):
                    total += popcount(legal_bits[w])
        return total

    @kernel
    def pick_move(state: view[u8], role: i64, number: i64, scratch: view[u8]) -> i64:
        """The input gate of a role's legal move, counted from 0; -1 if there are not so many."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        legal_bits = recast(u64, state[at[LEGAL] : at[DIFF]])
        left = number
        for g in range(role_groups[role], role_groups[role + 1]):
            if holds(c, groups[4 * g + 1]):
                for w in range(groups[4 * g + 2], groups[4 * g + 3]):
                    here = popcount(legal_bits[w])
                    if left < here:
                        return i64(bit_does[64 * w + nth(legal_bits[w], left)])
                    left -= here
        return -1

    @kernel
    def roles() -> i64:
        return i64(at[ROLES])

    @kernel
    def chance() -> i64:
        return i64(at[CHANCE])

    @kernel
    def over(state: view[u8], scratch: view[u8]) -> bool:
        """Whether the game is over."""
        return bool(holds(recast(i16, state[at[COUNTERS] : at[STACK]]), at[TERMINAL]))

    @kernel
    def table_legal(state: view[u8], player: i64, moves: buffer[u64]) -> i64:
        """All legal moves of a role."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        legal_bits = recast(u64, state[at[LEGAL] : at[DIFF]])
        role = role_of(player)
        count = 0
        for g in range(role_groups[role], role_groups[role + 1]):
            if holds(c, groups[4 * g + 1]):
                for w in range(groups[4 * g + 2], groups[4 * g + 3]):
                    bits = legal_bits[w]
                    while bits != 0:
                        moves[count] = u64(bit_code[64 * w + ctz(bits)])
                        count += 1
                        bits &= bits - 1
        return count

    @kernel
    def look(state: view[u8], c: view[i16]) -> None:
        """Note what every role sees of the moves being made."""
        seen = recast(u64, state[at[SEEN] : at[COUNTERS]])
        for k in range(len(seen)):
            seen[k] = 0
        for k in range(len(sees) >> 1):
            if holds(c, sees[2 * k + 1]):
                seen[k >> 6] |= u64(1) << (k & 63)

    @kernel
    def advance(state: view[u8], does: view[i64], always: bool, scratch: view[u8]) -> None:
        """Make one move per role, given as input gates."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        pending = recast(u64, state[at[PENDING] : at[SUMMARY]])
        summary = recast(u64, state[at[SUMMARY] : at[SEEN]])
        base = recast(u64, state[at[BASE] : at[PENDING]])
        diff = recast(u64, state[at[DIFF] : at[SUMMARY]])
        for wave in range(2):
            if wave == 1:  # the moves are on, and all that follows from them
                if len(sees) > 0:
                    look(state, c)
                if HISTORY:
                    marks = u64(0)
                    for k in range(len(past_marks) >> 1):
                        if holds(c, past_marks[2 * k + 1]):
                            marks |= u64(1) << k
                    past = recast(u64, state[at[PAST] : len(state)])
                    here = position(base)
                    if holds(c, past_marks[len(past_marks) - 1]):
                        remember(past, base, here, True, marks & ~recall(past, base, here))
                    else:
                        remember(past, base, here, False, marks)
            for role in range(len(does)):
                gate = does[role]
                c[gate] = -wave
                pending[gate >> 6] |= u64(1) << (gate & 63)
                summary[gate >> 12] |= u64(1) << ((gate >> 6) & 63)
            if wave == 1:
                for w in range(len(diff)):
                    bits = diff[w]
                    if bits != 0:
                        base[w] ^= bits
                        diff[w] = 0
                        pending[w] ^= bits
                        summary[w >> 6] |= u64(1) << (w & 63)
                        while bits != 0:
                            fact = 64 * w + ctz(bits)
                            bits &= bits - 1
                            c[fact] = -1 - c[fact]
                if HISTORY:
                    known = recall(recast(u64, state[at[PAST] : len(state)]), base, position(base))
                    for k in range(len(past_marks) >> 1):
                        fact = i64(past_marks[2 * k])
                        if ((known >> k) & 1 == 1) != (c[fact] >= 0):
                            c[fact] = -1 - c[fact]
                            bit = u64(1) << (fact & 63)
                            base[fact >> 6] ^= bit
                            diff[fact >> 6] ^= bit
                            pending[fact >> 6] ^= bit
                            summary[fact >> 12] |= u64(1) << ((fact >> 6) & 63)
            settle(state)

    @kernel
    def find(state: view[u8], role: i64, code: u64, scratch: view[u8]) -> i64:
        """The input gate of a move; -1 if the role has no such move anywhere."""
        return code_does[role * at[CODES] + i64(code)] if code < u64(at[CODES]) else -1

    @kernel
    def judge(state: view[u8], scratch: view[u8]) -> None:
        """Work out the gates that only goals need."""
        if at[LAZY] < at[GATES]:
            work_out_goals(state, recast(i16, state[at[COUNTERS] : at[STACK]]))

    @kernel
    def goal(state: view[u8], role: i64, none: f64, scratch: view[u8]) -> f64:
        """What the best goal of a role is worth."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        best = -1
        for k in range(role_goals[role], role_goals[role + 1]):
            if holds(c, goals[2 * k + 1]):
                best = max(best, goals[2 * k])
        return f64(best) / 100.0 if best >= 0 else none

    turn = turn_kernels(Rules(roles, chance, over, count_moves, pick_move, find, advance, judge, goal), MAX_ROLES)
    role_of = turn.role_of

    @kernel
    def table_observe(state: view[u8], player: i64, shown: buffer[u8]) -> i64:
        """What a role sees: its percepts in a game that has them, else the facts."""
        if len(sees) == 0:
            for k in range(at[PENDING] - at[BASE]):
                shown[k] = state[at[BASE] + k]
            return i64(at[PENDING] - at[BASE])
        seen = recast(u64, state[at[SEEN] : at[COUNTERS]])
        count = 0
        for k in range(len(sees) >> 1):
            if sees[2 * k] == role_of(player):
                shown[count] = 1 if (seen[k >> 6] >> (k & 63)) & 1 == 1 else 0
                count += 1
        return count

    @kernel
    def table_hash(state: view[u8]) -> u64:
        """From the facts alone."""
        return hash_bytes(state[at[BASE] : at[PENDING]])

    table: dict[str, Kernel[Any]] = {
        "init": made.init,
        "legal": table_legal,
        "observe": table_observe,
        "hash": table_hash,
        **turn.functions(),
    }
    return hidden.kernels(table, turn.ending, layout) if hides else table
