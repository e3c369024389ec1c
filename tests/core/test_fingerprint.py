"""Games are known by what they are: rules, code and parameters count, and names, comments and layout do not."""

import subprocess
import sys

import pytest

from ludarium import catalog, game
from ludarium.core import Rng, fingerprint
from ludarium.core.fingerprint import digest
from ludarium.kernel import bridge
from ludarium.ludii import lud_game

RULES = """(role x) (init (left 3)) (base (left 1)) (base (left 2)) (base (left 3)) (base (left 0))
(input x take) (<= (legal x take) (true (left ?n))) (down 3 2) (down 2 1) (down 1 0)
(<= (next (left ?m)) (true (left ?n)) (down ?n ?m)) (<= terminal (true (left 0))) (goal x 100)
"""

LUD = """
(game "Lines" (players 2) (equipment {(board (square <Size>)) (piece "Stone" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
(option "Board" <Size> args:{<side>} {(item "Small" <3> "")* (item "Large" <4> "")})
"""

MODULE = '''"""A walk."""
from steps import LENGTH
from ludarium.core import Game, State, Traits

class Place(State):
    def __init__(self, game, at):
        self.game, self.at = game, at
    movers = property(lambda self: (0,) if self.at < LENGTH else ())
    def legal(self, role): return [1]
    def utilities(self): return (WORTH,)
    def observe(self, role): return bytes([self.at])
    def __eq__(self, other): return self.at == other.at
    def __hash__(self): return self.at
    def _after(self, joint, rng): return Place(self.game, self.at + 1)

class Walk(Game):
    name, roles, max_moves = "walk", ("walker",), 1
    traits = Traits(deterministic=True, perfect_information=True, turn_taking=True)
    def __init__(self, start=0): self.start = start
    def text(self, move): return "on"
    def parse(self, text): return 1
    def picture(self, state, role=None): return str(state.at)
    def _initial(self, rng): return Place(self, self.start)

WORTH = 1.0
'''


@pytest.mark.parametrize("name", [*catalog.GAMES, "gdl:tic-tac-toe", "monty-hall"])
def test_the_same_game_has_the_same_fingerprint_however_often_it_is_made(name):
    assert game(name).fingerprint == game(name).fingerprint
    assert len(game(name).fingerprint) == 16


def test_games_have_fingerprints_of_their_own():
    made = {name: game(name).fingerprint for name in (*catalog.GAMES, "gdl:tic-tac-toe", "gdl:connect-four")}
    assert len(set(made.values())) == len(made)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("breakthrough", "breakthrough(width=5)"),
        ("nim", "nim(misere=True)"),
        ("nim", "nim(heaps=(3, 5))"),
        ("whist", "whist(cards=4)"),
        ("battleship", "battleship(width=6)"),
        ("goofspiel", "goofspiel(cards=4)"),
        ("rinascimento", "rinascimento(players=3)"),
    ],
)
def test_parameters_count(one, other):
    assert game(one).fingerprint != game(other).fingerprint


def test_a_parameter_that_is_given_as_it_is_anyway_makes_no_difference():
    assert game("whist(players=3)").fingerprint == game("whist").fingerprint


def test_of_rules_only_what_they_mean_counts(tmp_path):
    def made(text, name="walk.kif"):
        (tmp_path / name).write_text(text)
        return game(str(tmp_path / name)).fingerprint

    first = made(RULES)
    assert made(RULES, "other.kif") == first
    assert made(f"; a comment\n{RULES.replace(' ', '   ')}") == first
    assert made(RULES.replace("(goal x 100)", "(goal x 50)")) != first


def test_of_a_lud_description_the_rules_and_the_chosen_options_count(tmp_path):
    def made(text, name="lines.lud", options=""):
        (tmp_path / name).write_text(text)
        return game(f"{tmp_path / name}{options}").fingerprint

    first = made(LUD)
    assert made(LUD, "other.lud") == first
    assert made("// a comment\n" + LUD.replace(" (play (", "\n\n(play  ( ").replace("Lines", "Rows")) == first
    assert made(LUD, options='(options="Board/Small")') == first
    assert made(LUD, options='(options="Board/Large")') != first
    assert made(LUD.replace("Mover Win", "Mover Loss")) != first


@pytest.mark.parametrize("name", ["nim", "connect-four", "gdl:tic-tac-toe", "lud:tic-tac-toe"])
def test_an_engine_that_plays_the_same_rules_otherwise_counts(name, monkeypatch):
    before = game(name).fingerprint
    monkeypatch.setattr(fingerprint, "ENGINE", fingerprint.ENGINE + 1)
    assert game(name).fingerprint != before


def test_games_in_the_language_of_ludii_have_a_number_of_their_own(monkeypatch):
    names = ("lud:tic-tac-toe", "gdl:tic-tac-toe", "tic-tac-toe")
    before = [game(name).fingerprint for name in names]
    monkeypatch.setattr(lud_game, "PLAYED", lud_game.PLAYED + 1)
    assert [game(name).fingerprint == each for name, each in zip(names, before, strict=True)] == [False, True, True]


def test_random_playouts_of_this_engine_lead_where_they_did():
    """If this fails because playouts draw moves in another way, count `PLAYED` or `ENGINE` up: stored matches are others now."""
    wanted = {
        "lud:tic-tac-toe": (41, 594), "lud:connect-four": (93, 88), "lud:breakthrough": (337, 54), "lud:reversi": (310, 280), "lud:checkers": (367, 38),
        "lud:backgammon": (987, 726), "gdl:tic-tac-toe": (38, 632), "connect-four": (85, 153), "breakthrough": (352, 587),
    }  # fmt: skip
    found = {}
    for name in wanted:
        made, rng, plies = game(name), Rng(5), 0
        for _ in range(5):
            block = bytearray(made.initial(rng).block)
            plies += bridge(made).call("playout", block, rng, 300)
        found[name] = plies, rng.below(1000)  # how often was drawn shows, too
    assert (fingerprint.ENGINE, lud_game.PLAYED) == (1, 5)
    assert found == wanted


def test_the_code_of_a_game_and_of_what_it_imports_from_beside_it_counts(tmp_path):
    def made(walk=MODULE, steps="LENGTH = 3\n", call="Walk()"):
        (tmp_path / "walk.py").write_text(walk)
        (tmp_path / "steps.py").write_text(steps)
        code = f"from walk import Walk; print({call}.fingerprint)"
        done = subprocess.run(
            [sys.executable, "-B", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    first = made()
    assert made(MODULE.replace('"""A walk."""', "# the same")) == first
    assert made(MODULE.replace("WORTH = 1.0", "WORTH = 0.5")) != first
    assert made(steps="LENGTH = 4\n") != first
    assert made(steps="LENGTH = 3  # steps\n") == first
    assert made(call="Walk(start=1)") != first


def test_a_game_that_was_typed_in_is_known_by_its_code():
    def typed(worth):
        names = {"__name__": "typed"}
        exec(MODULE.replace("from steps import LENGTH", "LENGTH = 3").replace("(WORTH,)", f"({worth},)"), names)
        return names["Walk"]().fingerprint

    assert typed(1) == typed(1) != typed(0)


def test_texts_are_kept_apart():
    assert digest(["ab", "c"]) != digest(["a", "bc"])
