"""The nodes between the root and where a search is: how their moves are listed and ordered, and what comes of them."""

from __future__ import annotations

from ludarium.agents.transpositions import AT_LEAST, AT_MOST, EXACT, NO_MOVE, SOLVED, Entry, store
from ludarium.kernel import Record, Table, f64, i32, i64, kernel, u8, u32, u64, view

LEAST = 1e-6
"""An unfinished game is never worth less than this, nor more than one minus this."""

HISTORY = 4096
"""Moves of a role are told apart by so many classes in the history."""

_COUNTED = 2  # plies left: nodes nearer to the horizon say nothing to the history
_SORTED = 3  # plies left: nodes nearer to the horizon cost less than sorting by history


class Frame(Record):
    """A node on the way from the root to where the search is; `place` is the move it is trying."""

    alpha: f64
    beta: f64
    lowest: f64
    highest: f64
    best: f64
    stand: f64
    move: u64
    key: u64
    role: i32
    depth: i32
    count: i32
    next: i32
    horizon: i32
    line: i32
    free: i32
    extra: i32


class Root(Record):
    """A move at the root: what it is worth in this depth, and how many nodes were spent on it so far."""

    move: u64
    value: f64
    nodes: i64


class Search(Record):
    """Where a search is, what it may do, and its settings."""

    ply: i64
    finished: i64
    nodes: i64
    mark: i64
    calls: i64
    call_limit: i64
    deepest: i64
    judging: i64
    room: i64
    me: i64
    best_reply: i64
    hash_move: i64
    killers: i64
    history: i64
    probed: i64
    """Plies left: nodes nearer to the horizon cost less than a look at the table."""
    quiescence: i64
    swing: f64


@kernel
def calls_left(search: Search) -> i64:
    """How many forward calls are left."""
    return search.call_limit - search.calls


@kernel
def open_frame(
    table: Table,
    state: view[u8],
    frames: view[Frame],
    moves: view[u64],
    killers: view[u64],
    history: view[i64],
    search: Search,
    ply: i64,
    role: i64,
    best: u64,
) -> None:
    """List the moves of a node and order them: the best known one, killers, and by history."""
    frame = frames[ply]
    frame.role = role
    frame.best = -1.0 if role == search.me else 2.0
    frame.move = NO_MOVE
    frame.next = 0
    frame.horizon = 0
    frame.line = 0
    frame.extra = -1
    frame.lowest = frame.alpha
    frame.highest = frame.beta
    width = table.max_moves + 1
    listed = moves[ply * width : ply * width + table.max_moves]
    count = table.legal(state, role, listed)
    assert count > 0, "a mover has no legal move"
    search.deepest = max(search.deepest, ply + 1)
    if frame.depth >= _SORTED and search.history == 1:
        spare = moves[(ply + 1) * width : (ply + 1) * width + count]
        sort_by_history(listed[0:count], spare, history[role * HISTORY : (role + 1) * HISTORY])
    front = 0
    if search.hash_move == 1 and best != NO_MOVE:
        front = to_front(listed[0:count], front, best)
    if search.killers == 1:
        if frame.depth == 1:
            swap_to_front(listed[0:count], killers[2 * ply])
        else:
            front = to_front(listed[0:count], front, killers[2 * ply])
            front = to_front(listed[0:count], front, killers[2 * ply + 1])
    if search.best_reply == 1 and role != search.me and frame.free != 0 and frame.free != role + 1:
        count = 1
    frame.count = count


@kernel
def to_front(moves: view[u64], front: i64, move: u64) -> i64:
    """Move a move forward if it is there and not in front already; say how many are in front now."""
    for k in range(front, len(moves)):
        if moves[k] == move:
            for back in range(k - front):
                moves[k - back] = moves[k - back - 1]
            moves[front] = move
            return front + 1
    return front


@kernel
def swap_to_front(moves: view[u64], move: u64) -> None:
    """Exchange a move with the first if it is there; faster where most nodes are, as nothing can be mispredicted."""
    place = 0
    for k in range(len(moves)):
        place = k if moves[k] == move else place
    moved = moves[place]
    moves[place] = moves[0]
    moves[0] = moved


@kernel
def sort_by_history(moves: view[u64], merits: view[u64], history: view[i64]) -> None:
    """Put moves that have refuted others often first; equal ones stay in order."""
    for k in range(len(moves)):
        move = moves[k]
        merit = u64(history[class_of(move)])
        place = k
        while place > 0 and merits[place - 1] < merit:
            moves[place] = moves[place - 1]
            merits[place] = merits[place - 1]
            place -= 1
        moves[place] = move
        merits[place] = merit


@kernel
def class_of(move: u64) -> i64:
    """Give the place of a move in the history."""
    return i64((move * 0x9E3779B97F4A7C15) >> 52)


@kernel
def take_value(
    frames: view[Frame],
    moves: view[u64],
    lines: view[u64],
    killers: view[u64],
    history: view[i64],
    roots: view[Root],
    search: Search,
    ply: i64,
    width: i64,
    value: f64,
    horizon: i64,
    deeper: i64,
) -> None:
    """Give a node the value of the move it has tried; `deeper` is the length of the line that follows."""
    frame = frames[ply]
    mine = frame.role == search.me
    place = frame.next - 1
    if ply == 0:
        roots[place].value = value
        roots[place].nodes += search.nodes - search.mark
        search.mark = search.nodes
    frame.horizon |= horizon
    if (mine and value > frame.best) or (not mine and value < frame.best):
        move = moves[ply * width + place]
        frame.best = value
        frame.move = move
        whole = value >= 1.0 or value <= 0.0  # at the edge of the window a line that leads to it is not inside
        if mine and value > frame.alpha:
            frame.alpha = value
            whole = True
        elif not mine and value < frame.beta:
            frame.beta = value
            whole = True
        room = search.room
        lines[ply * room] = move
        frame.line = 1
        if whole:
            frame.line = 1 + min(deeper, room - 1)
            for k in range(frame.line - 1):
                lines[ply * room + k + 1] = lines[(ply + 1) * room + k]
        if frame.alpha >= frame.beta:
            frame.next = frame.count
            frame.horizon = horizon  # this move alone proves the bound
            if frame.depth >= _COUNTED and search.history == 1:
                history[frame.role * HISTORY + class_of(move)] += frame.depth * frame.depth
            if search.killers == 1 and killers[2 * ply] != move:
                killers[2 * ply + 1] = killers[2 * ply]
                killers[2 * ply] = move


@kernel
def close_frame(entries: view[Entry], tags: view[u32], frame: Frame, search: Search) -> None:
    """Remember what was found out about a node."""
    if frame.depth >= search.probed and len(entries) > 0:
        bound = EXACT
        if frame.best <= frame.lowest:
            bound = AT_MOST
        elif frame.best >= frame.highest:
            bound = AT_LEAST
        store(entries, tags, frame.key, frame.move, frame.best, frame.depth if frame.horizon == 1 else SOLVED, bound)
