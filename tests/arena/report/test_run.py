"""What was run stands in the report."""

from ludarium import game
from ludarium.arena import Store, round_robin, run
from ludarium.arena.report.run import run_sheet
from ludarium.arena.store import runs
from tests.arena.store.test_store import PLAIN


def facts(store):
    found = {}
    for what, told in run_sheet(store).rows:
        found.setdefault(what, []).append(told)
    return found


def test_a_run_tells_games_agents_with_all_parameters_limits_seeds_and_how_to_repeat_it(tmp_path):
    plan = round_robin(["nim"], ["uct(c=1.0)", "random"], matches=2, iterations=20, seed=7)
    run(plan, tmp_path / "x.db", on="threads", command="ludarium tournament plan.toml")
    with Store(tmp_path / "x.db", readonly=True) as store:
        told = facts(store)
    assert told["matches"] == ["4"]
    assert told["game"] == [f"nim (rules {game('nim').fingerprint}): 4 matches"]
    (uct,) = [agent for agent in told["agent"] if agent.startswith("uct(c=1.0): ")]
    assert "c=1.0" in uct.partition(": ")[2]
    assert "playout_limit=" in uct  # a default, which may be another one in another version
    assert told["limit of a move"] == ["20 iterations"]
    assert told["seed of the plan"] == ["7"]
    assert told["faults"] == ["none"]
    assert told["repeat"] == ["ludarium tournament plan.toml"]
    assert told["version"][0].startswith("Ludarium 0")
    assert told["machine"] == [runs.machine()]
    assert "UTC to 20" in told["played"][0]


def test_a_store_without_notes_says_so(tmp_path):
    with Store(tmp_path / "x.db") as store:
        store.add(PLAIN)
        told = facts(store)
    assert told["version"] == told["machine"] == ["not noted"]
    assert "repeat" not in told
