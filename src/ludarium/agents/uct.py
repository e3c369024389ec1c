"""UCT: a tree grown by playouts, in which each role prefers moves with a good average or few tries.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006). The defaults are Ludii's: its constant
sqrt(2) is for values from -1 to 1, which is sqrt(1/2) for our utilities from 0 to 1; a move not tried yet
counts as the average so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.tree.mcts import MonteCarlo
from ludarium.agents.tree.playouts import random_playout
from ludarium.agents.tree.selection import ucb1
from ludarium.agents.tree.tree import Parts
from ludarium.evaluate import Judge

_PARTS = Parts(ucb1, random_playout)


@dataclass(frozen=True)
class UCT(MonteCarlo):
    """Upper confidence bounds applied to trees."""

    name: ClassVar[str] = "uct"

    def made_of(self, judge: Judge) -> Parts:
        """UCB1 and uniformly random playouts."""
        return replace(_PARTS, judge=judge.kernel)
