import math
import os
import signal
import subprocess
import sys
import time
from threading import Event, Lock

import pytest

from ludarium.arena import StoreError
from ludarium.core import BadParameter, Limit, Terms
from ludarium.tune import NTBEA, AgentTuning, Function, Grid, Progress, RandomSearch, Space, TuneError, fitness, tune
from ludarium.tune.evaluations import Evaluations

SPACE = Space({"a": (0, 1, 2, 3), "b": (0, 1, 2), "c": ("x", "y")})


def noisy(config, rng):
    return config["a"] + config["b"] + (config["c"] == "y") + rng.uniform()


def slow_first(config, rng):
    """The later an evaluation begins, the sooner it ends."""
    value = noisy(config, rng)
    time.sleep(0.002 * (4 - config["a"]))
    return value


@pytest.mark.parametrize("method", [NTBEA(), RandomSearch(3), Grid()], ids=lambda method: method.name)
def test_the_number_of_workers_changes_nothing(method):
    problem = Function(SPACE, slow_first, seed=5)
    one, four, eight = (tune(problem, method, budget=60, check=9, workers=workers) for workers in (1, 4, 8))
    assert one.evaluated == four.evaluated == eight.evaluated
    assert one.measured == four.measured == eight.measured
    assert len(one.evaluated) == 60
    assert one.measured.count == 9


def test_matches_give_the_same_on_threads_and_in_processes():
    import ludarium.catalog as catalog

    space = Space({"playout_limit": (5, 50), "c": (0.3, 1.0)})
    terms = Terms(limit=Limit(iterations=20))
    problem = AgentTuning(
        agent=catalog.agent("uct"), game="tic-tac-toe", agents=("random",), space=space, fitness=fitness("score"),
        matches=1, terms=terms,
    )  # fmt: skip
    threads = tune(problem, budget=20, check=6, on="threads", workers=3)
    processes = tune(problem, budget=20, check=6, on="processes", workers=2)
    assert threads.evaluated == processes.evaluated
    assert (threads.measured, threads.given) == (processes.measured, processes.given)


def test_another_seed_is_other_luck():
    first, second = (tune(Function(SPACE, noisy, seed=seed), budget=20, check=0).evaluated for seed in (1, 2))
    assert first != second


def test_no_more_than_ahead_are_chosen_without_knowing():
    lock, now, most = Lock(), [0], [0]

    def counted(config, rng):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.005)
        with lock:
            now[0] -= 1
        return 0.0

    tune(Function(SPACE, counted), budget=20, check=0, workers=8, ahead=3)
    assert 1 < most[0] <= 3


def test_the_best_is_measured_with_new_luck():
    seen = []

    def remembered(config, rng):
        seen.append((tuple(config.values()), value := rng.uniform()))
        return value

    tuned = tune(Function(SPACE, remembered), RandomSearch(), budget=30, check=20, workers=1, ahead=1)
    best = tuple(tuned.config.values())
    assert {config for config, _ in seen[30:]} == {best}
    assert not {value for _, value in seen[:30]} & {value for _, value in seen[30:]}
    assert tuned.measured.low < 0.5 < tuned.measured.high
    assert tuned.given is None


def test_progress_tells_of_both_phases():
    told: list[Progress] = []
    tune(Function(SPACE, noisy), budget=5, check=3, progress=told.append)
    assert [(each.phase, each.done, each.total) for each in told] == [
        *(("search", done, 5) for done in range(6)),
        *(("check", done, 3) for done in range(4)),
    ]
    assert told[5].ranking()[0].estimate > 0


# Stopping and going on


def test_it_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "tune.db"
    calls = []

    def counted(config, rng):
        calls.append(1)
        return noisy(config, rng)

    problem = Function(SPACE, counted)
    whole = tune(problem, budget=50, check=10)
    calls.clear()
    part = tune(problem, budget=20, check=10, store=path)
    assert part.evaluated == whole.evaluated[:20]
    again = tune(problem, budget=20, check=10, store=path)
    assert (len(calls), again.new, again.evaluated, again.measured) == (30, 0, part.evaluated, part.measured)
    calls.clear()
    rest = tune(problem, budget=50, check=10, store=path)
    assert rest.evaluated == whole.evaluated
    assert rest.measured == whole.measured
    assert 30 <= len(calls) == rest.new <= 40


def test_gaps_are_filled(tmp_path):
    """Evaluations that were under way when a process was killed may be missing in the middle."""
    path = tmp_path / "tune.db"
    problem = Function(SPACE, noisy)
    whole = tune(problem, budget=30, check=0, store=path)
    with Evaluations(path) as store:
        store._run("DELETE FROM evaluations WHERE number IN (11, 12, 14) OR number > 24")
    again = tune(problem, budget=30, check=0, store=path)
    assert again.evaluated == whole.evaluated
    assert again.new == 8


def test_what_another_method_asked_for_is_refused(tmp_path):
    path = tmp_path / "tune.db"
    tune(Function(SPACE, noisy), budget=5, check=0, store=path)
    with pytest.raises(StoreError, match=r"method ntbea\(k=2.0\), not ntbea"):
        tune(Function(SPACE, noisy), NTBEA(k=2.0), budget=5, check=0, store=path)
    with Evaluations(path) as store:
        store._run("""UPDATE evaluations SET config = '{"a": 9}' WHERE number = 3""")
    with pytest.raises(StoreError, match="evaluation 4 is of another configuration"):
        tune(Function(SPACE, noisy), budget=5, check=0, store=path)


SCRIPT = """
import sys
from ludarium.tune import order, tune
made = order(agent="uct", game="tic-tac-toe", against=["flat"], space=["c", "playout_limit"], iterations=100, budget=400)
tuned = tune(made.problem, made.method, budget=made.budget, check=0, store=sys.argv[1], workers=2, on=sys.argv[2])
print(len(tuned.evaluated), tuned.interrupted)
"""


def python(code, *args):
    return subprocess.Popen(
        [sys.executable, "-c", code, *args],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c,  # noqa: PLW1509
    )


def heed_ctrl_c():
    """A shell starts what runs in its background deaf to Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(path, on):
    return python(SCRIPT, str(path), on)


def stored(path):
    if not path.exists():
        return {}
    try:
        with Evaluations(path) as store:
            return {row.number: (row.config, row.fitness) for row in store.rows("search")}
    except StoreError:
        return {}  # it is being made


def wait_for(path, count):
    deadline = time.monotonic() + 300
    while len(stored(path)) < count:
        assert time.monotonic() < deadline, "nothing is evaluated"
        time.sleep(0.05)


def test_killing_it_loses_nothing_and_changes_nothing(tmp_path):
    path = tmp_path / "tune.db"
    before = {}
    for number, on in enumerate(("threads", "processes", "threads")):
        process = started(path, on)
        wait_for(path, len(before) + 5 + number)
        process.kill()
        process.communicate()
        now = stored(path)
        assert before.items() <= now.items()
        before = now
    fresh = tmp_path / "fresh.db"
    process = started(fresh, "threads")
    wait_for(fresh, len(before))
    process.kill()
    process.communicate()
    other = stored(fresh)
    both = before.keys() & other.keys()
    assert len(both) >= 15
    assert all(before[key] == other[key] for key in both)


def test_ctrl_c_lets_what_is_under_way_come_to_its_end(tmp_path):
    path = tmp_path / "tune.db"
    process = started(path, "processes")
    wait_for(path, 5)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    told, interrupted = out.split()
    assert interrupted == "True"
    assert 5 <= int(told) <= len(stored(path)) < 400


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_second_ctrl_c_stops_at_once():
    code = (
        "import sys, time\n"
        "from ludarium.tune import Function, Space, tune\n"
        "problem = Function(Space({'a': (0, 1)}), lambda config, rng: print('on', flush=True) or time.sleep(10_000) or 0.0)\n"
        "tell = lambda progress: progress.stopping and print('stopping', file=sys.stderr, flush=True)\n"
        "tune(problem, budget=9, check=0, workers=1, progress=tell)\n"
    )
    process = python(code)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == "stopping\n"  # two that come before the first is heard are one
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert "KeyboardInterrupt" in errors


# What goes wrong


def test_a_fitness_that_raises_is_told_and_the_others_are_stored(tmp_path):
    path = tmp_path / "tune.db"
    ready = Event()

    def fails_later(config, rng):
        if ready.is_set():
            raise RuntimeError("out of luck")
        return noisy(config, rng)

    tune(Function(SPACE, fails_later), budget=10, check=0, store=path)
    ready.set()
    with pytest.raises(TuneError, match=r"the fitness of a=\d, b=\d, c=. failed: RuntimeError: out of luck"):
        tune(Function(SPACE, fails_later), budget=20, check=0, store=path)
    assert len(stored(path)) == 10
    ready.clear()
    assert len(tune(Function(SPACE, fails_later), budget=20, check=0, store=path).evaluated) == 20


@pytest.mark.parametrize("value", [math.nan, math.inf, None, "1", True])
def test_a_fitness_that_is_no_number_is_told(value):
    with pytest.raises(TuneError, match=f"the fitness of a=.* is {value!r}; expected a number"):
        tune(Function(SPACE, lambda config, rng: value), budget=3, check=0)


@pytest.mark.parametrize(
    ("given", "said"), [("budget", 0), ("check", -1), ("ahead", 0), ("budget", 1.5), ("workers", 0)]
)
def test_bad_numbers_are_refused(given, said):
    with pytest.raises(BadParameter, match=f"{given} is {said}; expected"):
        tune(Function(SPACE, noisy), **{"budget": 3, given: said})
