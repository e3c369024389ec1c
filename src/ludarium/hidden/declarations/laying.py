"""The kernels that lay hidden pieces at random, or in all ways, so that they agree with what was seen.

Groups of ways are drawn as often as they were counted, then a way of each, and all anew if two of them overlap: that is
uniform over all layouts that agree. A layout is then kept as likely as it is if its pieces were laid one after the other.
"""

from __future__ import annotations

from ludarium.hidden.declarations.positions_kernels import PIECES, Layouts, counted, free
from ludarium.kernel import Stream, Table, array, below, copy, ctz, f64, i64, kernel, popcount, u64, uniform, view


@kernel
def drawn_group(layouts: Layouts, piece: i64, left: u64, rng: Stream) -> i64:
    """Draw a group of ways for a piece, given the hits that it and the pieces after it have to hold."""
    groups = layouts.groups
    ends = layouts.ends
    first = ends[piece - 1] if piece > 0 else 0
    if ends[piece] == first + 1:
        return first
    rest = uniform(rng) * counted(layouts, piece, left)
    last = -1
    for group in range(first, ends[piece]):
        held = groups[group].hits
        if held & ~left == 0:
            weight = groups[group].count * counted(layouts, piece + 1, left & ~held)
            if weight > 0.0:
                last = group
                rest -= weight
                if rest < 0.0:
                    return group
    return last


@kernel
def likelihood(layouts: Layouts, chosen: view[i64]) -> f64:
    """How likely a layout is if pieces are laid one after the other, compared with the likeliest that there can be."""
    pieces = layouts.pieces
    a = layouts.low[chosen[0]]
    b = layouts.high[chosen[0]]
    share = 1.0
    for piece in range(1, layouts.count):
        share *= pieces[piece].least / f64(free(layouts, pieces[piece], a, b))
        a |= layouts.low[chosen[piece]]
        b |= layouts.high[chosen[piece]]
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
def hottest(layouts: Layouts) -> f64:
    """Bound the heat that a layout can cover: that of the hottest way of each piece."""
    groups = layouts.groups
    total = 0.0
    group = 0
    for piece in range(layouts.count):
        most = 0.0
        while group < layouts.ends[piece]:
            for place in range(groups[group].first, groups[group].first + groups[group].count):
                way = layouts.order[place]
                most = max(most, heat_of(layouts.heat, layouts.low[way], layouts.high[way]))
            group += 1
        total += most
    return total


@kernel
def draw_layouts(table: Table, layouts: Layouts, wanted: i64, rng: Stream) -> i64:
    """Draw up to so many states into the arena, as long as tries are left; says how many."""
    low = layouts.low
    high = layouts.high
    groups = layouts.groups
    count = layouts.count
    chosen = array(i64, PIECES)
    done = 0
    while done < wanted and layouts.tries < layouts.try_limit:
        layouts.tries += 1
        a = u64(0)
        b = u64(0)
        fits = True
        if layouts.listed > 0:
            entry = drawn_entry(layouts.heights[0 : layouts.listed], rng)
            for piece in range(count):
                way = layouts.chosen[entry * PIECES + piece]
                chosen[piece] = way
                a |= low[way]
                b |= high[way]
                layouts.laid += 1
        else:
            left = layouts.hits
            for piece in range(count):
                group = drawn_group(layouts, piece, left, rng)
                left &= ~groups[group].hits
                way = layouts.order[groups[group].first + below(rng, groups[group].count)]
                layouts.laid += 1
                if (a & low[way]) | (b & high[way]) != 0:
                    fits = False
                    break
                a |= low[way]
                b |= high[way]
                chosen[piece] = way
            if fits and count > 1:
                fits = uniform(rng) < likelihood(layouts, chosen)
        if fits and layouts.heated:
            fits = uniform(rng) * layouts.bound < heat_of(layouts.heat, a, b)
        if fits:
            for piece in range(count):
                chosen[piece] = layouts.number[chosen[piece]]
            if layouts.making.make(table, done, chosen[0:count]):
                done += 1
                if len(layouts.tally) > 0:
                    add_cells(layouts.tally, a, b)
    layouts.found += done
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
def list_layouts(layouts: Layouts, steps: i64) -> tuple[bool, bool]:
    """Go on listing all layouts that agree, with their weights; says whether that is over, and whether all are listed."""
    groups = layouts.groups
    ends = layouts.ends
    stack = layouts.stack
    occupied = layouts.occupied
    covered = layouts.known.covered
    for _ in range(steps):
        depth = layouts.depth
        if depth < 0:
            layouts.listed = layouts.entries
            return True, True
        first = ends[depth - 1] if depth > 0 else 0
        begin = groups[first].first if ends[depth] > first else 0
        last = ends[depth] - 1
        end = groups[last].first + groups[last].count if ends[depth] > first else 0
        if begin + stack[depth] >= end:
            layouts.depth -= 1
        else:
            way = layouts.order[begin + stack[depth]]
            stack[depth] += 1
            a = occupied[2 * depth]
            b = occupied[2 * depth + 1]
            if (a & layouts.low[way]) | (b & layouts.high[way]) == 0:
                a |= layouts.low[way]
                b |= layouts.high[way]
                dry = popcount(covered[0] & ~a) + popcount(covered[1] & ~b)
                room = 0
                for piece in range(depth + 1, layouts.count):
                    room += layouts.pieces[piece].cells
                if dry <= room:
                    stack[PIECES + depth] = way
                    if depth + 1 < layouts.count:
                        layouts.depth += 1
                        stack[depth + 1] = 0
                        occupied[2 * depth + 2] = a
                        occupied[2 * depth + 3] = b
                    else:
                        if layouts.entries == len(layouts.heights):
                            return True, False
                        list_one(layouts, stack[PIECES : 2 * PIECES])
    return False, False


@kernel
def list_one(layouts: Layouts, chosen: view[i64]) -> None:
    """Add a layout to the list, with its weight."""
    copy(layouts.chosen[layouts.entries * PIECES : (layouts.entries + 1) * PIECES], chosen)
    layouts.all_weights += likelihood(layouts, chosen)
    layouts.heights[layouts.entries] = layouts.all_weights
    layouts.entries += 1
