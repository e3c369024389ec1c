"""Functions to tune whose best point is known."""

from ludarium.core import Rng
from ludarium.tune.searches.search import anything
from ludarium.tune.space import Space

BITS = Space({f"bit {place}": (0, 1) for place in range(8)})
"""OneMax: the more ones, the better."""


def ones(point):
    return sum(point) / len(point)


PAIRS = Space({name: tuple(range(5)) for name in "abcd"})
"""No value is good by itself: a and b must be equal, and c and d must differ by two."""


def matching(point):
    a, b, c, d = point
    return 0.1 + 0.4 * (a == b) + 0.4 * (abs(c - d) == 2)


def won(point, truth, rng):
    """A match that is won as often as the truth says."""
    return float(rng.uniform() < truth(point))


def found(method, space, truth, budget, seed, *, noise=won):
    """Search, and give what the point that is recommended is really worth."""
    search = method.start(space, Rng.keyed(seed, "search"), anything)
    luck = Rng.keyed(seed, "luck")
    for _ in range(budget):
        point = search.ask()
        search.tell(point, noise(point, truth, luck))
    return truth(search.ranking()[0].point)
