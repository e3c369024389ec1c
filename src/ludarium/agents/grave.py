"""MC-GRAVE: averages mixed with those of all playouts in which a move was made below a well-visited node.

Cazenave, "Generalized rapid action value estimation" (2015). Defaults as in Ludii: no exploration term, the nearest
node with more than 100 visits, a bias of 1e-5, and every move tried once first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.tree.amaf import learn_below
from ludarium.agents.tree.mcts import MonteCarlo
from ludarium.agents.tree.selection import grave
from ludarium.agents.tree.trails import random_trail
from ludarium.agents.tree.tree import Parts
from ludarium.core.parameters import choice, number
from ludarium.evaluate import Judge

_PARTS = Parts(grave, random_trail, learn=learn_below, record=True, fades=False, wide=True)


@dataclass(frozen=True)
class GRAVE(MonteCarlo):
    """Generalised rapid action value estimation."""

    name: ClassVar[str] = "grave"

    c: float = number(0.0, 0.0, 1e6, tries=(0.0, 0.1, 0.3, 0.7))
    """How much to prefer moves with few tries: 0 is MC-GRAVE, more is UCB1-GRAVE."""

    unvisited: str = choice("first", ("parent", "first", "draw", "loss"))
    """A move not tried yet counts as the average of its `parent`, comes `first`, or counts as a `draw` or a `loss`."""

    reference: int = number(100, 0, (1 << 31) - 1, tries=(25, 50, 100, 400))
    """The node whose playouts are looked at is the nearest one with more visits than this."""

    bias: float = number(1e-5, 0.0, 1e6, tries=(1e-7, 1e-5, 1e-3, 1e-1))
    """How soon the average of the move itself outweighs the other."""

    def made_of(self, judge: Judge) -> Parts:
        """Averages with AMAF, random playouts, and a memory of their moves per node."""
        return replace(_PARTS, judge=judge.kernel)
