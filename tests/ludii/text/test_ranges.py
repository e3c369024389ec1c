"""Ranges of numbers and sites."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.core.problems import RulesError
from ludarium.ludii.text.expander import expand


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1..4", "1 2 3 4"),
        ("4..1", "4 3 2 1"),
        ("3..3", "3 3"),
        ("1..3..5", "1 2 3 4 5"),
        ("-3..3", "-3 3"),  # the sign is not seen
        ('"A1".."B2"', '"A1" "A2" "B1" "B2"'),
        ('"b9".."c10"', '"B9" "B10" "C9" "C10"'),
        ('"B1".."A1"', ""),
        ("a..b", "a..b"),
    ],
)
def test_a_range_is_written_out(text, expected):
    assert str(expand(f"(game {{{text}}})").root) == f"(game {{{expected}}})"


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_range_has_all_numbers_between_its_ends(first, last):
    numbers = [int(str(part)) for part in expand(f"(game {first}..{last})").root.parts]
    assert numbers[0] == first
    assert numbers[-1] == last
    assert set(numbers) == set(range(min(first, last), max(first, last) + 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0..1002", "the range from 0 to 1002 is longer than 1000"),
        ("1..99999999999999999999", "is longer than 1000"),
        ('"A1".."A2000"', "is longer than 1000"),
        ('"1A".."B2"', "is not a range of sites"),
        ('"A".."B"', "is not a range of sites"),
        ("0..1000 " * 1000, "ranges make more than 1,000,000 characters"),
    ],
)
def test_what_is_no_range_is_refused(text, message):
    with pytest.raises(RulesError) as caught:
        expand(f"(game {text})")
    assert message in str(caught.value)
