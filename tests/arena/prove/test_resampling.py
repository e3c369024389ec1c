from math import isnan

import numpy as np
import pytest

from ludarium.arena.prove.means import half_width
from ludarium.arena.prove.resampling import Redrawn, between, ratio_between


def test_means_that_are_drawn_again_spread_as_means_do():
    values = np.array([0.1, 0.4, 0.35, 0.8, 0.2, 0.6, 0.55, 0.3])
    drawn = Redrawn(seed=3, draws=40_000).means(values[:, None])[:, 0]
    assert drawn.mean() == pytest.approx(values.mean(), abs=0.005)
    assert drawn.std() == pytest.approx(values.std(ddof=1) / np.sqrt(8), rel=0.02)  # n of n would be 6 % below
    low, high = between(drawn)
    assert (high - low) / 2 == pytest.approx(half_width(values) * 1.96 / 2.365, rel=0.05)  # normal, not Student's


def test_columns_of_a_row_are_drawn_together_and_the_same_seed_draws_the_same():
    rows = np.array([[1.0, 2.0], [5.0, 10.0], [7.0, 14.0]])
    drawn = Redrawn(seed=1, draws=100).means(rows)
    assert drawn[:, 1] == pytest.approx(2 * drawn[:, 0])
    again = Redrawn(seed=1, draws=100)
    assert (again.means(rows) == drawn).all()
    assert (again.means(rows) != drawn).any()  # of the next one nothing is drawn as of the first


def test_of_one_observation_nothing_is_known():
    assert all(isnan(end) for end in between(Redrawn(seed=1, draws=10).means([[0.5]])[:, 0]))


def test_a_ratio_to_what_may_be_nothing_has_no_bounds():
    drawn = np.linspace(-0.05, 0.95, 1001)  # one of twenty is not above 0
    assert all(isnan(end) for end in ratio_between(drawn, drawn))
    assert ratio_between(0.5 * drawn[60:], drawn[60:]) == pytest.approx((0.5, 0.5))
