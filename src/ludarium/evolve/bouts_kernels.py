"""Whole matches between players that look a few plies ahead and judge by networks: states and networks in flat memory.

A player tries its moves, judges what they lead to, and plays the best; of equals, any. It judges an end by its utilities and
everything else by its network, or by a number drawn at random (the paper's random heuristic, which knows the goals, too). Farther
ahead it searches by alpha-beta, as if all others were against it. Where several roles move at once, the others' moves are drawn,
and a move counts what it is worth on average.
"""

from __future__ import annotations

from ludarium.evaluate.evolved.evaluator import fair
from ludarium.evaluate.evolved.inputs_kernels import Inputs, look
from ludarium.evaluate.evolved.network_kernels import Networks, activate
from ludarium.evaluate.own import EDGE
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
    i32,
    i64,
    kernel,
    recast,
    u8,
    u64,
    uniform,
    view,
)

RANDOM = -1
"""The number of a player that judges at random."""


class Frame(Record):
    """A ply of the search: who chooses, how far through its moves it is, and what is known."""

    alpha: f64
    beta: f64
    best: f64
    acting: i64
    mover: i64
    count: i64
    place: i64


class Ring(Bundle):
    """Who plays whom, what came of it, and room to play in."""

    inputs: Inputs
    networks: Networks
    players: view[i32]
    """Per bout the network of each role, or `RANDOM`."""
    seeds: view[u64]
    out: view[f64]
    """Per bout the utilities of each role."""
    lengths: view[i32]
    states: view[u8]
    """The present state, then one for each ply ahead."""
    chosen: view[u64]
    """The moves that are to be made."""
    joint: view[u64]
    moves: buffer[u64]
    """A list of moves for each ply."""
    others: buffer[u64]
    values: view[f64]
    frames: view[Frame]
    known: view[u64]
    """States of this match without counters, as hashes, where cycles are avoided."""
    kept: view[u64]
    """Per word of a state, the bits by which states are known again; empty where cycles are not avoided."""
    rng: Stream
    depth: i64
    samples: i64
    """How often a move is tried where others move at once."""
    limit: i64
    """Plies after which a match is a draw."""


@kernel
def sow(rng: Stream, seed: u64) -> None:
    """Begin a stream from a seed, as `Rng(seed)` does."""
    state = seed
    for k in range(4):
        state += 0x9E3779B97F4A7C15
        word = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB
        rng.words[k] = word ^ (word >> 31)


@kernel
def draw_others(table: Table, ring: Ring, state: view[u8], acting: i64, but: i64) -> None:
    """Draw a move for everybody who moves, other than one role."""
    for role in range(table.roles):
        ring.joint[role] = 0
        if role != but and (acting >> role) & 1 == 1:
            count = table.legal(state, role, ring.others)
            assert count > 0, "a mover has no legal move"
            ring.joint[role] = ring.others[below(ring.rng, count)]


@kernel
def judged(table: Table, ring: Ring, state: view[u8], acting: i64, player: i64) -> f64:
    """Judge a state that is not the end."""
    if player == RANDOM:
        return fair(uniform(ring.rng))
    look(table, state, acting, ring.inputs, ring.networks.values)
    return fair(activate(ring.networks, player))


@kernel
def step(table: Table, ring: Ring, ply: i64, move: u64) -> None:
    """Make a move of the mover of a ply; others who move there, too, draw theirs."""
    size = table.state_size
    frame = ring.frames[ply]
    state = ring.states[ply * size : (ply + 1) * size]
    child = ring.states[(ply + 1) * size : (ply + 2) * size]
    copy(child, state)
    draw_others(table, ring, state, frame.acting, frame.mover)
    ring.joint[frame.mover] = move
    table.apply(child, ring.joint, ring.rng)


@kernel
def enter(table: Table, ring: Ring, ply: i64, acting: i64, me: i64) -> None:
    """Open a ply: list the moves of a role itself if it moves, else of the first of the others who do."""
    size = table.state_size
    frame = ring.frames[ply]
    above = ring.frames[ply - 1]
    frame.acting = acting
    frame.mover = me if (acting >> me) & 1 == 1 else ctz(acting)
    width = table.max_moves
    frame.count = table.legal(
        ring.states[ply * size : (ply + 1) * size], frame.mover, ring.moves[ply * width : (ply + 1) * width]
    )
    assert frame.count > 0, "a mover has no legal move"
    frame.place = 0
    frame.best = -1.0 if frame.mover == me else 2.0
    frame.alpha = above.alpha
    frame.beta = above.beta


@kernel
def take(ring: Ring, ply: i64, value: f64, me: i64) -> None:
    """Take what a move is worth into a ply; if nothing more can matter, no more moves are tried."""
    frame = ring.frames[ply]
    if frame.mover == me:
        frame.best = max(frame.best, value)
        frame.alpha = max(frame.alpha, value)
    else:
        frame.best = min(frame.best, value)
        frame.beta = min(frame.beta, value)
    if frame.alpha >= frame.beta:
        frame.place = frame.count


@kernel
def worth(table: Table, ring: Ring, me: i64, player: i64) -> f64:
    """Say what the state of ply 1 is worth to a role, looking as far ahead as is left."""
    size = table.state_size
    ply = 1
    while True:
        state = ring.states[ply * size : (ply + 1) * size]
        acting = table.movers(state)
        value = 0.0
        closed = True
        if acting == 0:
            table.utilities(state, ring.values)
            value = ring.values[me]
        elif ply >= ring.depth:
            value = judged(table, ring, state, acting, player)
        else:
            enter(table, ring, ply, acting, me)
            closed = False
        if closed:
            ply -= 1
            if ply == 0:
                return value
            take(ring, ply, value, me)
        frame = ring.frames[ply]
        while frame.place >= frame.count:
            value = frame.best
            ply -= 1
            if ply == 0:
                return value
            take(ring, ply, value, me)
            frame = ring.frames[ply]
        move = ring.moves[ply * table.max_moves + frame.place]
        frame.place += 1
        step(table, ring, ply, move)
        ply += 1


@kernel
def mark_of(ring: Ring, state: view[u8]) -> u64:
    """Mix what a state is, without counters, into 64 bits."""
    words = recast(u64, state)
    mixed = u64(0x9E3779B97F4A7C15)
    for k in range(len(ring.kept)):
        mixed = (mixed ^ (words[k] & ring.kept[k])) * 0xD6E8FEB86659FD93
        mixed ^= mixed >> 32
    return mixed


@kernel
def is_known(ring: Ring, mark: u64, plies: i64) -> bool:
    """Whether a state has been there in this match."""
    for k in range(plies):
        if ring.known[k] == mark:
            return True
    return False


@kernel
def choose(table: Table, ring: Ring, role: i64, player: i64, acting: i64, plies: i64) -> u64:
    """Find the best move of a role in the present state."""
    size = table.state_size
    root = ring.frames[0]
    root.acting = acting
    root.mover = role
    count = table.legal(ring.states[0:size], role, ring.moves[0 : table.max_moves])
    assert count > 0, "a mover has no legal move"
    if count == 1:
        return ring.moves[0]
    samples = ring.samples if acting & (acting - 1) != 0 else 1
    best = -1.0
    ties = 0
    chosen = u64(0)
    root.beta = 2.0
    for k in range(count):
        total = 0.0
        # What is as good as the best must be known exactly, and averages need every sample.
        root.alpha = best - EDGE * EDGE if samples == 1 else -1.0
        for _ in range(samples):
            step(table, ring, 0, ring.moves[k])
            value = worth(table, ring, role, player)
            if len(ring.kept) > 0 and value > 0.0 and value < 1.0:
                if is_known(ring, mark_of(ring, ring.states[size : 2 * size]), plies):
                    value *= EDGE
            total += value
        total /= f64(samples)
        if total > best:
            best = total
            ties = 0
        if total == best:
            ties += 1
            if ties == 1 or below(ring.rng, ties) == 0:
                chosen = ring.moves[k]
    return chosen


@kernel
def play_bouts(table: Table, ring: Ring, first: i64, end: i64) -> i64:
    """Play matches, each from a seed of its own, and count their plies."""
    size = table.state_size
    roles = table.roles
    state = ring.states[0:size]
    total = 0
    for bout in range(first, end):
        sow(ring.rng, ring.seeds[bout])
        out = ring.out[bout * roles : (bout + 1) * roles]
        table.init(state, ring.rng)
        plies = 0
        acting = table.movers(state)
        while acting != 0 and plies < ring.limit:
            if len(ring.kept) > 0:
                ring.known[plies] = mark_of(ring, state)
            for role in range(roles):
                ring.chosen[role] = 0
                if (acting >> role) & 1 == 1:
                    ring.chosen[role] = choose(
                        table, ring, role, i64(ring.players[bout * roles + role]), acting, plies + 1
                    )
            table.apply(state, ring.chosen, ring.rng)
            plies += 1
            acting = table.movers(state)
        if acting == 0:
            table.utilities(state, out)
        else:
            for role in range(roles):
                out[role] = 0.5
        ring.lengths[bout] = plies
        total += plies
    return total
