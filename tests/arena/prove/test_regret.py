from math import isnan, sqrt

import pytest

from ludarium.arena.prove.regret import regrets
from ludarium.arena.results import Results
from ludarium.core import UnknownName
from tests.arena.samples import plays


def test_regret_is_what_an_agent_lacks_to_the_best_of_each_game():
    scores = {"a": [1, 0.5, 0.2], "b": [0.5, 0.5, 0.8], "c": [0, 0, 0]}
    best, second, worst = regrets(plays(scores, games=["x", "y", "z"]))
    assert (best.agent, best.mean, best.best, best.games) == ("b", pytest.approx(0.5 / 3), 2, 3)
    assert (second.agent, second.mean, second.best) == ("a", pytest.approx(0.2), 2)
    assert worst.mean == pytest.approx(2.3 / 3)
    assert best.error == pytest.approx(sqrt(0.25 / 3) / sqrt(3))


def test_only_the_agents_named_and_the_games_that_all_have_played_count():
    scores = {"agent": list("aabbc"), "game": list("xyxyx"), "utility": [0.2, 0.9, 0.6, 0.1, 1]}
    results = Results.of(scores | {"match": range(5), "role": [0] * 5})
    assert {each.agent: (each.games, each.mean) for each in regrets(results)} == {
        "a": (1, 0.8),
        "b": (1, 0.4),
        "c": (1, 0),
    }
    assert {each.agent: (each.games, each.mean) for each in regrets(results, ["a", "b"])} == {
        "a": (2, 0.2),
        "b": (2, 0.4),
    }
    with pytest.raises(UnknownName, match="unknown agent 'd'"):
        regrets(results, ["a", "d"])


def test_one_game_has_no_error_and_none_no_regret():
    assert isnan(regrets(plays({"a": [1], "b": [0]}))[0].error)
    apart = Results.of({"agent": ["a", "b"], "game": ["x", "y"], "utility": [1, 0], "match": [0, 1], "role": [0, 0]})
    assert all(each.games == 0 and isnan(each.mean) for each in regrets(apart))
