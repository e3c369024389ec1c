"""With a budget that is counted no decision and no draw depends on the clock, be it slow, fast or mad."""

import random
import sys
import time
from functools import cache

import pytest

from ludarium import agent, catalog, game, play
from ludarium.arena.position import Position
from ludarium.core import Rng, UnsupportedGame
from ludarium.hidden import DETERMINIZERS, determinizer

CLOCKS = ("perf_counter", "monotonic", "process_time")
GAMES = ("kuhn-poker", "meier", "blind-tic-tac-toe", "connect-four")
VARIANTS = (
    "ismcts(determinizer=enumeration)",
    "ismcts(determinizer=replay, playouts=mast, trees=many)",
    "determinized(inner=uct, determinizer=replay, samples=7)",
    "determinized(inner=flat, determinizer=enumeration)",
    "uct(reuse=True, solver=True, transpositions=True)",
    "uct(leaf=4)",
)
HIDING = (
    "leduc-poker",
    "meier",
    "blind-tic-tac-toe",
    "battleship(width=5, height=5, fleet=(3, 2))",
    "whist(players=2, suits=2, ranks=4, cards=3)",
)
SPECS = (*DETERMINIZERS, "replay(pool=50)")


class Jumping:
    """A clock that goes on by nothing, by a moment or by hours."""

    def __init__(self, seed):
        self.random, self.now = random.Random(seed), 0.0

    def __call__(self):
        self.now += self.random.choice([0.0, 1e-7, 1e-3, 0.1, 1e4])
        return self.now


@pytest.fixture(params=range(1))
def mad(request, monkeypatch):
    """Call to have every clock in Ludarium jump at random from now on."""

    def begin():
        clock = Jumping(request.param)
        for name in [name for name in sys.modules if name.startswith("ludarium.")]:
            for each in CLOCKS:
                if getattr(sys.modules[name], each, None) is getattr(time, each):
                    monkeypatch.setattr(sys.modules[name], each, clock)

    return begin


@cache
def loaded(name):
    return game(name)


def played(who, on, **limit):
    """Play the beginning of a match; nothing if the agent cannot."""
    made = loaded(on)
    try:
        return play(made, [agent(who)] * len(made.roles), seed=3, move_limit=3, **limit)
    except UnsupportedGame:
        return None


@pytest.mark.parametrize("on", GAMES)
@pytest.mark.parametrize("who", [*catalog.AGENTS, *VARIANTS])
def test_decisions_do_not_depend_on_the_clock(who, on, mad):
    limits = ({"iterations": 40}, {"forward_calls": 200})
    steady = [played(who, on, **limit) for limit in limits]
    mad()
    assert [played(who, on, **limit) for limit in limits] == steady


@pytest.mark.parametrize("on", HIDING)
@pytest.mark.parametrize("spec", SPECS)
def test_draws_do_not_depend_on_the_clock(spec, on, mad):
    made = loaded(on)
    rng, position, infos = Rng(5), Position(made, 1), []
    while len(infos) < 4 and (movers := position.state.movers):
        if 0 in movers:
            infos.append(position.information_set(0))
        position.play({role: rng.choice(position.state.legal(role)) for role in movers})

    def drawn():
        sampler, stream = determinizer(spec).sampler(made, 0), Rng(7)
        return [sampler.draw(info, count, stream) for info in infos for count in (1, 20, 100)]

    try:
        steady = drawn()
    except UnsupportedGame:
        pytest.skip(f"{spec} does not know {on}")
    mad()
    assert drawn() == steady
