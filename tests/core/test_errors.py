import pickle

import pytest

from ludarium.core import BadParameter, LudariumError, UnknownName
from ludarium.core import errors as module


def test_every_error_is_a_mistake_of_the_user():
    errors = [e for e in vars(module).values() if isinstance(e, type) and issubclass(e, Exception)]
    assert len(errors) == 9
    assert all(issubclass(e, LudariumError) for e in errors)


def test_a_bad_parameter_is_a_value_error_for_those_who_expect_one():
    assert issubclass(BadParameter, ValueError)


@pytest.mark.parametrize("name", ["conect-four", "Connect-Four", "connect4four", "connectfour"])
def test_a_slip_of_the_pen_gets_a_suggestion(name):
    error = UnknownName("game", name, ["breakthrough", "connect-four", "nim"])
    assert error.suggestion == "connect-four"
    assert str(error) == f"unknown game {name!r}: did you mean 'connect-four'?"


def test_a_far_fetched_name_gets_the_short_list():
    assert str(UnknownName("agent", "zzz", ["uct", "flat"])) == "unknown agent 'zzz': there are flat, uct"


@pytest.mark.parametrize("known", [[], [f"game-{i}" for i in range(1000)]])
def test_nothing_is_listed_when_there_is_nothing_or_too_much(known):
    assert str(UnknownName("game", "zzz", known)) == "unknown game 'zzz'"


def test_known_names_may_come_from_a_generator_or_a_dict():
    assert UnknownName("game", "nimm", (n for n in ["nim"])).suggestion == "nim"
    assert UnknownName("game", "nimm", {"nim": 1}).suggestion == "nim"


def test_an_unknown_name_survives_pickling():
    error = pickle.loads(pickle.dumps(UnknownName("game", "nimm", ["nim"])))
    assert str(error) == "unknown game 'nimm': did you mean 'nim'?"
