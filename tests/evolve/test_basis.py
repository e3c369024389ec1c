"""Populations that evolve in several games at once, for others to begin with."""

from dataclasses import replace

import pytest

from ludarium import game
from ludarium.core import BadParameter
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evolve.basis import basis_of, ranked
from ludarium.evolve.bouts import Bouts
from ludarium.evolve.run import Evolution
from ludarium.evolve.settings import Settings

SMALL = Settings(generations=4, population=8, bouts=3)


@pytest.fixture(scope="module")
def two():
    return [game("tic-tac-toe"), game("breakthrough-small")]


def test_a_basis_is_the_same_on_one_core_and_on_two_and_another_for_other_games(two):
    made = basis_of(two, SMALL, threads=1)
    assert [len(each) for each in made] == [8, 8]
    assert basis_of(two, SMALL, threads=2) == made
    alone = [basis_of([each], SMALL) for each in two]
    assert alone[0] != made != alone[1]  # both games count
    assert alone[0] != alone[1]


def test_it_tells_how_it_goes_and_stopped_it_lets_threads_go(two, monkeypatch):
    told, closed = [], []
    basis_of(two, SMALL, progress=lambda each: told.append((each.game.name, len(each.history))))
    assert told == [(each.name, k) for k in (1, 2, 3, 4) for each in two]

    def stop(evolution):
        raise KeyboardInterrupt

    monkeypatch.setattr(Bouts, "close", lambda self: closed.append(self.game.name))
    with pytest.raises(KeyboardInterrupt):
        basis_of(two, SMALL, progress=stop)
    assert closed == [each.name for each in two]


def test_what_begins_with_a_basis_has_its_networks_in_the_first_generation(two):
    basis = basis_of(two, SMALL)
    begun = Evolution(game("connect-four"), SMALL, basis=basis)
    begun.advance()
    assert [population.networks for population in begun.populations] == basis
    begun.advance()
    assert [population.networks for population in begun.populations] != basis


def test_games_count_alike_whatever_points_there_are():
    assert ranked([1, 5, 5, 100]).tolist() == [0.125, 0.5, 0.5, 0.875]
    assert ranked([10, 50, 50, 1000]).tolist() == ranked([1, 5, 5, 100]).tolist()
    assert ranked([3, 3]).tolist() == [0.5, 0.5]


def test_games_of_a_basis_share_networks_or_are_refused(two):
    with pytest.raises(BadParameter, match="at least one game"):
        basis_of([], SMALL)
    with pytest.raises(BadParameter, match="as many roles: tic-tac-toe has 2, three-player-connect-four has 3"):
        basis_of([two[0], game("three-player-connect-four")], SMALL)
    with pytest.raises(BadParameter, match="as many inputs: tic-tac-toe has"):
        basis_of(two, Settings(generations=1, population=2, bouts=1, inputs=Mapping("groups")))
    with pytest.raises(BadParameter, match="as many inputs: tic-tac-toe has"):
        basis_of(two[:1], replace(SMALL, generations=100_000, inputs=Mapping("groups")), beginner=two[1])
