"""`empty` arrays cost nothing in release, and show what was read before it was written elsewhere."""

import pytest

from ludarium.kernel import using
from ludarium.kernel.types import UNWRITTEN
from tests.kernel.sources import module

FILLED = """
@kernel
def squares(out: view[i64], count: i64) -> None:
    for k in range(count):
        out[k] = k * k

@kernel
def f(count: i64) -> i64:
    list_ = empty(i64, 1000)
    squares(list_, count)
    total = 0
    for k in range(count):
        total += list_[k]
    return total
"""

UNFILLED = """
@kernel
def f(place: i64) -> {kind}:
    list_ = empty({kind}, 10)
    for k in range(3):
        list_[k] = {kind}(k)
    return list_[place]

@kernel
def anew(rounds: i64) -> i64:
    last = 0
    for k in range(rounds):
        list_ = empty(i64, 2)
        last = list_[0]
        list_[0] = 7
    return last

@kernel
def reach(v: view[u8]) -> i64:
    list_ = empty(i64, 2)
    return i64(v[list_[1]])
"""


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_what_was_written_is_read(way):
    with using(way):
        assert module(FILLED)["f"](100) == sum(k * k for k in range(100))


def test_nothing_is_filled_in_release():
    assert "memset" not in module(FILLED)["f"].unit("native").assembly()
    assert "memset" in module(FILLED.replace("empty", "array"))["f"].unit("native").assembly()
    assert f"i8 {UNWRITTEN}, i64 8000" in module(FILLED)["f"].unit("check").assembly()


@pytest.mark.parametrize("way", ["check", "python"])
@pytest.mark.parametrize(("kind", "size"), [("u8", 1), ("i16", 2), ("i64", 8), ("u64", 8)])
def test_what_was_not_written_is_far_out_where_that_is_tested(way, kind, size):
    with using(way):
        f = module(UNFILLED.format(kind=kind))["f"]
        assert [f(place) for place in range(3)] == [0, 1, 2]
        assert f(3) == f(9) == int.from_bytes(bytes([UNWRITTEN] * size), "little", signed=kind[0] == "i")


@pytest.mark.parametrize("way", ["check", "python"])
def test_an_array_is_empty_again_in_every_round_of_a_loop(way):
    with using(way):
        assert module(UNFILLED.format(kind="u8"))["anew"](5) not in (0, 7)


@pytest.mark.parametrize("way", ["check", "python"])
def test_what_was_not_written_is_no_index(way):
    with using(way), pytest.raises(IndexError):
        module(UNFILLED.format(kind="u8"))["reach"](bytes(255))


def test_fields_are_no_empty_arrays():
    with pytest.raises(
        TypeError, match=r"empty\(\.\.\.\) is for local arrays of kernels; a field of a record is an array"
    ):
        module("class Board(Record):\n    cells = empty(u8, 4)\n")
