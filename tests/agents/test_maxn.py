import pytest

from ludarium import agent, game, play
from ludarium.agents.alphabeta import AlphaBeta
from ludarium.agents.maxn import MaxN
from ludarium.core import Rng
from tests.agents.mixed_games import mixed_game, random_states
from tests.agents.positions import after, decide
from tests.reference.looking_ahead import judged_by, maxn

PLENTY = 10_000_000


@pytest.mark.parametrize("roles", [2, 3, 4])
def test_the_value_is_that_of_plain_maxn(roles):
    """The order of the moves decides between equal ones, so only games without ties at choices are compared."""
    compared = 0
    for seed in range(30):
        made = mixed_game(roles, seed)
        judge = judged_by(made, "result")
        for state in random_states(made, seed, (0, 1, 2)):
            (me,) = state.movers
            for depth in (1, 2, 3, 7):
                chosen = decide(MaxN(evaluator="result", depth=depth), state, iterations=PLENTY)
                wanted = {move: maxn(state.after(move), depth - 1, judge)[me] for move in state.legal(me)}
                assert chosen.values[chosen.move] == max(wanted.values())
                assert wanted[chosen.move] == max(wanted.values())
                if max(wanted.values()) < 1:
                    assert chosen.values == wanted
                    compared += 1
    assert compared > 50


def test_where_one_wins_what_the_other_loses_it_agrees_with_alphabeta():
    for seed in range(15):
        for state in random_states(mixed_game(2, seed, constant_sum=True), seed, (0, 1)):
            one, other = (decide(made, state, iterations=PLENTY) for made in (MaxN(), AlphaBeta()))
            assert one.proven == other.proven == one.values[one.move] == other.values[other.move]


def test_the_line_leads_to_the_value():
    for seed in range(20):
        for state in random_states(mixed_game(3, seed), seed, (0, 1)):
            chosen = decide(MaxN(), state, iterations=PLENTY)
            end = state
            for role, move in chosen.line:
                assert end.movers == (role,)
                end = end.after(move)
            assert end.over
            assert end.utilities()[state.movers[0]] == chosen.values[chosen.move]
            assert chosen.proven is None


def test_it_wins_at_once():
    made = game("connect-four")
    assert made.text(decide(MaxN(), after(made, "a b a b a b"), iterations=5000).move) == "a"


@pytest.mark.parametrize("name", ["paranoid", "maxn", "brs"])
def test_three_players_from_rules_are_played(name):
    made = game("three-player-connect-four")
    red = play(made, [agent(name), agent("random"), agent("random")], iterations=300, seed=1)
    assert not red.faults
    state = after_moves(made, 9)
    chosen = decide(agent(name), state, iterations=200)
    assert chosen.iterations == 200


def after_moves(made, plies):
    state = made.initial(Rng(0))
    for _ in range(plies):
        (role,) = state.movers
        state = state.after(state.legal(role)[0])
    return state
