"""Choosing between one lane and 64: what is counted is what the kernels do, and either way plays the same game."""

from math import inf

import pytest

from ludarium import library
from ludarium.core import Rng
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.network import effort
from ludarium.gdl.network.effort import by_changes, changes, lanes_from
from ludarium.gdl.network.layout import COUNTERS, STACK
from tests.gdl.network.ways import by_gates


def values(block, at):
    return [counter >= 0 for counter in memoryview(block)[at[COUNTERS] : at[STACK]].cast("h")]


@pytest.mark.parametrize("name", ["tic-tac-toe", "breakthrough-small", "checkers", "tron", "reversi"])
def test_a_turn_that_is_counted_is_the_turn_that_is_made(name):
    game, rng = by_gates(load(library.path(name))), Rng(3)
    layout, lazy = game.layout, game.network.lazy
    does = layout.tables["code_does"].memory.cast("i")
    state = game.initial()
    for _ in range(5):
        moves = [rng.choice(state.legal(role)) for role in range(len(game.roles))]
        turn = effort._Turn(layout, state.block)
        assert turn.count([does[role * len(layout.codes) + move] for role, move in enumerate(moves)]) > 0
        state = state.after({role: moves[role] for role in state.movers})
        assert [x >= 0 for x in turn._counters[:lazy]] == values(state.block, layout.at)[:lazy]


def test_the_same_is_counted_every_time():
    game = by_gates(load(library.path("checkers")))
    assert changes(game.layout, game.initial()) == changes(game.layout, game.initial()) > 0


@pytest.mark.parametrize("cost", [0.0, 1e9])
def test_what_is_cheaper_is_chosen_and_the_same_seed_gives_the_same(cost, monkeypatch):
    monkeypatch.setattr(effort, "_LANES_TURN", cost)
    game = by_gates(load(library.path("tic-tac-toe")))
    assert isinstance(game, GdlGame)
    assert (game._lanes_from == inf) == (cost > 0)
    worth, plies = game.playouts(game.initial(), 2000, Rng(4))
    assert (worth, plies) == game.playouts(game.initial(), 2000, Rng(4))
    assert sum(worth) == pytest.approx(1.0)
    assert worth[0] == pytest.approx(0.65, abs=0.05)


def test_lanes_that_are_not_in_use_and_playouts_that_are_over_early_cost_as_much_as_others():
    game = by_gates(load(library.path("tic-tac-toe")))
    start = game.initial()
    cost = by_changes(game.network, game.layout, start)
    least = lanes_from(game.network, cost, start)
    assert 2 < least < 64
    assert lanes_from(game.network, 2 * cost, start) == pytest.approx(least / 2)
    assert lanes_from(game.network, 1e-3 * cost, start) == inf
    assert effort._uneven(start) > 1
    assert effort._uneven(by_gates(load(library.path("eight-puzzle"))).initial()) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(("name", "most"), [("connect-four", inf), ("eight-puzzle", 64)])
def test_few_playouts_come_one_after_the_other_and_either_way_plays_on_from_any_state(name, most):
    game = load(library.path(name))
    assert game.words
    assert 16 < game._lanes_from <= most
    assert game.offers.playouts
    assert [game.offers.playouts(count) is None for count in (16, 64)] == [True, most == inf]
    state = game.initial().after(game.initial().legal(0)[0])
    found = []
    for game._lanes_from in (0, inf):
        worth, plies = game.playouts(state, 3000, Rng(4))
        found.append((*worth, plies / 3000))
    assert found[0] == pytest.approx(found[1], rel=0.1, abs=0.05)
