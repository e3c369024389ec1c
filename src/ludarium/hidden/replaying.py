"""The kernel of replay sampling: play on from states of the past at random, and keep what looks as it did."""

from __future__ import annotations

from ludarium.kernel import Record, Stream, Table, below, buffer, copy, ctz, f64, floor, i64, kernel, u8, u64, view

VAIN = 100
"""Times that every state of a level is tried in vain before the level is given up."""

_OFTEN = 8  # one try in so many does not begin at the newest level
_GOLDEN = 0.6180339887498949  # its multiples are spread evenly from 0 to 1


class Level(Record):
    """States of the past, from the place `first` on: where a try can begin; if there are none, the beginning of a match."""

    ply: i64
    first: i64
    states: i64
    weighted: i64
    tries: i64
    hits: i64


class Aim(Record):
    """What is looked for, and how far the search for it is."""

    role: i64
    ply: i64
    present: i64
    first: i64
    found: i64
    wanted: i64
    tries: i64
    calls: i64
    call_limit: i64


@kernel
def pick_level(levels: view[Level], number: i64) -> i64:
    """Take the newest level as a rule, and now and then an older one, the older the less; the last is the beginning."""
    skip = 1 + ctz(number // _OFTEN + 1) if number % _OFTEN == _OFTEN - 1 else 0
    for place in range(len(levels) - 1):
        level = levels[place]
        if level.hits > 0 or level.tries < VAIN * level.states:
            if skip == 0:
                return place
            skip -= 1
    return len(levels) - 1


@kernel
def turn_of(level: Level, heights: view[f64]) -> i64:
    """Say whose turn it is: one state after the other, or each as often as it is likely, evenly spread."""
    if level.weighted == 0:
        return level.tries % level.states
    part = f64(level.tries + 1) * _GOLDEN
    goal = (part - floor(part)) * heights[level.first + level.states - 1]
    first = 0
    last = level.states - 1
    while first < last:
        middle = (first + last) >> 1
        if heights[level.first + middle] > goal:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def looks_so(table: Table, state: view[u8], role: i64, seen: view[u8], shown: buffer[u8]) -> bool:
    """Whether a role sees this, and nothing else, in a state."""
    count = table.observe(state, role, shown)
    if count != len(seen):
        return False
    for k in range(count):
        if shown[k] != seen[k]:
            return False
    return True


@kernel
def may_play(table: Table, state: view[u8], role: i64, move: u64, moves: buffer[u64]) -> bool:
    """Whether a role can make a move."""
    count = table.legal(state, role, moves)
    for k in range(count):
        if moves[k] == move:
            return True
    return False


@kernel
def chooses_among(table: Table, state: view[u8], role: i64, legal: view[u64], moves: buffer[u64]) -> bool:
    """Whether a role has to choose, and among exactly these moves."""
    if (table.movers(state) >> role) & 1 == 0:
        return False
    count = table.legal(state, role, moves)
    if count != len(legal):
        return False
    for k in range(count):
        if moves[k] != legal[k]:
            known = False
            for other in range(count):
                if moves[k] == legal[other]:
                    known = True
                    break
            if not known:
                return False
    return True


@kernel
def play_on(
    table: Table,
    state: view[u8],
    ply: i64,
    own: i64,
    aim: Aim,
    seen: view[u8],
    ends: view[i64],
    played: view[u64],
    moves: buffer[u64],
    joint: view[u64],
    shown: buffer[u8],
    rng: Stream,
) -> i64:
    """Play a state up to the ply that is aimed at; gives the number of own moves by then, or -1 if something differs."""
    while ply < aim.ply:
        acting = table.movers(state)
        if acting == 0 or aim.calls >= aim.call_limit:
            return -1
        for role in range(table.roles):
            joint[role] = 0
            if (acting >> role) & 1 == 1:
                if role == aim.role:
                    if own >= len(played) or not may_play(table, state, role, played[own], moves):
                        return -1
                    joint[role] = played[own]
                    own += 1
                else:
                    count = table.legal(state, role, moves)
                    assert count > 0, "a mover has no legal move"
                    joint[role] = moves[below(rng, count)]
        table.apply(state, joint, rng)
        aim.calls += 1
        ply += 1
        if not looks_so(table, state, aim.role, seen[ends[ply] : ends[ply + 1]], shown):
            return -1
    return own


@kernel
def replay(
    table: Table,
    levels: view[Level],
    aim: Aim,
    arena: view[u8],
    owns: view[i64],
    heights: view[f64],
    state: view[u8],
    seen: view[u8],
    ends: view[i64],
    played: view[u64],
    legal: view[u64],
    moves: buffer[u64],
    joint: view[u64],
    shown: buffer[u8],
    rng: Stream,
    tries: i64,
) -> i64:
    """Try so many times; what agrees with all that was seen is put into the arena."""
    done = 0
    size = table.state_size
    while done < tries and aim.found < aim.wanted:
        level = levels[pick_level(levels, aim.tries)]
        ply = level.ply
        own = 0
        if level.states == 0:
            table.init(state, rng)
            fits = looks_so(table, state, aim.role, seen[ends[0] : ends[1]], shown)
        else:
            place = level.first + turn_of(level, heights)
            copy(state, arena[place * size : (place + 1) * size])
            own = owns[place]
            fits = True
        if fits:
            own = play_on(table, state, ply, own, aim, seen, ends, played, moves, joint, shown, rng)
            fits = own >= 0
        if not fits and ply < aim.ply and aim.calls >= aim.call_limit:
            return done
        if fits and aim.present == 1:
            fits = own == len(played) and chooses_among(table, state, aim.role, legal, moves)
        if fits:
            place = aim.first + aim.found
            copy(arena[place * size : (place + 1) * size], state)
            owns[place] = own
            aim.found += 1
            level.hits += 1
        level.tries += 1
        aim.tries += 1
        done += 1
    return done
