from collections import Counter

import pytest

from ludarium import game
from ludarium.arena import audit
from ludarium.arena.leaks import shown
from ludarium.arena.leaks.other_worlds import another, wander
from ludarium.arena.leaks.shown import exposures
from ludarium.core import Rng
from tests.arena.leaks import leaky
from tests.hidden.small_games import Urn, long_walk


def found(made, matches=6):
    """What is exposed in random matches, and how often."""
    what = Counter()
    for seed in range(matches):
        rng = Rng(seed)
        for role in range(len(made.roles)):
            world = wander(made, seed, role, 2, lambda at, mover, rng=rng: rng.choice(at.state.legal(mover)))
            if world is not None:
                what.update(each.what for each in exposures(role, world, another(world, role, rng).world, rng))
    return what


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker", "whist", "attaque", "monty-hall", "rinascimento"])
def test_honest_games_show_nothing(name):
    assert not found(game(name), matches=3)


def test_honest_small_games_show_nothing():
    assert not found(Urn())
    assert not found(long_walk())


def test_a_picture_that_shows_too_much_is_found():
    made = leaky.poker(picture=lambda state, role: leaky.kuhn_poker.picture(state, None))
    assert set(found(made)) == {shown.PICTURE}


def test_a_list_in_an_order_that_tells_something_is_found():
    assert set(found(leaky.poker(legal=leaky.legal_in_order))) == {shown.ORDER}


def test_an_observation_of_what_no_picture_shows_is_found():
    assert set(found(leaky.poker(observe=leaky.observe_all))) == {shown.OBSERVED}


def test_an_observation_of_what_is_declared_to_be_hidden_is_found():
    assert shown.DECLARED in found(leaky.winking_leduc())


def test_the_game_is_named_with_what_proves_it():
    (exposure, *_) = audit(leaky.poker(observe=leaky.observe_all), [], positions=6).exposures
    assert (exposure.game, exposure.moves) == ("leaky-poker", "")
    assert exposure.role in ("first", "second")
    assert exposure.shown[0] != exposure.shown[1]
    assert exposure.worlds[0] != exposure.worlds[1]


def test_an_order_that_tells_something_misleads_even_honest_agents():
    """They choose by it without knowing: so both the game and the agent are named."""
    made = audit(leaky.poker(legal=leaky.legal_in_order), [leaky.Sly(leaky.takes_the_first)], positions=8)
    assert [each.what for each in made.exposures][:1] == [shown.ORDER]
    assert made.verdicts[0].leaks
