import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium import agent, game, play
from ludarium.arena.play import contest
from ludarium.arena.record import from_json, to_json, to_text
from ludarium.core import BadParameter, Limit, Match
from ludarium.core.match import Alternative, Terms, Turn
from tests.arena import odd_catalog as odd

numbers = st.floats(0, 1)
texts = st.text(max_size=8)
turns = st.builds(
    Turn,
    ply=st.integers(-1, 99),
    role=st.integers(0, 3),
    move=texts,
    choices=st.integers(0, 99),
    iterations=st.integers(0, 10**9),
    forward_calls=st.integers(0, 10**9),
    value=st.none() | numbers,
    alternatives=st.lists(st.builds(Alternative, texts, st.integers(0, 99), st.none() | numbers), max_size=2).map(
        tuple
    ),
    fault=st.sampled_from(["", "timeout", "illegal", "crash"]),
)
terms = st.builds(
    Terms,
    limit=st.builds(Limit, iterations=st.integers(1, 10**6), seconds=st.none() | st.floats(0.1, 9)),
    start_seconds=st.none() | st.floats(0.1, 9),
    move_limit=st.none() | st.integers(1, 99),
)


@given(
    st.builds(
        Match,
        game=texts,
        agents=st.just(("a", "b")),
        seed=st.integers(0, 2**64 - 1),
        moves=st.lists(texts, max_size=4).map(tuple),
        utilities=st.tuples(numbers, numbers),
        faults=st.lists(texts, max_size=2).map(tuple),
        turns=st.lists(turns, max_size=3).map(tuple),
        roles=st.just(()) | st.just(("x", "o")),
        terms=st.none() | terms,
        length=st.none() | st.integers(0, 9),
        cut=st.booleans(),
        id=texts,
    )
)
def test_what_is_written_is_read_back(match):
    written = to_json(match)
    assert "\n" not in written
    back = from_json(written)
    assert (back, back.id) == (match, match.id)


def test_a_real_match_with_its_clocks():
    match = contest(game("nim"), [odd.agent("fail"), agent("flat")], Terms(limit=Limit(iterations=9)), 1)
    back = from_json(to_json(match))
    assert back == match
    assert back.seconds == pytest.approx(match.seconds, abs=1e-5)
    assert back.thinking == pytest.approx(match.thinking, abs=1e-5)
    assert back.started == match.started


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"game": 1}', '{"game":"a","agents":"b","seed":1,"moves":[],"utilities":[]}']
)
def test_what_is_no_record_is_refused(text):
    with pytest.raises(BadParameter, match="not the record of a match"):
        from_json(text)


def test_values_that_json_does_not_know_are_never_written():
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(Match(game="x", agents=("a",), seed=0, moves=(), utilities=(float("nan"),)))


def test_a_match_as_text():
    match = play(game("connect-four"), [agent("flat"), agent("random")], iterations=50, seed=2)
    lines = to_text(replace(match, faults=("flat (red) at move 2: crash: oh",))).splitlines()
    assert lines[:3] == [
        "game: connect-four",
        f"red: flat, {match.utilities[0]:g}",
        f"yellow: random, {match.utilities[1]:g}",
    ]
    assert lines[3:7] == [
        "limit: 50 iterations",
        "seed: 2",
        "fault: flat (red) at move 2: crash: oh",
        f"plies: {match.plies}",
    ]
    assert lines[8].startswith(f"1. {match.moves[0]}  2. {match.moves[1]}")
    assert max(map(len, lines[8:])) <= 76


def test_json_is_plain():
    data = json.loads(to_json(play(game("nim"), [agent("random")] * 2, seed=1)))
    assert list(data)[:3] == ["game", "agents", "roles"]
    assert data["terms"] == {"iterations": 1000, "tolerance_seconds": 0.25, "move_limit": 2000}
