"""Ludii's library in a folder and in an archive: found, searched, refused."""

import zipfile

import pytest

from ludarium.core import LudariumError
from ludarium.core.errors import UnknownName
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.library import VARIABLE, library_of_user, open_library
from ludarium.ludii.text.expander import expand
from tests.ludii.texts import LINES, PASS

FILES = {
    "lud/board/space/Lines.lud": LINES,
    "lud/board/Null.lud": PASS.replace("(move Pass)", '"Pass"'),
    "lud/math/Twin.lud": PASS,
    "lud/board/Twin.lud": PASS,
    "lud/board/Kalah.lud": "(game (mancalaBoard))",
    "lud/wip/Draft.lud": PASS,
    "lud/wip/Lines.lud": PASS,
    "lud/readme.txt": "no game",
    "def/rules/Pass.def": '// A pass.\n(define "Pass" (move Pass))',
    "def/Other.def": '(define "Differently" True)',
}


@pytest.fixture(params=["folder", "archive", "checkout", "inside"])
def library(request, tmp_path):
    if request.param == "archive":
        path = tmp_path / "Ludii.jar"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in FILES.items():
                archive.writestr(name, text)
        return open_library(path)
    root = tmp_path / "Common" / "res" if request.param == "checkout" else tmp_path
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return open_library(tmp_path / "lud" / "board" if request.param == "inside" else tmp_path)


def test_a_game_is_found_by_its_name_in_any_case_or_its_path(library):
    assert library.find("Null") == library.find("null.LUD") == library.find("board/Null") == "board/Null.lud"
    assert library.read("Null") == library.read("board/Null.lud")
    assert library.read("Null")[1] == "lud/board/Null.lud"


def test_a_game_that_is_not_finished_gives_way_but_can_be_named(library):
    assert library.find("Lines") == "board/space/Lines.lud"
    assert library.find("wip/Lines") == "wip/Lines.lud"
    assert library.find("Draft") == "wip/Draft.lud"


def test_several_of_one_name_are_listed(library):
    with pytest.raises(LudariumError, match="several games are called 'Twin': name one of board/Twin, math/Twin"):
        library.find("Twin")
    assert library.find("math/Twin") == "math/Twin.lud"


def test_an_unknown_name_is_refused_with_the_nearest(library):
    with pytest.raises(UnknownName, match="unknown game of Ludii's library 'Linse': did you mean 'Lines'?"):
        library.find("Linse")


def test_games_are_searched_by_their_paths_and_then_by_what_they_say(library):
    assert list(library.search("board twin")) == ["board/Twin.lud", "math/Twin.lud"][:1]
    assert list(library.search("mancala")) == ["board/Kalah.lud"]
    assert list(library.search("LINES")) == ["board/space/Lines.lud"]
    assert "wip/Draft.lud" not in list(library.search())
    assert list(library.search("nothing like that")) == []


def test_defines_go_by_the_names_inside_of_their_files(library):
    assert sorted(library.defines.files) == ["Differently", "Pass"]
    string, file = library.read("Null")
    assert bind(expand(string, file, library=library.defines)).root.unit == "game"


def test_the_user_names_the_library_once(tmp_path):
    (tmp_path / "lud").mkdir()
    (tmp_path / "lud" / "Null.lud").write_text(PASS)
    assert library_of_user({VARIABLE: str(tmp_path)}).paths == ("Null.lud",)
    assert library_of_user({}) is None
    assert library_of_user({VARIABLE: " "}) is None


def refusal(place):
    with pytest.raises(LudariumError) as caught:
        library_of_user({VARIABLE: str(place)})
    assert str(caught.value).startswith(f"{VARIABLE}: {place}: ")
    return str(caught.value)


def test_what_is_no_library_is_refused(tmp_path):
    (tmp_path / "no.jar").write_bytes(b"PK\3\4 this is not an archive")
    with zipfile.ZipFile(tmp_path / "other.jar", "w") as archive:
        archive.writestr("readme", "nothing")
    assert "no such file or folder" in refusal(tmp_path / "missing")
    assert "this is not an archive" in refusal(tmp_path / "no.jar")
    assert "there are no games here" in refusal(tmp_path / "other.jar")
    (tmp_path / "empty").mkdir()
    assert "there are no games here" in refusal(tmp_path / "empty")


def test_a_damaged_archive_is_refused_when_it_is_read(tmp_path):
    path = tmp_path / "Ludii.jar"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lud/Null.lud", PASS * 20)
    data = bytearray(path.read_bytes())
    data[60:80] = b"\xff" * 20
    path.write_bytes(data)
    with pytest.raises(LudariumError, match=r"lud/Null.lud in it cannot be read"):
        open_library(path).read("Null")
