"""Sixty-four playouts at once against playouts one by one, and against counting everything."""

import sys
from collections import Counter

import pytest

from ludarium.core import Rng
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.text.reader import parse
from ludarium.kernel import using
from ludarium.library import path
from tests.gdl.network.ways import by_gates

GAMES = ("tic-tac-toe", "connect-four", "breakthrough-small", "hex", "nim", "rock-paper-scissors", "monty-hall")


def averages(game, count, seed):
    state, rng = game.initial(Rng(seed)), Rng(seed)
    totals = [0.0] * len(game.roles)
    plies = 0
    for _ in range(count):
        now = state
        while movers := now.movers:
            now = now.after({role: rng.choice(now.legal(role)) for role in movers}, rng)
            plies += 1
        totals = [a + b for a, b in zip(totals, now.utilities(), strict=True)]
    return [total / count for total in totals], plies / count


@pytest.mark.statistical
@pytest.mark.parametrize("name", GAMES)
def test_a_batch_is_worth_what_single_playouts_are(name):
    # Five standard errors of the difference for each of at most 20 means: false alarms below 1 in 10,000.
    game = by_gates(load(path(name)))
    some, plies = game.playouts(game.initial(Rng(0)), 4000, Rng(5))
    others, length = averages(game, 150, 6)
    assert plies / 4000 == pytest.approx(length, rel=0.25)
    for one, other in zip(some, others, strict=True):
        assert one == pytest.approx(other, abs=5 * 0.5 * (1 / 150 + 1 / 4000) ** 0.5)


@pytest.mark.parametrize("count", [1, 63, 64, 65, 200])
def test_any_number_of_playouts_is_played(count):
    game = by_gates(load(path("tic-tac-toe")))
    worth, plies = game.playouts(game.initial(), count, Rng(3))
    assert sum(worth) == pytest.approx(1.0)
    assert 5 * count <= plies <= 9 * count


def test_the_same_seed_gives_the_same_batch_in_machine_code_and_in_python():
    results = []
    for way in ("native", "check", "python"):
        with using(way):
            game = by_gates(load(path("tic-tac-toe")))
            results.append(game.playouts(game.initial(), 70, Rng(8)))
    assert results[0] == results[1] == results[2]


def test_a_cut_playout_counts_half_where_no_goal_holds():
    rules = """(role a) (init (s 0)) (<= (legal a go)) (<= (next (s 0)) (true (s 0)))
               (<= terminal (true (s 1))) (<= (goal a 100) (true (s 1)))"""
    game = by_gates(GdlGame("endless", parse(rules)))
    assert game.playouts(game.initial(), 70, Rng(1), limit=5) == ((0.5,), 350)


def test_a_game_that_remembers_positions_plays_one_by_one():
    game = load(path("hnefatafl-5x5"))
    worth, plies = game.playouts(game.initial(), 20, Rng(2))
    assert sum(worth) == pytest.approx(1.0)
    assert plies >= 20


def test_lanes_that_nothing_is_left_for_cost_no_work_in_a_turn():
    calls = Counter()

    def count(frame, event, _):
        calls[frame.f_code.co_name] += event == "call"

    with using("python"):
        game = by_gates(load(path("tic-tac-toe")))
        state, before = game.initial(), sys.getprofile()
        sys.setprofile(count)
        try:
            game.playouts(state, 16, Rng(3))
        finally:
            sys.setprofile(before)
    turns = 9
    assert (
        0 < calls["work_out"] <= 2 + 2 * turns
    )  # at the beginning, in each turn before and after moves, and for goals
