import pytest

from ludarium import agent, game
from ludarium.agents.flat import Flat
from ludarium.core import BadParameter, Rng, UnsupportedGame
from tests.agents.positions import after, decide
from tests.agents.small_games import matching_pennies, walk

CONNECT_FOUR = game("connect-four")


@pytest.mark.parametrize("moves", ["a b a b a b", "a g a g a"])
def test_it_wins_at_once_or_blocks(moves):
    for seed in range(5):
        chosen = decide(Flat(), after(CONNECT_FOUR, moves), seed=seed, iterations=3000)
        assert CONNECT_FOUR.text(chosen.move) == "a"


@pytest.mark.parametrize("iterations", [1, 6, 7, 8, 1000])
def test_moves_are_tried_equally_often(iterations):
    chosen = decide(Flat(), CONNECT_FOUR.initial(), iterations=iterations)
    visits = chosen.visits.values()
    assert sum(visits) == chosen.iterations == iterations
    assert max(visits) - min(visits) <= 1


def test_a_move_that_was_not_tried_is_not_played():
    for seed in range(20):
        chosen = decide(Flat(), CONNECT_FOUR.initial(), seed=seed, iterations=1)
        assert chosen.visits[chosen.move] == 1


def test_forward_calls_are_counted_to_the_last():
    state = CONNECT_FOUR.initial()
    for allowed in (1, 2, 10, 100):
        assert decide(Flat(), state, forward_calls=allowed).forward_calls == allowed


def test_a_playout_that_is_cut_counts_as_it_stands():
    chosen = decide(Flat(playout_limit=0), after(CONNECT_FOUR, "a b a b a b"), iterations=70)
    winning = CONNECT_FOUR.parse("a")
    assert chosen.values == {move: 1.0 if move == winning else 0.5 for move in chosen.values}
    assert chosen.forward_calls == 70


def test_equal_moves_are_drawn_from_at_random():
    state = CONNECT_FOUR.initial()
    chosen = {decide(Flat(playout_limit=0), state, seed=seed, iterations=70).move for seed in range(60)}
    assert chosen == set(state.legal(0))


def test_others_that_move_at_once_choose_at_random():
    for role in (0, 1):
        chosen = decide(Flat(), matching_pennies().initial(), role=role, iterations=10_000)
        assert chosen.values == {0: pytest.approx(0.5, abs=0.05), 1: pytest.approx(0.5, abs=0.05)}


def test_chance_is_averaged_over():
    chosen = decide(Flat(), walk().initial(Rng(0)), iterations=10_000)
    assert chosen.values == {0: 0.5, 1: pytest.approx(0.25, abs=0.05)}


def test_hidden_states_are_refused():
    with pytest.raises(UnsupportedGame, match="flat cannot play kuhn-poker"):
        Flat().seat(game("kuhn-poker"), 0, Rng(0))


@pytest.mark.parametrize("wrong", [-1, 1 << 62])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match="flat: playout_limit is"):
        agent(f"flat(playout_limit={wrong})")
