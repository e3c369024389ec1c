"""Forecasts and fast matches together."""

import numpy as np
import pytest

from ludarium.hyper import belief
from ludarium.hyper.belief import Belief


def believed(means, errors, together=0.0):
    spread = np.array(errors)
    alike = np.full((len(means), len(means)), together)
    np.fill_diagonal(alike, 1.0)
    return Belief(np.array(means), alike * np.outer(spread, spread))


def test_where_a_model_was_never_far_off_luck_changes_little():
    luck = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    sure, unsure = (believed([0.55, 0.5], [error, error]).after(luck) for error in (0.05, 0.3))
    assert sure.means[0] > sure.means[1]
    assert unsure.means[0] < unsure.means[1]
    assert (sure.errors < 0.05).all()
    assert (unsure.errors < 0.3).all()


def test_only_differences_tell():
    easy, hard = (believed([0.5, 0.4], [0.2, 0.2]).after([[won] * 20, [won] * 20]).means for won in (1.0, 0.0))
    assert easy[0] - easy[1] == pytest.approx(hard[0] - hard[1], abs=0.01)
    assert 0 < easy[0] - easy[1] < 0.1
    one_won = believed([0.5, 0.4], [0.2, 0.2]).after([[0.0] * 20, [1.0] * 20])
    assert one_won.means[1] - one_won.means[0] > 0.3


def test_more_fast_matches_do_not_help_against_their_being_fast():
    many = believed([0.5, 0.5], [0.3, 0.3]).after([[1.0, 0.0] * 5000, [1.0, 0.0] * 5000])
    apart = many.covariance[0, 0] + many.covariance[1, 1] - 2 * many.covariance[0, 1]
    assert apart == pytest.approx(1 / (1 / (2 * 0.3**2) + 1 / (2 * belief.SHIFT**2)), rel=0.01)


def test_that_all_lose_says_little_of_one_who_may_be_far_off():
    lost = believed([0.5, 0.5], [0.05, 0.3]).after([[0.0] * 20, [0.0] * 20])
    alone = believed([0.5, 0.5], [0.05, 0.3]).after([[1.0] * 20, [0.0] * 20])
    assert lost.means[1] > 0.35 > alone.means[1]


def test_who_has_played_tells_of_who_moves_together_with_it():
    together = 0.2**2 * np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    means = Belief(np.array([0.5, 0.5, 0.5]), together).after([[1.0] * 10, [], [0.0] * 10]).means
    assert means[1] - 0.5 == pytest.approx(0.9 * (means[0] - 0.5))
    assert means[0] > 0.6
    assert believed([0.5, 0.5, 0.5], [0.2] * 3).after([[1.0] * 10, [], [0.0] * 10]).means[1] == pytest.approx(0.5)
    assert believed([0.5, 0.6], [0.1, 0.1]).after([[], []]).means.tolist() == [0.5, 0.6]


def test_a_promise_is_what_an_oracle_would_add():
    known = believed([0.6, 0.5, 0.5], [0.1, 0.1, 0.3], 0.2)
    best, near, wide = known.promise([0, 1, 2])
    assert best == 0.0
    assert 0 < near < wide
    drawn = np.random.default_rng(1).multivariate_normal(known.means, known.covariance, 200_000)
    assert near == pytest.approx(np.maximum(drawn[:, 1] - drawn[:, 0], 0).mean(), rel=0.02)
    assert wide == pytest.approx(np.maximum(drawn[:, 2] - drawn[:, 0], 0).mean(), rel=0.02)
    assert believed([0.6, 0.5], [0.0, 0.0]).promise([0, 1]) == [0.0, 0.0]
