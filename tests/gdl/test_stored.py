"""What loading rules has worked out is kept: the next load finds the same, and works out what it cannot read."""

from array import array
from pathlib import Path
from typing import NamedTuple

import pytest

from ludarium import library
from ludarium.core import Rng
from ludarium.gdl import stored
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.ground import choice
from ludarium.gdl.joins import within
from ludarium.gdl.joins.game import JoinGame
from ludarium.gdl.network.arrange import Slot
from ludarium.gdl.stored import Stored, freeze, thaw
from ludarium.gdl.text.syntax import Term
from ludarium.gdl.words import words_kernels
from ludarium.kernel import data, i32

WAYS = {
    "tic-tac-toe": "words",
    "criss-cross": "joined",
    "blind-tic-tac-toe": "gates",
    "hnefatafl-5x5": "words",  # remembers positions
}
SMALL = "(role x) (init (at 0)) (<= (legal x go) (true (at 0))) (<= (next (at 1)) (does x go)) (<= (goal x 7) (true (at 1))) (<= terminal (true (at 1)))"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A cache of its own."""
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def counted(monkeypatch):
    """How often rules were grounded."""
    return counting(monkeypatch, choice, "grounded_for_play")


def counting(monkeypatch, module, name):
    """A list that grows with every call of a function."""
    calls, real = [], getattr(module, name)
    monkeypatch.setattr(module, name, lambda *a, **k: (calls.append(1), real(*a, **k))[1])
    return calls


def way(game):
    """How a game is played."""
    return "words" if game.words else "joined" if game.joined else "gates"


def played(game, seed):
    """A random match: all states, what was legal, seen and won."""
    rng, state, told = Rng(seed), game.initial(Rng(seed)), []
    for _ in range(30):
        told.append((state.facts(), [sorted(map(game.text, state.legal(r))) for r in range(len(game.roles))]))
        told.append([state.observe(role) for role in range(len(game.roles))])
        if state.over:
            return [*told, state.utilities()]
        moves = {role: rng.choice(state.legal(role)) for role in state.movers}
        state = state.after(moves, rng)
    return told


@pytest.mark.parametrize("name", WAYS)
def test_the_next_load_grounds_nothing_and_plays_the_same(name, counted, monkeypatch):
    ways = [counting(monkeypatch, words_kernels, "words"), counting(monkeypatch, within, "joined")]
    first = load(library.path(name))
    assert way(first) == WAYS[name]
    tried = [len(calls) for calls in ways]
    matches = [played(first, seed) for seed in range(2)]
    assert len(counted) == 1
    again = load(library.path(name))
    assert way(again) == WAYS[name]
    assert [played(again, seed) for seed in range(2)] == matches
    assert again.playouts(again.initial(Rng(1)), 5, Rng(2)) == first.playouts(first.initial(Rng(1)), 5, Rng(2))
    assert again.network == first.network
    assert (again.roles, again.seats, again.luck, again.max_moves) == (
        first.roles,
        first.seats,
        first.luck,
        first.max_moves,
    )
    assert (again.history, again.trusts, again.fingerprint) == (first.history, first.trusts, first.fingerprint)
    assert again.listing() == first.listing()
    assert again.bridge.unit.code.key == first.bridge.unit.code.key  # so its machine code is found, too
    assert len(counted) == 1
    assert [len(calls) for calls in ways] == tried


def test_parts_are_only_found_beside_what_they_were_made_from():
    def parts(rules):
        return Stored("a game").first("rules", lambda: rules)[1]

    parts([1]).keep("words", "of one")
    assert parts([2]).find("words") == "of one"  # as the first ones are kept
    Stored("a game").keep("rules", [2])
    assert parts([3]).find("words") is None
    assert Stored().first("rules", lambda: [4])[1].find("words") is None


def test_moves_are_recorded_from_what_was_kept_as_before():
    texts = [load(library.path("tic-tac-toe")).words.write_recorded() for _ in range(2)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("spoil", [lambda raw: raw[:-9], lambda raw: b"?" + raw[1:], lambda raw: b""])
def test_what_is_not_whole_is_worked_out_anew(spoil, counted, folder):
    before = played(load(library.path("criss-cross")), 3)
    for file in folder.iterdir():
        file.write_bytes(spoil(file.read_bytes()))
    assert played(load(library.path("criss-cross")), 3) == before
    assert len(counted) == 2


def test_what_was_written_by_something_else_is_worked_out_anew(counted, monkeypatch):
    load(library.path("tic-tac-toe"))
    for strange in (b"", b"no values", freeze(1)[:-1]):
        monkeypatch.setattr(stored.files, "load", lambda key, strange=strange: strange)
        assert load(library.path("tic-tac-toe")).roles == ("x", "o")
    assert len(counted) == 4


def test_other_rules_limits_and_chance_are_other_games(tmp_path, counted, monkeypatch):
    file = tmp_path / "small.kif"
    file.write_text(SMALL)
    load(file), load(file)
    assert len(counted) == 1
    load(file, chance=False)
    file.write_text(SMALL.replace("(goal x 7)", "(goal x 8)"))
    assert load(file).initial(Rng(1)).after({0: 0}, Rng(1)).utilities() == (0.08,)
    assert len(counted) == 3
    monkeypatch.setenv("LUDARIUM_LIMITS", "literals=5")
    load(file)
    assert len(counted) == 4


def test_a_part_that_is_too_large_is_not_kept(counted, monkeypatch, folder):
    monkeypatch.setattr(stored, "MOST", 100)
    load(library.path("tic-tac-toe")), load(library.path("tic-tac-toe"))
    assert len(counted) == 2
    assert not list(folder.glob("*-rules.o"))


def test_that_rules_are_too_large_to_ground_is_kept(tmp_path, counted, monkeypatch):
    monkeypatch.setattr(choice, "MAX_RULES", 3)
    file = tmp_path / "small.kif"
    file.write_text(SMALL)
    for _ in range(2):
        assert isinstance(load(file), JoinGame)
    assert len(counted) == 1


def test_rules_without_a_file_leave_nothing_behind(folder):
    GdlGame("small", load(library.path("tic-tac-toe"), chance=False).clauses)
    assert len(list(folder.glob("*-rules.o"))) == 1


def test_tables_stay_one_wherever_they_are_spoken_of():
    table = data("t", i32, array("i", [3, 1, 4]))
    one, two = thaw(freeze([table, {"again": table}]))
    assert one is two["again"]
    assert (one.name, list(one), one.element) == ("t", [3, 1, 4], table.element)


@pytest.mark.parametrize(
    "value", [None, [], (), {}, [Slot(1, 2, 3, "a")], (Term("f", (Term("c"),)), 2.5), {"a": [Term("b")]}]
)
def test_values_come_back_as_they_were(value):
    back = thaw(freeze(value))
    assert back == value
    assert type(back) is type(value)
    assert [type(x) for x in back or ()] == [type(x) for x in value or ()]


class Foreign(NamedTuple):
    """A class of somebody else."""

    x: int


@pytest.mark.parametrize("value", [object(), [Foreign(1)], {"a": lambda: 1}, array("i", [1]), Path()])
def test_what_cannot_be_kept_is_refused(value):
    with pytest.raises(TypeError):
        freeze(value)


@pytest.mark.parametrize(
    "name", ["os:system", "pathlib:Path", "ludarium.gdl.stored:freeze", "ludarium.gdl.stored:Stored"]
)
def test_nothing_but_our_classes_of_fields_is_made(name, monkeypatch):
    monkeypatch.setattr(stored, "_name", lambda kind: name)
    strange = freeze(Term("x"))
    with pytest.raises((ValueError, AttributeError, ImportError)):
        thaw(strange)


def test_what_cannot_be_kept_is_made_each_time():
    made = [Stored("cause").part("part", object) for _ in range(2)]
    assert made[0] is not made[1]


def test_code_that_has_changed_finds_nothing(monkeypatch):
    Stored("cause").keep("part", 1)
    assert Stored("cause").find("part") == 1
    monkeypatch.setattr(stored, "_engine", lambda: "another")
    assert Stored("cause").find("part") is None
