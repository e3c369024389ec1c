"""Trials find their games in the user's library, and are judged by them."""

import pytest

from ludarium.core import LudariumError
from ludarium.core.errors import UnknownName
from ludarium.core.problems import Place, Problem, RulesError
from ludarium.ludii.library import VARIABLE, open_library
from ludarium.ludii.trial.check import AGREES, DIFFERS, UNREADABLE, UNSUPPORTED, check, check_all, find, load_replay
from ludarium.ludii.trial.reader import parse
from tests.ludii.trial.samples import NOUGHTS, Noughts


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A library with one game, which `LUDARIUM_LUDII` names."""
    for path in ("board/space/line/Tic-Tac-Toe", "board/Moved"):
        file = tmp_path / "lud" / f"{path}.lud"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('(game "Tic-Tac-Toe")')
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def load_noughts(library, path, options):
    assert path == "board/space/line/Tic-Tac-Toe.lud"
    assert options == ()
    return Noughts()


def load_doubled(library, path, options):
    return Noughts(doubled=True)


def load_nothing(library, path, options):
    raise RulesError([Problem(Place(path, 3, 5), "the ludeme (move Dance) is not supported")])


def test_a_trial_agrees_differs_or_has_an_unsupported_game(place):
    file = place / "trial.txt"
    file.write_text(NOUGHTS)
    agrees, differs, unsupported = (str(check(file, load)) for load in (load_noughts, load_doubled, load_nothing))
    game = "board/space/line/Tic-Tac-Toe"
    assert agrees == f"agrees {file}: {game}, 5 plies"
    assert differs.startswith(f"differs {file}: {game}, level C, ply 0: ours 18 moves; recorded 9 moves, of which [Add")
    assert unsupported == f"unsupported {file}: {game}, the ludeme (move Dance) is not supported at {game}.lud:3:5"


def test_a_file_that_is_no_trial_is_told_with_the_place(place):
    file = place / "trial.txt"
    file.write_text(NOUGHTS.replace("winner=1", "winner=one"))
    verdict = check(file, load_noughts)
    assert verdict.outcome == UNREADABLE
    assert verdict.reason == f"this is no winner: 'one' at {file}:16:8"


def test_a_game_is_found_where_it_moved_to_or_by_the_folder_of_the_trial(place):
    library = open_library(place)
    assert (
        find(parse(NOUGHTS.replace("board/space/line", "experimental")), library) == "board/space/line/Tic-Tac-Toe.lud"
    )
    renamed = parse(NOUGHTS.replace("Tic-Tac-Toe", "Renamed"), str(place / "trials" / "Moved" / "RandomTrial_0.txt"))
    assert find(renamed, library) == "board/Moved.lud"
    with pytest.raises(UnknownName, match="unknown game of Ludii's library 'board/space/line/Nothing'"):
        find(parse(NOUGHTS.replace("Tic-Tac-Toe", "Nothing")), library)


def test_without_a_library_the_user_is_told_what_to_do(place, monkeypatch):
    file = place / "trial.txt"
    file.write_text(NOUGHTS)
    monkeypatch.delenv(VARIABLE)
    verdict = check(file, load_noughts)
    assert verdict.outcome == UNSUPPORTED
    assert "let LUDARIUM_LUDII name its .jar" in verdict.reason


def test_many_files_are_checked_at_once_and_told_in_order(place):
    files = []
    for number in range(5):
        files.append(place / f"{number}.txt")
        files[-1].write_text(NOUGHTS.replace("winner=1", "winner=2") if number == 3 else NOUGHTS)
    for workers in (1, 2):
        found = list(check_all(files, workers=workers, load=load_noughts))
        assert [verdict.outcome for verdict in found] == [AGREES, AGREES, AGREES, DIFFERS, AGREES]
        assert [verdict.file for verdict in found] == [str(file) for file in files]


def test_a_game_is_loaded_or_refused_in_a_sentence(place):
    with pytest.raises(LudariumError):  # an empty description is no game, whatever can be played
        load_replay(open_library(place), "board/Moved.lud", ())
