from dataclasses import FrozenInstanceError, replace

import pytest

from ludarium.core import Agent, Decision, InformationSet, Limit, Player, Rng, Traits
from tests.core.test_game import Race


class First:
    """An agent, and a player, without a base class."""

    def seat(self, game, role, rng):
        return self

    def choose(self, info, budget):
        budget.charge(iterations=1)
        return Decision(info.legal[0], iterations=1, seconds=budget.spent.seconds)


def test_an_agent_is_whatever_can_be_seated():
    agent: Agent = First()
    game = Race()
    player: Player = agent.seat(game, 0, Rng(0))
    info = InformationSet(game=game, role=0, legal=(1, 2), state=game.initial())
    assert player.choose(info, Limit(iterations=1).start()).move == 1


def test_a_state_is_never_handed_out_where_something_is_hidden():
    game = Race()
    start = game.initial()
    info = InformationSet(game=game, role=0, legal=(1, 2), state=start)
    assert info.state is start
    game.traits = replace(game.traits, perfect_information=False)
    with pytest.raises(ValueError, match="race hides information"):
        InformationSet(game=game, role=0, legal=(1, 2), state=start)
    assert InformationSet(game=game, role=0, legal=(1, 2)).state is None


def test_a_game_that_promises_nothing_hides_its_states():
    game = Race()
    start = game.initial()
    game.traits = Traits()
    with pytest.raises(ValueError, match="hides information"):
        InformationSet(game=game, role=0, legal=(1, 2), state=start)


def test_an_information_set_cannot_be_changed():
    info = InformationSet(game=Race(), role=0, legal=(1, 2), seen=(b"a",), played=(1,))
    with pytest.raises(FrozenInstanceError):
        info.legal = (1,)


def test_the_same_decision_made_slower_is_the_same_decision():
    fast = Decision(1, values={1: 0.5}, visits={1: 3}, iterations=3, seconds=0.1)
    assert fast == replace(fast, seconds=9.0)
    assert fast != replace(fast, visits={1: 4})
