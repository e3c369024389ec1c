"""`match` does what Python does, in all three ways, and is one jump in machine code."""

import pytest

from ludarium.kernel import using
from tests.kernel.sources import module

WAYS = ("native", "check", "python")
HEAD = "class Piece:\n    PAWN = 1\n    KING = 6\n    NONE = -1\n\nLIMIT = 3\n\n@kernel\n"


def made(body, head="f(a: i64) -> i64"):
    lines = [f"    {line}" for line in body.strip().splitlines()]
    return module(f"{HEAD}def {head}:\n" + "\n".join(lines) + "\n")["f"]


def answers(body, values, head="f(a: i64) -> i64"):
    """What each way answers, and what Python does with the same text."""
    f = made(body, head)
    given = []
    for way in WAYS:
        with using(way):
            given.append([f(value) for value in values])
    assert given[0] == given[1] == given[2] == [f.function(value) for value in values]
    return given[0]


SIMPLE = """
match a:
    case 0:
        return 10
    case 2 | 5 | -7:
        return 20
    case Piece.KING | Piece.NONE:
        return 30
    case _:
        return 40
"""


def test_each_value_finds_its_case():
    assert answers(SIMPLE, [0, 1, 2, 5, -7, 6, -1, 2**63 - 1, -(2**63)]) == [10, 40, 20, 20, 20, 30, 30, 40, 40]


def test_it_becomes_one_switch():
    text = made(SIMPLE).unit("native").assembly()
    assert text.count("switch i64") == 1
    assert "icmp" not in text


def test_without_a_last_case_control_goes_on():
    body = "z = 1\nmatch a * 2:\n    case 2:\n        z = 5\n    case 4:\n        z += 6\nreturn z"
    assert answers(body, [0, 1, 2, 3]) == [1, 5, 7, 1]


def test_what_every_case_assigns_is_assigned():
    body = "match a:\n    case 1:\n        z = 5\n    case 2:\n        return 0\n    case _:\n        z = 7\nreturn z"
    assert answers(body, [0, 1, 2]) == [7, 5, 0]


def test_a_match_that_always_returns_ends_a_kernel_and_what_follows_is_not_looked_at():
    assert answers(SIMPLE + "return missing", [0]) == [10]


def test_numbers_of_64_bits_without_sign():
    body = "match u64(a):\n    case 18446744073709551615:\n        return 1\n    case 9223372036854775808:\n        return 2\nreturn 3"
    f = made(body)
    for way in WAYS:
        with using(way):
            assert [f(value) for value in (-1, -(2**63), 5)] == [1, 2, 3]


def test_loops_are_left_and_gone_on_with_from_inside():
    body = """
total = 0
for k in range(a):
    match k & 3:
        case 0:
            continue
        case 1:
            match k:
                case 9:
                    break
        case _:
            total += 100
    total += k
return total
"""
    assert answers(body, [0, 4, 9, 20, 30]) == [0, 206, 424, 424, 424]


def test_a_value_that_is_known_leaves_one_case():
    body = "match LIMIT:\n    case 3:\n        return a\n    case _:\n        return missing"
    assert answers(body, [4]) == [4]
    body = "match LIMIT:\n    case 4:\n        return missing\nreturn a"
    assert answers(body, [4]) == [4]


def test_the_subject_is_evaluated_once():
    text = HEAD + "def count(v: view[i64]) -> i64:\n    v[0] += 1\n    return v[0]\n\n@kernel\n"
    text += "def f(v: view[i64]) -> i64:\n    match count(v):\n        case 1:\n            return 10\n        case 2 | 3:\n"
    text += "            return 20\n    return v[0]\n"
    for way in WAYS:
        memory = memoryview(bytearray(8)).cast("q")
        with using(way):
            assert [module(text)["f"](memory) for _ in range(4)] == [10, 20, 20, 4]


def test_a_case_may_do_nothing():
    body = "match a:\n    case 1:\n        pass\n    case _:\n        return 7\nreturn 8"
    assert answers(body, [0, 1]) == [7, 8]


def test_faults_inside_have_their_line():
    body = "match a:\n    case 1:\n        return 1\n    case 2:\n        return 1 // (a - 2)\nreturn 0"
    for way in ("native", "check"):
        with using(way), pytest.raises(ZeroDivisionError, match=r":14:20: "):
            made(body)(2)
