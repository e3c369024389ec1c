import pytest

from ludarium.core import BadParameter, Rng
from ludarium.tune.searches.search import Grid, RandomSearch, anything
from ludarium.tune.space import Space

SPACE = Space({"a": (0, 1, 2), "b": (0, 1)})


def test_a_grid_tries_every_point_once_before_any_twice():
    search = Grid().start(SPACE, Rng(3), anything)
    first, second = ([search.ask() for _ in range(6)] for _ in range(2))
    assert sorted(first) == [SPACE.point(number) for number in range(6)]
    assert second == first
    other = Grid().start(SPACE, Rng(4), anything)
    assert [other.ask() for _ in range(6)] != first


def test_a_grid_leaves_out_what_makes_no_sense():
    search = Grid().start(SPACE, Rng(3), lambda point: "no" if point[0] == point[1] else "")
    asked = [search.ask() for _ in range(8)]
    assert set(asked) == {(0, 1), (1, 0), (2, 0), (2, 1)}
    assert asked[:4] == asked[4:]


def test_a_grid_that_is_too_large_is_refused():
    with pytest.raises(BadParameter, match="a grid of 1,000,000,000,000 configurations is too much"):
        Grid().start(Space({str(name): range(10) for name in range(12)}), Rng(0), anything)


@pytest.mark.parametrize("method", [Grid(), RandomSearch()])
def test_a_space_where_nothing_makes_sense_is_refused(method):
    search = method.start(SPACE, Rng(0), lambda _: "too wide")
    with pytest.raises(BadParameter, match="too wide"):
        search.ask()


def test_random_search_tries_each_point_a_few_times():
    search = RandomSearch(repeats=3).start(SPACE, Rng(0), anything)
    asked = [search.ask() for _ in range(30)]
    assert all(len(set(asked[start : start + 3])) == 1 for start in range(0, 30, 3))
    assert len(set(asked)) > 3


def test_the_best_average_leads_but_not_by_one_lucky_try():
    search = Grid().start(SPACE, Rng(0), anything)
    assert search.ranking() == []
    for fitness in (1, 0, 1, 1):
        search.tell((0, 0), fitness)
    for fitness in (0, 0, 1, 0):
        search.tell((1, 0), fitness)
    search.tell((2, 0), 1)
    ranking = search.ranking()
    assert [(guess.point, guess.estimate, guess.tries) for guess in ranking] == [
        ((0, 0), 0.75, 4),
        ((1, 0), 0.25, 4),
        ((2, 0), 1.0, 1),
    ]


def test_repeats_are_checked():
    with pytest.raises(BadParameter, match="random: repeats is 0"):
        RandomSearch(repeats=0)
