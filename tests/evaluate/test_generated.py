import numpy as np
import pytest

from ludarium import game
from ludarium.evaluate.generated import Generated, _correlation, _stability
from ludarium.evaluate.spec import evaluator


def test_what_hardly_changes_from_state_to_state_is_stable():
    steady = np.repeat(np.arange(10.0), 100)[:, None]
    swinging = np.tile([1.0, -1.0], 500)[:, None]
    noise = np.random.default_rng(0).normal(size=(1000, 1))
    assert _stability(steady, [1000]) > 0.95
    assert _stability(swinging, [1000]) == 0.0
    assert _stability(noise, [1000]) < 0.1
    assert _stability(np.ones((50, 1)), [50]) == 0.0


def test_the_step_from_one_game_to_the_next_does_not_count():
    games = np.repeat([1.0, -1.0] * 20, 5)[:, None]
    assert _stability(games, [5] * 40) == 1.0
    assert _stability(games, [200]) < 0.8


def test_correlation_tells_which_way_a_feature_points():
    feature, other = np.array([[1.0, -1.0], [2.0, -2.0]]), np.array([[1.0, 1.0], [1.0, 1.0]])
    ends = np.array([[0.5, -0.5], [0.5, -0.5]])
    assert _correlation(feature, ends) == pytest.approx(0.9486833)
    assert _correlation(-feature, ends) == pytest.approx(-0.9486833)
    assert _correlation(other, ends) == 0.0


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("breakthrough", {"material"}),
        ("gdl:breakthrough", {"goals", "material"}),
        ("gdl:connect-four", {"goals"}),
    ],
)
def test_terms_that_tell_the_end_of_a_game_are_found_to_be_good(name, wanted):
    found = Generated().chosen(game(name))
    assert wanted <= {term.name for term in found.terms if term.weight > 0}
    assert evaluator(found.name) == found


def test_where_nothing_tells_anything_it_is_what_suits_the_game():
    goofspiel = game("goofspiel")
    assert Generated().chosen(goofspiel).name == "mobility"


def test_it_is_generated_once_per_game_and_seed(monkeypatch):
    tic_tac_toe = game("tic-tac-toe")
    first = Generated(games=20).chosen(tic_tac_toe)
    monkeypatch.setattr("ludarium.evaluate.generated.sample", None)
    assert Generated(games=20).chosen(tic_tac_toe) is first
    with pytest.raises(TypeError):
        Generated(games=20, seed=1).chosen(tic_tac_toe)
