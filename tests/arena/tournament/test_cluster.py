"""Tournaments on a Ray cluster of two nodes, both on this machine."""

import sys
from threading import Thread

import pytest

from ludarium.arena import Store, load, round_robin, run
from ludarium.core import BadParameter, LudariumError
from tests.commands import run as run_command
from tests.outside_code import RACE

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("ray", reason="needs the extra [ray]")
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    yield made
    made.shutdown()


@pytest.fixture
def address(cluster):
    return cluster.address


def by_id(path):
    with Store(path, readonly=True) as store:
        return {match.id: match for match in store.matches()}


def test_the_same_plan_gives_the_same_results_on_two_nodes(address, tmp_path):
    plan = round_robin(["tic-tac-toe", "nim"], ["random", "flat"], matches=3, iterations=20, seed=0)
    outcome = run(plan, tmp_path / "ray.db", 2, address)
    assert (outcome.played, outcome.left, outcome.failed) == (12, 0, {})
    run(plan, tmp_path / "here.db", 1, "threads")
    assert by_id(tmp_path / "ray.db") == by_id(tmp_path / "here.db")
    assert run(plan, tmp_path / "ray.db", 2, address).played == 0


def test_the_command_line_gives_the_same_results_on_one_worker_on_two_and_on_a_cluster(address, tmp_path):
    """Without a number of workers there is one per processor of the cluster."""
    command = ("tournament", "--games", "tic-tac-toe", "nim", "--agents", "random", "flat", "--games-per-pair", "4")
    command = (*command, "--iterations", "20", "--seed", "0", "--no-report", "--store")
    for name, *where in (("one", "--workers", 1), ("two", "--workers", 2), ("ray", "--on", address)):
        told = run_command(*command, tmp_path / f"{name}.db", *where)
        assert told.exit_code == 0, told.output
        assert "8 matches of 2 agents in 2 games" in told.output
    assert by_id(tmp_path / "ray.db") == by_id(tmp_path / "one.db") == by_id(tmp_path / "two.db")


def test_an_address_where_nobody_is_is_said_at_once(tmp_path):
    pytest.importorskip("ray", reason="needs the extra [ray]")
    with pytest.raises(LudariumError, match="no Ray cluster answers at 127.0.0.1:1: .*refused"):
        run(round_robin(["nim"], ["random", "flat"], seed=0), tmp_path / "ray.db", 1, "127.0.0.1:1")


def test_no_more_workers_than_processors(address, tmp_path):
    with pytest.raises(BadParameter, match="the cluster has 2 processors: no room for 9 workers"):
        run(round_robin(["nim"], ["random", "flat"], seed=0), tmp_path / "ray.db", 9, address)


def test_a_machine_that_is_lost_loses_no_match(cluster, tmp_path):
    plan = round_robin(["tic-tac-toe"], ["random", "flat"], matches=30, iterations=1000, seed=0)
    lost = []

    def lose(progress):
        if progress.done == 10 and not lost:
            lost.append(cluster.list_all_nodes()[-1])
            Thread(target=cluster.remove_node, args=(lost[0],), kwargs={"allow_graceful": False}).start()

    outcome = run(plan, tmp_path / "ray.db", 2, cluster.address, progress=lose)
    assert lost
    assert (outcome.played, outcome.left) == (60, 0)
    run(plan, tmp_path / "here.db", 1, "threads")
    assert by_id(tmp_path / "ray.db") == by_id(tmp_path / "here.db")


def test_without_ray_it_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(LudariumError, match=r"ludarium\[ray\]"):
        run(round_robin(["nim"], ["random", "flat"]), tmp_path / "ray.db", 1, "ray")


def test_code_beside_the_plan_is_found(address, tmp_path, monkeypatch):
    (tmp_path / "running.py").write_text(RACE, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(
        'kind = "round-robin"\ngames = ["running.py:Race"]\nagents = ["running.py:Bold", "random"]\nmatches = 2\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert run(load(tmp_path / "plan.toml"), tmp_path / "results.db", workers=2, on=address).played == 4
