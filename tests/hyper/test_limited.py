"""An agent with a smaller budget than the match allows."""

import pytest

from ludarium import agent, game
from ludarium.arena.position import after
from ludarium.core import BadParameter, Limit, Rng, UnsupportedGame


def decided(text, **limit):
    made, info = agent(text), after(game("connect-four"), "").information_set(0)
    budget = Limit(**limit).start()
    return made.seat(info.game, 0, Rng(1)).choose(info, budget), budget


def test_it_keeps_to_its_own_limit_and_charges_the_match():
    made, budget = decided("limited(inner=uct, iterations=30)", iterations=1000)
    assert made.iterations == budget.spent.iterations == 30
    made, _ = decided("limited(inner=uct, forward_calls=200)", forward_calls=100_000)
    assert 0 < made.forward_calls <= 200


def test_the_match_allows_no_more_than_it_does():
    assert decided("limited(inner=uct, iterations=500)", iterations=40)[0].iterations == 40


def test_without_a_limit_of_its_own_it_has_half():
    assert decided("limited", iterations=40)[0].iterations == 20


def test_it_plays_as_the_agent_does_with_that_budget():
    small = agent("uct").seat(game("connect-four"), 0, Rng(1))
    info = after(game("connect-four"), "").information_set(0)
    assert (
        decided("limited(iterations=25)", iterations=99)[0].visits
        == small.choose(info, Limit(iterations=25).start()).visits
    )


def test_it_can_play_what_the_agent_can_play():
    with pytest.raises(UnsupportedGame):
        agent("limited(inner=alphabeta)").seat(game("goofspiel"), 0, Rng(0))
    agent("limited").seat(game("kuhn-poker"), 0, Rng(0))  # in imagined states
    with pytest.raises(BadParameter, match="inner"):
        agent("limited(inner=3)")
