import pytest

from ludarium import agent
from ludarium.agents.rmhc import RMHC
from ludarium.core import BadParameter, Limit, Rng
from ludarium.kernel import Bundle, Stream, Table, f64, i64, kernel, u8, view
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


class Verdict(Bundle):
    """What the next plan is worth, and by how much that changes from plan to plan."""

    value: f64
    change: f64


@kernel
def prejudiced(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Say what was decided beforehand."""
    verdict = Verdict.of(judging)
    out[0] = verdict.value
    out[1] = 1.0 - verdict.value
    verdict.value += verdict.change
    return 0


@pytest.mark.parametrize(("change", "best"), [(0.1, [0, 1, 0, 1]), (0.0, [0, 1, 0, 1]), (-0.1, [0, 0, 0, 0])])
def test_a_changed_plan_stays_if_it_is_not_worse(change, best):
    player = RMHC(length=2, discount=0.0, opponent="nothing").seat(rope(), 0, Rng(0))
    player.scene.planning.fill(judge=prejudiced, judging=Verdict(value=0.5, change=change))
    player._begin(facing(rope().initial()), Limit(iterations=9).start())
    player.scene.planning.call_limit = 1 << 60
    found = []
    for _ in best:
        assert player._run(1) == 1
        found.append(player.settings.best)
    assert found == best
