"""Who stays, by each solution concept."""

import numpy as np
import pytest

from ludarium.evolve.algorithms.concepts import equilibrium, maxsolve, nash, pareto

ROCK = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def test_the_equilibrium_of_rock_paper_scissors_is_even():
    (first, second), value = equilibrium(ROCK)
    assert np.allclose(first, 1 / 3)
    assert np.allclose(second, 1 / 3)
    assert value == pytest.approx(0, abs=1e-9)


def test_a_nash_memory_takes_in_what_betters_the_equilibrium_and_nothing_else():
    table = np.vstack([ROCK, [-1.0, -1.0, -1.0]])
    kept = nash(table, (3, 3), 10)
    assert kept.places == ([0, 1, 2], [0, 1, 2])
    better = np.vstack([ROCK, [1.0, 1.0, 1.0]])
    kept = nash(better, (3, 3), 10)
    assert 3 in kept.places[0]
    assert kept.weights[0][kept.places[0].index(3)] == pytest.approx(1)
    assert kept.value == pytest.approx(1.0)


def test_a_pareto_archive_keeps_whom_nobody_dominates():
    table = np.array([[1.0, -1], [-1, 1], [-1, -1]])
    kept = pareto(table, (3, 2), 10)
    assert list(kept.places[0])[:2] == [0, 1]
    assert 2 not in kept.places[0]
    assert kept.places[1] == [0, 1]


def test_an_archive_has_no_more_room_than_it_has():
    table = np.sign(np.random.default_rng(1).normal(size=(40, 40)))
    for concept in (pareto, nash, maxsolve):
        kept = concept(table, (35, 35), 8)
        assert max(map(len, kept.places)) <= (8 if concept is not nash else 40)
        assert [len(each) for each in kept.places] == [len(each) for each in kept.weights]


def test_maxsolve_keeps_who_solves_most():
    table = np.array([[1.0, 1, 1, -1], [1, -1, -1, -1], [-1, -1, -1, 1], [-1, -1, -1, -1]])
    kept = maxsolve(table, (2, 2), 4)
    assert {0, 2} <= set(kept.places[0])
    weights = dict(zip(*[kept.places[0], kept.weights[0]], strict=True))
    assert weights[0] == 0.75
