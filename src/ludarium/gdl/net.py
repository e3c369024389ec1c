"""The kernels of a game as a network: only what changes is worked out, and the values lie in the state itself.

A gate is on when its counter is not negative. When a gate changes, the counters of the gates that it feeds change by one;
those that thereby go on or off are pending. Pending gates are taken lowest first, and as gates are numbered after what
feeds them, each changes at most once. A turn is two waves: the moves go on, which tells the facts that will change; then
the moves go off and the facts change, which tells the next legal moves.
"""

from __future__ import annotations

from typing import Any

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
    POSITIONS,
    ROLES,
    SEEN,
    STACK,
    SUMMARY,
    TERMINAL,
    Layout,
)
from ludarium.kernel import (
    Kernel,
    Stream,
    array,
    below,
    buffer,
    copy,
    ctz,
    f64,
    i16,
    i32,
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


def kernels(layout: Layout) -> dict[str, Kernel[Any]]:
    """The functions of the game table."""
    LOOPS, HISTORY = layout.loops, layout.history
    at, start, initial = (layout.tables[k] for k in ("at", "start", "initial"))
    groups, bit_code, bit_does, code_does = (layout.tables[k] for k in ("groups", "bit_code", "bit_does", "code_does"))
    past_words, past_masks, past_marks = (layout.tables[k] for k in ("past_words", "past_masks", "past_marks"))
    role_groups = layout.tables["role_groups"]
    goals, sees = layout.tables["goals"], layout.tables["sees"]
    nodes, fan, pull = (layout.tables[k] for k in ("nodes", "fan", "pull"))
    feeders, lazy_start = layout.tables["feeders"], layout.tables["lazy_start"]
    lazy_at, lazy = layout.tables["lazy_at"], layout.tables["lazy"]
    inner_at, inner = layout.tables["inner_at"], layout.tables["inner"]
    fixed_bits, fixed_diff = layout.tables["fixed_bits"], layout.tables["fixed_diff"]
    components, component_of = layout.tables["components"], layout.tables["component_of"]

    @kernel
    def add(c: view[i16], bits: view[u64], summary: view[u64], gate: i64, delta: i64) -> None:
        """Change a counter, and note it if the gate goes on or off; without a branch, as either is as likely."""
        old = c[gate]
        new = old + delta
        c[gate] = new
        if LOOPS:
            if gate >= at[GATES]:
                first = components[2 * component_of[gate - at[GATES]]]
                bits[first >> 6] |= u64(1) << (first & 63)
                summary[first >> 12] |= u64(1) << ((first >> 6) & 63)
                return
        flip = u64(old ^ new) >> 63
        bits[gate >> 6] ^= flip << (gate & 63)
        summary[gate >> 12] |= flip << ((gate >> 6) & 63)

    @kernel
    def fire(c: view[i16], bits: view[u64], summary: view[u64], gate: i64, on: bool) -> None:
        """Pass on that a gate has changed."""
        step = 1 if on else -1
        middle = i64(nodes[4 * gate + 1])
        for k in range(nodes[4 * gate], middle):
            fed = i64(fan[k])
            add(c, bits, summary, fed >> 1, step - 2 * step * (fed & 1))
        for k in range(middle, nodes[4 * gate + 2]):
            bit = i64(fan[k])
            bits[bit >> 6] ^= u64(1) << (bit & 63)
            summary[bit >> 12] |= u64(1) << ((bit >> 6) & 63)

    @kernel
    def settle(state: view[u8]) -> None:
        """Work out all pending gates, lowest first."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        bits = recast(u64, state[at[PENDING] : at[SUMMARY]])
        summary = recast(u64, state[at[SUMMARY] : at[SEEN]])
        words = (at[LEGAL] - at[PENDING]) >> 3
        for block in range((words + 63) >> 6):
            while summary[block] != 0:
                word = 64 * block + ctz(summary[block])
                summary[block] &= summary[block] - 1
                if word < words:
                    while bits[word] != 0:
                        gate = 64 * word + ctz(bits[word])
                        bits[word] &= bits[word] - 1
                        if LOOPS:
                            if loop_at(gate) >= 0:
                                work_out(state, c, bits, summary, loop_at(gate))
                                continue
                        k = i64(nodes[4 * gate + 3])
                        if k != 0:
                            now = True
                            while pull[k] >= 0 and now:
                                now = (c[pull[k] >> 1] >= 0) == (pull[k] & 1 == 0)
                                k += 1
                            if now == (c[gate] >= 0):
                                continue
                            c[gate] = 0 if now else -1
                        fire(c, bits, summary, gate, c[gate] >= 0)

    @kernel
    def loop_at(gate: i64) -> i64:
        """The component that begins with a gate, or -1."""
        low = 0
        high = len(components) >> 1
        while low < high:
            middle = (low + high) >> 1
            if components[2 * middle] < gate:
                low = middle + 1
            else:
                high = middle
        if 2 * low < len(components) and components[2 * low] == gate:
            return low
        return -1

    @kernel
    def port(component: i64) -> i64:
        """Where the outside counters of a component begin."""
        total = at[GATES]
        for k in range(component):
            total += components[2 * k + 1] - components[2 * k]
        return total

    @kernel
    def fixed_point(c: view[i16], work: view[i32], component: i64) -> None:
        """Find the least fixed point of gates that depend on each other, from what feeds them from outside."""
        first = i64(components[2 * component])
        size = components[2 * component + 1] - first
        ports = port(component)
        top = size
        for k in range(size):
            c[first + k] = c[ports + k]
            if c[first + k] >= 0:
                work[top] = first + k
                top += 1
        while top > size:
            top -= 1
            gate = i64(work[top])
            for e in range(inner_at[gate], inner_at[gate + 1]):
                fed = i64(inner[e])
                c[fed] += 1
                if c[fed] == 0:
                    work[top] = fed
                    top += 1

    @kernel
    def work_out(state: view[u8], c: view[i16], bits: view[u64], summary: view[u64], component: i64) -> None:
        """Work out a component anew, and pass on what changed."""
        first = i64(components[2 * component])
        size = components[2 * component + 1] - first
        work = recast(i32, state[at[STACK] : at[PAST]])
        for k in range(size):
            work[k] = 1 if c[first + k] >= 0 else 0
        fixed_point(c, work, component)
        for k in range(size):
            now = c[first + k] >= 0
            if (work[k] == 1) != now:
                fire(c, bits, summary, first + k, now)

    @kernel
    def holds(c: view[i16], literal: i64) -> bool:
        """Whether a literal is true now."""
        if literal < 0:
            return literal == -1
        return (c[literal >> 1] >= 0) == (literal & 1 == 0)

    @kernel
    def table_init(state: view[u8], rng: Stream) -> None:
        """Begin with the counters of an empty state, and work everything out once, lowest gate first."""
        for k in range(len(state)):
            state[k] = 0
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        for k in range(len(start)):
            c[k] = start[k]
        base = recast(u64, state[at[BASE] : at[PENDING]])
        diff = recast(u64, state[at[DIFF] : at[SUMMARY]])
        for k in range(len(initial)):
            fact = i64(initial[k])
            base[fact >> 6] |= u64(1) << (fact & 63)
            diff[fact >> 6] ^= u64(1) << (fact & 63)
            c[fact] = 0
        start_bits(state)
        # A gate that is off counts for those it feeds negatively; a gate that is on has more to say.
        component = 0
        gate = 0
        while gate < at[LAZY]:
            if LOOPS:
                if 2 * component < len(components) and gate == components[2 * component]:
                    fixed_point(c, recast(i32, state[at[STACK] : at[PAST]]), component)
                    end = i64(components[2 * component + 1])
                    while gate < end:
                        enter(state, c, gate)
                        gate += 1
                    component += 1
                    continue
            enter(state, c, gate)
            gate += 1

    @kernel
    def enter(state: view[u8], c: view[i16], gate: i64) -> None:
        """Count a gate's first value with the gates that it feeds."""
        on = c[gate] >= 0
        middle = i64(nodes[4 * gate + 1])
        for k in range(nodes[4 * gate], middle):
            if (fan[k] & 1 == 0) == on:
                c[fan[k] >> 1] += 1
        if on:
            bits = recast(u64, state[at[PENDING] : at[SUMMARY]])
            for k in range(middle, nodes[4 * gate + 2]):
                if fan[k] >= 8 * (at[LEGAL] - at[PENDING]):
                    bits[fan[k] >> 6] ^= u64(1) << (fan[k] & 63)

    @kernel
    def start_bits(state: view[u8]) -> None:
        """Bits as they are while every gate is off: moves that are always possible, facts that come by themselves."""
        legal_bits = recast(u64, state[at[LEGAL] : at[DIFF]])
        diff = recast(u64, state[at[DIFF] : at[SUMMARY]])
        for k in range(len(fixed_bits)):
            place = i64(fixed_bits[k])
            legal_bits[place >> 6] ^= u64(1) << (place & 63)
        for k in range(len(fixed_diff)):
            place = i64(fixed_diff[k])
            diff[place >> 6] ^= u64(1) << (place & 63)

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
    def table_movers(state: view[u8]) -> i64:
        """The roles with a choice; the first one if the game goes on and nobody has any."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        if holds(c, at[TERMINAL]):
            return 0
        acting = 0
        player = 0
        for role in range(at[ROLES]):
            if role != at[CHANCE]:
                if count_moves(state, role) > 1:
                    acting |= 1 << player
                player += 1
        return max(1, acting)

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
    def turn(state: view[u8], does: view[i64]) -> None:
        """Make one move per role, given as input gates."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        pending = recast(u64, state[at[PENDING] : at[SUMMARY]])
        summary = recast(u64, state[at[SUMMARY] : at[SEEN]])
        base = recast(u64, state[at[BASE] : at[PENDING]])
        diff = recast(u64, state[at[DIFF] : at[SUMMARY]])
        roles = at[ROLES]
        for wave in range(2):
            for role in range(roles):
                gate = does[role]
                c[gate] = -wave
                pending[gate >> 6] |= u64(1) << (gate & 63)
                summary[gate >> 12] |= u64(1) << ((gate >> 6) & 63)
            if wave == 1:
                if len(sees) > 0:
                    look(state, c)
                if HISTORY:
                    remember(recast(u64, state[at[PAST] : len(state)]), c, base)
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
    def position_hash(base: view[u64], mark: i64) -> u64:
        """The present position and a mark in 64 bits."""
        h = u64(mark + 1) * 0x9E3779B97F4A7C15
        for k in range(len(past_words)):
            h = (h ^ (base[past_words[k]] & past_masks[k])) * 0xD6E8FEB86659FD93
            h ^= h >> 32
        return h

    @kernel
    def recall(past: view[u64], base: view[u64], mark: i64) -> bool:
        """Whether the present position is remembered with a mark."""
        wanted = position_hash(base, mark)
        width = len(past_words)
        for k in range(i64(past[0])):
            if past[1 + k] == wanted and past[1 + POSITIONS + k] == u64(mark):
                same = True
                for w in range(width):
                    if past[1 + 2 * POSITIONS + k * width + w] != base[past_words[w]] & past_masks[w]:
                        same = False
                if same:
                    return True
        return False

    @kernel
    def remember(past: view[u64], c: view[i16], base: view[u64]) -> None:
        """Drop or keep what is remembered, and add the present position under the marks that the rules give it."""
        if not holds(c, past_marks[len(past_marks) - 1]):
            past[0] = 0
        width = len(past_words)
        for mark in range(len(past_marks) >> 1):
            if holds(c, past_marks[2 * mark + 1]) and not recall(past, base, mark):
                k = i64(past[0])
                assert k < POSITIONS, "the game remembers more positions than there is room for"
                past[0] += 1
                past[1 + k] = position_hash(base, mark)
                past[1 + POSITIONS + k] = u64(mark)
                for w in range(width):
                    past[1 + 2 * POSITIONS + k * width + w] = base[past_words[w]] & past_masks[w]

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
    def work_out_goals(state: view[u8], c: view[i16]) -> None:
        """Work out the gates that only goals need, from what they are while everything is off."""
        pending = recast(u64, state[at[PENDING] : at[SUMMARY]])
        summary = recast(u64, state[at[SUMMARY] : at[SEEN]])
        copy(c[at[LAZY] : at[GATES]], lazy_start)
        for k in range(len(feeders)):
            if c[feeders[k]] >= 0:
                for e in range(lazy_at[2 * k], lazy_at[2 * k + 1]):
                    add(c, pending, summary, lazy[e], 1)
                for e in range(lazy_at[2 * k + 1], lazy_at[2 * k + 2]):
                    add(c, pending, summary, lazy[e], -1)
        settle(state)

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
            return at[PENDING] - at[BASE]
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

    return {
        "init": table_init,
        "movers": table_movers,
        "legal": table_legal,
        "apply": table_apply,
        "utilities": table_utilities,
        "observe": table_observe,
        "hash": table_hash,
        "playout": table_playout,
    }
