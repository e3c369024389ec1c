"""Champions against those of plain covering competition: the same game, the same seed, the same inputs.

Who dominates whom says little about how good players are, least of all where a mending decides who is dominated. So the champion
of each role takes the place of the plain champion of that role, against the plain champion of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludarium.core import Game
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.bouts import Bouts, Terms, seeds

if TYPE_CHECKING:
    from ludarium.studies.coevolution.runs import Run

PLAIN = "cca"
MATCHES = 400


@dataclass(frozen=True)
class Duel:
    """What a champion had against the plain champion of the other role, and what the plain one of its own role had."""

    game: str
    mending: str
    size: tuple[int, int, int]
    """Generations, population and bouts of both."""

    seed: int
    role: int
    score: float
    plain: float
    mark: str
    """That of both runs."""


def pairs(runs: Sequence[Run], inputs: Callable[[Run], Mapping]) -> list[tuple[Run, Run]]:
    """Runs with the plain ones that they can be compared with."""
    plain = {_size(run): run for run in runs if run.mending == PLAIN and run.champions}
    found = [(run, plain.get(_size(run))) for run in runs if run.mending != PLAIN and run.champions]
    return [(run, other) for run, other in found if other is not None and inputs(run) == inputs(other)]


def duel(game: Game, mapping: Mapping, run: Run, plain: Run) -> list[Duel]:
    """Let champions of a run take the places of plain ones; all look one ply ahead."""
    bouts = Bouts(game, mapping, Terms())
    ours, theirs = ([Network.read(each) for each in given.champions] for given in (run, plain))
    bouts.load([*ours, *theirs])
    made = []
    for role in (0, 1):
        rows = np.tile(np.array([2, 3], np.int32), (2 * MATCHES, 1))
        rows[:MATCHES, role] = role
        worth = bouts.play(rows, seeds(len(rows), run.seed, "duel", role))[:, role]
        score, before = float(worth[:MATCHES].mean()), float(worth[MATCHES:].mean())
        made.append(Duel(run.game, run.mending, run.size, run.seed, role, score, before, run.mark))
    bouts.close()
    return made


def _size(run: Run) -> tuple[object, ...]:
    return (run.game, run.seed, run.size, run.mark)
