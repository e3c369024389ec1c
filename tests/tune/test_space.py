import pytest

from ludarium.core import BadParameter, Rng
from ludarium.tune.space import Space, read_call, read_value, read_values

SPACE = Space({"c": [0.1, 0.3, 1], "leaf": (1, 64), "fixed": ("x",)})


def test_points_choose_values_by_place():
    assert SPACE.names == ("c", "leaf", "fixed")
    assert SPACE.sizes == (3, 2, 1)
    assert SPACE.size == 6
    assert SPACE.config((2, 0, 0)) == {"c": 1, "leaf": 1, "fixed": "x"}


def test_points_are_numbered_without_gaps():
    points = [SPACE.point(number) for number in range(SPACE.size)]
    assert points[:3] == [(0, 0, 0), (0, 1, 0), (1, 0, 0)]
    assert len(set(points)) == SPACE.size


def test_draws_reach_every_point():
    rng = Rng(1)
    assert {SPACE.draw(rng) for _ in range(200)} == {SPACE.point(number) for number in range(6)}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "the space to search is empty"),
        ({"c": ()}, "'c' has no values to try"),
        ({"c": (1, 2, 1)}, "'c' lists 1 twice"),
        ({"c": 3}, "the values of 'c' are 3; expected a list"),
        ({"c": "abc"}, "the values of 'c' are 'abc'; expected a list"),
    ],
)
def test_a_bad_space_is_refused(values, said):
    with pytest.raises(BadParameter, match=said):
        Space(values)


def test_one_and_true_are_two_values():
    assert Space({"c": (1, True, 1.0)}).size == 3


def test_what_is_typed_is_read():
    typed = [
        "c=0.1, 0.3,1e-6",
        "reuse=true,False",
        "final=visits",
        "opponent=osla(reply=random, evaluator=a),nothing",
        "leaf",
    ]
    assert read_values(typed) == {
        "c": (0.1, 0.3, 1e-6),
        "reuse": (True, False),
        "final": ("visits",),
        "opponent": ("osla(reply=random, evaluator=a)", "nothing"),
        "leaf": None,
    }


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["=1,2"], "cannot read the space '=1,2'"),
        (["c="], "'c' has no values to try"),
        (["c=1,,2"], "a comma too many"),
        (["c=1", "c=2"], "names 'c' twice"),
    ],
)
def test_what_cannot_be_read_is_refused(typed, said):
    with pytest.raises(BadParameter, match=said):
        read_values(typed)


def test_calls_are_taken_apart():
    assert read_call("nim", "game") == ("nim", {})
    assert read_call("x(a=1, b='c d', e=f(g=2))", "game") == ("x", {"a": "1", "b": "'c d'", "e": "f(g=2)"})
    assert read_value("'c d'") == "c d"


@pytest.mark.parametrize("text", ["x(", "x(1)", "x(**y)", "x(a=1", "x(a=1) + 2"])
def test_what_is_no_call_is_refused(text):
    with pytest.raises(BadParameter, match="cannot read game"):
        read_call(text, "game")
