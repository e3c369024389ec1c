"""`ludarium check` tells what is wrong with rules and with code, and code that fails is told by its file and line."""

import sys

import pytest

from ludarium import library, outside
from tests.commands import process, run
from tests.outside_code import RACE

BROKEN = (
    RACE.replace("class Bold:", "class Illegal:", 1)
    .replace("info.legal[0 if len(info.played) < self.agent.patience else -1]", "12345")
    .replace("Bold(patience)", "Illegal(patience)")
    .replace("return Lap(self.game, tuple(at), 1 - self.turn)", "return Lap(self.game, tuple(at), 1 / 0)")
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "running.py").write_text(RACE, encoding="utf-8")
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("_FOLDERS", "_FILES", "_ROOTS"):
        monkeypatch.setattr(outside, name, type(getattr(outside, name))())
    yield tmp_path
    for name in ("running", "broken"):
        sys.modules.pop(name, None)


def line_of(text):
    return BROKEN[: BROKEN.index(text)].count("\n") + 1


def test_what_keeps_its_promises_is_told_game_by_game(folder):
    told = run("check", "running.py:Race(length=3)", "running.py:Fair", "--as", "game").stdout
    assert "running.py:Race(length=3): a game\n  race-3: keeps its promises (turn_taking, deterministic, " in told
    told = run("check", "running.py:Fair", "--games", "tic-tac-toe", "nim")
    head = "running.py:Fair: an evaluator\n  parameters: frozen, copied and named as promised\n  tic-tac-toe: judges as promised, in "
    assert told.stdout.startswith(head)
    assert told.stdout.endswith("running.py:Fair: no broken promises\n")
    assert told.exit_code == 0


def test_broken_promises_are_told_and_counted(folder):
    told = run("check", "broken.py:Illegal", "--games", "nim", "tic-tac-toe")
    assert told.exit_code == 2
    assert "  nim: broken promise: agent 'broken.py:Illegal': nim: first after 0 plies: with 1 iteration" in told.stdout
    assert "it plays move 12345, which is not legal" in told.stdout
    assert told.stdout.endswith("broken.py:Illegal: 2 broken promises\n")
    told = run("check", "broken.py:Race")
    assert told.exit_code == 2
    assert f"broken.py:{line_of('1 / 0')}: in _after: ZeroDivisionError: division by zero" in told.stdout


def test_what_no_game_is_needed_for_is_told_once(folder):
    (folder / "running.py").write_text(RACE.replace('"bold"', '"flat"'), encoding="utf-8")
    told = run("check", "running.py:Bold")
    assert told.exit_code == 2
    problem = "agent 'running.py:Bold': its name 'flat' is that of another agent"
    assert told.stdout.splitlines()[1:] == [
        f"  parameters: broken promise: {problem}",
        "running.py:Bold: 1 broken promise",
    ]


def test_rules_and_code_are_checked_side_by_side(folder):
    rules = folder / "rules.kif"
    rules.write_text(library.path("tic-tac-toe").read_text(encoding="utf-8"), encoding="utf-8")
    told = run("check", rules, "running.py:Exact", "--games", "kuhn-poker")
    assert f"{rules}: no errors\n" in told.stdout
    assert "running.py:Exact: no broken promises" in told.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["auto"], "'auto' is an evaluator and a determinizer: say which, by --as"),
        (["nimm"], "unknown name 'nimm': did you mean 'nim'?"),
        (["ntbea"], "'ntbea' is none of what can be checked: game, agent, evaluator, determinizer"),
        (["nim", "--as", "toy"], "--as is 'toy'; it is one of game, agent, evaluator, determinizer"),
        (["nim", "--games", "hex"], "nim is a game, and checked by itself: there is no place for --games"),
        (["running.py:nothing"], "'running.py:nothing' is none of what can be checked"),
    ],
)
def test_what_cannot_be_checked_is_told_why(folder, words, message):
    told = run("check", *words)
    assert told.exit_code == 2
    assert message in told.stderr


def test_a_name_that_means_several_things_is_checked_as_what_it_is_said_to_be(folder):
    assert "auto: a determinizer\n" in run("check", "auto", "--as", "determinizer", "--games", "kuhn-poker").stdout


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["play", "broken.py:Race", "random", "random"], "1 / 0"),
        (["think", "broken.py:Race", "--iterations", "9"], "1 / 0"),
    ],
)
def test_code_that_fails_while_it_is_used_is_told_by_file_and_line(folder, words, place):
    started = process(*words, cwd=folder)
    _, errors = started.communicate(timeout=100)
    assert started.returncode == 2
    assert errors == f"ludarium: broken.py:{line_of(place)}: in _after: ZeroDivisionError: division by zero\n"


@pytest.mark.parametrize("ending", [".kif", ".lud"])
def test_a_file_that_is_not_text_is_an_error_like_others_in_every_language(tmp_path, monkeypatch, ending):
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"junk{ending}").write_bytes(b"(\xff)")
    told = run("check", f"junk{ending}")
    error = "error: the byte 0xff is not UTF-8 text (save the file as UTF-8)"
    assert (told.exit_code, told.stdout) == (2, f"junk{ending}:1:2: {error}\njunk{ending}: 1 error\n")
