"""Code gets better in the background: one process at a time, who waits comes first, and nothing is left behind."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from ludarium.kernel import Unit, using
from ludarium.kernel.machine import engine, optimiser
from ludarium.kernel.machine.optimiser import OPTIMISER
from tests.kernel.sources import module

FOREVER = 1000.0
SLOW = "from ludarium.kernel.machine import engine; engine.compile_object = lambda *_, **__: __import__('time').sleep(1000); "
SLOW += optimiser.PROGRAM


@pytest.fixture(autouse=True)
def _native(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path))
    with using("native"):
        yield


def small(number=0):
    """A kernel of its own."""
    text = f"@kernel\ndef small(v: view[i64]) -> i64:\n    total = {number}\n    for k in range(len(v)):\n        total += v[k]\n"
    return module(f"{text}    return total\n")["small"]


def hurried(number=0):
    made = small(number)
    return Unit({"small": made}, hurry=True)


@pytest.fixture
def processes(monkeypatch):
    """The processes that are started; each only when no other one runs."""
    started = []

    class Watched(subprocess.Popen):
        def __init__(self, *args, **more):
            assert all(other.returncode is not None for other in started), "two processes at a time"
            super().__init__(*args, **more)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    return started


def until(true, seconds=60):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_many_units_are_optimised_one_after_the_other_on_one_thread(monkeypatch, processes):
    monkeypatch.setattr(optimiser, "WAIT", 0.0)
    before = threading.active_count()
    units = [hurried(number) for number in range(5)]
    assert threading.active_count() <= before + 1
    for number, unit in enumerate(units):
        unit.finish()
        assert unit.code.best
        assert unit.call("small", np.arange(4)) == 6 + number
    assert len(processes) == 5


def test_who_waits_comes_first(monkeypatch, processes):
    texts, hold = [], threading.Event()
    real = OPTIMISER._optimised

    def noted(text, job):
        texts.append(text)
        assert hold.wait(60)
        return real(text, job)

    monkeypatch.setattr(OPTIMISER, "_optimised", noted)
    monkeypatch.setattr(optimiser, "WAIT", 0.0)
    units = [hurried(number) for number in range(4)]
    until(lambda: texts)
    waiting = threading.Thread(target=units[3].finish)
    waiting.start()
    until(lambda: OPTIMISER._jobs[units[3].code.key].wanted)
    hold.set()
    waiting.join(60)
    for unit in units:
        unit.finish()
    assert texts == [units[place].code.assembly() for place in (0, 3, 1, 2)]


def test_who_does_not_wait_is_not_optimised_before_its_time(monkeypatch, processes):
    monkeypatch.setattr(optimiser, "WAIT", FOREVER)
    units = [hurried(number) for number in range(3)]
    units[1].finish()
    assert [unit.code.best for unit in units] == [False, True, False]
    assert len(processes) == 1


def test_the_same_kernels_are_optimised_once(processes):
    made = small()
    units = [Unit({"small": made}, hurry=True) for _ in range(3)]
    for unit in units:
        unit.finish()
    assert len(processes) == 1
    assert all(len(unit.code._libraries) == 2 for unit in units)


@pytest.mark.parametrize("place", ["/dev/null", "/dev/null/deeper"])
def test_so_they_are_where_nothing_can_be_stored(monkeypatch, processes, place):
    monkeypatch.setenv("LUDARIUM_CACHE", place)
    monkeypatch.setattr(optimiser, "WAIT", FOREVER)
    made = small()
    units = [Unit({"small": made}, hurry=True) for _ in range(3)]
    for unit in units:
        unit.finish()
    assert len(processes) == 1
    assert all(unit.code.best for unit in units)


def test_what_another_process_stored_is_taken(monkeypatch, processes):
    monkeypatch.setattr(optimiser, "WAIT", FOREVER)
    unit = hurried()
    from ludarium.kernel.machine import cache

    cache.store(unit.code.key, engine.compile_object(unit.assembly(), level=engine.FULL_LEVEL))
    unit.finish()
    assert unit.code.best
    assert processes == []


def test_what_is_stored_but_is_no_code_is_made_again(monkeypatch, processes):
    monkeypatch.setattr(optimiser, "WAIT", FOREVER)
    unit = hurried()
    from ludarium.kernel.machine import cache

    cache.store(unit.code.key, b"no object file")
    unit.finish()
    assert unit.code.best
    assert len(processes) == 1


def test_code_that_nobody_uses_any_more_is_not_optimised(monkeypatch, processes):
    monkeypatch.setattr(optimiser, "WAIT", 0.3)
    unit, used = hurried(1), hurried(2)
    del unit
    gc.collect()
    used.finish()
    until(lambda: not OPTIMISER._jobs)
    assert len(processes) == 1


def test_optimising_stops_when_nobody_uses_the_code_any_more(monkeypatch, processes):
    monkeypatch.setattr(optimiser, "WAIT", 0.0)
    monkeypatch.setattr(optimiser, "PROGRAM", SLOW)
    unit = hurried()
    until(lambda: processes)
    del unit
    gc.collect()
    until(lambda: processes[0].returncode is not None)
    assert processes[0].returncode == -signal.SIGKILL
    until(lambda: not OPTIMISER._jobs)


def test_a_process_that_cannot_be_started_is_no_error(monkeypatch):
    def refused(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refused)
    unit = hurried()
    unit.finish()
    assert not unit.code.best
    assert unit.call("small", np.arange(4)) == 6
    monkeypatch.undo()
    unit.finish()  # asked again, it is tried again
    assert unit.code.best


PROGRAM = """
import os, signal, sys, time
sys.path[:] = {path!r}
from ludarium.kernel import Unit
from ludarium.kernel.machine import optimiser
from ludarium.kernel.generate import kernels
optimiser.WAIT = 0.0
optimiser.PROGRAM = {program!r}
made = kernels("game", "@kernel\\ndef f(a: i64) -> i64:\\n    return a * a\\n")
unit = Unit(made, hurry=True)
"""
STARTED = """
while optimiser.OPTIMISER._process is None:
    time.sleep(0.01)
print(optimiser.OPTIMISER._process.pid, flush=True)
"""


def run(rest, program=optimiser.PROGRAM):
    text = PROGRAM.format(path=sys.path, program=program) + textwrap.dedent(rest)
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False)


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(
    "way",
    ["pass", "raise SystemExit(0)", "import threading; threading.Thread(target=unit.finish, daemon=True).start()"],
)
def test_a_program_ends_at_once_and_leaves_no_process_behind(way):
    done = run(f"{STARTED}\n{way}", SLOW)
    assert (done.returncode, done.stderr) == (0, "")
    until(lambda: gone(int(done.stdout)), seconds=10)


def test_whoever_waits_while_the_program_ends_is_let_go():
    done = run("import atexit\natexit.register(unit.finish)\natexit.register(optimiser.OPTIMISER.close)", SLOW)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
def test_the_process_ends_with_a_program_that_is_killed():
    killed = run(f"{STARTED}\nos.kill(os.getpid(), signal.SIGKILL)", SLOW)
    assert killed.returncode == -signal.SIGKILL
    until(lambda: gone(int(killed.stdout)), seconds=30)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_process_that_was_forked_can_wait_too():
    done = run(
        """
        pid = os.fork()
        if pid == 0:
            unit.finish()
            print(unit.code.best, unit.call("f", 12), flush=True)
            os._exit(0)
        os.waitpid(pid, 0)
        unit.finish()
        print(unit.code.best)
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True 144\nTrue\n", "")
