import pytest

from ludarium.core import BadParameter, Rng
from ludarium.tune.searches.ntbea import NTBEA
from ludarium.tune.searches.search import RandomSearch, anything
from ludarium.tune.space import Space
from tests.tune.toys import BITS, PAIRS, found, matching, ones

SEEDS = range(12)


def mean(method, space, truth, budget):
    return sum(found(method, space, truth, budget, seed) for seed in SEEDS) / len(SEEDS)


def test_without_noise_it_finds_the_best_of_onemax():
    exact = lambda point, truth, _: truth(point)
    assert all(found(NTBEA(k=0.1), BITS, ones, 150, seed, noise=exact) == 1.0 for seed in range(5))


@pytest.mark.statistical
def test_it_beats_random_search_on_noisy_onemax():
    # Measured with other seeds: NTBEA finds 0.954 (sd 0.083, 60 seeds), random search 0.732 (sd 0.134, 600 seeds). The means
    # of 12 differ by 0.222 with a standard error of 0.046, so less than 0.05 comes by chance once in 10,000.
    assert mean(NTBEA(), BITS, ones, 200) > 0.05 + mean(RandomSearch(), BITS, ones, 200)


def test_the_same_seed_walks_the_same_way():
    assert walk(7) == walk(7)
    assert walk(7) != walk(8)


def walk(seed):
    search = NTBEA().start(PAIRS, Rng(seed), anything)
    points = []
    for _ in range(30):
        points.append(search.ask())
        search.tell(points[-1], matching(points[-1]))
    return points


def test_a_step_changes_at_least_one_parameter_and_only_those_that_can_change():
    space = Space({"a": (0, 1, 2), "fixed": (5,), "b": (0, 1), "c": (0, 1, 2, 3)})
    search = NTBEA().start(space, Rng(2), anything)
    before = search.ask()
    changes = set()
    for _ in range(200):
        search.tell(before, 0.0)
        after = search.ask()
        assert after != before
        assert all(0 <= place < size for place, size in zip(after, space.sizes, strict=True))
        changes.add(sum(one != other for one, other in zip(before, after, strict=True)))
        before = after
    assert changes == {1, 2, 3}


def test_neighbours_change_as_many_parameters_as_they_should():
    search = NTBEA(mutations=2.0).start(BITS, Rng(1), anything)
    here = (0,) * 8
    changed = [sum(search._neighbour(here)) for _ in range(4000)]
    # One for sure, and each of the other 7 with probability 2/8: 2.75 on average, sd 1.15; 5 standard errors are 0.09.
    assert abs(sum(changed) / 4000 - 2.75) < 0.09
    assert all(sum(NTBEA(mutations=0.0).start(BITS, Rng(1), anything)._neighbour(here)) == 1 for _ in range(50))
    assert sum(NTBEA(mutations=8.0).start(BITS, Rng(1), anything)._neighbour(here)) == 8


def test_it_never_asks_for_what_makes_no_sense():
    forbidden = lambda point: "no" if point[0] == point[1] else ""
    search = NTBEA().start(PAIRS, Rng(4), forbidden)
    for _ in range(100):
        point = search.ask()
        assert point[0] != point[1]
        search.tell(point, 1.0)


def test_where_there_is_no_neighbour_it_stays():
    search = NTBEA().start(Space({"a": (0, 1)}), Rng(0), lambda point: "no" if point == (1,) else "")
    assert [search.ask() for _ in range(3)] == [(0,)] * 3
    single = NTBEA().start(Space({"a": (3,)}), Rng(0), anything)
    for fitness in (0.0, 1.0):
        single.tell(single.ask(), fitness)
    assert single.ranking()[0].estimate == 0.5


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"k": -1.0}, "ntbea: k is -1.0"),
        ({"epsilon": 0.0}, "ntbea: epsilon is 0.0"),
        ({"neighbours": 0}, "ntbea: neighbours is 0"),
        ({"pairs": 1}, "ntbea: pairs is 1; expected True or False"),
        ({"singles": False, "pairs": False, "whole": False}, "there is no model"),
    ],
)
def test_bad_parameters_are_refused(given, said):
    with pytest.raises(BadParameter, match=said):
        NTBEA(**given)
