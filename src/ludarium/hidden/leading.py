"""The kernel that leads states of the past a ply on, each by many joint moves, and merges those that become the same."""

from __future__ import annotations

from ludarium.hidden.replaying import Aim, chooses_among, looks_so, may_play
from ludarium.kernel import Record, Stream, Table, below, buffer, copy, f64, i64, kernel, u8, u64, view

WAYS = 4096
"""Joint moves of others that are tried for one state, at most."""


class Lead(Record):
    """Which states are led on, and how far that is."""

    source: i64
    states: i64
    start: i64
    stride: i64
    led: i64
    way: i64
    each: i64
    chance: i64
    cut: i64
    hits: i64


@kernel
def lead_on(
    table: Table,
    aim: Aim,
    lead: Lead,
    arena: view[u8],
    owns: view[i64],
    weights: view[f64],
    slots: view[i64],
    keys: view[u64],
    state: view[u8],
    trial: view[u8],
    seen: view[u8],
    played: view[u64],
    legal: view[u64],
    options: buffer[u64],
    counts: view[i64],
    joint: view[u64],
    moves: buffer[u64],
    shown: buffer[u8],
    rng: Stream,
    steps: i64,
) -> i64:
    """Go on leading states, for up to so many forward calls; says how many were made.

    `seen` is what is seen after that ply. All joint moves are tried if `each` is 0, else so many of them. What looks right
    has the weight of the state that it comes from times the share of the joint moves that lead to it. Where there is chance,
    all states are tried equally often, and then again if need be: there each hit adds the whole weight.
    """
    size = table.state_size
    done = 0
    while lead.led < lead.states and done < steps and aim.calls < aim.call_limit and aim.found < aim.wanted:
        # A stride takes them in no order, so that those that come first stand for all.
        place = lead.source + (lead.start + lead.led * lead.stride) % lead.states
        copy(state, arena[place * size : (place + 1) * size])
        ways = list_ways(table, aim, state, owns[place], played, options, counts, joint)
        own = owns[place] + ((table.movers(state) >> aim.role) & 1)
        tried = min(ways, WAYS)
        if lead.each > 0 and ways > 0:
            tried = lead.each if lead.chance == 1 else min(ways, lead.each)
        if tried < ways or lead.chance == 1:
            lead.cut = 1
        # It stops where the pool is full, and not at the next state: else the length of a call would decide where.
        while lead.way < tried and done < steps and aim.calls < aim.call_limit and aim.found < aim.wanted:
            rest = lead.way
            for role in range(table.roles):
                if counts[role] > 0:
                    # All joint moves in turn if they are few, else some at random.
                    picked = rest % counts[role] if tried % ways == 0 else below(rng, counts[role])
                    joint[role] = options[role * table.max_moves + picked]
                    rest //= counts[role]
            copy(trial, state)
            table.apply(trial, joint, rng)
            aim.calls += 1
            lead.way += 1
            done += 1
            fits = looks_so(table, trial, aim.role, seen, shown)
            if fits and aim.present == 1:
                fits = own == len(played) and chooses_among(table, trial, aim.role, legal, moves)
            if fits:
                lead.hits += 1
                target = place_for(aim, slots, keys, key_of(table, trial, own))
                if target < 0:
                    lead.cut = 1
                else:
                    if target == aim.first + aim.found:
                        copy(arena[target * size : (target + 1) * size], trial)
                        owns[target] = own
                        weights[target] = 0.0
                        aim.found += 1
                    weights[target] += weights[place] / f64(tried) if lead.chance == 0 else weights[place]
        if lead.way >= tried:
            lead.led += 1
            lead.way = 0
    return done


@kernel
def list_ways(
    table: Table,
    aim: Aim,
    state: view[u8],
    own: i64,
    played: view[u64],
    options: buffer[u64],
    counts: view[i64],
    joint: view[u64],
) -> i64:
    """List the moves of all others, and put in the own one; says how many joint moves there are, 0 if that cannot be."""
    acting = table.movers(state)
    ways = 1 if acting != 0 else 0
    for role in range(table.roles):
        counts[role] = 0
        joint[role] = 0
        if (acting >> role) & 1 == 1:
            theirs = options[role * table.max_moves : (role + 1) * table.max_moves]
            if role == aim.role:
                if own >= len(played) or not may_play(table, state, role, played[own], theirs):
                    return 0
                joint[role] = played[own]
            else:
                counts[role] = table.legal(state, role, theirs)
                assert counts[role] > 0, "a mover has no legal move"
                ways = min(ways * counts[role], WAYS + 1)
    return ways


@kernel
def merge(
    table: Table,
    aim: Aim,
    arena: view[u8],
    owns: view[i64],
    weights: view[f64],
    slots: view[i64],
    keys: view[u64],
) -> i64:
    """Leave one of each kind of the states that were found, with their number as its weight; says how many there are."""
    size = table.state_size
    count = aim.found
    aim.found = 0
    for place in range(aim.first, aim.first + count):
        key = key_of(table, arena[place * size : (place + 1) * size], owns[place])
        target = place_for(aim, slots, keys, key)
        if target == aim.first + aim.found:
            if target < place:
                copy(arena[target * size : (target + 1) * size], arena[place * size : (place + 1) * size])
                owns[target] = owns[place]
            weights[target] = 0.0
            aim.found += 1
        weights[target] += 1.0
    return aim.found


@kernel
def key_of(table: Table, state: view[u8], own: i64) -> u64:
    """Tell a state with a number of own moves on the way to it from others."""
    return table.hash(state) ^ (u64(own) * 0x9E3779B97F4A7C15)


@kernel
def place_for(aim: Aim, slots: view[i64], keys: view[u64], key: u64) -> i64:
    """Find the place of a state that is there already, or the next free one; -1 if there is no room."""
    if len(slots) == 0:
        return aim.first + aim.found if aim.found < aim.wanted else -1
    at = i64(key & u64(len(slots) - 1))
    while slots[at] != 0 and keys[slots[at] - 1] != key:
        at = (at + 1) & (len(slots) - 1)
    if slots[at] != 0:
        return aim.first + slots[at] - 1
    if aim.found >= aim.wanted:
        return -1
    keys[aim.found] = key
    slots[at] = aim.found + 1
    return aim.first + aim.found
