"""Choosing between one lane and 64: what is counted is what the kernels do, and either way plays the same game."""

import pytest

from ludarium import library
from ludarium.core import Rng
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.network import effort
from ludarium.gdl.network.effort import changes, in_lanes
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


def test_a_small_game_is_played_in_lanes():
    game = load(library.path("connect-four"))
    assert in_lanes(game.network, game.layout, game.initial())


@pytest.mark.parametrize("cost", [0.0, 1e9])
def test_what_is_cheaper_is_chosen_and_the_same_seed_gives_the_same(cost, monkeypatch):
    monkeypatch.setattr(effort, "_SMALL", 0)
    monkeypatch.setattr(effort, "_INPUT", cost)
    monkeypatch.setattr(effort, "_MOVE", 0.0)
    game = by_gates(load(library.path("tic-tac-toe")))
    assert isinstance(game, GdlGame)
    assert in_lanes(game.network, game.layout, game.initial()) == (cost == 0.0)
    worth, plies = game.playouts(game.initial(), 2000, Rng(4))
    assert (worth, plies) == game.playouts(game.initial(), 2000, Rng(4))
    assert sum(worth) == pytest.approx(1.0)
    assert worth[0] == pytest.approx(0.65, abs=0.05)


def test_words_are_weighed_against_lanes_and_either_plays_on_from_any_state():
    for name, lanes in (("connect-four", False), ("eight-puzzle", True)):
        game = load(library.path(name))
        assert game.words
        assert game._in_lanes == lanes
        state = game.initial().after(game.initial().legal(0)[0])
        found = []
        for game._in_lanes in (False, True):
            worth, plies = game.playouts(state, 3000, Rng(4))
            found.append((*worth, plies / 3000))
        assert found[0] == pytest.approx(found[1], rel=0.1, abs=0.05)
