import os

import pytest

from ludarium import agent, game
from ludarium.arena.speed import load_seconds, playout_speed, search_speed


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "goofspiel", "nim"])
def test_playouts_are_counted_with_their_plies(name):
    made = game(name)
    speed = playout_speed(made, seconds=0.05)
    assert speed.seconds >= 0.05
    assert speed.count > 0
    assert 1 <= speed.plies / speed.count <= made.traits.max_plies
    assert speed.plies_rate == pytest.approx(speed.rate * speed.plies / speed.count)


def test_a_random_match_of_connect_four_has_21_plies():
    speed = playout_speed(game("connect-four"), seconds=0.1)
    assert speed.plies / speed.count == pytest.approx(21.3, abs=0.4)


def test_iterations_are_counted():
    speed = search_speed(game("connect-four"), agent("uct"), seconds=0.05)
    assert speed.count > 100
    assert speed.plies > speed.count


def test_loading_leaves_the_cache_setting_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path))
    made = []
    warm, cold = load_seconds(lambda: made.append(os.environ["LUDARIUM_CACHE"]) or game("nim"))
    assert made[0] == str(tmp_path) != made[1]
    assert os.environ["LUDARIUM_CACHE"] == str(tmp_path)
    assert min(warm, cold) >= 0
