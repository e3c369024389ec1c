"""Surveys: what random games are like, counted right and repeatable."""

import pytest

from ludarium.core import BadParameter
from ludarium.games.rinascimento.game import rinascimento
from ludarium.games.rinascimento.survey import Survey, survey


def test_the_same_seed_makes_the_same_survey():
    game = rinascimento(preset="two")
    assert survey(game, 50, 1) == survey(game, 50, 1) != survey(game, 50, 2)


def test_shares_add_up():
    found = survey(rinascimento(preset="two"), 2000)
    assert found.games == 2000
    assert 0.99 < found.stale + sum(found.wins) < 1.05  # shared wins count for both
    assert found.shortest < found.mean < found.longest
    assert 5 < found.deviation < 20


def test_the_advantage_is_that_of_the_first_seat():
    found = Survey(100, 80.0, 9.0, 60, 110, 0.1, (0.4, 0.3, 0.2))
    assert found.advantage == pytest.approx(0.15)


def test_no_games_are_no_survey():
    with pytest.raises(BadParameter, match="1 game or more, not 0"):
        survey(rinascimento(preset="two"), 0)
