"""The kernels that walk from one history of a match to another: something hidden is drawn anew, the rest is played again."""

from __future__ import annotations

from ludarium.hidden.histories.tale_kernels import (
    Walk,
    advance,
    begin_anew,
    begin_at,
    begin_chance,
    difference,
    energy_of,
    settle,
    tell,
    unlike_now,
)
from ludarium.kernel import (
    Stream,
    Table,
    below,
    copy,
    draw,
    f64,
    i64,
    kernel,
    log,
    u8,
    uniform,
    view,
)

_OFTEN = 32  # one choice of a ply in so many is not guided by how well others went
_ROUND = 3  # one exchange in so many is followed by another


@kernel
def start(table: Table, walk: Walk, rng: Stream, tries: i64) -> bool:
    """Draw a beginning that looks right; False if none was found."""
    then = walk.then
    for _ in range(tries):
        then.seeds[0] = draw(rng)
        begin_chance(walk.stream, then.seeds[0])
        table.init(then.states[0 : table.state_size], walk.stream)
        arrange(walk, then.states[0 : table.state_size])
        if difference(table, walk, then.states[0 : table.state_size], 0) == 0:
            begin_anew(walk)
            then.length = 0
            then.unlike = 0
            settle(table, walk, 0)
            return True
    return False


@kernel
def arrange(walk: Walk, state: view[u8]) -> None:
    """Let a beginning look as the first state did, if the game knows how."""
    story = walk.story
    walk.arrange(state, story.role, story.shown[story.ends[0] : story.ends[1]])


@kernel
def extend(table: Table, walk: Walk, rng: Stream) -> None:
    """Go on with the present history up to the ply that is looked at, and note what it is worth to draw plies anew."""
    then = walk.then
    size = table.state_size
    begin = walk.now.length
    begin_at(table, walk, begin)
    then.unlike = 0
    ply = begin
    while ply < walk.plies and advance(table, walk, ply, ply >= begin, rng):
        walk.weights[ply] = 1.0 / f64(walk.tried)
        ways = 1
        for role in range(table.roles):
            ways *= max(1, walk.counts[role])
        if ways == 1 and not depends(table, walk, ply, rng):
            walk.weights[ply] = 0.0
        ply += 1
    then.length = ply
    if ply == walk.present:
        then.unlike = unlike_now(table, walk, then.states[ply * size : (ply + 1) * size], then.owns[ply])
    settle(table, walk, begin)


@kernel
def depends(table: Table, walk: Walk, ply: i64, rng: Stream) -> bool:
    """Whether chance has a say in what comes after a ply, as far as some draws show."""
    size = table.state_size
    trial = walk.trial
    if not walk.chance:
        return False
    for _ in range(4):
        copy(trial, walk.then.states[ply * size : (ply + 1) * size])
        begin_chance(walk.stream, draw(rng))
        table.apply(trial, walk.joint, walk.stream)
        walk.calls += 1
        for k in range(size):
            if trial[k] != walk.then.states[(ply + 1) * size + k]:
                return True
    return False


@kernel
def choose_ply(walk: Walk, rng: Stream) -> i64:
    """Choose a ply to be drawn anew; -1 for the beginning."""
    length = walk.plies  # whether or not the history reaches them all: to come back has to be as likely
    if below(rng, _OFTEN) == 0:
        return below(rng, length + 1) - 1
    total = 0.0
    for ply in range(length):
        total += walk.weights[ply]
    goal = uniform(rng) * (total + (1.0 if walk.chance else 0.0))
    for ply in range(length):
        goal -= walk.weights[ply]
        if goal < 0.0:
            return ply
    return -1


@kernel
def deal_otherwise(table: Table, walk: Walk, rng: Stream) -> bool:
    """Begin in another way that looks the same: two hidden places exchanged, or all drawn anew; False if it does not."""
    state = walk.then.states[0 : table.state_size]
    if not walk.chance:
        return False
    if walk.spots > 0 and below(rng, _OFTEN) > 0:
        copy(state, walk.now.states[0 : table.state_size])
        a = below(rng, walk.spots)
        more = True
        while more:  # in a circle if one exchange would only lead to another fault
            b = below(rng, walk.spots)
            if not walk.exchange(state, walk.story.role, a, b):
                return False
            if not (dealt_there(table, walk, state, a) and dealt_there(table, walk, state, b)):
                return False
            more = below(rng, _ROUND) == 0
            if below(rng, 2) == 0:
                a = b
    else:
        begin_chance(walk.stream, draw(rng))
        table.init(state, walk.stream)
        arrange(walk, state)
    return difference(table, walk, state, 0) == 0


@kernel
def dealt_there(table: Table, walk: Walk, state: view[u8], place: i64) -> bool:
    """Whether chance has put there, in one of some beginnings, what lies there now."""
    size = table.state_size
    for k in range(len(walk.deals) // size):
        if walk.alike(state, place, walk.deals[k * size : (k + 1) * size], place):
            return True
    return False


@kernel
def propose(table: Table, walk: Walk, rng: Stream) -> bool:
    """Draw something anew, play the rest again, and go there if that is about as good; says whether it went."""
    anew = choose_ply(walk, rng)
    begin = max(0, anew)
    if anew >= walk.now.length:
        return False
    if anew < 0:
        if not deal_otherwise(table, walk, rng):
            return False
        begin_anew(walk)
    else:
        begin_at(table, walk, begin)
    slack = -log(1.0 - uniform(rng)) / walk.strict
    if not tell(table, walk, begin, anew, f64(walk.energy) + slack, rng):
        return False
    if f64(energy_of(walk, walk.then) - walk.energy) > slack:
        return False
    settle(table, walk, begin)
    return True


@kernel
def roam(table: Table, walk: Walk, rng: Stream, steps: i64, gap: i64) -> i64:
    """Go up to so many steps, until a history without fault is reached at least `gap` steps after the last; counts steps."""
    done = 0
    while done < steps and walk.calls < walk.call_limit and not (walk.since >= gap and walk.energy == 0):
        propose(table, walk, rng)
        walk.since += 1
        done += 1
    return done
