"""Limits are raised by name, for a while or for a process; what exceeds one says how to raise it."""

import pickle

import pytest

from ludarium.core import BadParameter
from ludarium.core.limits import LimitExceeded, Limits, limited, limits


def test_limits_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("LUDARIUM_LIMITS", "seconds=1.5,moves=7 instances=9")
    assert limits() == Limits(seconds=1.5, moves=7, instances=9)
    with limited(moves=3):
        assert limits() == Limits(seconds=1.5, moves=3, instances=9)
    assert limits().moves == 7


@pytest.mark.parametrize(
    "text", ["second=3", "seconds=", "seconds=much", "moves=1.5", "moves=0", "moves=-1", "seconds=nan"]
)
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(BadParameter, match="limit"):
        Limits().raised(text)


def test_an_error_says_where_what_and_how():
    error = LimitExceeded("instances", "there are too many", "game.kif:1:2")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(error).startswith("game.kif:1:2: there are too many\n")
    assert "ludarium --limit instances=NUMBER" in str(error)
