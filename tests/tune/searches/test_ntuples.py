"""The model against one that is written as the paper says it, slowly."""

import math
from itertools import combinations

import pytest

from ludarium.core import Rng
from ludarium.tune.searches import ntuples
from ludarium.tune.searches.ntuples import NTuples
from tests.tune.toys import PAIRS, matching, won


class Slow:
    """Lucas, Liu and Perez-Liebana (2018), with dictionaries."""

    def __init__(self, sizes, orders):
        free = [place for place, size in enumerate(sizes) if size > 1]
        self.tuples = [parts for order in orders for parts in combinations(free, order)]
        self.seen = {}
        self.told = 0

    def tell(self, point, fitness):
        self.told += 1
        for parts in self.tuples:
            self.seen.setdefault((parts, tuple(point[place] for place in parts)), []).append(fitness)

    def results(self, point):
        return [self.seen.get((parts, tuple(point[place] for place in parts)), []) for parts in self.tuples]

    def estimate(self, point):
        means = [sum(each) / len(each) for each in self.results(point) if each]
        return sum(means) / len(means) if means else 0.0

    def bound(self, point, k, epsilon):
        doubts = [math.sqrt(math.log(1 + self.told) / (len(each) + epsilon)) for each in self.results(point)]
        return self.estimate(point) + k * sum(doubts) / len(doubts)


@pytest.mark.parametrize("dense", [1 << 16, 10, 1])
@pytest.mark.parametrize("orders", [(1, 2, 5), (1,), (2, 3), (5,), (1, 2, 3, 5)])
def test_it_is_the_model_of_the_paper(monkeypatch, dense, orders):
    monkeypatch.setattr(ntuples, "_DENSE", dense)  # all, some or none of the tuples have a row for every combination
    sizes = (3, 1, 2, 4, 2, 3)
    rng = Rng(5)
    fast, slow = NTuples(sizes, orders), Slow(sizes, orders)
    points = [tuple(rng.below(size) for size in sizes) for _ in range(60)]
    for point in points[:40]:
        fitness = rng.uniform()
        fast.tell(point, fitness, expected=False)
        slow.tell(point, fitness)
    assert fast.estimates(points).tolist() == pytest.approx([slow.estimate(point) for point in points])
    bounds = [slow.bound(point, 0.7, 0.3) for point in points]
    assert fast.bounds(points, 0.7, 0.3).tolist() == pytest.approx(bounds)


@pytest.mark.statistical
def test_pairs_are_learned_where_single_values_say_nothing():
    # Over 300 seeds the best point is worth 0.761 (sd 0.209) with pairs and 0.333 (sd 0.267) without. The means of 20 differ
    # by 0.428 with a standard error of 0.076, so less than 0.1 comes by chance once in 100,000.
    assert sum(best(seed) for seed in range(20)) / 20 > 0.1 + sum(best(seed, (1,)) for seed in range(20)) / 20


def best(seed, orders=(1, 2, 4)):
    """What the point that looks best after 300 random evaluations is really worth."""
    model, rng = NTuples(PAIRS.sizes, orders), Rng.keyed(seed, "x")
    for _ in range(300):
        point = PAIRS.draw(rng)
        model.tell(point, won(point, matching, rng), expected=False)
    points = [PAIRS.point(number) for number in range(PAIRS.size)]
    return matching(points[int(model.estimates(points).argmax())])


def test_what_is_under_way_counts_as_tried_until_it_is_told():
    model = NTuples((2, 2), (1, 2))
    model.tell((0, 0), 1.0, expected=False)
    before = model.bounds([(0, 0), (1, 1)], 1.0, 0.5)
    model.expect((1, 1))
    during = model.bounds([(0, 0), (1, 1)], 1.0, 0.5)
    assert during[1] < before[1]
    assert during[0] > before[0]
    assert model.estimates([(1, 1)])[0] == 0.0
    model.tell((1, 1), 0.0, expected=True)
    other = NTuples((2, 2), (1, 2))
    other.tell((0, 0), 1.0, expected=False)
    other.tell((1, 1), 0.0, expected=False)
    assert model.bounds([(0, 1)], 1.0, 0.5) == other.bounds([(0, 1)], 1.0, 0.5)


def test_a_space_of_one_point_has_a_mean():
    model = NTuples((1, 1), (1, 2))
    model.tell((0, 0), 0.25, expected=False)
    model.tell((0, 0), 0.75, expected=False)
    assert model.estimates([(0, 0)]).tolist() == [0.5]


def test_points_are_ranked_by_estimate_then_by_tries():
    model = NTuples((2, 2), (2,))
    for point, fitness in (((0, 0), 0.5), ((0, 1), 0.5), ((0, 1), 0.5), ((1, 0), 0.7)):
        model.tell(point, fitness, expected=False)
    ranking = model.ranking({(0, 0): 1, (0, 1): 2, (1, 0): 1})
    assert [guess.point for guess in ranking] == [(1, 0), (0, 1), (0, 0)]
