"""An agent with a smaller budget than the match allows."""

from dataclasses import dataclass
from time import sleep, thread_time

import pytest

from ludarium import agent, game
from ludarium.arena.position import after
from ludarium.core import BadParameter, Decision, Limit, Rng, UnsupportedGame
from ludarium.hyper.limited import Limited


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


@dataclass(frozen=True)
class Watchful:
    """Says how much time it is left, before and after it has slept, and after it has worked."""

    name: str = "watchful"

    def seat(self, *_):
        return self

    def choose(self, info, budget):
        left = [budget.seconds_left]
        sleep(0.05)
        left.append(budget.seconds_left)
        started = thread_time()
        while thread_time() < started + 0.02:
            pass
        left.append(budget.seconds_left)
        budget.charge(iterations=3, forward_calls=7, seconds=1)
        return Decision(info.legal[0], note=repr(left))


def test_cpu_time_is_what_it_works_and_not_what_it_waits():
    info = after(game("connect-four"), "").information_set(0)
    budget = Limit(iterations=10, forward_calls=10).start()
    made = Limited(inner=Watchful(), cpu_seconds=0.04).seat(info.game, 0, Rng(1)).choose(info, budget)
    first, slept, worked = eval(made.note)
    assert first - slept < 0.03
    assert slept - worked >= 0.0199
    assert (budget.spent.iterations, budget.spent.forward_calls) == (3, 7)


def test_with_cpu_time_the_counts_of_the_match_are_kept():
    made, budget = decided("limited(inner=uct, cpu_seconds=60)", iterations=40)
    assert made.iterations == budget.spent.iterations == 40
    made, _ = decided("limited(inner=uct, cpu_seconds=0.01)", iterations=10**9)
    assert 0 < made.iterations < 10**9
    with pytest.raises(BadParameter, match="cpu_seconds is a limit by itself"):
        agent("limited(cpu_seconds=1, iterations=5)")
