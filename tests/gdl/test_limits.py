"""Rules that would cost gigabytes or minutes: they are played, or refused by a count, and nothing is waited for."""

import gc
import pickle
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ludarium import agent, play
from ludarium.core import GameError, LudariumError
from ludarium.core.limits import LimitExceeded, limited
from ludarium.core.problems import Place, RulesError
from ludarium.gdl import watch
from ludarium.gdl.check.checker import check_file
from ludarium.gdl.game import load
from ludarium.gdl.ground import outside, specialise
from ludarium.gdl.ground.outside import TooManyInstances, Work, ground_here, grounded
from ludarium.gdl.text.syntax import Rule, Term
from ludarium.gdl.watch import seconds_left, within_limits
from ludarium.kernel import using
from tests.commands import run

ONE = """\
(role x) (init (at 1)) (legal x go)
(<= (next (at 2)) (does x go))
(<= terminal (true (at 2)))
(goal x 100)
"""
NUMBERS = "".join(f"(n {k})\n" for k in range(300))


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "game.kif"
        path.write_text(ONE + text, encoding="utf-8")
        return path

    return write


def errors(path):
    try:
        return [problem for problem in check_file(path) if not problem.warning]
    except LudariumError as problem:
        return [problem]


def test_a_long_chain_of_rules_is_played(written):
    steps = 1500
    chain = "".join(f"(<= (p{k} ?x) (p{k + 1} ?x))\n" for k in range(steps))
    path = written(f"{chain}(p{steps} a)\n(<= (legal x other) (p0 a))")
    assert len(load(path).initial().legal(0)) == 2
    assert not errors(path)


def test_a_product_in_the_initial_state_is_refused(written):
    path = written(NUMBERS + "(<= (init (cell ?a ?b ?c)) (n ?a) (n ?b) (n ?c))\n")
    with (
        limited(instances=50_000),
        pytest.raises(LimitExceeded, match=r"kif:305:1: the initial state has more than 50000"),
    ):
        load(path)
    with limited(instances=50_000):
        assert errors(path)


def test_a_rule_with_very_many_conditions_is_refused(written):
    path = written(f"(v a) (v b)\n(<= (legal x big) {' '.join(f'(v ?x{k})' for k in range(301))})")
    with limited(literals=300):
        with pytest.raises(RulesError, match=r"kif:6:1: a rule with 301 conditions; 300 are allowed"):
            load(path)
        assert errors(path)
    assert len(load(path).initial().legal(0)) == 2


def test_relations_that_double_are_played_or_refused(written):
    doubles = "".join(f"(<= (l{k + 1} (f ?x ?y)) (l{k} ?x) (l{k} ?y))\n" for k in range(6))
    path = written(f"(l0 a) (l0 b) {doubles} (<= (legal x (big ?x)) (l6 ?x))")
    with limited(instances=50_000):
        with pytest.raises(
            LudariumError, match=r"kif:11:\d+: there are too many possible moves like .*\n  give it fewer"
        ):
            load(path)
        assert errors(path)


def test_questions_that_double_are_asked_once(written, monkeypatch):
    monkeypatch.setattr(specialise, "_GROWTH", 300)
    asked = ["(bit 0) (bit 1)\n"]
    for k in range(1, 10):
        given = " ".join(f"?b{i}" for i in range(k))
        asked.append(f"(<= (p{k} {given}) (bit ?b0) (p{k + 1} {given} 0) (p{k + 1} {given} 1))\n")
    wide = " ".join(f"?b{i}" for i in range(10))
    path = written(
        "".join(asked) + f"(<= (p10 {wide}) {' '.join(f'(bit ?b{i})' for i in range(10))})(<= (legal x c) (p1 0))"
    )
    load(path)


def test_more_legal_moves_than_there_is_room_for_is_a_sentence(written):
    path = written(NUMBERS + "(<= (legal x (m ?a ?b ?c)) (n ?a) (n ?b) (n ?c))")
    with pytest.raises(GameError, match="more legal moves than there is room for"):
        load(path).initial()
    assert errors(path)
    told = run("show", str(path))
    assert told.exit_code == 2
    assert "more legal moves" in told.output


def test_a_large_file_is_refused(written):
    path = written("(n 1)\n" * 1000)
    with limited(file_megabytes=0.001), pytest.raises(LimitExceeded, match=r"game\.kif: the file has more than 0\.001"):
        load(path)
    with limited(file_megabytes=0.001):
        assert errors(path)


def test_a_match_without_an_end_is_cut(written):
    path = written("").parent / "endless.kif"
    path.write_text(ONE.replace("(next (at 2))", "(next (at 1))") + "(legal x stay)", encoding="utf-8")
    assert play(load(path), [agent("random")]).cut
    with limited(moves=5):
        assert len(play(load(path), [agent("random")]).moves) == 5
    assert len(play(load(path), [agent("random")], move_limit=9).moves) == 9
    told = run("--limit", "moves=7", "play", path, "random")
    assert "cut after 7 plies" in told.output
    assert "2000.0 plies each, cut there" in run("bench", path, "--seconds", "0.01").output


def test_limits_on_the_command_line_hold_for_that_command_only(written):
    path = written("(<= (legal x a) (true (at 1)) (true (at 1)) (true (at 1)))")
    assert run("--limit", "literals=2", "check", path).exit_code == 2
    assert run("check", path).exit_code == 0
    assert "there is no limit 'letters'" in run("--limit", "letters=2", "check", path).output


DOUBLING = "".join(f"(<= (l{k + 1} (f ?x ?y)) (l{k} ?x) (l{k} ?y))\n" for k in range(12))
COSTLY = {
    "a long chain of rules": (
        lambda: (
            "".join(f"(<= (p{k} ?x) (p{k + 1} ?x))\n" for k in range(20_000)) + "(p20000 a) (<= (legal x b) (p0 a))"
        ),
        "",
    ),
    "a product in the initial state": (
        lambda: NUMBERS + "(<= (init (cell ?a ?b ?c)) (n ?a) (n ?b) (n ?c))",
        "game.kif:305:1: the initial state has more than 3000000 facts",
    ),
    "a rule with 5,000 conditions": (
        lambda: f"(v a) (v b)\n(<= (legal x big) {' '.join(f'(v ?x{k})' for k in range(5000))})",
        "game.kif:6:1: a rule with 5000 conditions; 1000 are allowed",
    ),
    "a relation that doubles": (
        lambda: f"(l0 a) (l0 b)\n{DOUBLING}(<= (legal x (big ?x)) (l12 ?x))",
        "game.kif:18:1: there are too many possible moves like (big ...)",
    ),
    "a file of 50 megabytes": (lambda: "(n 1)\n" * 8_000_000, "game.kif: the file has more than 4 megabytes"),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "play"])
@pytest.mark.parametrize("name", COSTLY)
def test_what_once_took_gigabytes_or_minutes_ends_within_the_usual_limits(written, name, command):
    make, said = COSTLY[name]
    path = written(make())

    def restrained():
        resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
        resource.setrlimit(resource.RLIMIT_AS, (5 << 30, 5 << 30))

    words = [sys.executable, "-m", "ludarium", command, str(path), *(["random"] if command == "play" else [])]
    done = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=restrained)
    assert done.returncode == (2 if said else 0), done.stderr
    assert said in " ".join((done.stdout + done.stderr).replace(": error:", ":").split())
    assert "Traceback" not in done.stderr


# The safety net


@pytest.mark.parametrize(("limit", "value"), [("seconds", 0.2), ("megabytes", 200)])
def test_what_takes_too_much_ends_in_an_error_that_names_the_rule(limit, value):
    rule = Rule(Term("p"), (), Place("game.kif", 3, 1))
    with (
        limited(**{limit: value}),
        pytest.raises(LimitExceeded, match=rf"game\.kif:3:1: loading takes more than {value}"),
    ):
        within_limits("game.kif", lambda: _forever(rule, grow=limit == "megabytes"))
    for _ in range(100_000):  # nothing is raised later on
        pass


def _forever(rule, *, grow):
    assert rule
    kept = []
    while True:
        try:
            kept.append(bytes(1 << 20) if grow else None)
            kept = kept if grow else []
        except Exception:  # noqa: BLE001  # which does not keep it
            continue


@pytest.fixture
def no_collection():
    """As while a game is loaded: what runs when garbage is collected could keep the exception."""
    gc.disable()
    yield
    gc.enable()


def test_what_takes_long_to_free_is_stopped_once(no_collection, monkeypatch):
    """While a million things are freed, the next exception would come where nobody waits for it."""
    monkeypatch.setattr(watch, "_LOOK", 0.001)

    def work():
        kept = [[] for _ in range(3_000_000)]
        while kept:
            pass

    for _ in range(3):
        with (
            limited(seconds=0.01),
            pytest.raises(LimitExceeded, match="game.kif: loading takes more than 0.01 seconds"),
        ):
            within_limits("game.kif", work)


@pytest.mark.parametrize("limit_of_time", [1000.0, 1e-3])
def test_a_watch_that_has_ended_leaves_the_interpreter_as_it_was(limit_of_time):
    """CPython 3.11 goes on looking for an exception that was taken back: under a profiler, for ever."""
    code = f"""
import cProfile
from ludarium.core.limits import LimitExceeded, limited
from ludarium.gdl.watch import within_limits
def work():
    try:
        with limited(seconds={limit_of_time}):
            within_limits("game.kif", lambda: [_ for _ in range({3_000_000 if limit_of_time < 1 else 1})])
    except LimitExceeded:
        print("stopped")
    for _ in range(1000): pass
cProfile.Profile().runcall(work)
print("ended")
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert told.stdout.split() == (["ended"] if limit_of_time > 1 else ["stopped", "ended"])


def test_a_watch_within_another_has_no_limits_of_its_own():
    def outer():
        with limited(seconds=2):
            assert within_limits("inner", seconds_left) <= 2
        assert 50 >= seconds_left() > 40

    with limited(seconds=50):
        within_limits("outer", outer)


# Grounding apart

PROGRAM = "n(1..30). {p(X)} :- n(X). q(X,Y) :- p(X), not p(Y), n(Y). #show q/2."
SILENT = "n(1..5000). q :- n(X), n(Y), n(Z), X + Y + Z < 0."
HEAVY = Work(float("inf"), Place("game.kif", 7, 1))


@pytest.fixture(params=["copy", "new process"])
def apart(request, monkeypatch):
    """Which process grounds: a copy of this one, which other threads here would forbid, or a new one."""
    monkeypatch.setattr(outside, "alone", lambda: request.param == "copy")
    monkeypatch.setattr(outside, "_by_new_process" if request.param == "copy" else "_by_copy", None)


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("way", ["native", "python"])
def test_another_process_grounds_alike(way):
    with using(way):
        (here, sizes), (there, same) = ground_here(PROGRAM, 5000), grounded(PROGRAM, HEAVY, 5000)
        assert len(here.rules) == 30 * 30
        assert (here.rules, here.facts, here.shown, sizes) == (there.rules, there.facts, there.shown, same)
        with pytest.raises(TooManyInstances) as large:
            grounded(PROGRAM, HEAVY, 100)
        assert large.value.sizes["n", 1] == 30


@pytest.mark.usefixtures("apart")
def test_joins_that_lead_to_nothing_are_stopped():
    with (
        limited(seconds=1),
        pytest.raises(LimitExceeded, match=r"game\.kif:7:1: to ground the rules takes more than 1 sec"),
    ):
        grounded(SILENT, HEAVY, 50_000)


@pytest.mark.usefixtures("apart")
def test_another_process_says_what_is_wrong_with_a_program():
    with pytest.raises(LudariumError, match="the rules cannot be grounded") as wrong:
        grounded("p(X) :- not q(X).", HEAVY, 5000)
    assert not isinstance(wrong.value, LimitExceeded)


@pytest.mark.usefixtures("apart")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process so")
def test_too_little_memory_is_a_limit():
    with limited(megabytes=1), pytest.raises(LimitExceeded, match="1 megabytes"):
        grounded("n(1..30000000). q(X) :- n(X).", HEAVY, 50_000_000)


def test_a_copy_that_cannot_be_made_is_an_error_and_leaves_no_pipe(monkeypatch):
    def refuse():
        raise BlockingIOError(11, "too many processes")

    monkeypatch.setattr(outside, "alone", lambda: True)
    monkeypatch.setattr(outside.os, "fork", refuse)
    before = sum(1 for _ in Path("/dev/fd").iterdir())
    with pytest.raises(LudariumError, match="no process can be started to ground the rules in: .* too many processes"):
        grounded(PROGRAM, HEAVY, 5000)
    assert sum(1 for _ in Path("/dev/fd").iterdir()) == before


def test_a_copy_that_is_ended_while_it_answers_is_a_limit(monkeypatch):
    monkeypatch.setattr(outside, "alone", lambda: True)
    whole = pickle.dumps
    monkeypatch.setattr(pickle, "dumps", lambda answer: whole(answer)[:-20])
    with pytest.raises(LimitExceeded):
        grounded(PROGRAM, HEAVY, 5000)


def test_a_copy_grounds_where_only_the_watch_runs_beside(monkeypatch):
    asked = []
    monkeypatch.setattr(outside, "_by_copy", lambda *_: asked.append("copy"))
    monkeypatch.setattr(outside, "_by_new_process", lambda *_: asked.append("new"))
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    code = f"import sys; sys.path[:] = {sys.path!r}; from ludarium.gdl.watch import alone, within_limits; "
    code += "print(alone(), within_limits('game', alone))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert told.stdout.split() == (["True", "True"] if sys.platform == "linux" else ["False", "False"])
    other.start()
    try:
        grounded(PROGRAM, HEAVY, 5000)
    finally:
        done.set()
        other.join()
    assert asked == ["new"]


def test_no_process_is_started_where_little_can_be_joined(written, monkeypatch):
    monkeypatch.setattr(outside, "_by_copy", None)
    monkeypatch.setattr(outside, "_by_new_process", None)
    load(written("(<= (legal x (m ?a)) (n ?a))" + NUMBERS))


def test_whoever_looks_at_a_thread_stops_when_the_thread_has_ended():
    thread = threading.Thread(target=lambda: watch._Watch("nothing"))  # which nobody ends
    thread.start()
    thread.join()
    for each in threading.enumerate():
        if each.name == "watch":
            each.join(30)
            assert not each.is_alive()
