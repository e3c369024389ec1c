"""The kernels that count in how many ways hidden pieces can agree with what was seen.

The ways of a piece are sorted by the covered cells ("hits") that they hold. How many combinations of such classes hold
every hit exactly once is counted from the last piece to the first, so that a combination can be drawn as often as it
has members. `laying` draws from what is counted here.
"""

from __future__ import annotations

from ludarium.core.hidden import NOT_WHOLE
from ludarium.hidden.declarations.declared_kernels import Making
from ludarium.kernel import Bundle, Record, array, f64, i64, kernel, popcount, u64, view

PIECES = 16
"""The most pieces."""

CELLS = 128
"""The most cells."""


class Known(Record):
    """What a role knows of the pieces: cells that are covered, cells that are not, and the ways of some pieces."""

    covered = array(u64, 2)
    clear = array(u64, 2)
    announced = array(i64, PIECES)


class Ways(Record):
    """Static facts of a piece: where its ways begin and end, its size, the fewest ways that others can leave to it."""

    first: i64
    end: i64
    cells: i64
    least: f64


class Group(Record):
    """Ways of a piece that hold the same hits: a run of the order."""

    hits: u64
    first: i64
    count: i64


class Layouts(Bundle):
    """The ways to lay the pieces, how many of them agree with what is known, and how far drawing is."""

    making: Making
    known: Known
    pieces: view[Ways]
    low: view[u64]
    """Per way of a piece, the cells that it covers: those below 64, ..."""
    high: view[u64]
    """... and those from there on."""
    number: view[i64]
    """What the game calls a way."""
    order: view[i64]
    """The ways that agree, group by group."""
    groups: view[Group]
    ends: view[i64]
    """Where the groups of each piece end."""
    which: view[i64]
    slots: view[i64]
    keys: view[u64]
    counts: view[f64]
    """Per piece and set of hits (in `keys`, looked up by `slots`), how often it and those after it hold them."""
    sizes: view[i64]
    stack: view[i64]
    """While layouts are listed: per piece the number of its next way, then the ways chosen so far."""
    occupied: view[u64]
    """Meanwhile: the cells of the pieces before each piece, in two words."""
    chosen: view[i64]
    """The layouts listed, a way for each piece."""
    heights: view[f64]
    """The sums of the weights up to each of them."""
    heat: view[f64]
    tally: view[i64]
    """How often cells were covered; empty if nobody wants to know."""
    count: i64
    """How many pieces there are."""
    hits: u64
    combinations: f64
    capacity: i64
    """Sets of hits per piece that there is room for."""
    tries: i64
    try_limit: i64
    laid: i64
    found: i64
    listed: i64
    """Layouts in the list, once it is complete."""
    entries: i64
    depth: i64
    heated: bool
    bound: f64
    all_weights: f64


@kernel
def survey(layouts: Layouts) -> None:
    """Bound how many ways the pieces laid before leave to a piece."""
    pieces = layouts.pieces
    low = layouts.low
    high = layouts.high
    for piece in range(len(pieces)):
        own = pieces[piece]
        own.cells = popcount(low[own.first]) + popcount(high[own.first])
        blocked = 0
        for before in range(piece):
            most = 0
            for way in range(pieces[before].first, pieces[before].end):
                most = max(most, own.end - own.first - free(layouts, own, low[way], high[way]))
            blocked += most
        own.least = f64(max(1, own.end - own.first - blocked))


@kernel
def free(layouts: Layouts, piece: Ways, a: u64, b: u64) -> i64:
    """Count the ways of a piece that touch none of these cells."""
    count = 0
    for way in range(piece.first, piece.end):
        if (layouts.low[way] & a) | (layouts.high[way] & b) == 0:
            count += 1
    return count


@kernel
def numbered(known: Known, a: u64, b: u64) -> u64:
    """Turn cells that are hit into the numbers of the hits."""
    found = u64(0)
    before = popcount(known.covered[0])
    a &= known.covered[0]
    while a != 0:
        found |= u64(1) << popcount(known.covered[0] & ((a & (0 - a)) - 1))
        a &= a - 1
    b &= known.covered[1]
    while b != 0:
        found |= u64(1) << (before + popcount(known.covered[1] & ((b & (0 - b)) - 1)))
        b &= b - 1
    return found


@kernel
def sort_ways(layouts: Layouts) -> None:
    """Sort the ways that agree with what is known, piece by piece, into groups that hold the same hits."""
    known = layouts.known
    low = layouts.low
    high = layouts.high
    groups = layouts.groups
    which = layouts.which
    hits = popcount(known.covered[0]) + popcount(known.covered[1])
    layouts.hits = ~u64(0) if hits == 64 else (u64(1) << hits) - 1
    made = 0
    for piece in range(layouts.count):
        own = layouts.pieces[piece]
        begin = made
        for way in range(own.first, own.end):
            which[way] = -1
            announced = known.announced[piece]
            whole = (low[way] & ~known.covered[0]) | (high[way] & ~known.covered[1]) == 0
            fits = announced < 0 or layouts.number[way] == announced
            if announced == NOT_WHOLE and whole:
                fits = False
            if fits and (low[way] & known.clear[0]) | (high[way] & known.clear[1]) == 0:
                held = numbered(known, low[way], high[way])
                group = begin
                while group < made and groups[group].hits != held:
                    group += 1
                if group == made:
                    groups[made].hits = held
                    groups[made].count = 0
                    made += 1
                groups[group].count += 1
                which[way] = group
        layouts.ends[piece] = made
        place = own.first
        for group in range(begin, made):
            groups[group].first = place
            place += groups[group].count
            groups[group].count = 0
        for way in range(own.first, own.end):
            if which[way] >= 0:
                mine = groups[which[way]]
                layouts.order[mine.first + mine.count] = way
                mine.count += 1


@kernel
def slot_of(layouts: Layouts, level: i64, key: u64) -> i64:
    """Find where the number of an entry stands, or where it would."""
    slots = layouts.slots
    capacity = layouts.capacity
    size = 2 * capacity
    at = i64((key * 0x9E3779B97F4A7C15) >> 33) & (size - 1)
    while slots[level * size + at] != 0 and layouts.keys[level * capacity + slots[level * size + at] - 1] != key:
        at = (at + 1) & (size - 1)
    return level * size + at


@kernel
def count_combinations(layouts: Layouts) -> bool:
    """Count, per piece and set of hits, how often this piece and those after it hold exactly these; False if room is short.

    Level k belongs to the pieces from k on; only sets whose rest the pieces before could hold are kept.
    """
    groups = layouts.groups
    slots = layouts.slots
    keys = layouts.keys
    counts = layouts.counts
    sizes = layouts.sizes
    capacity = layouts.capacity
    for k in range(len(slots)):
        slots[k] = 0
    level = layouts.count
    sizes[level] = 1
    keys[level * capacity] = 0
    counts[level * capacity] = 1.0
    slots[slot_of(layouts, level, u64(0))] = 1
    before = 0
    for piece in range(layouts.count):
        before += layouts.pieces[piece].cells
    while level > 0:
        level -= 1
        before -= layouts.pieces[level].cells
        sizes[level] = 0
        first = layouts.ends[level - 1] if level > 0 else 0
        for entry in range(sizes[level + 1]):
            held = keys[(level + 1) * capacity + entry]
            count = counts[(level + 1) * capacity + entry]
            for group in range(first, layouts.ends[level]):
                key = held | groups[group].hits
                if held & groups[group].hits == 0 and popcount(layouts.hits & ~key) <= before:
                    at = slot_of(layouts, level, key)
                    if slots[at] == 0:
                        if sizes[level] == capacity:
                            return False
                        keys[level * capacity + sizes[level]] = key
                        counts[level * capacity + sizes[level]] = 0.0
                        sizes[level] += 1
                        slots[at] = sizes[level]
                    counts[level * capacity + slots[at] - 1] += count * groups[group].count
    layouts.combinations = counted(layouts, 0, layouts.hits)
    return True


@kernel
def counted(layouts: Layouts, level: i64, key: u64) -> f64:
    """Look up how often the pieces from a level on hold exactly these hits."""
    entry = layouts.slots[slot_of(layouts, level, key)]
    return 0.0 if entry == 0 else layouts.counts[level * layouts.capacity + entry - 1]
