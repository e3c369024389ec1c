"""The kernel of replay sampling: play on from states of the past at random, and keep what looks as it did."""

from __future__ import annotations

from ludarium.kernel import (
    Bundle,
    Record,
    Stream,
    Table,
    below,
    buffer,
    copy,
    ctz,
    f64,
    floor,
    i64,
    kernel,
    u8,
    u64,
    view,
)

VAIN = 100
"""Times that every state of a level is tried in vain before the level is given up."""

_OFTEN = 8  # one try in so many does not begin at the newest level
_GOLDEN = 0.6180339887498949  # its multiples are spread evenly from 0 to 1


class Level(Record):
    """States of the past, from the place `first` on: where a try can begin; if there are none, the beginning of a match."""

    ply: i64
    first: i64
    states: i64
    weighted: bool
    tries: i64
    hits: i64


class Past(Bundle):
    """States of the past, place by place."""

    states: view[u8]
    owns: view[i64]
    """The role's own moves on the way to each state."""
    weights: view[f64]
    """How likely each state of a pool is."""
    heights: view[f64]
    """The sums of that up to each."""

    @kernel
    def put(self: Past, place: i64, state: view[u8], own: i64) -> None:
        """Put a state into a place."""
        copy(self.states[place * len(state) : (place + 1) * len(state)], state)
        self.owns[place] = own

    @kernel
    def take(self: Past, place: i64, state: view[u8]) -> i64:
        """Copy the state in a place; says how many own moves are on the way to it."""
        copy(state, self.states[place * len(state) : (place + 1) * len(state)])
        return self.owns[place]


class Story(Bundle):
    """What a role has seen and done in a match, and may do now."""

    role: i64
    shown: view[u8]
    """All that it saw, ..."""
    ends: view[i64]
    """... from the end of what it saw in the state before up to the next number."""
    played: view[u64]
    legal: view[u64]


class Aim(Bundle):
    """What is looked for, how far the search for it is, and what it plays on."""

    story: Story
    past: Past
    levels: view[Level]
    slots: view[i64]
    """Where the numbers of the states that were found stand, by their keys; empty if equal ones are not looked for."""
    keys: view[u64]
    state: view[u8]
    trial: view[u8]
    moves: buffer[u64]
    options: buffer[u64]
    """The moves of each role."""
    counts: view[i64]
    """How many of them there are to choose from."""
    joint: view[u64]
    shown: buffer[u8]
    ply: i64
    present: bool
    """Whether that is the ply of the decision."""
    first: i64
    """The place of the first state that was found."""
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
    if not level.weighted:
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
def looks_so(table: Table, aim: Aim, state: view[u8], ply: i64) -> bool:
    """Whether the role sees in a state what it saw in that of a ply, and nothing else."""
    story = aim.story
    seen = story.shown[story.ends[ply] : story.ends[ply + 1]]
    count = table.observe(state, story.role, aim.shown)
    if count != len(seen):
        return False
    for k in range(count):
        if aim.shown[k] != seen[k]:
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
def chooses_now(table: Table, aim: Aim, state: view[u8], own: i64) -> bool:
    """Whether the role has made all its moves by then, and has to choose now among exactly the moves that it may."""
    role = aim.story.role
    legal = aim.story.legal
    moves = aim.moves
    if own != len(aim.story.played) or (table.movers(state) >> role) & 1 == 0:
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
def play_on(table: Table, aim: Aim, ply: i64, own: i64, rng: Stream) -> tuple[bool, i64]:
    """Play a state up to the ply that is aimed at; says whether it looks right all the way, and the own moves by then."""
    state = aim.state
    played = aim.story.played
    while ply < aim.ply:
        acting = table.movers(state)
        if acting == 0 or aim.calls >= aim.call_limit:
            return False, own
        for role in range(table.roles):
            aim.joint[role] = 0
            if (acting >> role) & 1 == 1:
                if role == aim.story.role:
                    if own >= len(played) or not may_play(table, state, role, played[own], aim.moves):
                        return False, own
                    aim.joint[role] = played[own]
                    own += 1
                else:
                    count = table.legal(state, role, aim.moves)
                    assert count > 0, "a mover has no legal move"
                    aim.joint[role] = aim.moves[below(rng, count)]
        table.apply(state, aim.joint, rng)
        aim.calls += 1
        ply += 1
        if not looks_so(table, aim, state, ply):
            return False, own
    return True, own


@kernel
def replay(table: Table, aim: Aim, rng: Stream, tries: i64) -> i64:
    """Try so many times, and keep what agrees with all that was seen; says how many tries there were."""
    state = aim.state
    done = 0
    while done < tries and aim.found < aim.wanted:
        level = aim.levels[pick_level(aim.levels, aim.tries)]
        ply = level.ply
        own = 0
        fits = True
        if level.states == 0:
            table.init(state, rng)
            fits = looks_so(table, aim, state, 0)
        else:
            own = aim.past.take(level.first + turn_of(level, aim.past.heights), state)
        if fits:
            fits, own = play_on(table, aim, ply, own, rng)
        if not fits and ply < aim.ply and aim.calls >= aim.call_limit:
            return done
        if fits and (not aim.present or chooses_now(table, aim, state, own)):
            aim.past.put(aim.first + aim.found, state, own)
            aim.found += 1
            level.hits += 1
        level.tries += 1
        aim.tries += 1
        done += 1
    return done
