"""Progressive bias: UCT that asks a heuristic about moves with few tries.

Chaslot, Winands, van den Herik, Uiterwijk and Bouzy, "Progressive strategies for Monte-Carlo tree search" (2008). As
in Ludii every move is judged by its successor when its node is expanded, and the judgement counts 10 / visits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from ludarium.agents.mcts import MonteCarlo
from ludarium.agents.nodes import Edge, Extra, Node, Search
from ludarium.agents.playouts import random_playout
from ludarium.agents.selection import progressive_bias
from ludarium.agents.tree import Parts
from ludarium.core.parameters import choice, number, part
from ludarium.evaluate import Judge
from ludarium.kernel import Kernel, Stream, Table, copy, f64, kernel, u8, u64, view


@dataclass(frozen=True)
class ProgressiveBias(MonteCarlo):
    """UCT with a bias towards moves that a heuristic likes."""

    name: ClassVar[str] = "progressive-bias"

    unvisited: str = choice("first", ("parent", "first", "draw", "loss"))
    """A move not tried yet counts as the average of its `parent`, comes `first`, or counts as a `draw` or a `loss`."""

    weight: float = number(10.0, 0.0, 1e6, tries=(1.0, 3.0, 10.0, 30.0))
    """How much the heuristic counts, divided by the visits of a move."""

    evaluator: str = part("auto", "evaluator")
    """The heuristic that judges the state after a move."""

    def made_of(self, judge: Judge) -> Parts:
        """UCB1 with judgements, and uniformly random playouts."""
        return _parts(judge.kernel)


@cache
def _parts(judge: Kernel[int]) -> Parts:
    @kernel
    def foresee(
        table: Table,
        state: view[u8],
        spare: view[u8],
        node: Node,
        edges: view[Edge],
        extras: view[Extra],
        search: Search,
        joint: view[u64],
        values: view[f64],
        judging: view[u8],
        rng: Stream,
    ) -> None:
        """Judge the state after each move, where one role moves and forward calls are left to make one of them."""
        needed = len(edges) * (1 + search.reserve)
        if node.acting & (node.acting - 1) != 0 or search.calls + needed >= search.call_limit:
            return
        for role in range(table.roles):
            joint[role] = 0
        for k in range(len(edges)):
            edge = edges[k]
            copy(spare, state)
            joint[edge.role] = edge.move
            table.apply(spare, joint, rng)
            search.calls += 1
            search.calls += judge(table, spare, values, judging, rng)
            extras[k].prior = values[edge.role]

    return Parts(progressive_bias, random_playout, foresee=foresee, wide=True)
