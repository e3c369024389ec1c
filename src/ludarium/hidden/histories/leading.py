"""The kernel that leads states of the past a ply on, each by many joint moves, and merges those that become the same."""

from __future__ import annotations

from ludarium.hidden.histories.replay_kernels import Aim, chooses_now, looks_so, may_play
from ludarium.kernel import Record, Stream, Table, below, copy, f64, i64, kernel, u8, u64, view

WAYS = 4096
"""Joint moves of others that are tried for one state, at most."""


class Lead(Record):
    """Which states are led on, and how far that is."""

    source: i64
    """The place of the first of them."""
    states: i64
    start: i64
    stride: i64
    led: i64
    way: i64
    each: i64
    """Joint moves that are tried for each; 0 for all."""
    hits: i64
    chance: bool
    cut: bool
    """Whether something was left out."""


@kernel
def lead_on(table: Table, aim: Aim, lead: Lead, rng: Stream, steps: i64) -> i64:
    """Go on leading states, for up to so many forward calls; says how many were made.

    What looks right has the weight of the state that it comes from times the share of the joint moves that lead to it. Where
    there is chance, all states are tried equally often, and then again if need be: there each hit adds the whole weight.
    """
    past = aim.past
    counts = aim.counts
    trial = aim.trial
    done = 0
    while lead.led < lead.states and done < steps and aim.calls < aim.call_limit and aim.found < aim.wanted:
        # A stride takes them in no order, so that those that come first stand for all.
        place = lead.source + (lead.start + lead.led * lead.stride) % lead.states
        own = past.take(place, aim.state)
        ways = list_ways(table, aim, own)
        own += (table.movers(aim.state) >> aim.story.role) & 1
        tried = min(ways, WAYS)
        if lead.each > 0 and ways > 0:
            tried = lead.each if lead.chance else min(ways, lead.each)
        if tried < ways or lead.chance:
            lead.cut = True
        # It stops where the pool is full, and not at the next state: else the length of a call would decide where.
        while lead.way < tried and done < steps and aim.calls < aim.call_limit and aim.found < aim.wanted:
            rest = lead.way
            for role in range(table.roles):
                if counts[role] > 0:
                    # All joint moves in turn if they are few, else some at random.
                    picked = rest % counts[role] if tried % ways == 0 else below(rng, counts[role])
                    aim.joint[role] = aim.options[role * table.max_moves + picked]
                    rest //= counts[role]
            copy(trial, aim.state)
            table.apply(trial, aim.joint, rng)
            aim.calls += 1
            lead.way += 1
            done += 1
            if looks_so(table, aim, trial, aim.ply) and (not aim.present or chooses_now(table, aim, trial, own)):
                lead.hits += 1
                target = place_for(aim, key_of(table, trial, own))
                if target < 0:
                    lead.cut = True
                else:
                    if target == aim.first + aim.found:
                        past.put(target, trial, own)
                        past.weights[target] = 0.0
                        aim.found += 1
                    weight = past.weights[place]
                    past.weights[target] += weight if lead.chance else weight / f64(tried)
        if lead.way >= tried:
            lead.led += 1
            lead.way = 0
    return done


@kernel
def list_ways(table: Table, aim: Aim, own: i64) -> i64:
    """List the moves of all others, and put in the own one; says how many joint moves there are, 0 if that cannot be."""
    played = aim.story.played
    acting = table.movers(aim.state)
    ways = 1 if acting != 0 else 0
    for role in range(table.roles):
        aim.counts[role] = 0
        aim.joint[role] = 0
        if (acting >> role) & 1 == 1:
            theirs = aim.options[role * table.max_moves : (role + 1) * table.max_moves]
            if role == aim.story.role:
                if own >= len(played) or not may_play(table, aim.state, role, played[own], theirs):
                    return 0
                aim.joint[role] = played[own]
            else:
                count = table.legal(aim.state, role, theirs)
                assert count > 0, "a mover has no legal move"
                aim.counts[role] = count
                ways = min(ways * count, WAYS + 1)
    return ways


@kernel
def merge(table: Table, aim: Aim) -> None:
    """Leave one of each kind of the states that were found, with their number as its weight."""
    past = aim.past
    count = aim.found
    aim.found = 0
    for place in range(aim.first, aim.first + count):
        own = past.take(place, aim.state)
        target = place_for(aim, key_of(table, aim.state, own))
        if target == aim.first + aim.found:
            if target < place:
                past.put(target, aim.state, own)
            past.weights[target] = 0.0
            aim.found += 1
        past.weights[target] += 1.0


@kernel
def key_of(table: Table, state: view[u8], own: i64) -> u64:
    """Tell a state with a number of own moves on the way to it from others."""
    return table.hash(state) ^ (u64(own) * 0x9E3779B97F4A7C15)


@kernel
def place_for(aim: Aim, key: u64) -> i64:
    """Find the place of a state that is there already, or the next free one; -1 if there is no room."""
    slots = aim.slots
    if len(slots) == 0:
        return aim.first + aim.found if aim.found < aim.wanted else -1
    at = i64(key & u64(len(slots) - 1))
    while slots[at] != 0 and aim.keys[slots[at] - 1] != key:
        at = (at + 1) & (len(slots) - 1)
    if slots[at] != 0:
        return aim.first + slots[at] - 1
    if aim.found >= aim.wanted:
        return -1
    aim.keys[aim.found] = key
    slots[at] = aim.found + 1
    return aim.first + aim.found
