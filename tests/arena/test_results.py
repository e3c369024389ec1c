import numpy as np
import pytest

from ludarium.arena.results import Labels, Moves, Results, compress
from ludarium.core import BadParameter
from tests.arena.samples import duels

COLUMNS = {"match": [7, 7], "game": ["hex"] * 2, "role": [0, 1], "agent": ["a", "b"], "utility": [1, 0]}


def test_what_is_not_known_has_a_default_and_other_columns_are_left_alone():
    results = Results.of(COLUMNS | {"seed": [3, 3], "opponents": ["b", "a"]})
    assert results.plies.tolist() == [0, 0]
    assert np.isnan(results.seconds).all()
    assert results.crashes.tolist() == [0, 0]
    assert results.role_name.names == ("role 1", "role 2")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"utility": [1, 1.5]}, "a utility is a number from 0 to 1"),
        ({"utility": [1, float("nan")]}, "a utility is a number from 0 to 1"),
        ({"utility": [1, "much"]}, "a column of numbers holds something else"),
        ({"role": [0, -1]}, "a role is a number from 0 on"),
        ({"role": [0, 0.5]}, "a column of whole numbers holds something else"),
        ({"agent": ["a"]}, "results have 2 matches, but 1 rows in the column agent"),
        ({"plies": [1, 2, 3]}, "results have 2 matches, but 3 rows in the column plies"),
        ({"budget": ["1 s"]}, "results have 2 matches, but 1 rows in the column budget"),
    ],
)
def test_a_column_that_makes_no_sense_is_refused(change, said):
    with pytest.raises(BadParameter, match=f"^{said}$"):
        Results.of(COLUMNS | change)


def test_a_column_that_is_needed_is_missed():
    with pytest.raises(BadParameter, match="^results lack the columns? agent, utility$"):
        Results.of({name: COLUMNS[name] for name in ("match", "game", "role")})


def test_a_code_without_a_name_is_refused():
    with pytest.raises(BadParameter, match="codes beyond its 1 names"):
        Labels(np.array([0, 1], np.int32), ("only",))


def test_rows_in_any_order_lie_by_match():
    results = Results.of(
        {
            "match": [2, 1, 2, 1],
            "game": ["x", "y"] * 2,
            "role": [1, 1, 0, 0],
            "agent": list("abcd"),
            "utility": [0, 0, 1, 1],
        }
    )
    ordered = results.by_match()
    assert ordered.match.tolist() == [1, 1, 2, 2]
    assert [ordered.agent.names[code] for code in ordered.agent.codes] == ["d", "b", "c", "a"]
    assert ordered.by_match() is ordered


def test_a_match_that_was_counted_twice_is_refused():
    twice = {name: column * 2 for name, column in COLUMNS.items()}
    with pytest.raises(BadParameter, match="two rows for one role"):
        Results.of(twice).by_match()


def test_a_match_has_the_same_number_in_both_tables_if_it_is_named_by_a_text():
    results = Results.of(COLUMNS | {"match": ["f3a", "f3a"]})
    moves = Moves.of({"match": ["f3a"], "game": ["hex"], "ply": [0], "role": [0], "agent": ["a"]})
    assert results.match[0] == results.match[1] == moves.match[0]
    assert Results.of(COLUMNS | {"match": ["f3a", "f3b"]}).match[1] != moves.match[0]


def test_wins_are_shared_by_those_who_tie_for_them():
    match = [1, 1, 1, 2, 2, 3]
    utility = [0.4, 0.4, 0.1, 0.2, 0.9, 0.3]
    results = Results.of(
        {"match": match, "game": ["x"] * 6, "role": [0, 1, 2, 0, 1, 0], "agent": list("abcabc"), "utility": utility}
    )
    assert results.as_scores().utility.tolist() == [0.5, 0.5, 0, 0, 1, 0.3]


def test_everyone_in_a_match_meets_everyone_else_once():
    results = Results.of(
        {
            "match": [1, 1, 1, 2, 2],
            "game": ["x"] * 5,
            "role": [0, 1, 2, 0, 1],
            "agent": list("abcab"),
            "utility": [0] * 5,
        }
    )
    ones, others = results.encounters()
    assert sorted(zip(ones.tolist(), others.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2), (3, 4)]


def test_the_games_come_one_by_one_with_all_their_rows():
    results = Results.of(
        {
            "match": range(5),
            "game": list("xyxzy"),
            "role": [0] * 5,
            "agent": list("aabba"),
            "utility": [0, 0.1, 0.2, 0.3, 0.4],
        }
    )
    assert [(name, own.utility.tolist()) for name, own in results.games()] == [
        ("x", [0, 0.2]),
        ("y", [0.1, 0.4]),
        ("z", [0.3]),
    ]


def test_an_agent_with_another_budget_is_another_agent():
    several = Results.of(COLUMNS | {"agent": ["uct", "uct"], "budget": ["1 s", "2 s"]})
    assert several.agent.names == ("uct [1 s]", "uct [2 s]")
    assert Results.of(COLUMNS | {"budget": ["1 s", "1 s"]}).agent.names == ("a", "b")


def test_names_that_no_row_bears_are_dropped():
    results = duels([("a", "b", 1), ("c", "d", 0)])
    assert results.where(results.match == 1).agent.names == ("c", "d")


@pytest.mark.parametrize("keys", [[5, 2, 5, 9], [-3, 2, -3], [2**60, 1, 2**60], []])
def test_keys_are_numbered_in_order_however_large_they_are(keys):
    keys = np.array(keys, np.int64)
    present, number = compress(keys)
    assert present.tolist() == sorted(set(keys.tolist()))
    assert (present[number] == keys).all()
