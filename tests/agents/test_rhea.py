import pytest

from ludarium import agent
from ludarium.agents.rhea import RHEA
from ludarium.core import BadParameter, Limit, Rng
from tests.agents.positions import facing
from tests.agents.rolling_games import UP, rope


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("population=1", "population is 1; expected a whole number from 2"),
        ("elites=10", "elites is 10; expected fewer than the population of 10"),
        ("crossover=twice", "crossover is 'twice'; expected one of none, one-point, uniform"),
        ("rate=1.5", "rate is 1.5"),
        ("length=0", "length is 0"),
        ("opponent_share=0.0", "opponent_share is 0.0"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong, told):
    with pytest.raises(BadParameter, match=f"rhea: {told}"):
        agent(f"rhea({wrong})")


def generations(iterations, **parameters):
    player = RHEA(population=5, opponent="nothing", **parameters).seat(rope(), 0, Rng(0))
    player.choose(facing(rope().initial()), Limit(iterations=iterations).start())
    return player.settings.generation


@pytest.mark.parametrize("elites", [0, 1, 4])
def test_elites_need_not_be_tried_again(elites):
    fresh = 5 - elites
    for iterations in (4, 5, 5 + fresh, 5 + 10 * fresh):
        assert generations(iterations, elites=elites, rescore=False) == (iterations >= 5) + (
            iterations - 5
        ) // fresh * (iterations > 5)
        assert generations(iterations, elites=elites, rescore=True) == iterations // 5


def test_the_population_gets_better():
    player = RHEA(opponent="nothing", evaluator="result", length=4, discount=0.0).seat(rope(), 0, Rng(0))
    player.choose(facing(rope().initial()), Limit(iterations=10).start())
    first = sorted(player.plans.fitness[:10])
    player = RHEA(opponent="nothing", evaluator="result", length=4, discount=0.0).seat(rope(), 0, Rng(0))
    chosen = player.choose(facing(rope().initial()), Limit(iterations=1000).start())
    last = sorted(player.plans.fitness[:10])
    assert sum(last) > sum(first) + 0.3
    assert last[-1] == 24 / 40
    assert [move for role, move in chosen.line if role == 0] == [UP] * 4
