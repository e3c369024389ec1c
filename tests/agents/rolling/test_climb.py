from collections import Counter
from math import erf, sqrt

import pytest

from ludarium.agents.rolling.climb import MUTATIONS, Climb, mutate, mutation_point
from ludarium.agents.rolling.player import Plans
from ludarium.core import Rng
from ludarium.kernel import using

DRAWS = 20_000


def climb(mutation, **settings):
    made = Climb()
    made.mutation = MUTATIONS.index(mutation)
    for name, value in settings.items():
        setattr(made, name, value)
    return made


def points(length, **settings):
    rng = Rng(3)
    drawn = Counter(mutation_point(length, climb(**settings), rng) for _ in range(DRAWS))
    return [drawn[place] / DRAWS for place in range(length + 1)]


def normal(x):
    return 0.5 * (1 + erf(x / sqrt(2)))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({"mutation": "fresh"}, [1, 0, 0, 0, 0], id="fresh"),
        pytest.param({"mutation": "none"}, [0, 0, 0, 0, 1], id="none"),
        pytest.param({"mutation": "uniform"}, [0.25, 0.25, 0.25, 0.25, 0], id="uniform"),
        pytest.param(
            {"mutation": "decay", "rate": 0.5},
            [0.5, 0.5 * 0.25, 0.5 * 0.75 * 0.125, 0.5 * 0.75 * 0.875 / 16, 0.5 * 0.75 * 0.875 * 15 / 16],
            id="decay",
        ),
        pytest.param(
            {"mutation": "gaussian", "mean": 0.5, "deviation": 1.0},
            [normal(-1.5), normal(-0.5) - normal(-1.5), normal(0.5) - normal(-0.5), normal(-0.5), 0],
            id="gaussian",
        ),
    ],
)
def test_the_branching_point_is_drawn_as_its_name_says(settings, expected):
    assert points(4, **settings) == pytest.approx(expected, abs=0.015)  # four standard errors


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_python_draws_the_same_points(mutation):
    settings = climb(mutation, rate=0.7, mean=0.3, deviation=2.0)
    drawn = {}
    for way in ("native", "check", "python"):
        with using(way):
            rng = Rng(5)
            drawn[way] = [mutation_point(10, settings, rng) for _ in range(300)]
    assert drawn["native"] == drawn["check"] == drawn["python"]


def mutated(fresh, **settings):
    rng = Rng(1)
    made = Counter()
    for _ in range(2000):
        row = bytearray(fresh)
        mutate(row, climb(**settings), rng)
        made[bytes(row)] += 1
    return made


def test_branches_draw_everything_behind_them_anew():
    made = mutated(b"\0\0\0\0", mutation="uniform")
    assert set(made) == {b"\1\1\1\1", b"\0\1\1\1", b"\0\0\1\1", b"\0\0\0\1"}


def test_one_gene_is_one_gene():
    made = mutated(b"\0\0\0\0", mutation="gene")
    assert set(made) == {b"\1\0\0\0", b"\0\1\0\0", b"\0\0\1\0", b"\0\0\0\1"}


def test_genes_that_no_plan_came_to_are_not_changed():
    """Else most changes to a plan that ends early would change nothing."""
    assert set(mutated(b"\0\0\1\1", mutation="gene")) == {b"\1\0\1\1", b"\0\1\1\1"}
    assert set(mutated(b"\0\1\1\1", mutation="uniform")) == {b"\1\1\1\1"}


def test_a_rate_is_the_share_of_changed_genes():
    made = mutated(b"\0" * 10, mutation="rate", rate=0.3)
    changed = sum(sum(row) * count for row, count in made.items()) / 20_000
    assert changed == pytest.approx(0.3, abs=0.015)


@pytest.mark.parametrize("settings", [{"mutation": "rate", "rate": 0.0}, {"mutation": "decay", "rate": 0.0}])
def test_a_plan_may_have_to_change(settings):
    assert set(mutated(b"\0\0\0", **settings)) == {b"\0\0\0"}
    forced = set(mutated(b"\0\0\0", at_least_one=True, **settings))
    singles = {b"\1\0\0", b"\0\1\0", b"\0\0\1"}
    assert forced == ({b"\0\0\1"} if settings["mutation"] == "decay" else singles)
    assert set(mutated(b"\0\0\0", mutation="none", at_least_one=True)) == {b"\0\0\0"}


def test_tries_of_the_same_plan_are_averaged():
    plans = Plans(2, 1)
    rows = plans.rows
    rows.fitness[1], rows.tries[1] = 9.0, 7
    rows.score(1, 1.0, False)
    assert (rows.fitness[1], rows.tries[1]) == (1.0, 1)
    for value in (0.0, 0.5, 0.5):
        rows.score(1, value, True)
    assert (rows.fitness[1], rows.tries[1]) == (0.5, 4)
    assert plans.fitness.tolist() == [0.0, 0.5]
