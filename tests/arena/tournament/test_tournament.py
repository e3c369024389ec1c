import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from ludarium.arena import Store, StoreError, round_robin, run, self_play
from ludarium.arena.plan.file import write
from ludarium.core import BadParameter, LudariumError
from ludarium.terminal.commands.tournament import run_plan

ODD = "tests.arena.odd_catalog"
KILLS = 20


def by_id(path):
    with Store(path, readonly=True) as store:
        return {match.id: match for match in store.matches()}


def begun(path):
    """Whether there are tables in a file: who makes it may be killed before."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0] > 0


def test_who_plays_it_and_in_what_order_changes_nothing(tmp_path):
    plan = round_robin(["tic-tac-toe", "nim"], ["flat", "random"], matches=3, iterations=30, seed=0)
    outcomes = {}
    for on, workers in (("threads", 1), ("threads", 3), ("processes", 1), ("processes", 2)):
        path = tmp_path / f"{on}{workers}.db"
        outcome = run(plan, path, workers, on)
        assert (outcome.played, outcome.left, outcome.failed) == (12, 0, {})
        outcomes[on, workers] = by_id(path)
    first, *others = outcomes.values()
    assert set(first) == {fixture.id for fixture in plan}
    assert all(other == first for other in others)


def test_a_run_goes_on_where_it_stopped_and_plays_nothing_twice(tmp_path):
    plan = round_robin(["tic-tac-toe"], ["flat", "random"], matches=4, iterations=10, seed=0)
    told = []
    path = tmp_path / "results.db"
    half = round_robin(["tic-tac-toe"], ["flat", "random"], matches=2, iterations=10, seed=0)
    assert run(half, path, 1, "threads").played == 4
    outcome = run(plan, path, 1, "threads", progress=told.append)
    assert (outcome.before, outcome.played, outcome.left) == (4, 4, 0)
    assert [progress.done for progress in told] == [4, 5, 6, 7, 8]
    assert told[0].match is None
    assert all(progress.match.id for progress in told[1:])
    assert run(plan, path, 1, "threads").played == 0
    assert by_id(path).keys() == {fixture.id for fixture in plan}


def test_results_alone_are_the_results_of_the_whole(tmp_path):
    """Matches of random agents are played in batches if only their results are kept; they go the same way."""
    for name in ("kuhn-poker", "tic-tac-toe"):
        results = []
        for record in ("full", "result"):
            plan = self_play([name], ["random"], against="", matches=40, record=record, seed=0)
            path = tmp_path / f"{name}{record}.db"
            assert run(plan, path, 1, "threads").played == 40
            results.append({key: (match.utilities, match.plies, match.seed) for key, match in by_id(path).items()})
        assert results[0] == results[1]


def test_another_plan_is_refused_before_anything_is_played(tmp_path):
    path = tmp_path / "results.db"
    run(round_robin(["nim"], ["flat", "random"], matches=1, iterations=5, seed=0), path, 1, "threads")
    other = round_robin(["nim"], ["flat", "random"], matches=1, iterations=6, seed=0)
    with pytest.raises(StoreError, match="begun with another plan"):
        run(other, path, 1, "threads")
    assert run(other, path, 1, "threads", extend=True).played == 2
    assert len(by_id(path)) == 4


def test_a_tournament_survives_its_agents(tmp_path):
    options = {"matches": 1, "iterations": 5, "catalog": ODD, "seed": 0}
    path = tmp_path / "results.db"
    outcome = run(round_robin(["tic-tac-toe"], ["random", "end", "illegal(at=1)"], **options), path, 2, patience=300.0)
    assert (outcome.played, outcome.left) == (6, 0)
    outcome = run(round_robin(["tic-tac-toe"], ["random", "hang"], **options), path, 2, patience=8.0, extend=True)
    assert (outcome.played, outcome.left) == (2, 0)
    with Store(path) as store:
        table = store.table()
        names = table["agent"]
        for kind, guilty in (("crashes", "end"), ("timeouts", "hang"), ("illegal", "illegal(at=1)")):
            counts = Counter()
            for name, count in zip(names, table[kind], strict=True):
                counts[name] += int(count)
            assert counts[guilty] > 0
            assert sum(counts.values()) == counts[guilty]


def test_matches_that_cannot_be_played_are_told_and_tried_again(tmp_path):
    plan = round_robin(["tic-tac-toe"], ["random", "broken-game(at=9)", "broken-game"], matches=1, catalog=ODD, seed=0)
    path = tmp_path / "results.db"
    outcome = run(plan, path, 1, "threads")
    assert (outcome.played, outcome.left) == (2, 4)
    assert set(outcome.failed.values()) == {"game 'x' breaks its promises"}
    with Store(path) as store:
        assert store.failures() == outcome.failed
    assert len(run(plan, path, 1, "threads").failed) == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"workers": 0}, "workers is 0"),
        ({"on": "clouds"}, "no workers on 'clouds': there are processes, threads, ray"),
        ({"patience": 0}, "patience is 0"),
        ({"patience": float("nan")}, "patience is nan"),
        ({"memory": 1 << 20}, "memory is 1 MB; a worker needs 32 MB to start, and about 300"),
        ({"memory": 10**20}, "memory is 100000000000000000000"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, options, said):
    with pytest.raises(BadParameter, match=said):
        run(round_robin(["nim"], ["flat", "random"], seed=0), tmp_path / "results.db", **options)


def test_little_memory_is_enough_for_a_game_that_is_not_compiled(tmp_path):
    plan = round_robin(["nim"], ["flat", "random"], seed=0)
    outcome = run(plan, tmp_path / "results.db", 1, "processes", memory=200 << 20)
    assert (outcome.failed, outcome.left) == ({}, 0)


RUNNER = """\
import sys
from ludarium.arena import load, run
def tell(progress):
    if progress.stopping:
        print("stopping", file=sys.stderr, flush=True)
outcome = run(load(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], progress=tell)
print(outcome.played, outcome.elsewhere, outcome.left, outcome.interrupted)
"""


def started(plan, path, workers=2, on="processes"):
    file = path.with_suffix(".toml")
    file.write_text(write(plan))
    command = [sys.executable, "-c", RUNNER, str(file), str(path), str(workers), on]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for(path, count, of="matches"):
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if path.exists():
            try:
                with Store(path, readonly=True) as store:
                    if store.connection.execute(f"SELECT count(*) FROM {of}").fetchone()[0] >= count:
                        return
            except StoreError:
                pass  # it is being made
        time.sleep(0.02)
    raise AssertionError("nothing is played")


def test_killing_it_at_any_moment_loses_and_doubles_nothing(tmp_path):
    plan = round_robin(["tic-tac-toe"], ["flat", "random"], matches=10_000, iterations=20, seed=0)
    path = tmp_path / "results.db"
    moments = random.Random(7)
    before = {}
    for number in range(KILLS):
        process = started(plan, path, 1, "threads" if number % 4 else "processes")
        if number % 2:  # a busy machine may need long to begin
            wait_for(path, len(before) + 3)
        time.sleep(moments.uniform(0.1, 1.2))
        process.kill()
        process.communicate()
        if path.exists():
            now = by_id(path) if before or begun(path) else {}
            assert before.items() <= now.items()
            before = now
    assert len(before) > KILLS
    with Store(path) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        seats = store.connection.execute("SELECT count(*) FROM seats").fetchone()[0]
        assert seats == 2 * len(store)
        some = round_robin(["tic-tac-toe"], ["flat", "random"], matches=3, iterations=20, seed=0)
    fresh = tmp_path / "fresh.db"
    run(some, fresh, 1, "threads")
    again = by_id(fresh)
    assert all(before[key] == again[key] for key in again)


def test_two_processes_share_one_plan(tmp_path):
    plan = round_robin(["tic-tac-toe"], ["flat", "random"], matches=100, iterations=1000, seed=0)
    path = tmp_path / "results.db"
    both = [started(plan, path, 1) for _ in range(2)]
    told = [process.communicate(timeout=300) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    played = [int(out.split()[0]) for out, _ in told]
    assert sum(played) == 200
    assert min(played) > 0
    assert len(by_id(path)) == 200


def test_ctrl_c_finishes_what_is_under_way(tmp_path):
    plan = round_robin(["tic-tac-toe"], ["flat", "random"], matches=5000, iterations=100, seed=0)
    path = tmp_path / "results.db"
    process = started(plan, path)
    wait_for(path, 5)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    played, _, left, interrupted = out.split()
    assert interrupted == "True"
    assert int(played) == len(by_id(path)) >= 5
    assert int(played) + int(left) == 10000
    with Store(path) as store:
        assert store.connection.execute("SELECT count(*) FROM claims").fetchone() == (0,)


def test_a_second_ctrl_c_stops_at_once(tmp_path):
    plan = round_robin(["tic-tac-toe"], ["random", "hang(at=2)"], matches=50, catalog=ODD, seed=0)
    path = tmp_path / "results.db"
    process = started(plan, path)
    wait_for(path, 1, of="claims")
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == "stopping\n"  # two that come before the first is heard are one
    time.sleep(0.5)
    assert process.poll() is None  # it waits for the agents that hang
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert "KeyboardInterrupt" in errors


def test_no_worker_outlives_its_tournament(tmp_path):
    plan = round_robin(["tic-tac-toe"], ["random", "hang"], matches=2, catalog=ODD, seed=0)
    process = started(plan, tmp_path / "results.db")
    deadline = time.monotonic() + 300
    while not (children := workers_of(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1)
    process.kill()
    process.communicate()
    while not all(map(ended, children)):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def workers_of(process):
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if (folder / "stat").read_text().rpartition(")")[2].split()[1] == str(process):
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


def ended(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("on", ["processes", "threads"])
def test_agents_that_fork_change_nothing(tmp_path, on):
    plan = round_robin(["tic-tac-toe"], ["fork", "random"], matches=10, iterations=5, seed=0, catalog=ODD)
    told, before = [], set(workers_of(os.getpid()))
    outcome = run(plan, tmp_path / "results.db", 2, on, progress=told.append)
    copies = set(workers_of(os.getpid())) - before
    deadline = time.monotonic() + 30
    while not all(map(ended, copies)) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = [each for each in copies if not ended(each)]
    for each in left:
        os.kill(each, signal.SIGKILL)
    assert not left
    assert (outcome.played, outcome.left, outcome.failed) == (20, 0, {})
    assert sum(progress.match is not None for progress in told) == 20
    assert set(by_id(tmp_path / "results.db")) == {fixture.id for fixture in plan}


def test_what_was_planned_and_is_not_stored_is_said(tmp_path, monkeypatch):
    """Half of the results get lost on the way."""
    monkeypatch.setattr("ludarium.arena.tournament.workers.played", lambda job, *_: [])
    plan = round_robin(["nim"], ["flat", "random"], matches=2, iterations=5)
    assert run(plan, tmp_path / "results.db", 1, "threads").left == 4
    options = {"again": "again", "workers": 1, "on": "threads", "page": False, "quiet": True, "conclude": False}
    with pytest.raises(LudariumError, match="4 of 4 matches that were planned are not stored; the same command plays"):
        run_plan(plan, tmp_path / "results.db", **options)


@pytest.mark.parametrize("record", ["full", "result"])
def test_utilities_out_of_range_are_never_stored(tmp_path, record):
    """Neither of matches one by one, nor of those of random agents in batches."""
    greedy = "tests.arena.test_play:Greedy(heaps=(1, 2), misere=False)"
    plan = self_play([greedy], ["random"], against="", matches=2, record=record, seed=0)
    outcome = run(plan, tmp_path / "results.db", 1, "threads")
    assert (outcome.played, outcome.left) == (0, 2)
    assert all(re.search(r"gives \w+ the utility 2.0; utilities are", reason) for reason in outcome.failed.values())
