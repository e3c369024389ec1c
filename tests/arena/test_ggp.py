import json

import pytest

from ludarium import agent, game, play
from ludarium.arena.ggp import from_ggp, to_ggp
from ludarium.arena.play import contest
from ludarium.core import BadParameter, Limit
from ludarium.core.match import Terms
from tests.arena import odd_catalog as odd

KEYS = {
    "matchId", "randomToken", "startTime", "isCompleted", "isAborted", "states", "moves", "stateTimes", "errors",
    "goalValues", "startClock", "playClock", "playerNamesFromHost", "scrambled",
}  # fmt: skip


def test_the_record_of_a_gdl_game():
    made = game("gdl:tic-tac-toe")
    terms = Terms(limit=Limit(seconds=15), start_seconds=30)
    match = contest(made, [odd.agent("fail(at=1)"), agent("random")], terms, 3)
    record = json.loads(json.dumps(to_ggp(match, made)))
    assert set(record) == KEYS
    assert (record["startClock"], record["playClock"], len(record["randomToken"])) == (30, 15, 32)
    assert len(record["states"]) == len(record["stateTimes"]) == len(record["errors"]) == len(record["moves"]) + 1
    assert record["states"][0].startswith("( (cell 1 1 b)")
    assert record["moves"][0] == [match.moves[0], "noop"]
    assert record["moves"][1] == ["noop", match.moves[1]]
    assert [row[0] for row in record["errors"]][:4] == ["", "", "", "CE"]
    assert record["goalValues"] == [round(100 * utility) for utility in match.utilities]


@pytest.mark.parametrize("name", ["gdl:tic-tac-toe", "tron", "tic-tac-toe", "nim", "goofspiel(cards=4)"])
def test_records_are_read_back(name):
    made = game(name)
    if not made.traits.deterministic:
        pytest.skip("draws chance")
    match = play(made, [agent("random")] * 2, seed=4)
    back = from_ggp(to_ggp(match, made), made)
    assert (back.moves, back.utilities, back.agents) == (match.moves, match.utilities, match.agents)


def test_faults_are_read_back():
    made = game("gdl:tic-tac-toe")
    match = contest(made, [odd.agent("illegal(at=1)"), odd.agent("seat-fail")], Terms(), 3)
    back = from_ggp(to_ggp(match, made), made)
    told = {(turn.ply, turn.role, turn.fault) for turn in match.turns if turn.fault}
    assert {(turn.ply, turn.role, turn.fault) for turn in back.turns} == told


def test_a_match_that_was_cut_was_aborted():
    made = game("connect-four")
    record = to_ggp(play(made, [agent("random")] * 2, seed=1, move_limit=3), made)
    assert (record["isCompleted"], record["isAborted"]) == (False, True)
    assert "goalValues" not in record
    assert from_ggp(record, made).cut


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({}, "not a match record"),
        ({"moves": 7}, "not a match record"),
        ({"moves": [["(mark 1 1)"]]}, "step 1 has 1 moves"),
        ({"moves": [["(mark 9 9)", "noop"]]}, "step 1: .* is not a move"),
        ({"moves": [["(mark 1 1)", "noop"], ["noop", "(mark 1 1)"]]}, "step 2: .* is not legal"),
    ],
)
def test_what_cannot_be_read_says_why(record, said):
    with pytest.raises(BadParameter, match=said):
        from_ggp(record, game("gdl:tic-tac-toe"))


def test_chance_is_not_in_the_record():
    with pytest.raises(BadParameter, match="kuhn-poker draws chance"):
        from_ggp({"moves": []}, game("kuhn-poker"))
