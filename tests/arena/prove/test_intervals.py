from math import isnan, sqrt

import numpy as np
import pytest

from ludarium.arena.prove.intervals import rates, wilson
from ludarium.core import BadParameter, UnknownName
from tests.arena.samples import duels, lots, plays


@pytest.mark.parametrize(
    ("mean", "count", "low", "high"),
    [(0.0, 10, 0.0, 0.2775), (1.0, 10, 0.7225, 1.0), (0.5, 10, 0.2366, 0.7634), (0.9, 50, 0.7864, 0.9565)],
)
def test_the_interval_is_wilsons(mean, count, low, high):
    """Against published values, rounded to four digits."""
    ends = wilson(np.array([mean]), np.array([count]))
    assert [end[0] for end in ends] == [pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4)]


def test_more_confidence_takes_a_wider_interval():
    narrow, wide = (wilson(np.array([0.5]), np.array([100]), confidence) for confidence in (0.9, 0.99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_means_and_errors_by_agent_best_first():
    best, worst = rates(plays({"a": [0, 0, 1, 0], "b": [1, 1, 0, 1]}))
    assert (best.group, best.count, best.mean) == (("b",), 4, 0.75)
    assert best.error == pytest.approx(np.std([1, 1, 0, 1], ddof=1) / 2)
    assert worst.mean == 0.25
    assert isnan(worst.game_error)


def test_the_error_over_games_comes_from_the_means_of_the_games():
    (rate,) = rates(plays({"a": [1, 1, 1, 0, 0.5, 0.5]}, games=["x", "x", "x", "y", "z", "z"]))
    assert rate.games == 3
    assert rate.mean == pytest.approx(4 / 6)
    assert rate.game_mean == pytest.approx(0.5)
    assert rate.game_error == pytest.approx(0.5 / sqrt(3))


def test_by_role_and_opponent():
    results = duels([("a", "b", 1), ("b", "a", 1), ("a", "c", 0), ("a", "b", 0)])
    by_role = {rate.group: (rate.count, rate.mean) for rate in rates(results, ("agent", "role"))}
    assert by_role["a", "role 1"] == (3, pytest.approx(1 / 3))
    assert by_role["a", "role 2"] == (1, 0)
    by_opponent = {rate.group: (rate.count, rate.mean) for rate in rates(results, ("agent", "opponent"))}
    assert by_opponent["a", "b"] == (3, pytest.approx(1 / 3))
    assert by_opponent["b", "a"] == (3, pytest.approx(2 / 3))
    assert by_opponent["c", "a"] == (1, 1)
    assert ("b", "c") not in by_opponent


def test_the_order_of_the_rows_does_not_matter():
    results = lots(300)
    mixed = results.where(np.random.default_rng(1).permutation(len(results)))
    for by in (["agent"], ["agent", "opponent"], ["role", "game", "agent", "opponent"]):
        found = [{rate.group: rate for rate in rates(each, by)} for each in (results, mixed)]
        assert found[0].keys() == found[1].keys()
        for group, rate in found[0].items():
            assert rate.count == found[1][group].count
            assert rate.mean == pytest.approx(found[1][group].mean)


def test_what_cannot_be_asked_is_refused():
    results = plays({"a": [1]})
    with pytest.raises(UnknownName, match="unknown group 'agnt': did you mean 'agent'"):
        rates(results, ["agnt"])
    with pytest.raises(BadParameter, match="confidence is a number between 0 and 1, not 95"):
        rates(results, confidence=95)


@pytest.mark.statistical
def test_the_interval_holds_the_true_rate_as_often_as_it_says():
    """The exact coverage here is 94.7 %: of 4000 draws less than 93 % or more than 97 % are covered once in 200,000 runs."""
    wins = np.random.default_rng(5).binomial(200, 0.3, 4000)
    low, high = wilson(wins / 200, np.full(4000, 200))
    assert 0.93 < np.mean((low <= 0.3) & (high >= 0.3)) < 0.97
