"""Boards on a screen: as wide as it is, and never cut without a mark."""

import io
import re

import pytest
from rich.console import Console
from rich.text import Text

from ludarium import game
from ludarium.core import Decision, Rng
from ludarium.terminal.screen import Screen, wrapped
from tests.commands import run


def shown(name, width):
    console = Console(file=io.StringIO(), width=width)
    made = game(name)
    Screen(console, made, [])(made.initial(Rng(0)), {})
    return console.file.getvalue(), made.picture(made.initial(Rng(0)))


def letters(text):
    return "".join(text.replace("│", "").replace("↳", "").split())


@pytest.mark.parametrize("name", ["rinascimento", "chess", "hnefatafl", "whist", "battleship"])
@pytest.mark.parametrize("width", [30, 58, 80, 120])
def test_no_board_is_cut(name, width):
    told, picture = shown(name, width)
    assert max(map(len, told.splitlines())) <= width
    inside = "\n".join(line for line in told.splitlines() if line.startswith("│"))
    assert letters(picture) == letters(inside)


def test_what_does_not_fit_goes_on_with_a_mark():
    parts = [part.plain for part in wrapped(Text("control white   may-castle black queen-side"), 30)]
    assert parts == ["control white   ", "  ↳ may-castle black queen-", "  ↳ side"] or all(len(p) <= 30 for p in parts)
    assert all(part.startswith("  ↳ ") for part in parts[1:])
    assert [part.plain for part in wrapped(Text("x" * 25), 10)] == [
        "x" * 10, "  ↳ xxxxxx", "  ↳ xxxxxx", "  ↳ xxx",
    ]  # fmt: skip


def test_characters_that_take_two_columns_are_wrapped_by_their_width():
    parts = wrapped(Text("狐 " + "鹅" * 40 + " end"), 30)
    assert all(part.cell_len <= 30 for part in parts)
    assert "".join(part.plain.removeprefix("  ↳ ") for part in parts) == "狐 " + "鹅" * 40 + " end"


def test_the_last_move_is_marked():
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard", legacy_windows=False)
    made = game("tic-tac-toe")
    screen, state = Screen(console, made, ["random", "random"]), made.initial()
    screen(state, {})
    for role, text in ((0, "b2"), (1, "a1")):
        console.file.seek(0)
        console.file.truncate()
        state = state.after(made.parse(text))
        screen(state, {role: Decision(made.parse(text))})
        assert re.findall(r"\x1b\[(?:\d+;)*7(?:;\d+)*m(.)", console.file.getvalue()) == ["XO"[role]]


def test_chess_is_shown_with_letters_and_short_moves():
    assert "a b c d e f g h" in run("show", "chess").output
    told = run("think", "chess", "--moves", "e2e4 e7e5", "--iterations", "50", "--top", "3").output
    assert "chess after 2 moves" in told
    assert "(move" not in told
