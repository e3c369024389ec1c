"""Runs that never were, for tests of what is said of them."""

from dataclasses import replace

import numpy as np

from ludarium.evolve.settings import EDITIONS
from ludarium.studies.coevolution.runs import Run, Tried


def made_up(seed, held, gain, game="blocker", mending="cca", generations=100):
    depths = [Tried(depth, role, 0.5 + gain, 0.05, 0.5, 0.001, 80) for depth in (1, 2) for role in (0, 1)]
    teachers = [list(np.linspace(0, 5, generations)), list(np.linspace(0, 3, generations))]
    return Run(
        game=game, roles=("crosser", "blocker"), mending=mending, generations=generations, population=10, bouts=5,
        seed=seed, trials=20, teachers=teachers, held=[*held, generations - sum(held)], ranks=[[0.5, 0.7], [0.6]],
        depths=depths, matches=1000, seconds=1.0, covered=[0.5, 0.7], edition=EDITIONS.get(mending, 1), mark="m",
    )  # fmt: skip


def shallow(seed, near, far):
    made = made_up(seed, (50, 49), near)
    return replace(made, depths=[row._replace(score=0.5 + (near if row.depth == 1 else far)) for row in made.depths])
