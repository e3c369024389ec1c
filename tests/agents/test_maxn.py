import pytest

from ludarium import agent, game, play
from ludarium.agents.alphabeta import AlphaBeta
from ludarium.agents.maxn import MaxN
from tests.agents.mixed_games import mixed_states, once
from tests.agents.positions import after, decide
from tests.reference.looking_ahead import judged_by, maxn

PLENTY = 10_000_000


@pytest.mark.parametrize("roles", [2, 3, 4])
def test_the_value_is_that_of_plain_maxn(roles):
    judge = judged_by(once(roles), "result")
    complete = 0
    for state in mixed_states(roles, range(12)):
        (me,) = state.movers
        for depth in (1, 2, 3, 7):
            chosen = decide(MaxN(evaluator="result", depth=depth), state, iterations=PLENTY)
            wanted = {move: maxn(state.after(move), depth - 1, judge)[me] for move in state.legal(me)}
            assert chosen.values[chosen.move] == wanted[chosen.move] == max(wanted.values())
            if max(wanted.values()) < 1:
                assert chosen.values == wanted
                complete += 1
    assert complete > 20


def test_where_one_wins_what_the_other_loses_it_agrees_with_alphabeta():
    for state in mixed_states(2, range(15), constant_sum=True):
        one, other = (decide(made, state, iterations=PLENTY) for made in (MaxN(), AlphaBeta()))
        assert one.proven == other.proven == one.values[one.move] == other.values[other.move]


def test_the_line_leads_to_the_value():
    for state in mixed_states(3, range(20)):
        (me,) = state.movers
        chosen = decide(MaxN(), state, iterations=PLENTY)
        end = state
        for role, move in chosen.line:
            assert end.movers == (role,)
            end = end.after(move)
        assert end.over
        assert end.utilities()[me] == chosen.values[chosen.move]
        assert chosen.proven is None


def test_it_wins_at_once():
    made = game("connect-four")
    assert made.text(decide(MaxN(), after(made, "a b a b a b"), iterations=5000).move) == "a"


@pytest.mark.parametrize("name", ["paranoid", "maxn", "brs"])
def test_three_players_from_rules_are_played(name):
    made = game("three-player-connect-four")
    match = play(made, [agent(name), agent("random"), agent("random")], iterations=300, seed=1)
    assert not match.faults
    assert match.utilities[0] == 1
