"""The kernels that count in how many ways hidden pieces can agree with what was seen.

The ways of a piece are sorted by the covered cells ("hits") that they hold. How many combinations of such classes hold
every hit exactly once is counted from the last piece to the first, so that a combination can be drawn as often as it
has members. `laying` draws from what is counted here.
"""

from __future__ import annotations

from ludarium.core.hidden import NOT_WHOLE
from ludarium.kernel import (
    Record,
    array,
    f64,
    fn,
    i64,
    kernel,
    popcount,
    u8,
    u64,
    view,
)

PIECES = 16
"""The most pieces."""

CELLS = 128
"""The most cells."""


class Filling(Record):
    """How a game puts what was drawn into its state."""

    fill: fn[[view[u8], i64, view[i64]], None]


class Plan(Record):
    """What is known of the pieces, and how far drawing is."""

    covered = array(u64, 2)
    clear = array(u64, 2)
    told = array(i64, PIECES)
    pieces: i64
    role: i64
    hits: u64
    combinations: f64
    capacity: i64
    tries: i64
    try_limit: i64
    laid: i64
    found: i64
    listed: i64
    entries: i64
    depth: i64
    heated: i64
    bound: f64
    all_weights: f64


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


@kernel
def survey(pieces: view[Ways], low: view[u64], high: view[u64]) -> None:
    """Bound how many ways the pieces laid before leave to a piece."""
    for piece in range(len(pieces)):
        own = pieces[piece]
        own.cells = popcount(low[own.first]) + popcount(high[own.first])
        blocked = 0
        for before in range(piece):
            most = 0
            for way in range(pieces[before].first, pieces[before].end):
                most = max(most, own.end - own.first - free(own, low, high, low[way], high[way]))
            blocked += most
        own.least = f64(max(1, own.end - own.first - blocked))


@kernel
def free(piece: Ways, low: view[u64], high: view[u64], a: u64, b: u64) -> i64:
    """Count the ways of a piece that touch none of these cells."""
    count = 0
    for way in range(piece.first, piece.end):
        if (low[way] & a) | (high[way] & b) == 0:
            count += 1
    return count


@kernel
def numbered(plan: Plan, a: u64, b: u64) -> u64:
    """Turn cells that are hit into the numbers of the hits."""
    found = u64(0)
    before = popcount(plan.covered[0])
    a &= plan.covered[0]
    while a != 0:
        found |= u64(1) << popcount(plan.covered[0] & ((a & (0 - a)) - 1))
        a &= a - 1
    b &= plan.covered[1]
    while b != 0:
        found |= u64(1) << (before + popcount(plan.covered[1] & ((b & (0 - b)) - 1)))
        b &= b - 1
    return found


@kernel
def sort_ways(
    plan: Plan,
    pieces: view[Ways],
    low: view[u64],
    high: view[u64],
    number: view[i64],
    order: view[i64],
    groups: view[Group],
    ends: view[i64],
    which: view[i64],
) -> None:
    """Sort the ways that agree with what is known, piece by piece, into groups that hold the same hits."""
    hits = popcount(plan.covered[0]) + popcount(plan.covered[1])
    plan.hits = ~u64(0) if hits == 64 else (u64(1) << hits) - 1
    made = 0
    for piece in range(plan.pieces):
        own = pieces[piece]
        begin = made
        for way in range(own.first, own.end):
            which[way] = -1
            told = plan.told[piece]
            whole = (low[way] & ~plan.covered[0]) | (high[way] & ~plan.covered[1]) == 0
            fits = told < 0 or number[way] == told
            if told == NOT_WHOLE and whole:
                fits = False
            if fits and (low[way] & plan.clear[0]) | (high[way] & plan.clear[1]) == 0:
                held = numbered(plan, low[way], high[way])
                group = begin
                while group < made and groups[group].hits != held:
                    group += 1
                if group == made:
                    groups[made].hits = held
                    groups[made].count = 0
                    made += 1
                groups[group].count += 1
                which[way] = group
        ends[piece] = made
        place = own.first
        for group in range(begin, made):
            groups[group].first = place
            place += groups[group].count
            groups[group].count = 0
        for way in range(own.first, own.end):
            if which[way] >= 0:
                mine = groups[which[way]]
                order[mine.first + mine.count] = way
                mine.count += 1


@kernel
def slot_of(slots: view[i64], keys: view[u64], capacity: i64, level: i64, key: u64) -> i64:
    """Find where the number of an entry stands, or where it would."""
    size = 2 * capacity
    at = i64((key * 0x9E3779B97F4A7C15) >> 33) & (size - 1)
    while slots[level * size + at] != 0 and keys[level * capacity + slots[level * size + at] - 1] != key:
        at = (at + 1) & (size - 1)
    return level * size + at


@kernel
def count_combinations(
    plan: Plan,
    pieces: view[Ways],
    groups: view[Group],
    ends: view[i64],
    slots: view[i64],
    keys: view[u64],
    counts: view[f64],
    sizes: view[i64],
) -> i64:
    """Count, per piece and set of hits, how often this piece and those after it hold exactly these; 0 if room is short.

    Level k belongs to the pieces from k on; only sets whose rest the pieces before could hold are kept.
    """
    capacity = plan.capacity
    for k in range(len(slots)):
        slots[k] = 0
    level = plan.pieces
    sizes[level] = 1
    keys[level * capacity] = 0
    counts[level * capacity] = 1.0
    slots[slot_of(slots, keys, capacity, level, u64(0))] = 1
    before = 0
    for piece in range(plan.pieces):
        before += pieces[piece].cells
    while level > 0:
        level -= 1
        before -= pieces[level].cells
        sizes[level] = 0
        first = ends[level - 1] if level > 0 else 0
        for entry in range(sizes[level + 1]):
            held = keys[(level + 1) * capacity + entry]
            count = counts[(level + 1) * capacity + entry]
            for group in range(first, ends[level]):
                key = held | groups[group].hits
                if held & groups[group].hits == 0 and popcount(plan.hits & ~key) <= before:
                    at = slot_of(slots, keys, capacity, level, key)
                    if slots[at] == 0:
                        if sizes[level] == capacity:
                            return 0
                        keys[level * capacity + sizes[level]] = key
                        counts[level * capacity + sizes[level]] = 0.0
                        sizes[level] += 1
                        slots[at] = sizes[level]
                    counts[level * capacity + slots[at] - 1] += count * groups[group].count
    plan.combinations = counted(plan, slots, keys, counts, 0, plan.hits)
    return 1


@kernel
def counted(plan: Plan, slots: view[i64], keys: view[u64], counts: view[f64], level: i64, key: u64) -> f64:
    """Look up how often the pieces from a level on hold exactly these hits."""
    entry = slots[slot_of(slots, keys, plan.capacity, level, key)]
    return 0.0 if entry == 0 else counts[level * plan.capacity + entry - 1]
