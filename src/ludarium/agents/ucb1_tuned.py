"""UCB1-Tuned: UCT with upper bounds that look at how much results vary.

Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002); constants as in Ludii.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.tree.mcts import MonteCarlo
from ludarium.agents.tree.playouts import random_playout
from ludarium.agents.tree.selection import ucb1_tuned
from ludarium.agents.tree.tree import Parts
from ludarium.evaluate import Judge

_PARTS = Parts(ucb1_tuned, random_playout, wide=True)


@dataclass(frozen=True)
class UCB1Tuned(MonteCarlo):
    """UCT with bounds that are nearer where results vary little."""

    name: ClassVar[str] = "ucb1-tuned"

    def made_of(self, judge: Judge) -> Parts:
        """UCB1-Tuned and uniformly random playouts."""
        return replace(_PARTS, judge=judge.kernel)
