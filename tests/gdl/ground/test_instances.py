"""What clingo grounds, noted by a kernel: the same as clingo tells Python."""

import subprocess
import sys

import clingo
import pytest

from ludarium.gdl.ground import instances
from ludarium.gdl.ground.instances import Instances
from ludarium.kernel import using

PROGRAM = "n(1..30). {p(X)} :- n(X). q(X,Y) :- p(X), not p(Y), n(Y). r :- q(X,Y), X < Y. #show q/2. #show r/0."
ENDLESS = "n(0). n(X+1) :- n(X)."


def taken(program, most=100_000):
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.add("base", [], program)
    found = Instances(most)
    found.take(control)
    return found


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_rules_facts_and_names_are_those_that_clingo_tells(way, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(instances, "_clingo_is_known", lambda: False)
        told = taken(PROGRAM)
    assert len(told.rules) == 30 * 30 + 435
    with using(way):
        found = taken(PROGRAM)
    assert (found.rules, found.facts, found.shown) == (told.rules, told.facts, told.shown)


def test_there_may_be_nothing_to_note():
    assert (taken("").rules, taken("a.").rules) == ([], [])


@pytest.mark.parametrize("program", [PROGRAM, ENDLESS])
@pytest.mark.parametrize("way", ["native", "python"])
def test_too_many_rules_end_it(way, program):
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.add("base", [], program)
    found = Instances(200)
    with using(way), pytest.raises(RuntimeError):
        found.take(control)
    assert found.too_many


def test_too_long_bodies_end_it(monkeypatch):
    monkeypatch.setattr(instances, "_PAGE", 2000)
    monkeypatch.setattr(instances, "_ROOM", 1)  # literal per rule, where there are two
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.add("base", [], PROGRAM)
    found = Instances(2000)
    with pytest.raises(RuntimeError):
        found.take(control)
    assert found.too_many


def test_long_names_are_told_in_full(monkeypatch):
    program = "n(1..30). p(f(X,g(Y)),X) :- n(X), n(Y), X < Y. #show p/2."
    told = taken(program).shown
    monkeypatch.setattr(instances, "_LONG", 12)  # bytes, which some need more than
    assert taken(program).shown == told
    assert ("p(f(28,g(29)),28)", 0) in [(text, 0) for text, _ in told]


def test_too_many_names_end_it(monkeypatch):
    monkeypatch.setattr(instances, "_PAGE", 100)
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.add("base", [], "{p(1..200)}.")
    found = Instances(100)
    with pytest.raises(RuntimeError):
        found.take(control)
    assert found.too_many


def run_apart(code):
    """Run code in a process of its own, which may crash."""
    start = f"import sys; sys.path[:] = {sys.path!r}\n"
    told = subprocess.run(
        [sys.executable, "-c", start + code], capture_output=True, text=True, timeout=600, check=False
    )
    return told.returncode, told.stdout, told.stderr


def test_the_code_that_clingo_calls_stays_though_nobody_else_has_it():
    """As when two threads are the first to ask for it, and only what the later one made is kept."""
    code = f"""
import gc, clingo
from ludarium.gdl.ground import instances
found = instances.Instances(5000)
for made in (instances._compiled, instances._bridge):
    made.cache_clear()
gc.collect()
control = clingo.Control(["--warn=none"])
control.add("base", [], {PROGRAM!r})
found.take(control)
print(len(found.rules))"""
    assert run_apart(code) == (0, "1335\n", "")


def test_threads_may_ground_at_the_same_time():
    code = f"""
from concurrent.futures import ThreadPoolExecutor
from ludarium.gdl.ground.outside import ground_here
with ThreadPoolExecutor(4) as pool:
    print({{len(found.rules) for found, _ in pool.map(lambda _: ground_here({PROGRAM!r}, 5000), range(100))}})"""
    assert run_apart(code) == (0, "{1335}\n", "")
