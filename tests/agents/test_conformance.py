from functools import lru_cache, partial

import pytest

from ludarium import catalog, library
from ludarium.testing import BRIEF, check_agent

VARIANTS = (
    "uct(c=1.2, final=value)",
    "uct(unvisited=first, max_nodes=5)",
    "uct(playout_limit=0)",
    "uct(solver=True, transpositions=True, leaf=3)",
    "flat(playout_limit=3)",
    "ismcts(trees=many, max_nodes=5, final=value)",
    "ismcts(playouts=mast, playout_limit=7)",
    "determinized(inner=flat, samples=3, final=votes)",
)
ALL = ("breakthrough", "connect-four", "goofspiel", "kuhn-poker", "nim", "tic-tac-toe")
"""The games that every agent is checked with, each time; the others, which are larger, in the slow run."""

RULES = (
    "blind-tic-tac-toe",
    "eight-puzzle",
    "monty-hall",
    "rock-paper-scissors",
    "three-player-connect-four",
    "tic-tac-toe",
)
"""The same of the library: one of each kind."""

HIDDEN = ("determinized", "ensemble", "ismcts", "limited", "nothing", "portfolio", "random", "weighted-ensemble")
TURNS = ("alphabeta", "brs", "maxn", "paranoid")
AGAINST = ("brs", "maxn", "paranoid")
"""Those that need somebody to play against."""


def pairs():
    for game in catalog.GAMES:
        for agent in (*catalog.AGENTS, *VARIANTS):
            yield pytest.param(agent, game, marks=() if game in ALL or agent == "random" else pytest.mark.slow)


@pytest.mark.parametrize(("agent", "game"), list(pairs()))
def test_every_agent_keeps_its_promises_with_every_game(agent, game):
    made = catalog.agent(agent)
    (checked,) = check_agent(made, [partial(catalog.game, game)])
    assert checked.supported == plays(made, catalog.game(game))
    if game in ("goofspiel", "nim") and checked.supported:
        assert checked.single


def pairs_of_library():
    for game in library.names():
        for agent in catalog.AGENTS:
            yield pytest.param(agent, game, marks=() if game in RULES else pytest.mark.slow)


@lru_cache(maxsize=2)
def from_library(name):
    return catalog.game(catalog.GDL + name)


@pytest.mark.parametrize(("agent", "game"), list(pairs_of_library()))
def test_every_agent_keeps_its_promises_with_every_game_of_the_library(agent, game):
    made = catalog.agent(agent)
    (checked,) = check_agent(made, [partial(from_library, game)], effort=BRIEF)
    assert checked.supported == plays(made, from_library(game))


def plays(made, game):
    """Whether an agent should be able to play a game."""
    traits = game.traits
    if made.name in TURNS and not (traits.turn_taking and traits.deterministic):
        return False
    if made.name in AGAINST and len(game.roles) == 1:
        return False
    return made.name in HIDDEN or traits.perfect_information
