import pytest

from ludarium import agent, game
from ludarium.arena import series, wilson


def test_seats_rotate_and_seeds_count_up():
    played = list(series(game("tic-tac-toe"), [agent("uct"), agent("random")], matches=5, seed=7, iterations=50))
    matches = [match for match, _ in played]
    assert [match.agents[0] for match in matches] == ["uct", "random", "uct", "random", "uct"]
    assert [match.seed for match in matches] == [7, 8, 9, 10, 11]
    scores = played[-1][1]
    assert [score.counts for score in scores] == [[3, 2], [2, 3]]
    assert scores[0].mean + scores[1].mean == pytest.approx(1)
    assert scores[0].mean == pytest.approx(sum(match.utilities[match.agents.index("uct")] for match in matches) / 5)


def test_a_role_that_was_not_played_has_no_mean():
    ((_, scores),) = series(game("nim"), [agent("random")] * 2, matches=1)
    assert scores[0].mean_as(1) is None
    assert scores[0].mean_as(0) == scores[0].mean


@pytest.mark.parametrize(
    ("mean", "count", "low", "high"),
    [(0.0, 10, 0.0, 0.2775), (1.0, 10, 0.7225, 1.0), (0.5, 10, 0.2366, 0.7634), (0.9, 50, 0.7864, 0.9565)],
)
def test_the_interval_is_wilsons(mean, count, low, high):
    """Against published values, rounded to four digits."""
    assert wilson(mean, count) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
