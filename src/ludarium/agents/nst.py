"""NST: UCT whose playouts prefer moves that have done well after the last moves, the N-gram selection technique.

Tak, Winands and Björnsson, "N-grams and the last-good-reply policy applied in general game playing" (2012), with
sequences of up to three moves and epsilon-greedy choice as in Ludii.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.tree.credit import learn_sequences
from ludarium.agents.tree.mcts import MonteCarlo
from ludarium.agents.tree.playouts import nst_greedy
from ludarium.agents.tree.selection import ucb1
from ludarium.agents.tree.tree import Parts
from ludarium.core.parameters import number
from ludarium.evaluate import Judge

_PARTS = Parts(ucb1, nst_greedy, learn=learn_sequences, record=True)


@dataclass(frozen=True)
class NST(MonteCarlo):
    """UCT with playouts that learn which sequences of moves are good."""

    name: ClassVar[str] = "nst"

    epsilon: float = number(0.1, 0.0, 1.0, tries=(0.0, 0.1, 0.2, 0.4))
    """How often a playout moves at random."""

    def made_of(self, judge: Judge) -> Parts:
        """UCB1, playouts by what sequences were worth, and a memory of that."""
        return replace(_PARTS, judge=judge.kernel)
