import pytest

from ludarium import agent
from ludarium.agents.rmhc import RMHC
from ludarium.core import BadParameter, Limit, Rng
from tests.agents.positions import facing
from tests.agents.rolling_games import rope


def test_the_horizon_is_that_of_the_tabletop_games_framework():
    assert (RMHC().length, RMHC().discount) == (10, 0.9)


@pytest.mark.parametrize("wrong", ["length=0", "discount=1.1", "mutation=decay", "opponent=5"])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match="rmhc: "):
        agent(f"rmhc({wrong})")


def test_one_gene_changes_and_the_others_stay():
    player = RMHC(length=4, opponent="nothing", evaluator="result").seat(rope(), 0, Rng(0))
    for iterations in range(2, 40):
        player.rng = player.scene.rng = Rng(9)
        player.plans.forget()
        player.choose(facing(rope().initial()), Limit(iterations=iterations).start())
        rows = [player.plans.genes[:4], player.plans.genes[4:8]]
        assert sum(a != b for a, b in zip(*rows, strict=True)) <= 2  # both are one step from the plan before
