"""The kernels that tell a history of a match again: as it was where that is possible, drawn where it is not."""

from __future__ import annotations

from ludarium.hidden.histories.replay_kernels import Story, may_play
from ludarium.kernel import (
    Bundle,
    Stream,
    Table,
    below,
    buffer,
    copy,
    draw,
    f64,
    fn,
    i64,
    kernel,
    u8,
    u64,
    uniform,
    view,
)

_DEAD = 2  # faults per ply that a history does not reach
_SAME = 4  # tries per joint move until one looks right


class Tale(Bundle):
    """A history: for every ply the state before it, what was played, and how it looks beside what was seen."""

    states: view[u8]
    joints: view[u64]
    """The moves of all roles, ply by ply."""
    seeds: view[u64]
    """Where chance comes from, ply by ply."""
    choices: view[i64]
    """How many moves each role could choose among, ply by ply; 0 if it did not choose, and 1 for the role itself."""
    owns: view[i64]
    """The role's own moves before each state."""
    marks: view[u64]
    """How a state looks different from what was seen; 0 if it does not."""
    faults: view[i64]
    """How often that has changed so far."""
    length: i64
    """The plies that were played: fewer than those of the match if it cannot go on."""
    unlike: i64
    """How many moves of the role are others in the end than now."""


class Walk(Bundle):
    """Where a walk is, what it is after, and what it works with."""

    story: Story
    now: Tale
    then: Tale
    deals: view[u8]
    """Some beginnings, as chance makes them."""
    weights: view[f64]
    """How much it is worth to draw a ply anew."""
    exchange: fn[[view[u8], i64, i64, i64], bool]
    """Exchanges what lies in two places of a state that a role cannot tell apart; says whether it did."""
    alike: fn[[view[u8], i64, view[u8], i64], bool]
    """Whether the same lies in a place of a state and in a place of another."""
    arrange: fn[[view[u8], i64, view[u8]], bool]
    """Lets a beginning look to a role as one that it was shown, as far as that can be."""
    spots: i64
    """How many such places there are; 0 if nothing can be exchanged."""
    stream: Stream
    trial: view[u8]
    moves: buffer[u64]
    options: buffer[u64]
    before: buffer[u64]
    """The moves of a role in the present tale, ..."""
    slots: view[i64]
    """... and where their numbers stand, by their keys."""
    counts: view[i64]
    """By role, the options among which a move is drawn; 0 if none is."""
    fresh: view[i64]
    """By role, how many of them it did not have in the present tale: they come first, ..."""
    again: view[f64]
    """... and how likely any other is to be drawn beside one of these."""
    joint: view[u64]
    shown: buffer[u8]
    plies: i64
    """How much of the match is looked at."""
    present: i64
    """How much there is of it."""
    strict: f64
    """How much a fault weighs."""
    chance: bool
    energy: i64
    """The faults of the present history."""
    since: i64
    """Histories that were tried since a state was handed out."""
    tried: i64
    """Joint moves that were tried for the last ply that was drawn."""
    calls: i64
    call_limit: i64


@kernel
def begin_chance(stream: Stream, seed: u64) -> None:
    """Let chance come from a seed."""
    z = seed
    for k in range(4):
        z += 0x9E3779B97F4A7C15
        mixed = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB
        stream.words[k] = mixed ^ (mixed >> 31)


@kernel
def difference(table: Table, walk: Walk, state: view[u8], ply: i64) -> u64:
    """Tell in what a state looks different from what the role saw in that of a ply; 0 if in nothing."""
    story = walk.story
    seen = story.shown[story.ends[ply] : story.ends[ply + 1]]
    shown = walk.shown
    count = table.observe(state, story.role, shown)
    mark = u64(0)
    if count != len(seen):
        mark = u64(count + 1) * 0x9E3779B97F4A7C15
    for k in range(min(count, len(seen))):
        if shown[k] != seen[k]:
            mixed = u64(k * 65536 + i64(shown[k]) * 256 + i64(seen[k]) + 1) * 0xD6E8FEB86659FD93
            mark += (mixed ^ (mixed >> 29)) * 0x94D049BB133111EB
    return mark


@kernel
def unlike_now(table: Table, walk: Walk, state: view[u8], own: i64) -> i64:
    """Count the moves that the role may make in a state but not now, or the other way round; all if it does not choose."""
    role = walk.story.role
    legal = walk.story.legal
    moves = walk.moves
    if own != len(walk.story.played) or (table.movers(state) >> role) & 1 == 0:
        return len(legal) + 1
    count = table.legal(state, role, moves)
    common = 0
    for k in range(min(count, len(legal))):
        if moves[k] == legal[k]:
            common += 1
    if common == count and count == len(legal):
        return 0
    common = 0
    for k in range(count):
        for other in range(len(legal)):
            if moves[k] == legal[other]:
                common += 1
                break
    return count + len(legal) - 2 * common


@kernel
def advance(table: Table, walk: Walk, ply: i64, anew: bool, rng: Stream) -> bool:
    """Play a ply of the tale that is told: as in the present one if that is possible, else drawn; False if it ends before."""
    then = walk.then
    now = walk.now
    size = table.state_size
    roles = table.roles
    joint = walk.joint
    played = walk.story.played
    state = then.states[ply * size : (ply + 1) * size]
    after = then.states[(ply + 1) * size : (ply + 2) * size]
    acting = table.movers(state)
    own = then.owns[ply]
    if acting == 0:
        return False
    keep = not anew and ply < now.length
    for role in range(roles):
        at = ply * roles + role
        joint[role] = 0
        walk.counts[role] = 0
        then.choices[at] = 0
        if (acting >> role) & 1 == 1:
            theirs = walk.options[role * table.max_moves : (role + 1) * table.max_moves]
            if role == walk.story.role:
                if own >= len(played) or not may_play(table, state, role, played[own], theirs):
                    return False
                joint[role] = played[own]
                own += 1
                then.choices[at] = 1
            else:
                count = table.legal(state, role, theirs)
                assert count > 0, "a mover has no legal move"
                walk.counts[role] = count
                walk.fresh[role] = count
                walk.again[role] = 0.0
                then.choices[at] = count
        if keep and (then.choices[at] > 0) != (now.choices[at] > 0):
            keep = False
    if keep:
        for role in range(roles):
            if walk.counts[role] > 0:
                if stays(table, walk, ply, role, rng):
                    joint[role] = now.joints[ply * roles + role]
                    walk.counts[role] = 0
                else:
                    keep = False
    then.owns[ply + 1] = own
    mark = u64(0)
    if keep:
        then.seeds[ply] = now.seeds[ply]
        copy(after, state)
        begin_chance(walk.stream, then.seeds[ply])
        table.apply(after, joint, walk.stream)
        walk.calls += 1
        mark = difference(table, walk, after, ply + 1)
    else:
        tries = 1
        for role in range(roles):
            tries = min(tries * max(1, walk.counts[role]), 4096)
        tries = min(_SAME * tries + (64 if walk.chance else 0), 4096)
        walk.tried = 0
        looks = False
        while walk.tried < tries and not looks:
            for role in range(roles):
                if walk.counts[role] > 0:
                    joint[role] = walk.options[role * table.max_moves + pick(walk, role, rng)]
            then.seeds[ply] = draw(rng)
            copy(after, state)
            begin_chance(walk.stream, then.seeds[ply])
            table.apply(after, joint, walk.stream)
            walk.calls += 1
            walk.tried += 1
            mark = difference(table, walk, after, ply + 1)
            looks = mark == 0 or mark == then.marks[ply]
    for role in range(roles):
        then.joints[ply * roles + role] = joint[role]
    then.marks[ply + 1] = mark
    then.faults[ply + 1] = then.faults[ply] + (1 if mark != 0 and mark != then.marks[ply] else 0)
    return True


@kernel
def stays(table: Table, walk: Walk, ply: i64, role: i64, rng: Stream) -> bool:
    """Whether a role's move in the present tale is kept; if not, its options are made ready for `pick`.

    Choices among the moves there and among those here are made together, each of them uniform and as often the same as can be
    (a maximal coupling): so to come back is as likely as to go, and nothing has to be weighed.
    """
    now = walk.now
    size = table.state_size
    before = walk.before
    theirs = walk.options[role * table.max_moves : (role + 1) * table.max_moves]
    count = walk.counts[role]
    old = now.choices[ply * table.roles + role]
    move = now.joints[ply * table.roles + role]
    legal = False
    for k in range(count):
        if theirs[k] == move:
            legal = True
            break
    if legal and (count <= old or uniform(rng) * f64(count) < f64(old)):
        return True
    old = table.legal(now.states[ply * size : (ply + 1) * size], role, before)
    slots = walk.slots
    last = len(slots) - 1
    for k in range(len(slots)):
        slots[k] = 0
    for k in range(old):
        place = i64((before[k] * 0x9E3779B97F4A7C15) >> 40) & last
        while slots[place] != 0:
            place = (place + 1) & last
        slots[place] = k + 1
    first = 0
    for k in range(count):
        option = theirs[k]
        place = i64((option * 0x9E3779B97F4A7C15) >> 40) & last
        while slots[place] != 0 and before[slots[place] - 1] != option:
            place = (place + 1) & last
        if slots[place] == 0:
            theirs[k] = theirs[first]
            theirs[first] = option
            first += 1
    walk.fresh[role] = first
    walk.again[role] = max(0.0, 1.0 - f64(count) / f64(old))
    return False


@kernel
def pick(walk: Walk, role: i64, rng: Stream) -> i64:
    """Draw an option of a role by its place."""
    count = walk.counts[role]
    first = walk.fresh[role]
    if first < count and uniform(rng) * (f64(first) + f64(count - first) * walk.again[role]) >= f64(first):
        return first + below(rng, count - first)
    return below(rng, first)


@kernel
def begin_at(table: Table, walk: Walk, ply: i64) -> None:
    """Let the tale that is told begin as the present one does, up to the state before a ply."""
    now = walk.now
    then = walk.then
    first = ply * table.state_size
    last = first + table.state_size
    copy(then.states[first:last], now.states[first:last])
    then.owns[ply] = now.owns[ply]
    then.marks[ply] = now.marks[ply]
    then.faults[ply] = now.faults[ply]


@kernel
def begin_anew(walk: Walk) -> None:
    """Note that nothing has happened yet in the tale that is told."""
    walk.then.owns[0] = 0
    walk.then.marks[0] = 0
    walk.then.faults[0] = 0


@kernel
def energy_of(walk: Walk, tale: Tale) -> i64:
    """Count what is wrong with a history."""
    if tale.length < walk.plies:
        return tale.faults[tale.length] + _DEAD * (walk.plies - tale.length) + 1
    return tale.faults[tale.length] + tale.unlike


@kernel
def tell(table: Table, walk: Walk, begin: i64, anew: i64, most: f64, rng: Stream) -> bool:
    """Play the tale that is told on from a ply, up to the present; False if it has more faults than wanted before that."""
    then = walk.then
    size = table.state_size
    ply = begin
    then.unlike = 0
    going = True
    while going and ply < walk.plies:
        going = advance(table, walk, ply, ply == anew, rng)
        if going:
            ply += 1
            if f64(then.faults[ply]) > most:
                return False
    then.length = ply
    if ply == walk.present:
        then.unlike = unlike_now(table, walk, then.states[ply * size : (ply + 1) * size], then.owns[ply])
    return True


@kernel
def settle(table: Table, walk: Walk, begin: i64) -> None:
    """Let the tale that was told from a ply on be the present one."""
    size = table.state_size
    roles = table.roles
    now = walk.now
    then = walk.then
    first = begin * size
    last = (then.length + 1) * size
    copy(now.states[first:last], then.states[first:last])
    for ply in range(begin, then.length):
        for role in range(roles):
            now.joints[ply * roles + role] = then.joints[ply * roles + role]
            now.choices[ply * roles + role] = then.choices[ply * roles + role]
        now.seeds[ply] = then.seeds[ply]
    for ply in range(begin, then.length + 1):
        now.owns[ply] = then.owns[ply]
        now.marks[ply] = then.marks[ply]
        now.faults[ply] = then.faults[ply]
    now.length = then.length
    now.unlike = then.unlike
    walk.energy = energy_of(walk, now)
