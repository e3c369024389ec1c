"""Whatever is wrong with a description: an error that says where, at once, and never a game that plays otherwise."""

import re
import zipfile

import pytest

from ludarium.core import LudariumError
from ludarium.ludii.game import from_text, load
from ludarium.ludii.library import open_library
from ludarium.ludii.trial.reader import read
from tests.commands import run

GAME = """(game "Toy"
    (players 2)
    (equipment { (board (square 3)) (piece "Stone" Each) })
    (rules
        (start (place "Stone1" 0))
        (play (move Add (to (sites Empty))))
        (end (if (is Line 3) (result Mover Win)))
    )
)
"""
DOUBLING = "\n".join(f'(define "D{k}" (or ("D{k + 1}") ("D{k + 1}")))' for k in range(40))

WRONG = {  # what is written instead of what, where the error is, and what it says
    "no site of that number": ("(sites Empty)", "(sites {3 500})", "6:39", "there is no site 500"),
    "nor to place a piece on": ('"Stone1" 0', '"Stone1" 9', "5:32", "there is no site 9"),
    "no piece of that name": ('"Stone1"', '"Ston1"', "5:23", "there is no such piece"),
    "too many pieces": ('"Stone1" 0', '"Stone1" 0 count:1000000', "5:40", "too many"),
    "a board without sites": ("(square 3)", "(square 0)", "3:18", "the board has no sites"),
    "a board of a million sites": ("(square 3)", "(square 1000)", "3:25", "more than can be played on"),
    "a board of any size": ("(square 3)", "(hex 1000000000)", "3:30", "cannot have a size of 1000000000"),
    "a board of a negative size": ("(square 3)", "(square -3)", "3:33", "cannot have a size of -3"),
    "a board that cannot be worked out": ("(square 3)", "(square (/ 3 0))", "3:33", "not a number"),
    "less than nobody plays": ("(players 2)", "(players -1)", "2:5", "0 to 16 players"),
    "too many play": ("(players 2)", "(players 400)", "2:5", "0 to 16 players"),
    "too many dice": ("Each)", "Each) (dice d:6 num:65)", "3:58", "more than 64 dice"),
    "too many faces": ("Each)", "Each) (dice d:1000000000 num:1)", "3:58", "1 to 1,000 faces"),
    "too large a hand": ("Each)", "Each) (hand Each size:1000000)", "3:58", "sites"),
    "a hand that holds nothing": ("Each)", "Each) (hand Each size:0)", "3:58", "holds nothing"),
    "a ludeme that is not there yet": ("(move Add (to (sites Empty)))", "(playCard)", "6:15", "playCard"),
    "a word that does not exist": ("Line", "Lime", "7:22", "did you mean 'Line'"),
    "a bracket that is not closed": ("    )\n)", "    )\n", "1:1", "not closed"),
    "a bracket too many": ("    )\n)", "    )\n))", "9:2", "')'"),
    "a range without end": ("(sites Empty)", "(sites {0..100000000})", "6:", "longer than 1000"),
    "brackets without end": ("(move Add (to (sites Empty)))", "(or " * 200 + "(move Pass)" + " (move Pass))" * 200, "6:", "brackets"),
    "a define that stands for itself": ('(game', '(define "A" ("A"))\n(game', "1:", "inside of itself"),
    "defines that multiply": ("(move Add (to (sites Empty)))", '("D0")', "", "10,000 uses of defines"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "place", "says"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_told_with_its_place(old, new, place, says):
    text = GAME.replace(old, new, 1)
    assert text != GAME
    text = (
        f"{text}\n{DOUBLING}\n" if "D0" in new else text.replace("(sites Empty)", '("A")') if "(define" in new else text
    )
    with pytest.raises(LudariumError, match=re.escape(says)) as caught:
        from_text(text, "toy.lud")
    assert str(caught.value).startswith(f"toy.lud:{place}")


@pytest.mark.parametrize(
    "content", [b"", b"hello world", bytes(range(256)), b"(game " + b"x" * 5_000_000, b"(" * 50_000]
)
def test_a_file_that_is_no_description_is_refused(content, tmp_path):
    file = tmp_path / "mine.lud"
    file.write_bytes(content)
    with pytest.raises(LudariumError, match=r"mine\.lud"):
        load(file)
    told = run("check", file)
    assert told.exit_code == 2
    assert isinstance(told.exception, SystemExit)


def test_an_option_that_does_not_exist_is_named():
    with pytest.raises(LudariumError, match="unknown option 'Board/9x9'"):
        from_text(GAME, options="Board/9x9")


@pytest.mark.parametrize("content", ["junk", "cut", "without games"])
def test_an_archive_that_is_none_is_refused(content, tmp_path):
    file = tmp_path / "Ludii.jar"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.txt" if content == "without games" else "lud/board/Toy.lud", GAME)
    if content != "without games":
        file.write_bytes(b"junk" if content == "junk" else file.read_bytes()[:100])
    with pytest.raises(LudariumError, match=r"Ludii\.jar"):
        open_library(file)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", b""), ("b.txt", b"game=x.lud\nSTART"), ("c.trl", bytes(range(256))), ("d.txt.xz", b"\xfd7zXZ\x00junk"), ("e.png", b"")],
)  # fmt: skip
def test_a_trial_that_is_cut_or_spoilt_is_refused(name, content, tmp_path):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(LudariumError, match=re.escape(name)):
        read(file)
    told = run("trial", "check", file)
    assert told.exit_code == 2
    assert told.output.startswith("unreadable")
