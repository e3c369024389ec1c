import numpy as np
import pytest

from ludarium import game
from ludarium.core import GameError, Rng
from ludarium.evaluate.layout import MOBILITY
from ludarium.evaluate.sample import sample
from ludarium.evaluate.sheet import Feature, sheet
from ludarium.evaluate.terms import Material
from ludarium.kernel import bridge
from tests.agents.small_games import faulty

TIC_TAC_TOE = game("tic-tac-toe")


def drawn(made, kinds, **how):
    roles = len(made.roles)
    looked_at = sheet(bridge(made).table, kinds, [0.0] * roles * (1 + len(kinds) * roles))
    return sample(made, looked_at, Rng(how.pop("seed", 0)), **how)


def test_rows_are_the_features_of_the_states_of_whole_games():
    seen = drawn(TIC_TAC_TOE, [Feature(MOBILITY), Material().feature(TIC_TAC_TOE)], games=10, states=1000, keep=4)
    assert sum(seen.lengths) == len(seen.features) == len(seen.blocks) == len(seen.utilities)
    assert len(seen.lengths) == 10
    first = 0
    for length in seen.lengths:
        for ply, row in enumerate(seen.features[first : first + length]):
            moves = [9 - ply, 0] if ply % 2 == 0 else [0, 9 - ply]
            assert row.tolist() == [*moves, (ply + 1) // 2, ply // 2]
        first += length
    assert seen.utilities.sum(axis=1).tolist() == [1.0] * len(seen.utilities)
    assert min(seen.lengths) >= 5
    held = np.unpackbits(seen.blocks, axis=1).sum(axis=1)
    assert held.tolist() == seen.features[:, 2:].sum(axis=1).tolist()


def test_it_stops_at_enough_states_and_leaves_out_a_game_that_has_no_end():
    for seed in range(20):
        seen = drawn(TIC_TAC_TOE, [Feature(MOBILITY)], games=1000, states=30, seed=seed)
        assert 30 - 9 <= len(seen.features) <= 30
        assert min(seen.lengths) >= 5


def test_there_is_always_a_game_if_only_its_beginning():
    seen = drawn(TIC_TAC_TOE, [Feature(MOBILITY)], games=1000, states=3)
    assert seen.lengths == [3]


@pytest.mark.parametrize("name", ["nim", "goofspiel", "kuhn-poker", "meier"])
def test_any_game_can_be_sampled(name):
    seen = drawn(game(name), [Feature(MOBILITY)], games=3, states=50)
    assert len(seen.lengths) <= 3
    assert np.all(seen.features >= 0)


@pytest.mark.parametrize("fault", ["no move", "many moves"])
def test_a_game_that_breaks_its_promises_is_named(fault):
    with pytest.raises(GameError, match="faulty"):
        drawn(faulty(fault), [Feature(MOBILITY)], games=1, states=50)
