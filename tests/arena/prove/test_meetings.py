"""Direct meetings: wins, draws and losses apart, and what they prove."""

import numpy as np
import pytest
from scipy.stats import binomtest

from ludarium.arena.prove.meetings import meetings
from ludarium.arena.results import Results
from tests.arena.samples import duels


def test_wins_draws_and_losses_stand_apart():
    met = meetings(duels([("a", "b", 1)] * 5 + [("b", "a", 0.5)] * 3 + [("b", "a", 1)] * 2))
    assert met.won.tolist() == [[0, 5], [2, 0]]
    assert met.drawn.tolist() == [[0, 3], [3, 0]]
    assert met.shares[0, 1] == 0.65
    assert met.counts[0, 1] == met.counts[1, 0] == 10


def test_the_test_is_the_sign_test_of_meetings_that_were_not_drawn():
    met = meetings(duels([("a", "b", 1)] * 15 + [("a", "b", 0.5)] * 50 + [("b", "a", 1)] * 5))
    assert met.p[0, 1] == met.p[1, 0] == pytest.approx(binomtest(15, 20).pvalue)
    assert met.proved[0, 1]
    assert np.isnan(met.p[0, 0])


def test_51_to_49_proves_nothing():
    assert not meetings(duels([("a", "b", 1)] * 51 + [("b", "a", 1)] * 49)).proved.any()


def test_a_match_is_one_observation_however_many_seats_the_two_had():
    """One against three of the same: six matches are six tosses, not eighteen."""
    columns = {"match": np.repeat(range(5), 4), "game": ["x"] * 20, "role": [0, 1, 2, 3] * 5}
    met = meetings(Results.of(columns | {"agent": list("abbb") * 5, "utility": [1, 0, 0, 0] * 5}))
    assert met.won[0, 1] == 15
    assert met.p[0, 1] == pytest.approx(2 * 0.5**5)
    assert not met.proved.any()


def test_the_number_of_pairs_is_allowed_for():
    alone = meetings(duels([("a", "b", 1)] * 9 + [("b", "a", 1)])).p[0, 1]
    both = meetings(duels([("a", "b", 1)] * 9 + [("b", "a", 1)] + [("a", "c", 1)] * 9 + [("c", "a", 1)])).p[0, 1]
    assert both == pytest.approx(2 * alone)
