"""The kernels that deal hidden things at random so that each lies where it can.

Places that can hold the same kinds form a class. Kind by kind, from the last to the first, it is counted in how many ways
the things of this kind and of those after it can be shared out to open places of the classes and to what is left over.
Shares are then drawn as often as they have members, and the things of a class are shuffled: so every arrangement that
agrees is equally likely, up to the precision of floating point.
"""

from __future__ import annotations

from ludarium.hidden.positioning import Filling
from ludarium.kernel import Record, Stream, Table, array, below, copy, f64, i64, kernel, u8, uniform, view

CLASSES = 8
"""The most classes of places."""


class Deck(Record):
    """What is known of the things, and how far drawing is."""

    role: i64
    kinds: i64
    places: i64
    classes: i64
    sizes = array(i64, CLASSES)
    cells: i64
    arrangements: f64
    tries: i64
    try_limit: i64
    dealt: i64
    found: i64


@kernel
def classify(deck: Deck, may: view[u8], order: view[i64], ends: view[i64], allowed: view[u8]) -> i64:
    """Sort places into classes that can hold the same kinds; 0 if there are too many classes.

    `order` lists the places class by class, and `allowed` tells per class and kind whether it can lie there.
    """
    kinds = deck.kinds
    deck.classes = 0
    listed = 0
    for place in range(deck.places):
        fresh = True
        for before in range(place):
            if same_row(may, before, place, kinds):
                fresh = False
                break
        if fresh:
            if deck.classes == CLASSES:
                return 0
            for kind in range(kinds):
                allowed[deck.classes * kinds + kind] = may[place * kinds + kind]
            first = listed
            for other in range(place, deck.places):
                if same_row(may, place, other, kinds):
                    order[listed] = other
                    listed += 1
            deck.sizes[deck.classes] = listed - first
            ends[deck.classes] = listed
            deck.classes += 1
    deck.cells = 1
    for k in range(deck.classes):
        deck.cells *= deck.sizes[k] + 1
    return 1


@kernel
def same_row(may: view[u8], one: i64, other: i64, kinds: i64) -> bool:
    """Whether two places can hold the same kinds."""
    for kind in range(kinds):
        if may[one * kinds + kind] != may[other * kinds + kind]:
            return False
    return True


@kernel
def next_share(deck: Deck, kind: i64, left: i64, share: view[i64], rest: view[i64], allowed: view[u8]) -> bool:
    """Go on to the next way to share things of a kind out to classes; False when all had their turn."""
    given = 0
    for k in range(deck.classes):
        given += share[k]
    for k in range(deck.classes):
        if allowed[k * deck.kinds + kind] == 1 and share[k] < rest[k] and given < left:
            share[k] += 1
            return True
        given -= share[k]
        share[k] = 0
    return False


@kernel
def weight_of(
    deck: Deck,
    left: i64,
    after: i64,
    share: view[i64],
    rest: view[i64],
    ways: view[f64],
    first: i64,
) -> f64:
    """In how many ways a share can be put down, the kinds after it included; `after` things come after those of this kind.

    `ways` from `first` on belongs to the kind after this one, with an entry per number of open places in each class.
    """
    weight = 1.0
    given = 0
    opened = 0
    cell = 0
    for k in range(deck.classes):
        weight *= chosen(rest[k], share[k])
        given += share[k]
        opened += rest[k]
        cell = cell * (deck.sizes[k] + 1) + rest[k] - share[k]
    spare = left + after - opened
    if spare < left - given:
        return 0.0
    return weight * chosen(spare, left - given) * ways[first + cell]


@kernel
def chosen(n: i64, k: i64) -> f64:
    """In how many ways k of n can be chosen."""
    product = 1.0
    for i in range(k):
        product = product * (n - i) / (i + 1)
    return product


@kernel
def count_deals(deck: Deck, left: view[i64], allowed: view[u8], ways: view[f64]) -> None:
    """Count the ways to share out the things from each kind on, for every number of open places."""
    rest = array(i64, CLASSES)
    share = array(i64, CLASSES)
    cells = deck.cells
    for cell in range(cells):
        ways[deck.kinds * cells + cell] = 0.0
    ways[deck.kinds * cells] = 1.0
    after = 0
    kind = deck.kinds
    while kind > 0:
        kind -= 1
        for cell in range(cells):
            number = cell
            k = deck.classes
            while k > 0:
                k -= 1
                rest[k] = number % (deck.sizes[k] + 1)
                number //= deck.sizes[k] + 1
                share[k] = 0
            total = 0.0
            more = True
            while more:
                total += weight_of(deck, left[kind], after, share, rest, ways, (kind + 1) * cells)
                more = next_share(deck, kind, left[kind], share, rest, allowed)
            ways[kind * cells + cell] = total
        after += left[kind]
    deck.arrangements = ways[cells - 1]


@kernel
def deal(
    deck: Deck,
    left: view[i64],
    order: view[i64],
    ends: view[i64],
    allowed: view[u8],
    ways: view[f64],
    dealt: view[i64],
    rng: Stream,
) -> None:
    """Draw an arrangement: a kind for every hidden place."""
    rest = array(i64, CLASSES)
    share = array(i64, CLASSES)
    after = 0
    for k in range(deck.classes):
        rest[k] = deck.sizes[k]
    for kind in range(deck.kinds):
        after += left[kind]
    for kind in range(deck.kinds):
        after -= left[kind]
        cell = 0
        for k in range(deck.classes):
            share[k] = 0
            cell = cell * (deck.sizes[k] + 1) + rest[k]
        goal = uniform(rng) * ways[kind * deck.cells + cell]
        more = left[kind] > 0
        while more:
            weight = weight_of(deck, left[kind], after, share, rest, ways, (kind + 1) * deck.cells)
            goal -= weight
            # What is impossible weighs nothing, so that rounding never ends on it.
            if weight > 0.0 and goal < 0.0:
                break
            more = next_share(deck, kind, left[kind], share, rest, allowed)
        for k in range(deck.classes):
            for _ in range(share[k]):
                dealt[order[ends[k] - rest[k]]] = kind
                rest[k] -= 1
    for k in range(deck.classes):
        first = ends[k] - deck.sizes[k]
        last = ends[k] - 1
        while last > first:
            other = first + below(rng, last - first + 1)
            kept = dealt[order[last]]
            dealt[order[last]] = dealt[order[other]]
            dealt[order[other]] = kept
            last -= 1


@kernel
def draw_deals(
    deck: Deck,
    table: Table,
    filling: Filling,
    base: view[u8],
    arena: view[u8],
    left: view[i64],
    order: view[i64],
    ends: view[i64],
    allowed: view[u8],
    ways: view[f64],
    dealt: view[i64],
    wanted: i64,
    rng: Stream,
) -> i64:
    """Draw up to so many states into the arena, as long as tries are left; says how many."""
    size = len(base)
    done = 0
    while done < wanted and deck.tries < deck.try_limit:
        deck.tries += 1
        deck.dealt += deck.places
        deal(deck, left, order, ends, allowed, ways, dealt, rng)
        state = arena[done * size : (done + 1) * size]
        copy(state, base)
        filling.fill(state, deck.role, dealt[0 : deck.places])
        if (table.movers(state) >> deck.role) & 1 == 1:
            done += 1
    deck.found += done
    return done
