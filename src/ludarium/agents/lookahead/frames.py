"""The nodes between the root and where a search is: how their moves are listed and ordered, and what comes of them."""

from __future__ import annotations

from ludarium.agents.lookahead.transpositions import AT_LEAST, AT_MOST, EXACT, NO_MOVE, SOLVED, Entry, store
from ludarium.kernel import Bundle, Record, Table, f64, i32, i64, kernel, u8, u32, u64, view

LEAST = 1e-6
"""An unfinished game is never worth less than this, nor more than one minus this."""

HISTORY = 4096
"""Moves of a role are told apart by so many classes in the history."""

_COUNTED = 2  # plies left: nodes nearer to the horizon say nothing to the history
_SORTED = 3  # plies left: nodes nearer to the horizon cost less than sorting by history


class Frame(Record):
    """A node on the way from the root to where the search is."""

    alpha: f64
    beta: f64
    lowest: f64
    highest: f64
    best: f64
    stand: f64
    """What the state was judged to be worth, beyond the horizon."""
    move: u64
    key: u64
    role: i32
    depth: i32
    count: i32
    next: i32
    """The move that is tried next; the one before it is tried now."""
    line: i32
    free: i32
    """In best-reply search: one more than the role that chooses freely before the searching one moves again; else 0."""
    extra: i32
    horizon: bool
    """Whether its value depends on an evaluation."""


class Root(Record):
    """A move at the root: what it is worth in this depth, and how many nodes were spent on it so far."""

    move: u64
    value: f64
    nodes: i64


class Options(Record):
    """What a search may do, as the parameters of its agent say."""

    swing: f64
    quiescence: i64
    hash_move: bool
    killers: bool
    history: bool
    best_reply: bool


class Lookahead(Bundle):
    """A search that looks ahead: where it is, what it has found out, and what it may do."""

    options: Options
    states: view[u8]
    """A state per ply."""
    frames: view[Frame]
    moves: view[u64]
    """Per ply, room for `width` moves."""
    lines: view[u64]
    """Per ply, the play that is expected from there on, of `room` moves at most."""
    killers: view[u64]
    """Per ply, the last two moves that refuted something there."""
    history: view[i64]
    """Per role and class of moves, how much they have refuted anywhere."""
    entries: view[Entry]
    tags: view[u32]
    roots: view[Root]
    joint: view[u64]
    values: view[f64]
    """Room for a value per role, and in Max^n then what each ply is worth to each role."""
    judging: Bundle
    me: i64
    width: i64
    room: i64
    ply: i64
    deepest: i64
    nodes: i64
    mark: i64
    """The nodes there were when the root's last move was finished."""
    calls: i64
    call_limit: i64
    reserve: i64
    """The most forward calls that judging a state can take."""
    probed: i64
    """Plies left: nodes nearer to the horizon cost less than a look at the table."""
    finished: bool

    @kernel
    def calls_left(self: Lookahead) -> i64:
        """How many forward calls are left."""
        return self.call_limit - self.calls


@kernel
def open_frame(table: Table, ahead: Lookahead, ply: i64, role: i64, best: u64) -> None:
    """List the moves of a node and order them: the best known one, killers, and by history."""
    options = ahead.options
    killers = ahead.killers
    frame = ahead.frames[ply]
    frame.role = role
    frame.best = -1.0 if role == ahead.me else 2.0
    frame.move = NO_MOVE
    frame.next = 0
    frame.horizon = False
    frame.line = 0
    frame.extra = -1
    frame.lowest = frame.alpha
    frame.highest = frame.beta
    width = ahead.width
    size = table.state_size
    listed = ahead.moves[ply * width : (ply + 1) * width - 1]
    count = table.legal(ahead.states[ply * size : (ply + 1) * size], role, listed)
    assert count > 0, "a mover has no legal move"
    ahead.deepest = max(ahead.deepest, ply + 1)
    if frame.depth >= _SORTED and options.history:
        spare = ahead.moves[(ply + 1) * width : (ply + 1) * width + count]
        sort_by_history(listed[0:count], spare, ahead.history[role * HISTORY : (role + 1) * HISTORY])
    front = 0
    if options.hash_move and best != NO_MOVE:
        front = to_front(listed[0:count], front, best)
    if options.killers:
        if frame.depth == 1:
            swap_to_front(listed[0:count], killers[2 * ply])
        else:
            front = to_front(listed[0:count], front, killers[2 * ply])
            front = to_front(listed[0:count], front, killers[2 * ply + 1])
    if options.best_reply and role != ahead.me and frame.free != 0 and frame.free != role + 1:
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
def take_value(ahead: Lookahead, ply: i64, value: f64, horizon: bool, deeper: i64) -> None:
    """Give a node the value of the move it has tried; `deeper` is the length of the line that follows."""
    frame = ahead.frames[ply]
    killers = ahead.killers
    mine = frame.role == ahead.me
    place = frame.next - 1
    if ply == 0:
        note_root(ahead, place, value)
    frame.horizon = frame.horizon or horizon
    if (mine and value > frame.best) or (not mine and value < frame.best):
        move = ahead.moves[ply * ahead.width + place]
        frame.best = value
        frame.move = move
        whole = value >= 1.0 or value <= 0.0  # at the edge of the window a line that leads to it is not inside
        if mine and value > frame.alpha:
            frame.alpha = value
            whole = True
        elif not mine and value < frame.beta:
            frame.beta = value
            whole = True
        write_line(ahead, ply, deeper if whole else 0)
        if frame.alpha >= frame.beta:
            frame.next = frame.count
            frame.horizon = horizon  # this move alone proves the bound
            if frame.depth >= _COUNTED and ahead.options.history:
                ahead.history[frame.role * HISTORY + class_of(move)] += frame.depth * frame.depth
            if ahead.options.killers and killers[2 * ply] != move:
                killers[2 * ply + 1] = killers[2 * ply]
                killers[2 * ply] = move


@kernel
def note_root(ahead: Lookahead, place: i64, value: f64) -> None:
    """Tell of a move at the root what it is worth, and what it took to find out."""
    root = ahead.roots[place]
    root.value = value
    root.nodes += ahead.nodes - ahead.mark
    ahead.mark = ahead.nodes


@kernel
def write_line(ahead: Lookahead, ply: i64, deeper: i64) -> None:
    """Write down the best move of a node, and so many of those that are expected after it."""
    frame = ahead.frames[ply]
    lines = ahead.lines
    room = ahead.room
    lines[ply * room] = frame.move
    frame.line = 1 + min(deeper, room - 1)
    for k in range(frame.line - 1):
        lines[ply * room + k + 1] = lines[(ply + 1) * room + k]


@kernel
def close_frame(ahead: Lookahead, frame: Frame) -> None:
    """Remember what was found out about a node."""
    if frame.depth >= ahead.probed and len(ahead.entries) > 0:
        bound = EXACT
        if frame.best <= frame.lowest:
            bound = AT_MOST
        elif frame.best >= frame.highest:
            bound = AT_LEAST
        depth = frame.depth if frame.horizon else SOLVED
        store(ahead.entries, ahead.tags, frame.key, frame.move, frame.best, depth, bound)
