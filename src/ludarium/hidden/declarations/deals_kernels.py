"""The kernels that deal hidden things at random so that each lies where it can.

Places that can hold the same kinds form a class. Kind by kind, from the last to the first, it is counted in how many ways
the things of this kind and of those after it can be shared out to open places of the classes and to what is left over.
Shares are then drawn as often as they have members, and the things of a class are shuffled: so every arrangement that
agrees is equally likely, up to the precision of floating point.
"""

from __future__ import annotations

from ludarium.hidden.declarations.declared_kernels import Making
from ludarium.kernel import Bundle, Stream, Table, array, below, f64, i64, kernel, u8, uniform, view

CLASSES = 8
"""The most classes of places."""


class Deals(Bundle):
    """What is known of the things, in how many ways they can lie, and how far drawing is."""

    making: Making
    left: view[i64]
    """Things of each kind."""
    may: view[u8]
    """Per place and kind, whether it can lie there."""
    order: view[i64]
    """The places, class by class."""
    ends: view[i64]
    """Where the places of each class end in that."""
    sizes: view[i64]
    """How many places a class has."""
    allowed: view[u8]
    """Per class and kind, whether it can lie there."""
    ways: view[f64]
    """Per kind and number of open places in each class, in how many ways the things from this kind on can be shared out."""
    kind_at: view[i64]
    """What was drawn: the kind of the thing in each place."""
    kinds: i64
    places: i64
    classes: i64
    cells: i64
    arrangements: f64
    tries: i64
    try_limit: i64
    dealt: i64
    found: i64


@kernel
def classify(deals: Deals) -> bool:
    """Sort places into classes that can hold the same kinds; False if there are too many classes."""
    kinds = deals.kinds
    deals.classes = 0
    listed = 0
    for place in range(deals.places):
        fresh = True
        for before in range(place):
            if same_row(deals.may, before, place, kinds):
                fresh = False
                break
        if fresh:
            if deals.classes == CLASSES:
                return False
            for kind in range(kinds):
                deals.allowed[deals.classes * kinds + kind] = deals.may[place * kinds + kind]
            first = listed
            for other in range(place, deals.places):
                if same_row(deals.may, place, other, kinds):
                    deals.order[listed] = other
                    listed += 1
            deals.sizes[deals.classes] = listed - first
            deals.ends[deals.classes] = listed
            deals.classes += 1
    deals.cells = 1
    for k in range(deals.classes):
        deals.cells *= deals.sizes[k] + 1
    return True


@kernel
def same_row(may: view[u8], one: i64, other: i64, kinds: i64) -> bool:
    """Whether two places can hold the same kinds."""
    for kind in range(kinds):
        if may[one * kinds + kind] != may[other * kinds + kind]:
            return False
    return True


@kernel
def next_share(deals: Deals, kind: i64, share: view[i64], rest: view[i64]) -> bool:
    """Go on to the next way to share things of a kind out to classes; False when all had their turn."""
    given = 0
    for k in range(deals.classes):
        given += share[k]
    for k in range(deals.classes):
        if deals.allowed[k * deals.kinds + kind] == 1 and share[k] < rest[k] and given < deals.left[kind]:
            share[k] += 1
            return True
        given -= share[k]
        share[k] = 0
    return False


@kernel
def weight_of(deals: Deals, kind: i64, after: i64, share: view[i64], rest: view[i64]) -> f64:
    """In how many ways a share can be put down, the kinds after it included; `after` things come after those of this kind."""
    left = deals.left[kind]
    weight = 1.0
    given = 0
    opened = 0
    cell = 0
    for k in range(deals.classes):
        weight *= chosen(rest[k], share[k])
        given += share[k]
        opened += rest[k]
        cell = cell * (deals.sizes[k] + 1) + rest[k] - share[k]
    spare = left + after - opened
    if spare < left - given:
        return 0.0
    return weight * chosen(spare, left - given) * deals.ways[(kind + 1) * deals.cells + cell]


@kernel
def chosen(n: i64, k: i64) -> f64:
    """In how many ways k of n can be chosen."""
    product = 1.0
    for i in range(k):
        product = product * (n - i) / (i + 1)
    return product


@kernel
def count_deals(deals: Deals) -> None:
    """Count the ways to share out the things from each kind on, for every number of open places."""
    ways = deals.ways
    rest = array(i64, CLASSES)
    share = array(i64, CLASSES)
    cells = deals.cells
    for cell in range(cells):
        ways[deals.kinds * cells + cell] = 0.0
    ways[deals.kinds * cells] = 1.0
    after = 0
    kind = deals.kinds
    while kind > 0:
        kind -= 1
        for cell in range(cells):
            number = cell
            k = deals.classes
            while k > 0:
                k -= 1
                rest[k] = number % (deals.sizes[k] + 1)
                number //= deals.sizes[k] + 1
                share[k] = 0
            total = 0.0
            more = True
            while more:
                total += weight_of(deals, kind, after, share, rest)
                more = next_share(deals, kind, share, rest)
            ways[kind * cells + cell] = total
        after += deals.left[kind]
    deals.arrangements = ways[cells - 1]


@kernel
def deal(deals: Deals, rng: Stream) -> None:
    """Draw an arrangement: a kind for every hidden place."""
    order = deals.order
    kind_at = deals.kind_at
    rest = array(i64, CLASSES)
    share = array(i64, CLASSES)
    after = 0
    for k in range(deals.classes):
        rest[k] = deals.sizes[k]
    for kind in range(deals.kinds):
        after += deals.left[kind]
    for kind in range(deals.kinds):
        after -= deals.left[kind]
        cell = 0
        for k in range(deals.classes):
            share[k] = 0
            cell = cell * (deals.sizes[k] + 1) + rest[k]
        goal = uniform(rng) * deals.ways[kind * deals.cells + cell]
        more = deals.left[kind] > 0
        while more:
            weight = weight_of(deals, kind, after, share, rest)
            goal -= weight
            # What is impossible weighs nothing, so that rounding never ends on it.
            if weight > 0.0 and goal < 0.0:
                break
            more = next_share(deals, kind, share, rest)
        for k in range(deals.classes):
            for _ in range(share[k]):
                kind_at[order[deals.ends[k] - rest[k]]] = kind
                rest[k] -= 1
    for k in range(deals.classes):
        first = deals.ends[k] - deals.sizes[k]
        last = deals.ends[k] - 1
        while last > first:
            other = first + below(rng, last - first + 1)
            kept = kind_at[order[last]]
            kind_at[order[last]] = kind_at[order[other]]
            kind_at[order[other]] = kept
            last -= 1


@kernel
def draw_deals(table: Table, deals: Deals, wanted: i64, rng: Stream) -> i64:
    """Draw up to so many states into the arena, as long as tries are left; says how many."""
    done = 0
    while done < wanted and deals.tries < deals.try_limit:
        deals.tries += 1
        deals.dealt += deals.places
        deal(deals, rng)
        if deals.making.make(table, done, deals.kind_at[0 : deals.places]):
            done += 1
    deals.found += done
    return done
