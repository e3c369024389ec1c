from dataclasses import replace

import pytest

from ludarium.agents.alphabeta import AlphaBeta, BestReply
from tests.agents.mixed_games import mixed_states, once
from tests.agents.positions import decide
from tests.reference.looking_ahead import best_reply, judged_by

PLENTY = 10_000_000
PLAIN = BestReply(evaluator="result", hash_move=False, killers=False, history=False)


@pytest.mark.parametrize("roles", [2, 3, 4, 5])
def test_one_opponent_is_free_and_the_others_play_what_is_ordered_first(roles):
    judge = judged_by(once(roles, plies=7), "result")
    differs = 0
    for state in mixed_states(roles, range(10), plies=7):
        for depth in (1, 2, 4, 6):
            wanted = best_reply(state, state.movers[0], depth, judge)
            for table_bits in (0, 10):
                chosen = decide(replace(PLAIN, depth=depth, table_bits=table_bits), state, iterations=PLENTY)
                assert chosen.values[chosen.move] == wanted
            paranoid = decide(AlphaBeta(evaluator="result", depth=depth), state, iterations=PLENTY)
            assert wanted >= paranoid.values[paranoid.move]
            differs += wanted > paranoid.values[paranoid.move]
    assert (differs > 0) == (roles > 2)


def test_with_two_roles_it_is_alphabeta():
    for state in mixed_states(2, range(10), constant_sum=True):
        one, other = (decide(kind(), state, iterations=500) for kind in (BestReply, AlphaBeta))
        assert one.move == other.move
        assert one.proven == other.proven


def test_what_restricted_opponents_allow_is_no_proof():
    for state in mixed_states(3, range(20)):
        assert decide(BestReply(), state, iterations=PLENTY).proven is None
