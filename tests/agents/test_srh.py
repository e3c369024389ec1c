import pytest

from ludarium import agent
from ludarium.agents.srh import SRH
from ludarium.core import BadParameter, Limit, Rng
from ludarium.core.parameters import domains
from tests.agents.positions import decide, facing
from tests.agents.rolling_games import UP, always_up, offer, rope


def test_the_parameters_are_those_of_the_paper():
    tries = {name: domain.tries for name, domain in domains(SRH).items()}
    assert tries["length"] == (1, 2, 3, 5, 10, 20)
    assert tries["evaluations"] == (0, 1, 5, 10, 20, 50, 100, 200)
    assert tries["rate"] == (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
    best = SRH()
    assert (best.length, best.evaluations, best.shift_buffer, best.mutate_once) == (2, 200, True, False)
    assert (best.rate, best.opponent) == (0.9, "nothing")


def test_a_seed_means_the_same_move_in_the_same_state():
    player = SRH(length=3, opponent="nothing", rate=0.0).seat(rope(), 0, Rng(0))
    for _ in range(5):
        player.plans.forget()
        chosen = player.choose(facing(rope().initial()), Limit(iterations=100).start())
        assert len(chosen.visits) == 1, "what never changes is always played the same"
        own = [move for role, move in chosen.line if role == 0]
        assert [Rng(seed).below(3) for seed in player.plans.genes[:3]] == own


def test_seeds_go_through_the_sampling_of_the_game():
    made = rope()
    offer(made, sample=always_up)
    chosen = decide(SRH(length=3), made.initial(), iterations=50)
    assert set(chosen.visits) == {UP}


def test_the_best_plan_is_tried_again_beside_each_other():
    assert decide(SRH(evaluations=10), rope().initial(), iterations=1000).iterations == 1 + 10 + 9
    assert decide(SRH(evaluations=10, rescore=False), rope().initial(), iterations=1000).iterations == 11
    assert decide(SRH(evaluations=0), rope().initial(), iterations=1000).iterations == 1


@pytest.mark.parametrize("wrong", ["length=0", "evaluations=-1", "rate=1.1", "shift_buffer=2"])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match="srh: "):
        agent(f"srh({wrong})")
