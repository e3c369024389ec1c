"""Options that take several values."""

import pytest

from ludarium.core import BadParameter
from ludarium.terminal.arguments import count, spread

LISTS = {"--games", "--agents"}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("--games a b", "--games a --games b"),
        ("--games a b --agents x", "--games a --games b --agents x"),
        ("--games a --seed 3", "--games a --seed 3"),
        ("plan.toml --seed 3", "plan.toml --seed 3"),
        ("--games=a b", "--games a --games b"),
        ("--seed=3 -q", "--seed=3 -q"),
        ("--games a --games b c", "--games a --games b --games c"),
        ("", ""),
    ],
)
def test_every_value_gets_the_name_of_its_option(typed, read):
    assert spread(typed.split(), LISTS) == read.split()


@pytest.mark.parametrize("typed", ["--games", "--games --agents x", "--agents x --games", "--games -q"])
def test_an_option_without_a_value_is_told(typed):
    with pytest.raises(BadParameter, match="--games needs one name, or several"):
        spread(typed.split(), LISTS)


def test_things_are_counted():
    assert [count(number, "error") for number in (0, 1, 2)] == ["no error" + "s", "1 error", "2 errors"]
    assert count(1200, "match", "matches") == "1,200 matches"
