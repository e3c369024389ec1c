"""Covering competition, step by step, with bouts whose results are known."""

import numpy as np

from ludarium.evaluate.evolved.network import Network, Node
from ludarium.evolve.algorithms.balanced import Balanced
from ludarium.evolve.algorithms.cca import CCA, TIED
from ludarium.evolve.algorithms.field import Field
from ludarium.evolve.algorithms.managed import Managed
from ludarium.evolve.settings import Settings


def player(strength):
    return Network(1, (Node(float(strength), 1.0, "identity", "sum", ()),))


class Known:
    """Bouts in which the stronger wins, and equals draw."""

    def __init__(self, roles=2):
        self.roles, self.rows = roles, []

    def load(self, networks):
        self.strengths = np.array([network.nodes[0].bias for network in networks])

    def play(self, players, seeds, *, depth=None):
        self.rows += players.tolist()
        strengths = self.strengths[players]
        best = strengths == strengths.max(axis=1, keepdims=True)
        return np.where(best, np.where(best.sum(axis=1, keepdims=True) > 1, 0.5, 1.0), 0.0)


def generation(algorithm, *populations, number=0, bouts=None):
    field = Field(bouts or Known(len(populations)), [list(map(player, each)) for each in populations],
                  algorithm.archives, 1, number)  # fmt: skip
    return algorithm.step(field), field


def strengths(algorithm):
    return [[teacher.nodes[0].bias for teacher in teachers] for teachers in algorithm.teachers]


def test_roles_are_dominated_in_turn_and_teachers_are_ranked():
    cca = CCA(Settings(bouts=2), 2)
    assert cca.undominated == TIED
    generation(cca, [1, 2], [1, 1])
    assert strengths(cca) == [[2], []]
    generation(cca, [1, 2], [3, 1])
    assert strengths(cca) == [[2], [3]]
    assert cca.undominated == 1
    generation(cca, [3, 2], [9, 9])  # a draw beats nobody
    assert strengths(cca) == [[2], [3]]
    generation(cca, [4, 2], [9, 9])
    assert strengths(cca) == [[2, 4], [3]]
    assert cca.undominated == 0
    assert [each.nodes[0].bias for each in cca.champions(None)] == [4, 3]


def test_an_individual_stops_at_the_first_teacher_that_it_does_not_beat():
    cca = CCA(Settings(bouts=1), 2)
    cca.teachers = [[], [player(5), player(1), player(9)]]
    cca.teachers[0] = [player(0)]
    known = Known()
    generation(cca, [6, 2], [0, 0], bouts=known)
    archive = range(5, 8)  # two populations of two, one teacher of the first role
    met = [[row[0], row[1]] for row in known.rows if row[1] in archive]
    assert met == [[0, 5], [1, 5], [0, 6], [0, 7]]


def test_fitness_is_the_formula_of_the_paper():
    settings = Settings(bouts=3)
    cca = CCA(settings, 2)
    cca.teachers = [[player(0)], [player(1), player(3)]]
    (first, second), _ = generation(cca, [2, 4], [0, 0])
    alpha = 10 / 11
    assert np.allclose(first, [alpha * 1 + (1 - alpha) * 3, alpha * 2 + (1 - alpha) * 3])
    assert np.allclose(second, 0)


def test_three_roles_meet_combinations_of_the_same_rank():
    cca = CCA(Settings(bouts=1), 3)
    cca.teachers = [[player(0)], [player(1), player(2)], [player(3)]]
    known = Known(3)
    generation(cca, [9, 1], [0, 0], [0, 0], bouts=known)
    assert [row[1:] for row in known.rows if row[1] >= 6] == [[7, 9], [7, 9], [8, 9]]
    assert strengths(cca)[0] == [0, 9]


def test_a_teacher_that_nobody_beats_is_put_aside_and_comes_back():
    managed = Managed(Settings(bouts=1), 2)
    managed.teachers = [[player(0)], [player(1), player(100)]]
    generation(managed, [5, 2], [0, 0])
    assert strengths(managed)[0] == [0, 5]
    assert managed.banked == [set(), {1}]
    assert managed.dominated == 1
    managed.dominated = 0
    _, field = generation(managed, [200, 2], [0, 0], number=1)
    assert managed.banked[1] == set()
    again = Field(field.bouts, field.populations, managed.archives, 1, 2)
    assert managed.champions(again)[0].nodes[0].bias == 200


class Apart(Known):
    """Bouts in which everybody of the first role beats one of the second: the one of the same size, with the other sign."""

    def play(self, players, seeds, *, depth=None):
        strengths = self.strengths[players]
        won = strengths[:, 0] == -strengths[:, 1]
        return np.stack([won, ~won], axis=1).astype(float)


def test_of_teachers_that_nobody_beats_together_the_hardest_are_put_aside():
    managed = Managed(Settings(bouts=1), 2)
    managed.teachers = [[player(0)], [player(-1), player(-2), player(-3)]]
    (first, _), _ = generation(managed, [1, 2, 2, 4], [0, 0, 0, 0], bouts=Apart())
    assert managed.banked == [set(), {0, 2}]
    assert strengths(managed)[0] == [0, 2]
    assert list(first > 0.9) == [True, True, True, False]


def test_a_population_that_beats_nobody_goes_on_all_the_same():
    managed = Managed(Settings(bouts=1), 2)
    managed.teachers = [[player(0)], [player(7), player(8)]]
    generation(managed, [5, 2], [0, 0])
    assert managed.banked == [set(), {0, 1}]
    assert managed.dominated == 1
    again = Managed(Settings(bouts=1), 2)
    again.restore(managed.written())
    assert again.banked == managed.banked


def test_shared_fitness_pays_for_beating_whom_few_beat():
    balanced = Balanced(Settings(bouts=2, alpha=1.0), 2)
    balanced.teachers = [[player(0)], [player(50), player(1)]]
    (first, _), _ = generation(balanced, [60, 2, 2, 2], [0, 0, 0, 0])
    assert np.allclose(first, [4 + 1, 1, 1, 1])
    assert strengths(balanced)[0] == [0, 60]


def test_everybody_has_as_many_bouts():
    known = Known()
    field = Field(known, [list(map(player, range(7)))] * 2, [[], []], 1, 0)
    field.random_bouts(5)
    counts = np.bincount(np.array(known.rows).ravel())
    assert (counts == 5).all()
