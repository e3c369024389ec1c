"""Every game that hides something, and every agent of the catalog that plays it: nobody knows what it was not told."""

import pytest

from ludarium import catalog, library
from ludarium.arena import audit
from ludarium.arena.seating import sit_down
from ludarium.core import Rng, UnsupportedGame

GAMES = {
    "attaque": "attaque",
    "battleship": "battleship(width=4, height=4, fleet=(3, 2))",
    "kuhn-poker": "kuhn-poker",
    "leduc-poker": "leduc-poker",
    "rinascimento": "rinascimento",
    "whist": "whist(players=3, suits=2, ranks=6, cards=4)",
    "gdl:battleship": "gdl:battleship",
    "blind-tic-tac-toe": "blind-tic-tac-toe",
    "kriegspiel-tic-tac-toe": "kriegspiel-tic-tac-toe",
    "meier": "meier",
    "monty-hall": "monty-hall",
}
"""What hides something, each as a game that is small enough."""

VARIANTS = ("ismcts(trees=many)", "determinized(inner=osla, samples=3, final=votes)")
REPLAYING = ("ismcts(determinizer=replay)", "determinized(inner=uct(reuse=True), determinizer=replay, samples=3)")
"""Where much is dealt at once, matches that look alike are too rare to be found by playing."""

SMALL = ("kuhn-poker", "leduc-poker")
"""Games that all agents are audited in, each time; in the others it is some of them, and all in the slow run."""

WALKING = ("ismcts(determinizer=walk)", "determinized(inner=uct, determinizer=walk, samples=3)")
"""Those that change matches until they look alike."""

ALL = (*catalog.AGENTS, *VARIANTS)
SOME = ("random", "ismcts", "uct", "rmhc")
CHEATS = ("omniscient(inner=uct)", "omniscient(inner=flat)")


def able(names, game):
    """The agents that can play a game."""
    for name in names:
        made = catalog.agent(name)
        try:
            sit_down(made, game, 0, Rng(0))
        except UnsupportedGame:
            continue
        yield made


def check(name, names, positions):
    """Audit agents in a game."""
    game = catalog.game(GAMES[name])
    agents = list(able(names, game))
    found = audit(game, agents, positions=positions, iterations=25, plies=25)
    assert not found.exposures
    for verdict in found.verdicts:
        assert verdict.clean, verdict
        assert verdict.positions == positions
        assert verdict.decisions >= verdict.others >= 1
    assert len(found.verdicts) >= len(names) - 7  # some throw no dice, want one mover at a time, or need a model


def test_all_that_hides_something_is_audited():
    hides = {name for name in catalog.GAMES if not catalog.game(name).traits.perfect_information}
    for name in library.names():
        if "(sees " in library.path(name).read_text():
            hides.add(f"{catalog.GDL}{name}" if name in catalog.GAMES else name)
    assert hides == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_no_agent_knows_what_it_was_not_told(name):
    check(
        name,
        ALL + REPLAYING + WALKING if name in SMALL else SOME[:2] if name == "gdl:battleship" else SOME,
        positions=6,
    )


def test_heatmaps_know_no_more_than_they_were_told():
    check(
        "battleship",
        ("ismcts(determinizer=heatmap, bias=1)", "determinized(inner=osla, determinizer=heatmap, bias=1)"),
        8,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_agent_at_all_knows_what_it_was_not_told(name):
    check(name, ALL, positions=12)


@pytest.mark.parametrize("name", GAMES)
def test_whoever_sees_everything_is_caught_everywhere(name):
    game = catalog.game(GAMES[name])
    found = audit(game, [catalog.agent(spec) for spec in CHEATS], positions=10, iterations=25, plies=25)
    for verdict in found.verdicts:
        assert verdict.leaks, verdict
        assert not verdict.unrepeatable
