import ast

import pytest

from ludarium import catalog, game
from ludarium.terminal.listing import listing


@pytest.mark.parametrize("name", catalog.GAMES)
def test_every_listing_is_python(name):
    ast.parse(listing(game(name)))


def test_a_listing_holds_the_kernels_what_they_call_and_the_numbers_in_them():
    text = listing(game("connect-four"))
    for part in (
        "class State(Record)",
        "def init(",
        "def apply(",
        "def has_line(",
        "COLUMNS = 7",
        "ROWS = 6",
    ):
        assert part in text


def test_numbers_are_those_of_the_game_that_was_asked_for():
    assert "width = 5" in listing(game("breakthrough(width=5, height=6)"))


def test_the_library_is_left_out():
    assert "def below" not in listing(game("breakthrough"))


def test_a_game_without_kernels_lists_its_module():
    assert "class NimState" in listing(game("nim"))
