import pickle
from dataclasses import replace

import pytest

from ludarium.core import TOGETHER, Match

MATCH = Match(
    game="connect-four",
    agents=("uct", "random"),
    seed=7,
    moves=("4",) * 17,
    utilities=(1.0, 0.0),
    seconds=(0.1,) * 17,
)


def test_a_match_reads_as_a_result():
    assert repr(MATCH) == str(MATCH) == "Match(connect-four: uct 1.0, random 0.0, 17 plies, seed 7)"


def test_faults_are_part_of_the_result():
    match = replace(MATCH, moves=("4",), seconds=(), utilities=(1 / 3, 0), faults=("random ran out of time",))
    assert str(match) == ("Match(connect-four: uct 0.333, random 0.0, 1 ply, seed 7, fault: random ran out of time)")


def test_clocks_do_not_count_in_a_comparison():
    assert replace(MATCH, seconds=(9.0,) * 17) == MATCH
    assert hash(replace(MATCH, seconds=())) == hash(MATCH)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 8},
        {"game": "nim"},
        {"utilities": (0.0, 1.0)},
        {"faults": ("late",)},
        {"agents": ("uct", "flat")},
    ],
)
def test_everything_else_does(change):
    assert replace(MATCH, **change) != MATCH


def test_there_is_a_utility_per_agent():
    with pytest.raises(ValueError, match="2 agents, but 1 utilities"):
        replace(MATCH, utilities=(1.0,))


def test_there_is_a_time_per_ply_or_none_at_all():
    with pytest.raises(ValueError, match="17 plies, but 2 times"):
        replace(MATCH, seconds=(0.1, 0.1))


def test_a_match_survives_pickling():
    assert pickle.loads(pickle.dumps(MATCH)) == MATCH


def test_moves_made_at_once_are_told_apart():
    assert TOGETHER.join(["rock", "paper"]) == "rock + paper"
