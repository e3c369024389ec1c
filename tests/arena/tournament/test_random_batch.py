import pytest

from ludarium import agent, game
from ludarium.arena.play import contest
from ludarium.arena.tournament.random_batch import random_matches
from ludarium.core import GameError, Terms
from ludarium.kernel import using
from tests.agents.small_games import faulty, matching_pennies

GAMES = [
    "tic-tac-toe", "kuhn-poker", "goofspiel", "nim", "breakthrough", "tron", "four-player-tic-tac-toe", "eight-puzzle", "meier",
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("limit", [300, 4])
def test_matches_go_as_they_would_by_asking(name, limit):
    made = game(name)
    agents, terms = [agent("random")] * len(made.roles), Terms(move_limit=limit)
    asked = [contest(made, agents, terms, seed, record="result") for seed in range(6)]
    assert list(random_matches(made, ["random"] * len(made.roles), terms, range(6))) == asked


@pytest.mark.parametrize("way", ["check", "python"])
def test_every_kind_of_code_plays_the_same(way):
    expected = list(random_matches(game("kuhn-poker"), ["random"] * 2, Terms(), range(6)))
    with using(way):
        assert list(random_matches(game("kuhn-poker"), ["random"] * 2, Terms(), range(6))) == expected


def test_a_match_that_ends_at_the_limit_is_not_cut():
    made = game("tic-tac-toe")
    (whole,) = random_matches(made, ["random"] * 2, Terms(), [3])
    (same,) = random_matches(made, ["random"] * 2, Terms(move_limit=whole.plies), [3])
    assert not same.cut
    assert same.utilities == whole.utilities


def test_a_game_that_breaks_its_promises_says_so():
    with pytest.raises(GameError, match="breaks its promises"):
        list(random_matches(faulty("no move"), ["random"] * 2, Terms(move_limit=9), [1]))


def test_utilities_out_of_range_are_refused_at_the_first_end():
    with pytest.raises(GameError, match=r"gives first the utility 2\.0; utilities are numbers from 0 to 1"):
        list(random_matches(matching_pennies(4, 4), ["random"] * 2, Terms(), range(9)))
