from dataclasses import dataclass

import numpy as np
import pytest

from ludarium import agent, game
from ludarium.core import BadParameter, Decision, Limit, Rng
from ludarium.hyper.race import Racer, race
from tests.hyper.test_ensemble import Failing, Fixed

NIM = game("tic-tac-toe")


def starters(*agents):
    return [Racer(each) for each in agents]


def ran(racers, errors=None, **limit):
    return race(racers, NIM, 0, Limit(**limit), Rng(5), errors=errors)


def test_the_better_one_wins_and_the_race_ends_when_that_is_sure():
    order = ran(starters(agent("random"), agent("alphabeta")), forward_calls=10_000_000)
    assert order[0].agent.name == "alphabeta"
    assert order[0].mean - order[1].mean > 0.2
    assert 2 <= len(order[1].points) < 50
    assert order[0].error < 0.25


@pytest.mark.parametrize(("mean", "told"), [(1.04, "uct 100 ± 25 %"), (-0.1, "uct 0 ± 25 %"), (0.5, "uct 50 ± 25 %")])
def test_nobody_is_told_to_win_more_than_everything(mean, told):
    assert str(Racer(agent("uct"), mean=mean)).startswith(told)


def test_the_prediction_is_where_it_starts_from():
    expected = [Racer(agent("random"), 0.7), Racer(agent("alphabeta"), 0.5)]
    order = ran(expected, np.eye(2) * 0.02**2, forward_calls=10_000_000)
    assert [(each.agent.name, each.points) for each in order] == [("random", []), ("alphabeta", [])], "it is sure"
    assert [each.mean for each in order] == [0.7, 0.5]
    unsure = [Racer(agent("random"), 0.7), Racer(agent("alphabeta"), 0.5)]
    order = ran(unsure, np.eye(2) * 0.3**2, forward_calls=10_000_000)
    assert order[0].agent.name == "alphabeta"
    assert order[0].points


def test_who_cannot_gain_a_point_does_not_run():
    racers = [Racer(agent("uct"), 0.6), Racer(agent("mast"), 0.6), Racer(agent("random"), 0.1)]
    order = ran(racers, np.eye(3) * 0.1**2, forward_calls=20_000)
    assert [bool(each.points) for each in racers] == [True, True, False]
    assert order[-1].agent.name == "random"


@pytest.mark.parametrize("limit", [{"forward_calls": 3000}, {"iterations": 400}])
def test_it_is_the_same_again_and_keeps_what_is_counted(limit, monkeypatch):
    spent = []
    start = Limit.start

    def started(self):
        spent.append(start(self))
        return spent[-1]

    monkeypatch.setattr(Limit, "start", started)
    one, other = (ran(starters(agent("uct"), agent("mast"), agent("grave")), **limit) for _ in range(2))
    assert [(each.agent, each.points) for each in one] == [(each.agent, each.points) for each in other]
    for budget in spent:
        for name, most in limit.items():
            assert 0 < getattr(budget.spent, name) <= most


def test_it_ends_where_nothing_is_charged(monkeypatch):
    monkeypatch.setattr("ludarium.hyper.race.MOST_ROUNDS", 6)
    made = ran(starters(Fixed(0), Fixed(0)), forward_calls=1000)
    assert [len(each.points) for each in made] == [6, 6]


def test_time_is_kept():
    ticks = iter(range(10_000))

    @dataclass(frozen=True)
    class Slow(Fixed):
        def choose(self, info, budget):
            next(ticks)
            return Decision(info.legal[self.place])

    made = ran(starters(Slow(0), Slow(1)), seconds=0.05)
    assert len(made) == 2
    assert next(ticks) < 9_999


def test_who_fails_drops_out_and_is_named():
    order = ran(starters(Failing(), agent("uct"), agent("mast")), forward_calls=5000)
    assert order[-1].agent == Failing()
    assert "no idea" in order[-1].failure
    assert all(not each.failure for each in order[:-1])


def test_a_portfolio_tells_of_the_race_and_plays_the_same_again():
    spec = "portfolio(race=True, race_forward_calls=4000, agents=[uct, alphabeta, mast])"
    one, other = (agent(spec).seat(game("connect-four"), 1, Rng(3)) for _ in range(2))
    assert one.because == other.because
    assert "race of " in one.because
    assert "% expected)" in one.because
    assert "nearest game" in one.because
    with pytest.raises(BadParameter, match="race_seconds"):
        agent("portfolio(race_seconds=-1)")
