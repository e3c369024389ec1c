import builtins
import sys

import pytest

from ludarium.core import LudariumError, Rng
from ludarium.tune.searches.optuna import Optuna, _ordered
from ludarium.tune.searches.search import anything
from tests.tune.toys import BITS, PAIRS, found, matching, ones


@pytest.fixture
def installed():
    pytest.importorskip("optuna", reason="needs the extra [tune]")


@pytest.mark.usefixtures("installed")
def test_it_finds_the_best_of_onemax():
    exact = lambda point, truth, _: truth(point)
    assert found(Optuna(), BITS, ones, 80, 1, noise=exact) >= 7 / 8


@pytest.mark.usefixtures("installed")
def test_the_same_seed_asks_for_the_same_points_with_several_under_way():
    assert asked(5) == asked(5)
    assert asked(5) != asked(6)


def asked(seed):
    search = Optuna(startup=3).start(PAIRS, Rng(seed), anything)
    points = [search.ask() for _ in range(4)]
    for number in range(20):
        search.tell(points[number], matching(points[number]))
        points.append(search.ask())
    return points


@pytest.mark.usefixtures("installed")
def test_it_never_asks_for_what_makes_no_sense():
    search = Optuna().start(PAIRS, Rng(4), lambda point: "no" if point[0] < 4 else "")
    for _ in range(15):
        point = search.ask()
        assert point[0] == 4
        search.tell(point, 1.0)


def test_numbers_in_order_are_told_from_words():
    assert _ordered((1, 2.5, 7))
    assert not _ordered((2, 1))
    assert not _ordered(("a", "b"))
    assert not _ordered((False, True))


def test_without_it_a_sentence_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def lacking(name, *rest):
        if name == "optuna":
            raise ModuleNotFoundError(name="optuna")
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "optuna", raising=False)
    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(LudariumError, match=r"optuna is not installed: pip install 'ludarium\[tune\]'"):
        Optuna().start(PAIRS, Rng(0), anything)
