"""A person at the prompt: what may be typed, taken back, asked for and kept."""

import json
import re

import pytest

from ludarium import game
from ludarium.arena import Store
from ludarium.terminal.human import in_words
from ludarium.terminal.understand import understand
from tests.commands import run

CHESS = [("(move 5 2 5 4)", "e2e4"), ("(move 5 2 5 3)", "e2e3"), ("(castle king-side)", "O-O"), ("noop", "noop")]


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("e2e4", [0]),
        ("E2E4", [0]),
        ("(move 5 2 5 4)", [0]),
        ("move 5 2 5 4", [0]),
        ("5 2 5 3", [1]),
        ("castle", [2]),
        ("o-o", [2]),
        ("2", [1]),
        ("#4", [3]),
        ("e2", [0, 1]),
        ("5 2", [0, 1]),
        ("n", [3]),
        ("9", []),
        ("queen", []),
        ("", []),
    ],
)
def test_what_is_clear_is_understood_and_what_is_not_is_listed(typed, places):
    assert understand(typed, CHESS) == places


def test_a_move_that_is_a_number_comes_before_the_number_of_a_move():
    assert understand("2", [("3", "3"), ("1", "1"), ("2", "2")]) == [2]
    assert understand("#2", [("3", "3"), ("1", "1"), ("2", "2")]) == [1]


def test_moves_are_typed_by_number_without_brackets_and_in_part():
    told = run("play", "gdl:tic-tac-toe", "human", "human", typed="1\nmark 2 1\na2\n2 2\nmark 1\n").output
    assert "x (human) wins" in told
    assert "which one?" not in told


def test_what_is_not_clear_is_asked_back():
    told = run("play", "nim", "human", "human", typed="2 from\nquit\n").output
    assert re.search(r"which one\? 2\).2.from.a", told)


def test_a_move_is_taken_back_with_the_answer_to_it():
    told = run("play", "tic-tac-toe", "human", "random", "--seed", "1", typed="b2\nundo\na1\nquit\n").output
    assert "3. x>" in told
    assert told.count("1. x>") == 2  # asked again for the first move
    assert re.search(r"--moves 'a1; ..'", told)


def test_there_is_nothing_to_take_back_before_the_first_move():
    told = run("play", "tic-tac-toe", "human", "random", typed="undo\nquit\n").output
    assert "there is nothing to take back" in told


def test_a_hint_comes_from_a_search():
    told = run("play", "tic-tac-toe", "human", "random", "--moves", "a1 b1 a2 b2", typed="hint\nquit\n").output
    assert "uct would play a3, worth about 1.00" in told


def test_a_hint_in_a_game_that_hides_something_uses_what_the_person_knows():
    told = run("play", "kuhn-poker", "human", "random", "--seed", "2", typed="hint\nquit\n").output
    assert re.search("uct would play (bet|pass)", told)


def test_the_rules_are_told_in_words():
    told = in_words(game("chess"))
    assert told.startswith("Chess\nPlayers: white, black.\n")
    assert "(role white)" not in told
    assert ";" not in told.splitlines()[0]
    assert "ludarium show chess --rules" in told


def test_the_rules_are_told_at_the_prompt():
    told = run("play", "gdl:tic-tac-toe", "human", "random", typed="rules\nquit\n", columns=200).output
    assert all(line in told for line in in_words(game("gdl:tic-tac-toe")).splitlines())


def test_how_to_go_on_later_is_told_when_asked_and_when_leaving():
    told = run("play", "tic-tac-toe", "human", "human", typed="b2\nsave\na1\nquit\n", columns=200).output
    assert "--moves b2\n" in told
    assert "--moves 'b2; a1'\n" in told


def test_a_match_begins_after_given_moves_and_shows_the_last_board():
    told = run("play", "connect-four", "random", "random", "--moves", "d d c", "--seed", "3").output
    assert "╭─ 3 ·" in told
    assert "╭─ 2 ·" not in told
    wrong = run("play", "connect-four", "random", "random", "--moves", "d z")
    assert wrong.exit_code == 2
    assert "move 2: 'z' is not a column" in wrong.output


def test_a_match_of_a_human_is_repeated_by_its_moves():
    told = run("play", "tic-tac-toe", "human", "human", typed="a1\nb1\na2\nb2\na3\n").output
    assert "--moves 'a1; b1; a2; b2; a3'" in told


def test_a_match_is_saved(tmp_path):
    moves = ("--moves", "a1 b1 a2 b2", "--seed", "4", "--quiet")
    for name in ("m.json", "m.txt", "m.db"):
        told = run("play", "tic-tac-toe", "uct", "random", *moves, "--save", tmp_path / name)
        assert told.exit_code == 0
        assert "saved: " in told.output
    assert json.loads((tmp_path / "m.json").read_text())["moves"][:4] == ["a1", "b1", "a2", "b2"]
    assert "a1" in (tmp_path / "m.txt").read_text()
    with Store(tmp_path / "m.db", readonly=True) as store:
        (match,) = store.matches()
    assert run("replay", tmp_path / "m.db", match.id, "--text").exit_code == 0
    assert run("play", "tic-tac-toe", "uct", "random", "--save", tmp_path / "m.doc").exit_code == 2


def test_a_match_of_a_lud_game_is_saved_as_a_trial(tmp_path):
    file = tmp_path / "m.trl"
    assert run("play", "lud:tic-tac-toe", "random", "random", "--save", file).exit_code == 0
    assert file.read_text().startswith("game=/lud/")
    assert run("play", "lud:tic-tac-toe", "random", "random", "--seed", "1", "--save", tmp_path / "m.db").exit_code == 0
    with Store(tmp_path / "m.db", readonly=True) as store:
        (match,) = store.matches()
    told = run("replay", tmp_path / "m.db", match.id, "--trial")
    assert told.exit_code == 0
    assert told.output.startswith("game=/lud/")
    refused = run("play", "tic-tac-toe", "random", "random", "--save", file)
    assert refused.exit_code == 2
    assert ".lud" in refused.output


def test_the_moves_of_others_that_are_public_are_shown_and_hidden_ones_are_not():
    poker = run("play", "kuhn-poker", "random", "human", "--seed", "2", typed="pass\nquit\n").output
    assert re.search(r"1 · first random → (bet|pass)", poker)
    blind = run("play", "kriegspiel-tic-tac-toe", "random", "human", "--seed", "1", typed="quit\n").output
    assert "random →" not in blind


def test_a_turn_has_its_number_and_history_lists_the_moves():
    told = run("play", "tic-tac-toe", "human", "human", typed="a1\nb1\nhistory\nquit\n").output
    assert "1. x a1   2. o b1" in told
    assert "3. x>" in told
