import pytest

from ludarium import agent
from ludarium.agents.bmrh import BMRH
from ludarium.core import BadParameter
from ludarium.core.parameters import domains
from tests.agents.positions import decide
from tests.agents.rolling_games import PASS, UP, rope, rope_without_pass


def test_the_parameters_are_those_of_the_paper():
    tries = {name: domain.tries for name, domain in domains(BMRH).items()}
    assert tries["length"] == (1, 2, 3, 5, 10, 20)
    assert tries["evaluations"] == (20, 50, 100, 200)
    assert tries["decay"] == (0.5, 0.7, 0.8, 0.9)
    assert tries["mean"] == (0.0, 0.1, 0.3, 0.5, 0.75)
    assert tries["deviation"] == (0.5, 1.0, 2.0)
    assert tries["opponent_share"] == (0.005, 0.01, 0.02, 0.05)
    best = BMRH()
    assert (best.length, best.evaluations, best.shift_buffer, best.mutate_once) == (2, 200, True, True)
    assert (best.mutation, best.opponent) == ("uniform", "nothing")


@pytest.mark.parametrize("evaluations", [0, 1, 20, 200])
def test_it_tries_so_many_changed_plans_and_stops(evaluations):
    chosen = decide(BMRH(evaluations=evaluations), rope().initial(), iterations=1000)
    assert chosen.iterations == 1 + evaluations
    again = decide(BMRH(evaluations=evaluations, rescore=True), rope().initial(), iterations=1000)
    assert again.iterations == 1 + evaluations + max(0, evaluations - 1)


@pytest.mark.parametrize("mutation", ["fresh", "uniform", "decay", "gaussian"])
def test_every_mutation_finds_the_best_plan(mutation):
    chosen = decide(BMRH(mutation=mutation, evaluator="result", length=3), rope().initial(), iterations=201)
    assert [move for role, move in chosen.line if role == 0] == [UP] * 3


def test_without_mutation_the_first_plan_stays():
    for seed in range(10):
        chosen = decide(BMRH(mutation="none"), rope().initial(), seed=seed, iterations=50)
        assert len(chosen.visits) == 1


def test_a_plan_that_is_as_good_replaces_the_best():
    """Pulling is all the same to a judge that sees nothing, so the plan drifts."""
    found = {
        decide(BMRH(evaluator="mobility", length=1), rope().initial(), seed=1, iterations=n).move for n in range(1, 30)
    }
    assert {PASS, UP} < found


def test_an_evaluation_costs_a_call_for_each_ply():
    made = rope_without_pass().initial()
    assert decide(BMRH(length=3), made, iterations=50).forward_calls == 50 * 6


@pytest.mark.parametrize("wrong", ["length=0", "evaluations=-1", "mutation=gene", "decay=2.0", "deviation=-1.0"])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match="bmrh: "):
        agent(f"bmrh({wrong})")
