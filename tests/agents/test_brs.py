from dataclasses import replace

import pytest

from ludarium.agents.alphabeta import AlphaBeta, BestReply
from tests.agents.mixed_games import mixed_game, random_states
from tests.agents.positions import decide
from tests.reference.looking_ahead import best_reply, judged_by

PLENTY = 10_000_000

PLAIN = BestReply(evaluator="result", hash_move=False, killers=False, history=False)


@pytest.mark.parametrize("table_bits", [0, 10])
@pytest.mark.parametrize("roles", [2, 3, 4, 5])
def test_one_opponent_is_free_and_the_others_play_what_is_ordered_first(roles, table_bits):
    differs = 0
    for seed in range(15):
        made = mixed_game(roles, seed, plies=8)
        judge = judged_by(made, "result")
        for state in random_states(made, seed, (0, 1, 2)):
            for depth in (1, 2, 4, 6):
                settings = replace(PLAIN, depth=depth, table_bits=table_bits)
                chosen = decide(settings, state, iterations=PLENTY)
                assert chosen.values[chosen.move] == best_reply(state, state.movers[0], depth, judge)
                paranoid = decide(AlphaBeta(evaluator="result", depth=depth), state, iterations=PLENTY)
                assert chosen.values[chosen.move] >= paranoid.values[paranoid.move]
                differs += chosen.values[chosen.move] > paranoid.values[paranoid.move]
    assert (differs > 0) == (roles > 2)


def test_with_two_roles_it_is_alphabeta():
    for seed in range(10):
        for state in random_states(mixed_game(2, seed, constant_sum=True), seed, (0, 1)):
            one, other = (decide(kind(), state, iterations=500) for kind in (BestReply, AlphaBeta))
            assert one.values == other.values
            assert one.proven == other.proven


def test_what_restricted_opponents_allow_is_no_proof():
    for seed in range(20):
        for state in random_states(mixed_game(3, seed), seed, (0,)):
            assert decide(BestReply(), state, iterations=PLENTY).proven is None
