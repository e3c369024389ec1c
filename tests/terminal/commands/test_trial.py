"""The commands for recorded trials."""

import json

import pytest

from ludarium.ludii.library import VARIABLE
from ludarium.ludii.trial import check
from tests.commands import run
from tests.ludii.trial.samples import NOUGHTS, RACE, Noughts


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A library with one game that can be replayed, and a folder of trials."""
    file = tmp_path / "lud" / "board" / "space" / "line" / "Tic-Tac-Toe.lud"
    file.parent.mkdir(parents=True)
    file.write_text("(game)")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(check, "load_replay", lambda library, path, options: Noughts())
    trials = tmp_path / "trials"
    trials.mkdir()
    (trials / "a.txt").write_text(NOUGHTS)
    return trials


def test_trials_that_agree_are_told_with_exit_code_0(folder):
    result = run("trial", "check", folder / "a.txt")
    assert (result.exit_code, result.output) == (
        0,
        f"agrees {folder / 'a.txt'}: board/space/line/Tic-Tac-Toe, 5 plies\n",
    )


def test_one_that_differs_or_is_not_supported_makes_exit_code_1(folder):
    (folder / "b.trl").write_text(NOUGHTS.replace("winner=1", "winner=2"))
    (folder / "c.txt").write_text(RACE)
    result = run("trial", "check", folder)
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["agrees", "differs", "unsupported"]
    assert "level G, ply 5: ours winner 1; recorded winner 2" in result.stdout
    assert result.stderr == "1 agrees, 1 differs, 1 unsupported\n"


def test_a_file_that_is_no_trial_makes_exit_code_2_but_the_others_are_told(folder):
    (folder / "b.txt").write_text(NOUGHTS[:180])
    result = run("trial", "check", folder / "b.txt", folder / "a.txt")
    assert result.exit_code == 2
    assert result.stdout.startswith("agrees ")
    assert f"unreadable {folder / 'b.txt'}: a move was expected" in result.stderr
    assert f"at {folder / 'b.txt'}:5:6" in result.stderr


def test_verdicts_come_as_json(folder):
    (folder / "b.txt").write_text(NOUGHTS.replace("SIZE = 7", "SIZE = 8"))
    result = run("trial", "check", folder, "--json")
    first, second = map(json.loads, result.stdout.splitlines())
    assert first == {
        "file": str(folder / "a.txt"),
        "outcome": "agrees",
        "game": "board/space/line/Tic-Tac-Toe",
        "plies": 5,
        "reason": "",
        "difference": None,
    }
    assert second["difference"]["level"] == "C"
    assert second["difference"]["ply"] == 2


def test_a_folder_without_trials_and_a_missing_file_are_refused(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    result = run("trial", "check", tmp_path / "empty")
    assert result.exit_code == 2
    assert "there are no trials in this folder" in result.stderr
    result = run("trial", "check", tmp_path / "none.txt")
    assert result.exit_code == 2
    assert "No such file" in result.stderr


def test_a_trial_is_told_in_words(folder):
    (folder / "race.txt").write_text(RACE)
    result = run("trial", "show", folder / "race.txt")
    assert result.exit_code == 0
    assert result.output.splitlines()[:5] == [
        "game:     Race",
        "option:   Board/Short",
        "moves:    3, after 3 placements",
        "end:      player 1 wins (NaturalEnd), ranks 1, 2",
        "written:  by Ludii 1.3.0",
    ]
    assert result.output.splitlines()[8] == "    1  player 1: rolls 1; moves from 0 to 2  [1 of 2]"


def test_what_is_where_after_a_ply_is_told(folder):
    result = run("trial", "show", folder / "a.txt", "--ply", 2)
    assert result.output.splitlines() == [
        "board/space/line/Tic-Tac-Toe after 2 moves",
        "cell 0: component 2",
        "cell 4: component 1",
    ]
    result = run("trial", "show", folder / "a.txt", "--ply", 6)
    assert (result.exit_code, "there are 5 moves, none after ply 6" in result.stderr) == (2, True)
