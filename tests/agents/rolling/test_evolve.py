from array import array
from collections import Counter
from itertools import pairwise

import pytest

from ludarium.agents.rolling.evolve import CROSSOVERS, Evolution, breed, next_generation, winner
from ludarium.agents.rolling.plans import Rows
from ludarium.core import Rng


def evolution(population=4, **settings):
    made = Evolution()
    made.population = population
    for name, value in settings.items():
        setattr(made, name, CROSSOVERS.index(value) if name == "crossover" else value)
    return made


def rows(genes, fresh, fitness, *, length, traces=(), traced=(), tries=()):
    return Rows(
        genes=array("Q", genes),
        fresh=bytearray(fresh),
        traces=array("Q", traces),
        traced=array("q", traced),
        fitness=array("d", fitness),
        tries=array("q", tries),
        length=length,
        room=2,
    )


def children(crossover, *, rate=0.0, fresh=b"\0" * 8, count=3000):
    """Children of the plans 1111 and 2222, as they are bred; what is to be drawn anew is a 0."""
    settings = evolution(2, tournament=1, crossover=crossover, rate=rate)
    plans, rng = rows([1] * 4 + [2] * 4 + [0] * 4, fresh + b"\0" * 4, [0.5, 0.5], length=4), Rng(2)
    found = []
    for _ in range(count):
        breed(plans, 2, settings, rng)
        found.append(tuple(0 if plans.fresh[at] else plans.genes[at] for at in range(8, 12)))
    return found


def test_a_tournament_prefers_the_fitter():
    fitness, rng = array("d", [0.1, 0.9, 0.5, 0.3]), Rng(0)
    for size, share in ((1, 1 / 4), (2, 1 - (3 / 4) ** 2), (5, 1 - (3 / 4) ** 5)):
        won = Counter(winner(fitness, evolution(tournament=size), rng) for _ in range(10_000))
        assert won[1] / 10_000 == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("crossover", CROSSOVERS)
def test_one_gene_is_always_drawn_anew(crossover):
    found = children(crossover)
    assert {plan.count(0) for plan in found} == {1}
    assert {plan.index(0) for plan in found} == {0, 1, 2, 3}


def test_a_rate_changes_more():
    zeros = sum(plan.count(0) for plan in children("uniform", rate=0.5)) / 3000
    assert zeros == pytest.approx(4 * 0.5 + 1 / 16, abs=0.1)


def test_without_crossover_a_child_has_one_parent():
    assert all(set(plan) - {0} in ({1}, {2}) for plan in children("none"))


def test_one_point_splits_the_plan_once():
    found = children("one-point")
    turns = [sum(a != b for a, b in pairwise(kept)) for kept in map(without_zeros, found)]
    assert set(turns) == {0, 1}
    assert {without_zeros(plan)[0] for plan in found} == {1, 2}


def test_uniform_crossover_takes_each_gene_from_either():
    assert {without_zeros(plan) for plan in children("uniform")} >= {(1, 2, 1), (2, 1, 2)}


def without_zeros(plan):
    return tuple(gene for gene in plan if gene)


def test_genes_that_were_never_drawn_stay_so():
    found = children("none", fresh=b"\0\0\1\1" * 2)
    assert all(plan[2:] == (0, 0) for plan in found)
    assert {plan[:2].count(0) for plan in found} == {1}, "what was not played cannot be changed"


@pytest.mark.parametrize("rescore", [False, True])
def test_the_best_stay(rescore):
    plans = rows(
        [10, 11, 12, 13, 20, 21, 22, 23],
        bytes(range(8)),
        [0.0, 0.0, 0.0, 0.0, 0.2, 0.7, 0.1, 0.7],
        length=1,
        traces=range(16),
        traced=range(8),
        tries=range(8),
    )
    settings = evolution(4, elites=3, generation=1, rescore=rescore)
    next_generation(plans, settings)
    assert list(plans.genes[0:4]) == [20, 21, 22, 23], "children become parents"
    assert list(plans.genes[4:7]) == [21, 23, 20], "the best first, among equals by place"
    assert list(plans.fitness[0:7]) == [0.2, 0.7, 0.1, 0.7, 0.7, 0.7, 0.2]
    assert list(plans.traced[4:7]) == list(plans.tries[4:7]) == list(plans.fresh[4:7]) == [5, 7, 4]
    assert list(plans.traces[8:14]) == [10, 11, 14, 15, 8, 9]
    assert (settings.best, settings.generation) == (1, 2)
    assert settings.filled == (0 if rescore else 3)
