"""The kernels that lay hidden pieces at random, or in all ways, so that they agree with what was seen.

Groups of ways are drawn as often as they were counted, then a way of each, and all anew if two of them overlap: that is
uniform over all layouts that agree. A layout is then kept as likely as it is if its pieces were laid one after the other.
"""

from __future__ import annotations

from ludarium.hidden.positioning import PIECES, Filling, Group, Plan, Ways, counted, free
from ludarium.kernel import (
    Stream,
    Table,
    array,
    below,
    copy,
    ctz,
    f64,
    i64,
    kernel,
    popcount,
    u8,
    u64,
    uniform,
    view,
)


@kernel
def drawn_group(
    plan: Plan,
    groups: view[Group],
    ends: view[i64],
    slots: view[i64],
    keys: view[u64],
    counts: view[f64],
    piece: i64,
    left: u64,
    rng: Stream,
) -> i64:
    """Draw a group of ways for a piece, given the hits that it and the pieces after it have to hold."""
    first = ends[piece - 1] if piece > 0 else 0
    if ends[piece] == first + 1:
        return first
    rest = uniform(rng) * counted(plan, slots, keys, counts, piece, left)
    last = -1
    for group in range(first, ends[piece]):
        held = groups[group].hits
        if held & ~left == 0:
            weight = groups[group].count * counted(plan, slots, keys, counts, piece + 1, left & ~held)
            if weight > 0.0:
                last = group
                rest -= weight
                if rest < 0.0:
                    return group
    return last


@kernel
def likelihood(plan: Plan, pieces: view[Ways], low: view[u64], high: view[u64], chosen: view[i64]) -> f64:
    """How likely a layout is if pieces are laid one after the other, compared with the likeliest that there can be."""
    a = low[chosen[0]]
    b = high[chosen[0]]
    share = 1.0
    for piece in range(1, plan.pieces):
        share *= pieces[piece].least / f64(free(pieces[piece], low, high, a, b))
        a |= low[chosen[piece]]
        b |= high[chosen[piece]]
    return share


@kernel
def heat_of(heat: view[f64], a: u64, b: u64) -> f64:
    """Add up the heat of cells."""
    total = 0.0
    while a != 0:
        total += heat[ctz(a)]
        a &= a - 1
    while b != 0:
        total += heat[64 + ctz(b)]
        b &= b - 1
    return total


@kernel
def hottest(
    plan: Plan,
    low: view[u64],
    high: view[u64],
    order: view[i64],
    groups: view[Group],
    ends: view[i64],
    heat: view[f64],
) -> f64:
    """Bound the heat that a layout can cover: that of the hottest way of each piece."""
    total = 0.0
    group = 0
    for piece in range(plan.pieces):
        most = 0.0
        while group < ends[piece]:
            for place in range(groups[group].first, groups[group].first + groups[group].count):
                most = max(most, heat_of(heat, low[order[place]], high[order[place]]))
            group += 1
        total += most
    return total


@kernel
def draw_layouts(
    plan: Plan,
    table: Table,
    filling: Filling,
    base: view[u8],
    arena: view[u8],
    pieces: view[Ways],
    low: view[u64],
    high: view[u64],
    number: view[i64],
    order: view[i64],
    groups: view[Group],
    ends: view[i64],
    slots: view[i64],
    keys: view[u64],
    counts: view[f64],
    list_: view[i64],
    heights: view[f64],
    heat: view[f64],
    tally: view[i64],
    wanted: i64,
    rng: Stream,
) -> i64:
    """Draw up to so many states into the arena, as long as tries are left; says how many."""
    size = len(base)
    chosen = array(i64, PIECES)
    done = 0
    while done < wanted and plan.tries < plan.try_limit:
        plan.tries += 1
        a = u64(0)
        b = u64(0)
        fits = True
        if plan.listed > 0:
            entry = drawn_entry(heights[0 : plan.listed], rng)
            for piece in range(plan.pieces):
                way = list_[entry * PIECES + piece]
                chosen[piece] = way
                a |= low[way]
                b |= high[way]
                plan.laid += 1
        else:
            left = plan.hits
            for piece in range(plan.pieces):
                group = drawn_group(plan, groups, ends, slots, keys, counts, piece, left, rng)
                left &= ~groups[group].hits
                way = order[groups[group].first + below(rng, groups[group].count)]
                plan.laid += 1
                if (a & low[way]) | (b & high[way]) != 0:
                    fits = False
                    break
                a |= low[way]
                b |= high[way]
                chosen[piece] = way
            if fits and plan.pieces > 1:
                fits = uniform(rng) < likelihood(plan, pieces, low, high, chosen)
        if fits and plan.heated == 1:
            fits = uniform(rng) * plan.bound < heat_of(heat, a, b)
        if fits:
            for piece in range(plan.pieces):
                chosen[piece] = number[chosen[piece]]
            state = arena[done * size : (done + 1) * size]
            copy(state, base)
            filling.fill(state, plan.role, chosen[0 : plan.pieces])
            if (table.movers(state) >> plan.role) & 1 == 1:
                done += 1
                if len(tally) > 0:
                    add_cells(tally, a, b)
    plan.found += done
    return done


@kernel
def add_cells(tally: view[i64], a: u64, b: u64) -> None:
    """Count the cells of a layout."""
    while a != 0:
        tally[ctz(a)] += 1
        a &= a - 1
    while b != 0:
        tally[64 + ctz(b)] += 1
        b &= b - 1


@kernel
def drawn_entry(heights: view[f64], rng: Stream) -> i64:
    """Draw an entry of a list, given the sums of the weights up to each."""
    goal = uniform(rng) * heights[len(heights) - 1]
    first = 0
    last = len(heights) - 1
    while first < last:
        middle = (first + last) >> 1
        if heights[middle] > goal:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def list_layouts(
    plan: Plan,
    pieces: view[Ways],
    low: view[u64],
    high: view[u64],
    order: view[i64],
    groups: view[Group],
    ends: view[i64],
    stack: view[i64],
    occupied: view[u64],
    list_: view[i64],
    heights: view[f64],
    steps: i64,
) -> i64:
    """Go on listing all layouts that agree, with their weights; 0 if there is more to do, 1 at the end, 2 if room is short.

    The stack holds per piece the number of its next way; `occupied` the cells of the pieces before it (two words).
    """
    for _ in range(steps):
        depth = plan.depth
        if depth < 0:
            plan.listed = plan.entries
            return 1
        first = ends[depth - 1] if depth > 0 else 0
        begin = groups[first].first if ends[depth] > first else 0
        last = ends[depth] - 1
        end = groups[last].first + groups[last].count if ends[depth] > first else 0
        if begin + stack[depth] >= end:
            plan.depth -= 1
        else:
            way = order[begin + stack[depth]]
            stack[depth] += 1
            a = occupied[2 * depth]
            b = occupied[2 * depth + 1]
            if (a & low[way]) | (b & high[way]) == 0:
                a |= low[way]
                b |= high[way]
                dry = popcount(plan.covered[0] & ~a) + popcount(plan.covered[1] & ~b)
                room = 0
                for piece in range(depth + 1, plan.pieces):
                    room += pieces[piece].cells
                if dry <= room:
                    stack[PIECES + depth] = way
                    if depth + 1 < plan.pieces:
                        plan.depth += 1
                        stack[depth + 1] = 0
                        occupied[2 * depth + 2] = a
                        occupied[2 * depth + 3] = b
                    else:
                        if plan.entries == len(heights):
                            return 2
                        chosen = stack[PIECES : 2 * PIECES]
                        copy(list_[plan.entries * PIECES : (plan.entries + 1) * PIECES], chosen)
                        plan.all_weights += likelihood(plan, pieces, low, high, chosen)
                        heights[plan.entries] = plan.all_weights
                        plan.entries += 1
    return 0
