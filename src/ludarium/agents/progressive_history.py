"""Progressive history: UCT that prefers, while a move has few tries, moves that have done well anywhere.

Nijssen and Winands, "Enhancements for multi-player Monte-Carlo tree search" (2010), with Ludii's weight of 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.tree.credit import learn_moves
from ludarium.agents.tree.mcts import MonteCarlo
from ludarium.agents.tree.selection import progressive_history
from ludarium.agents.tree.trails import random_trail
from ludarium.agents.tree.tree import Parts
from ludarium.core.parameters import number
from ludarium.evaluate import Judge

_PARTS = Parts(progressive_history, random_trail, learn=learn_moves, record=True)


@dataclass(frozen=True)
class ProgressiveHistory(MonteCarlo):
    """UCT with a bias towards moves that have done well anywhere."""

    name: ClassVar[str] = "progressive-history"

    weight: float = number(3.0, 0.0, 1e6, tries=(1.0, 3.0, 5.0, 10.0))
    """How much the history of a move counts, on values from -1 to 1 as in Ludii."""

    def made_of(self, judge: Judge) -> Parts:
        """UCB1 with history, random playouts, and a memory of their moves."""
        return replace(_PARTS, judge=judge.kernel)
