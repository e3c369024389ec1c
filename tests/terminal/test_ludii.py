"""Games in Ludii's language at the command line: files, options, the user's library, and input that is no game."""

import re

import pytest

from ludarium import library
from ludarium.ludii import library as ludii_library
from tests.commands import run

STONES = """(game "Stones" (players 2) (equipment { (board (square <Side>)) (piece "Stone" Each) })
(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
(option "Board" <Side> args:{ <size> } { (item "Small" <3> "Three by three.")* (item "Large" <5> "Five by five.") })
"""


@pytest.fixture
def stones(tmp_path):
    file = tmp_path / "stones.lud"
    file.write_text(STONES)
    return file


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A library as Ludii's is laid out."""
    for path in ("lud/board/line/Stones.lud", "lud/board/line/Twice.lud", "lud/board/other/Twice.lud"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(STONES)
    monkeypatch.setenv(ludii_library.VARIABLE, str(tmp_path))
    return tmp_path


def test_options_are_listed_and_the_chosen_one_is_marked(stones):
    told = run("show", stones, "--options").output
    assert "*   Board/Small" in told
    assert "Five by five." in told
    assert "*   Board/Large" in run("show", stones, "--options", "--option", "Board/Large").output
    assert "no options" in run("show", "oncoming", "--options").output


@pytest.mark.parametrize("given", [('{}(options="Board/Large")',), ("{}", "--option", "Board/Large")])
def test_options_are_chosen_in_brackets_or_beside_the_game(stones, given):
    spec, *more = given
    told = run("show", spec.format(stones), *more).output
    assert " 5 . . . . ." in told


def test_every_command_takes_such_a_game(stones, tmp_path):
    assert run("play", stones, "uct", "random", "--seed", "1", "--iterations", "100", "-q").exit_code == 0
    assert "add b2" in run("think", stones, "--moves", "add a1", "--iterations", "50").output
    assert "random playouts" in run("bench", stones, "--seconds", "0.01").output
    assert "def legal" in run("show", stones, "--code").output
    assert "(move Add (to (sites Empty)))" in run("show", stones, "--rules").output
    store = tmp_path / "stones.db"
    words = ("--agents", "random", "flat", "--games-per-pair", "2", "--iterations", "10", "--store", store)
    assert run("tournament", "--games", stones, "--option", "Board/Large", *words).exit_code == 0


def test_a_game_is_drawn_into_a_file(stones, tmp_path):
    file = tmp_path / "stones.svg"
    assert run("show", stones, "--svg", file, "--moves", "add a1").exit_code == 0
    assert file.read_text().startswith("<svg")
    assert "ends in .svg" in run("show", stones, "--svg", tmp_path / "stones.png").output
    assert run("show", "nim", "--svg", file).exit_code == 0
    assert "7 from c" in file.read_text()


def test_the_library_of_the_user_is_listed_searched_and_played(place):
    assert "lud:Stones" in run("games", "--ludii").output
    told = run("games", "--ludii", "--search", "other").output
    assert "1 of 3 games" in told
    assert run("show", "lud:Stones").exit_code == 0
    assert "did you mean 'Stones'" in run("show", "lud:Stonnes").output
    assert "board/line/Twice, board/other/Twice" in run("show", "lud:Twice").output
    assert run("show", "lud:other/Twice").exit_code == 0


def test_without_a_library_it_is_said_how_to_name_one(monkeypatch):
    monkeypatch.delenv(ludii_library.VARIABLE, raising=False)
    for words in (("games", "--ludii"), ("show", "lud:Amazons")):
        told = run(*words)
        assert told.exit_code == 2
        assert "set LUDARIUM_LUDII" in told.output


GAME = """(game "G" (players 2) (equipment {{ (board {board}) (piece "Stone" Each) }})
(rules (play {play}) (end (if (is Line 3) (result Mover Win)))))"""
ADD = "(move Add (to (sites Empty)))"


@pytest.mark.parametrize("command", ["show", "check"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.lud:1:1: .*no game here"),
        (b"\x7fELF\x00\xff\xfe", "bad.lud:1:[0-9]+: .*not"),
        (b"just words", "bad.lud:1:1: .*no game here"),
        (b'(game "G" (players 2)', r"bad.lud:1:1: .*this '\(' is not closed"),
        (b'(define "A" ("A"))' + GAME.format(board='(square "A")', play=ADD).encode(), "bad.lud:1:[0-9]+: .*A"),
        (GAME.format(board="(square 1000)", play=ADD).encode(), "bad.lud:1:[0-9]+: "),
        (GAME.format(board="(square 3)", play="(move Add (to (sites Emty)))").encode(), "bad.lud:2:[0-9]+: .*Emty"),
        (GAME.format(board="(square 3)) (dominoes", play=ADD).encode(), "bad.lud:1:[0-9]+: .*cannot be played yet"),
    ],
)
def test_bad_input_is_told_with_its_place_and_without_a_traceback(command, content, message, tmp_path, monkeypatch):
    monkeypatch.delenv(ludii_library.VARIABLE, raising=False)
    file = tmp_path / "bad.lud"
    file.write_bytes(content)
    told = run(command, file)
    assert told.exit_code == 2
    assert re.search(message, told.output), told.output


def test_what_is_no_file_option_or_archive_is_said(stones, tmp_path, monkeypatch):
    assert "No such file" in run("show", tmp_path / "none.lud").output
    assert "did you mean 'Board/Large'" in run("show", stones, "--option", "Board/Larg").output
    assert "no parameter 'options'" in run("show", "nim", "--option", "Board/Large").output
    assert "expected a choice" in run("show", f"{stones}(options=3)").output
    jar = tmp_path / "Ludii.jar"
    jar.write_bytes(b"this is no archive")
    monkeypatch.setenv(ludii_library.VARIABLE, str(jar))
    told = run("games", "--ludii")
    assert told.exit_code == 2
    assert "not an archive" in told.output


def test_our_games_pass_the_check():
    told = run("check", *(library.path(name, library.LUDII) for name in library.names(library.LUDII)))
    assert told.exit_code == 0
    assert told.output.count("no errors") == len(library.names(library.LUDII))
