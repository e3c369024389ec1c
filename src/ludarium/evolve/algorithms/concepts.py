"""Solution concepts: who of two sets of players stays, by what they are worth against each other.

A table says what the first role has against the second, from -1 to 1; the first members of both sets are the old archives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludarium.arena.extras import needs
from ludarium.evolve.bouts import Numbers

with needs("report"):
    from scipy.optimize import linprog

Sizes = tuple[int, int]


@dataclass(frozen=True)
class Kept:
    """Who stays of each role, what each counts, and what the first role has on average."""

    places: tuple[Sequence[int], Sequence[int]]
    weights: tuple[Sequence[float], Sequence[float]]
    value: float


Concept = Callable[[Numbers, Sizes, int], Kept]


def pareto(table: Numbers, _old: Sizes, largest: int) -> Kept:
    """Keep whom nobody dominates, and tests that tell them apart: de Jong, "The incremental Pareto-coevolution archive" (2004).

    There archives only grow; here the oldest go when there is no more room.
    """
    places = []
    fronts = [_front(table), _front(-table.T)]
    for role, worth in enumerate((table, -table.T)):
        front, others = fronts[role], fronts[1 - role]
        wanted = sorted({*front, *_telling(worth[:, others])})
        places.append(wanted[-largest:])
    kept = table[np.ix_(places[0], places[1])]
    weights = ((kept.mean(axis=1) + 1) / 2, (1 - kept.mean(axis=0)) / 2)
    return Kept((places[0], places[1]), (list(weights[0]), list(weights[1])), float(kept.mean()))


def nash(table: Numbers, old: Sizes, largest: int) -> Kept:
    """Keep the equilibrium, and room for what is not in it now: Ficici and Pollack, "A game-theoretic memory mechanism" (2003).

    A newcomer comes in if it is in the support of the new equilibrium.
    """
    mixtures, value = equilibrium(table)
    places, weights = [], []
    for role, mixture in enumerate(mixtures):
        support = [k for k in range(len(mixture)) if mixture[k] > 1e-9]
        memory = [k for k in range(old[role]) if mixture[k] <= 1e-9]
        room = max(0, largest - len(support))
        stay = sorted({*support, *(memory[-room:] if room else ())})
        places.append(stay)
        weights.append([float(mixture[k]) for k in stay])
    return Kept((places[0], places[1]), (weights[0], weights[1]), value)


def maxsolve(table: Numbers, _old: Sizes, largest: int) -> Kept:
    """Keep who solves most tests, and tests that somebody solves: de Jong, "The MaxSolve algorithm for coevolution" (2005)."""
    solved = (table > 0, table.T < 0)
    places, weights = [], []
    chosen = [_most_solving(each, largest // 2) for each in solved]
    for role in range(2):
        others = chosen[1 - role]
        tests = [k for k in range(len(solved[role])) if solved[1 - role][others][:, k].any()]
        stay = sorted({*chosen[role], *tests[-(largest - len(chosen[role])) :]})
        places.append(stay)
        weights.append([float(solved[role][k].mean()) for k in stay])
    kept = table[np.ix_(places[0], places[1])]
    return Kept((places[0], places[1]), (weights[0], weights[1]), float(kept.mean()))


def equilibrium(table: Numbers) -> tuple[tuple[Numbers, Numbers], float]:
    """The mixtures of two roles that neither can better, and what the first role has then; by linear programs."""
    return (_mixture(table), _mixture(-table.T)), float(_value(table))


def _value(table: Numbers) -> float:
    return float(np.min(_mixture(table) @ table))


def _mixture(table: Numbers) -> Numbers:
    rows, columns = table.shape
    cost = np.r_[np.zeros(rows), -1.0]
    bounds = [(0, None)] * rows + [(None, None)]
    found = linprog(
        cost,
        A_ub=np.c_[-table.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=[np.r_[np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=bounds,
        method="highs-ds",
    )
    mixture = np.clip(found.x[:rows], 0.0, None)
    return np.asarray(mixture / mixture.sum())


def _front(worth: Numbers) -> list[int]:
    """Rows that no other row dominates; of equal rows the first."""
    stay = []
    for k, row in enumerate(worth):
        better = (worth >= row).all(axis=1) & (worth > row).any(axis=1)
        same = (worth[:k] == row).all(axis=1)
        if not better.any() and not same.any():
            stay.append(k)
    return stay


def _telling(worth: Numbers) -> list[int]:
    """Rows that tell columns apart which no row before them does."""
    columns = worth.shape[1]
    told = np.eye(columns, dtype=bool)
    stay = []
    for k, row in enumerate(worth):
        tells = row[:, None] != row[None, :]
        if (tells & ~told).any():
            told |= tells
            stay.append(k)
    return stay


def _most_solving(solved: npt.NDArray[np.bool_], most: int) -> list[int]:
    """Rows by how much they solve, each set once; the first row if none solves anything."""
    order = sorted(range(len(solved)), key=lambda k: (-int(solved[k].sum()), k))
    found: list[int] = []
    for k in order:
        if solved[k].any() and not any((solved[k] == solved[each]).all() for each in found):
            found.append(k)
    return sorted(found[:most]) or [0]


CONCEPTS: dict[str, Concept] = {"pareto": pareto, "nash": nash, "maxsolve": maxsolve}
