"""The game table of a network: a turn is two waves of changes.

First the moves go on, which tells the facts that will change; then the moves go off and the facts change, which tells
the next legal moves.
"""

from __future__ import annotations

from typing import Any

from ludarium.gdl import hidden
from ludarium.gdl.gates import gates
from ludarium.gdl.layout import (
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
from ludarium.gdl.remember import memory
from ludarium.kernel import (
    Kernel,
    Stream,
    array,
    below,
    buffer,
    ctz,
    f64,
    i16,
    i64,
    kernel,
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
    goals, sees = layout.tables["goals"], layout.tables["sees"]
    made = gates(layout)
    settle, holds, work_out_goals = made.settle, made.holds, made.goals
    remember, recall = memory(layout, holds)

    @kernel
    def count_moves(state: view[u8], role: i64) -> i64:
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
    def pick_move(state: view[u8], role: i64, number: i64) -> i64:
        """The bit of a role's legal move, counted from 0; -1 if there are not so many."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        legal_bits = recast(u64, state[at[LEGAL] : at[DIFF]])
        left = number
        for g in range(role_groups[role], role_groups[role + 1]):
            if holds(c, groups[4 * g + 1]):
                for w in range(groups[4 * g + 2], groups[4 * g + 3]):
                    here = popcount(legal_bits[w])
                    if left < here:
                        bits = legal_bits[w]
                        while left > 0:
                            bits &= bits - 1
                            left -= 1
                        return 64 * w + ctz(bits)
                    left -= here
        return -1

    @kernel
    def choosing(state: view[u8]) -> i64:
        """The roles with a choice; -1 if the game is over."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        if holds(c, at[TERMINAL]):
            return -1
        acting = 0
        player = 0
        for role in range(at[ROLES]):
            if role != at[CHANCE]:
                if count_moves(state, role) > 1:
                    acting |= 1 << player
                player += 1
        return acting

    @kernel
    def table_movers(state: view[u8]) -> i64:
        """The roles with a choice; the first one if the game goes on and nobody has any."""
        acting = choosing(state)
        return 1 if acting == 0 else max(0, acting)

    @kernel
    def role_of(player: i64) -> i64:
        """The number of a player's role among all roles, chance included."""
        return player + 1 if at[CHANCE] >= 0 and player >= at[CHANCE] else player

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
    def turn(state: view[u8], does: view[i64]) -> None:
        """Make one move per role, given as input gates."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        pending = recast(u64, state[at[PENDING] : at[SUMMARY]])
        summary = recast(u64, state[at[SUMMARY] : at[SEEN]])
        base = recast(u64, state[at[BASE] : at[PENDING]])
        diff = recast(u64, state[at[DIFF] : at[SUMMARY]])
        roles = at[ROLES]
        for wave in range(2):
            if wave == 1:  # the moves are on, and all that follows from them
                if len(sees) > 0:
                    look(state, c)
                if HISTORY:
                    remember(recast(u64, state[at[PAST] : len(state)]), c, base)
            for role in range(roles):
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
                    for k in range(len(past_marks) >> 1):
                        fact = i64(past_marks[2 * k])
                        if recall(recast(u64, state[at[PAST] : len(state)]), base, k) != (c[fact] >= 0):
                            c[fact] = -1 - c[fact]
                            bit = u64(1) << (fact & 63)
                            base[fact >> 6] ^= bit
                            diff[fact >> 6] ^= bit
                            pending[fact >> 6] ^= bit
                            summary[fact >> 12] |= u64(1) << ((fact >> 6) & 63)
            settle(state)

    @kernel
    def table_apply(state: view[u8], joint: view[u64], rng: Stream) -> None:
        """Make a joint move; roles without a choice make their only move, chance makes any of its moves."""
        does = array(i64, MAX_ROLES)
        player = 0
        for role in range(at[ROLES]):
            count = count_moves(state, role)
            assert count > 0, "a role has no legal move"
            if role == at[CHANCE]:
                does[role] = bit_does[pick_move(state, role, below(rng, count))]
            else:
                if count == 1:
                    does[role] = bit_does[pick_move(state, role, 0)]
                else:
                    assert joint[player] < u64(at[CODES]), "there is no such move"
                    does[role] = code_does[role * at[CODES] + i64(joint[player])]
                player += 1
            assert does[role] >= 0, "the role has no such move"
        turn(state, does[0 : at[ROLES]])

    @kernel
    def table_utilities(state: view[u8], out_values: view[f64]) -> None:
        """Goals from 0 to 1; a role without one gets 0 at the end, and 0.5 before it."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        if at[LAZY] < at[GATES]:
            work_out_goals(state, c)
        none = 0.0 if holds(c, at[TERMINAL]) else 0.5
        for player in range(len(out_values)):
            out_values[player] = -1.0
        for k in range(len(goals) // 3):
            role = i64(goals[3 * k])
            if role != at[CHANCE] and holds(c, goals[3 * k + 2]):
                player = role - 1 if at[CHANCE] >= 0 and role > at[CHANCE] else role
                out_values[player] = max(out_values[player], f64(goals[3 * k + 1]) / 100.0)
        for player in range(len(out_values)):
            if out_values[player] < 0.0:
                out_values[player] = none

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

    @kernel
    def table_playout(state: view[u8], rng: Stream, limit: i64) -> i64:
        """Play random moves to the end."""
        does = array(i64, MAX_ROLES)
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        plies = 0
        while plies < limit and not holds(c, at[TERMINAL]):
            for role in range(at[ROLES]):
                count = count_moves(state, role)
                assert count > 0, "a role has no legal move"
                number = 0
                if count > 1:
                    number = below(rng, count)
                does[role] = bit_does[pick_move(state, role, number)]
            turn(state, does[0 : at[ROLES]])
            plies += 1
        return plies

    table: dict[str, Kernel[Any]] = {
        "init": made.init,
        "movers": table_movers,
        "legal": table_legal,
        "apply": table_apply,
        "utilities": table_utilities,
        "observe": table_observe,
        "hash": table_hash,
        "playout": table_playout,
    }
    return hidden.kernels(table, choosing, layout) if hides else table
