"""The recorded traces of all games of the corpus, replayed by the slow reference and by the compiled game."""

import math

import pytest

from ludarium.gdl.check.trial import GameWalk
from ludarium.gdl.game import load
from ludarium.gdl.text.reader import parse, read
from tests.gdl.traces import ReferenceWalk, check_trace, digest, record, traces

SECONDS = 2.0  # CPU time per game unless everything is replayed
COMPILED_SECONDS = 20.0  # the same for compiled games

DIFFERENT = {
    "test_case_3f": "an unsafe rule: ggp-base finds a goal of 0 where (not (on_list ?p)) does not hold",
}
"""Games whose traces we do not reproduce, on purpose."""

TOO_LARGE = {"ruleDepthExponential": "a recursion whose number of steps is exponential in its depth"}
"""Games that do not load in the time there is."""

HEAP = """
(role left) (role right) (init (heap 3)) (init (control left))
(less 3 2) (less 2 1) (less 1 0) (turn left right) (turn right left)
(<= (legal ?p take) (true (control ?p)))
(<= (legal ?p pass) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m) (does ?p take))
(<= (next (heap ?n)) (true (heap ?n)) (does ?p pass))
(<= (next (control ?q)) (true (control ?p)) (turn ?p ?q))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (true (control ?p))))
"""


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        folder = metafunc.config.getoption("rule_files")
        names = sorted(path.stem for path in (folder / "traces").glob("*.jsonl")) if folder else []
        metafunc.parametrize("name", names)


def differences(walk, recorded, seconds):
    found = [check_trace(walk, trace, seconds=seconds / len(recorded)) for trace in recorded]
    return [text for text in found if text]


@pytest.mark.corpus
def test_the_reference_begins_as_recorded(name, corpus):
    walk = ReferenceWalk(read(corpus / "games" / f"{name}.kif"))
    assert bool(differences(walk, traces(corpus, name), SECONDS)) == (name in DIFFERENT)


@pytest.mark.corpus
@pytest.mark.slow
def test_the_reference_plays_as_recorded(name, corpus):
    walk = ReferenceWalk(read(corpus / "games" / f"{name}.kif"))
    assert bool(differences(walk, traces(corpus, name), math.inf)) == (name in DIFFERENT)


def compiled_differences(name, corpus, seconds):
    if name in TOO_LARGE:
        pytest.xfail(TOO_LARGE[name])
    walk = GameWalk(load(corpus / "games" / f"{name}.kif", chance=False))
    return differences(walk, traces(corpus, name), seconds)


@pytest.mark.corpus
def test_the_compiled_game_plays_as_recorded(name, corpus):
    found = compiled_differences(name, corpus, COMPILED_SECONDS)
    assert found == [] or name in DIFFERENT


@pytest.mark.corpus
@pytest.mark.slow
def test_the_compiled_game_plays_all_that_was_recorded(name, corpus):
    assert bool(compiled_differences(name, corpus, math.inf)) == (name in DIFFERENT)


def test_the_digest_is_that_of_the_recorded_traces():
    assert digest(["noop"]) == (1, "0b56d565")
    assert digest([]) == (0, "00000000")
    assert digest(["(cell 1 B)", "a"]) == digest(["A", "(cell 1 b)"])


def test_a_recording_is_replayed_without_a_difference():
    walk = ReferenceWalk(parse(HEAP))
    for seed in range(5):
        trace = record(walk, seed)
        assert trace["steps"][-1]["terminal"]
        assert sorted(trace["goals"]) == [0, 100]
        assert check_trace(walk, trace) is None


def test_the_same_seed_records_the_same_playout():
    walk = ReferenceWalk(parse(HEAP))
    assert record(walk, 3) == record(walk, 3)
    assert len({str(record(walk, seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("(role left) (role right)", "(role right) (role left)", "roles: "),
        ("(init (heap 3))", "(init (heap 2))", "initial state: 2 facts"),
        ("(<= terminal (true (heap 0)))", "(<= terminal (true (heap 3)))", "initial state: terminal is True"),
        ("(<= (legal ?p pass) (true (control ?p)))", "", "initial state: 1 legal moves of left"),
        ("(less 3 2)", "(less 3 1)", "2 facts, recorded 2"),
        ("(<= (goal ?p 100) (true", "(<= (goal ?p 90) (true", "the goals of"),
        ("(<= (goal ?p 100) (true", "(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 90) (true", "[0, 90]"),
    ],
)
def test_a_replay_finds_the_first_difference(old, new, difference):
    assert old in HEAP
    trace = record(ReferenceWalk(parse(HEAP)), 1)
    assert difference in check_trace(ReferenceWalk(parse(HEAP.replace(old, new))), trace)
