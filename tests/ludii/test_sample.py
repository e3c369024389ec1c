"""Games of Ludii's library of all kinds: they keep the promises of games, in every way that kernels run, and agents play them."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from ludarium.ludii.library import open_library
from ludarium.testing import check_agent, check_game
from ludarium.testing.agent import BRIEF

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

SAMPLE = [  # chosen so that they make use of many different ludemes, on small boards
    "board/race/escape/Thaayam", "board/sow/two_rows/Kotu Baendum", "board/war/replacement/checkmate/chaturanga/Main Chator (Selangor)",
    "board/space/line/Millieu", "board/hunt/To Kinegi tou Lagou", "board/race/escape/Jacquet de Versailles",
    "board/war/leaping/diagonal/American Pool Checkers", "board/space/group/Signum", "board/hunt/Rimau-Rimau (One Tiger)",
    "board/race/escape/Tayam Sonalu", "board/space/territory/Flower Shop", "board/sow/two_rows/Adi", "board/sow/two_rows/Baqura",
    "board/hunt/Komikan", "board/race/fill/Agon", "board/hunt/Kaooa", "board/space/line/Gobblet Gobblers",
    "board/war/leaping/lines/Fetach", "board/space/blocking/Bamboo", "board/race/reach/Reach Chess",
    "board/space/blocking/Ratio", "board/sow/two_rows/Gabata (Ghinda)", "board/space/blocking/TacTix", "board/hunt/Bagh Guti",
    "board/war/leaping/lines/La Dama", "board/race/escape/Frangieh", "board/race/escape/Nyout", "board/hunt/Go with the Floe",
]  # fmt: skip
LUDEMES = 230  # of 237 in all games that agreed with their trials when the sample was drawn


@pytest.fixture
def loaded(ludii):
    library = open_library(ludii)

    def load(path):
        text, file = library.read(f"{path}.lud")
        return from_text(text, file, (), library.defines)

    return load


def test_the_sample_is_of_many_kinds(loaded):
    games = [loaded(path) for path in SAMPLE]
    assert len(frozenset().union(*(game.model.units for game in games))) >= LUDEMES
    assert {game.traits.deterministic for game in games} == {True, False}
    assert {len(game.roles) for game in games} >= {2, 4}
    assert {game.model.stacking for game in games} == {game.model.counting for game in games} == {True, False}
    assert {game.model.topology.default_type for game in games} >= {"Cell", "Vertex"}


@pytest.mark.parametrize("path", SAMPLE)
def test_kernels_as_python_play_as_machine_code_does(loaded, path):
    walks = []
    for way in ("native", "python"):
        with using(way):
            game, rng = loaded(path), Rng(3)
            state, told = game.initial(rng), []
            while not state.over and len(told) < 30:
                legal = state.legal(state.movers[0])
                told.append((state.movers, tuple(legal)))
                state = state.after(rng.choice(legal), rng)
            walks.append((told, bytes(state.block), state.over and state.utilities()))
    assert walks[0] == walks[1]


@pytest.mark.parametrize("path", SAMPLE[:20])
def test_the_game_keeps_the_promises_of_games(loaded, path):
    check_game(loaded(path), seeds=range(1), plies=60)


@pytest.mark.parametrize("path", SAMPLE[:20])
def test_agents_keep_their_promises(loaded, path):
    for name in ("uct", "mast"):
        check_agent(name, loaded(path), effort=BRIEF)
