"""MAST: UCT whose playouts prefer moves that have done well anywhere, the move-average sampling technique.

Finnsson and Björnsson, "Simulation-based approach to general game playing" (2008), with Gibbs sampling; Ludii's, which
Thompson and Stephenson's hyper-agents use, is epsilon-greedy (Tak, Winands and Björnsson 2012): the default here, with their
epsilon of 0.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.tree.credit import learn_moves
from ludarium.agents.tree.mcts import MonteCarlo
from ludarium.agents.tree.playouts import mast_gibbs, mast_greedy
from ludarium.agents.tree.selection import ucb1
from ludarium.agents.tree.tree import Parts
from ludarium.core.parameters import choice, number
from ludarium.evaluate import Judge

_GREEDY = Parts(ucb1, mast_greedy, learn=learn_moves, record=True)
_GIBBS = Parts(ucb1, mast_gibbs, learn=learn_moves, record=True)


@dataclass(frozen=True)
class MAST(MonteCarlo):
    """UCT with playouts that learn which moves are good."""

    name: ClassVar[str] = "mast"

    policy: str = choice("greedy", ("greedy", "gibbs"))
    """Playouts choose the best move except with probability epsilon, or by a Gibbs distribution."""

    epsilon: float = number(0.1, 0.0, 1.0, tries=(0.0, 0.1, 0.2, 0.4))
    """How often a greedy playout moves at random."""

    temperature: float = number(1.0, 1e-3, 1e6, tries=(0.1, 0.3, 1.0, 3.0))
    """How even the Gibbs distribution is."""

    def made_of(self, judge: Judge) -> Parts:
        """UCB1, playouts by what moves were worth, and a memory of that."""
        return replace(_GREEDY if self.policy == "greedy" else _GIBBS, judge=judge.kernel)
