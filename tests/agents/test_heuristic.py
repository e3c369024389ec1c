import pytest

from ludarium import agent, game
from ludarium.agents.heuristic import Heuristic
from ludarium.core import BadParameter, Rng, UnsupportedGame
from tests.agents.positions import after, decide
from tests.agents.small_games import matching_pennies, walk

CONNECT_FOUR = game("connect-four")


@pytest.mark.parametrize("moves", ["a b a b a b", "a g a g a"])
def test_it_wins_at_once_or_blocks(moves):
    for seed in range(3):
        chosen = decide(Heuristic(), after(CONNECT_FOUR, moves), seed=seed, iterations=2000)
        assert CONNECT_FOUR.text(chosen.move) == "a"


def test_it_tells_what_it_judges_by():
    chosen = decide(Heuristic(), game("gdl:breakthrough").initial(), iterations=100)
    assert "judged by" in chosen.note
    assert "*goals" in chosen.note
    assert "*material" in chosen.note


def test_it_looks_ahead_where_roles_take_turns():
    assert decide(Heuristic(), CONNECT_FOUR.initial(), iterations=5000).depth > 3
    assert decide(Heuristic(depth=2), CONNECT_FOUR.initial(), iterations=5000).depth == 2


@pytest.mark.parametrize("made", [matching_pennies(), walk()])
def test_it_looks_one_step_ahead_elsewhere(made):
    chosen = decide(Heuristic(), made.initial(Rng(0)), iterations=500)
    assert chosen.depth == 1
    assert chosen.iterations == 500


def test_another_seed_may_find_another_evaluation_but_decides_within_the_rules():
    state = game("gdl:tic-tac-toe").initial()
    notes = {decide(Heuristic(games=5, seed=seed), state, iterations=50).note for seed in range(4)}
    assert len(notes) > 1


def test_hidden_states_are_refused():
    with pytest.raises(UnsupportedGame, match="heuristic cannot play kuhn-poker"):
        Heuristic().seat(game("kuhn-poker"), 0, Rng(0))


@pytest.mark.parametrize("wrong", ["games=0", "states=0", "depth=0", "seed=-1", "games=1.5"])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match=f"heuristic: {wrong.partition('=')[0]} is"):
        agent(f"heuristic({wrong})")
