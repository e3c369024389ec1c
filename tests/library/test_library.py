"""Every rule file of the library: no problems in it, and its golden match and random matches end well."""

import tomllib
from pathlib import Path
from random import Random

import pytest

from ludarium import library
from ludarium.core.errors import UnknownName
from ludarium.gdl.check import checker
from ludarium.gdl.text.reader import read
from ludarium.gdl.view import picture, view
from tests.library.play import after, reference, result

GOLDEN = tomllib.loads(Path(__file__).with_name("golden.toml").read_text(encoding="utf-8"))
LONG = {  # a random match would take the reference too long: only its beginning is played
    "chess",
    "skirmish",
    "reversi",
    "tablut",
    "brandubh",
    *(name for name in library.names() if name.startswith("hnefatafl") and name != "hnefatafl-5x5"),
}


def test_there_is_a_golden_match_for_every_game() -> None:
    assert sorted(GOLDEN) == library.names()


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'hnefatafl'"):
        library.path("hnefatafel")


@pytest.mark.parametrize("name", library.names())
def test_the_static_checks_find_nothing(name: str) -> None:
    assert checker.check(read(library.path(name))) == []


@pytest.mark.parametrize("name", library.names())
def test_the_header_names_title_players_and_rules(name: str) -> None:
    lines = library.path(name).read_text(encoding="utf-8").splitlines()
    comment = [line for line in lines if line.startswith("; ")]
    players = [role for role in reference(name).roles if role != "random"]
    assert lines[1].startswith(("; Players: ", "; Player: "))
    assert all(player in lines[1] for player in players)
    assert len(" ".join(comment[2:])) > 100
    assert max(map(len, lines)) <= 110 or any(line.startswith(";@ symbols") for line in lines if len(line) > 110)


@pytest.mark.parametrize("name", library.names())
def test_the_initial_state_is_drawn(name: str) -> None:
    text = library.path(name).read_text(encoding="utf-8")
    drawn = picture(sorted(reference(name).initial(), key=str), view(text))
    has_board = "(cell " in text or "(sea " in text
    assert has_board == (len(drawn.splitlines()) > 3)
    assert "(cell" not in drawn


@pytest.mark.parametrize("name", library.names())
def test_the_golden_match_has_its_result(name: str) -> None:
    game = reference(name)
    moves = [move for move in GOLDEN[name]["moves"].replace("\n", " ").split(";") if move.strip()]
    state = after(game, game.initial(), moves)
    assert result(game, state) == GOLDEN[name]["result"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in library.names()]
)
def test_random_matches_end_with_legal_moves_and_single_goals(name: str) -> None:
    game = reference(name)
    random = Random(name)
    for _ in range(1 if name in LONG else 3):
        state = game.initial()
        for _ in range(60 if name in LONG else 600):
            if game.terminal(state):
                break
            legal = {role: sorted(game.legal(state, role), key=str) for role in game.roles}
            assert all(legal.values())
            state = game.next(state, {role: random.choice(moves) for role, moves in legal.items()})
        if name not in LONG or game.terminal(state):
            result(game, state)
