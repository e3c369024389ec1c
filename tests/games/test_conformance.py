"""Every game in the catalog passes `check_game`, with its parameters at their limits too."""

from functools import partial

import pytest

from ludarium.catalog import GAMES, game
from ludarium.testing import check_game
from tests.games.swaps import SWAPS

VARIANTS = (
    "attaque(width=3, height=3, army='fom')",
    "attaque(width=8, height=8, army='fbbbbsoommmccggs')",
    "battleship(placement='random', sunk=True, again=True)",
    "battleship(width=1, height=6, fleet=(2, 1))",
    "breakthrough(width=2, height=4)",
    "breakthrough(width=5, height=8)",
    "goofspiel(cards=2, order='rising')",
    "goofspiel(cards=16, order='falling')",
    "nim(heaps=(1,), misere=True)",
    "nim(heaps=(2, 255))",
    "rinascimento(preset=tiny)",
    "rinascimento(players=8, types=7, published=True)",
)

LONG = {"rinascimento": (1, 150), "rinascimento(players=8, types=7, published=True)": (1, 20)}
"""Seeds and plies for games with hundreds of moves in each of hundreds of states: as Python they take a while."""


@pytest.mark.parametrize("spec", [*GAMES, *VARIANTS])
def test_the_game_conforms(spec):
    seeds, plies = LONG.get(spec, (4, 300))
    check_game(partial(game, spec), seeds=range(seeds), plies=plies, hidden_swap=SWAPS.get(spec))


@pytest.mark.parametrize("spec", [*GAMES, *VARIANTS])
def test_the_name_of_a_game_makes_the_same_game(spec):
    made = game(spec)
    again = game(made.name)
    assert (again.name, again.roles, again.traits) == (made.name, made.roles, made.traits)


@pytest.mark.parametrize("spec", GAMES)
def test_a_game_that_hides_information_says_how_to_swap_it(spec):
    made = game(spec)
    assert made.traits.perfect_information or spec in SWAPS or hasattr(made, "hidden_swap")


@pytest.mark.parametrize("spec", GAMES)
def test_the_rules_are_told(spec):
    assert len(game(spec).offers.rules) > 80
