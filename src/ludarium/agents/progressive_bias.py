"""Progressive bias: UCT that asks a heuristic about moves with few tries.

Chaslot, Winands, van den Herik, Uiterwijk and Bouzy, "Progressive strategies for Monte-Carlo tree search" (2008). As
in Ludii every move is judged by its successor when its node is expanded, and the judgement counts 10 / visits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from ludarium.agents.tree.mcts import MonteCarlo
from ludarium.agents.tree.nodes import Tree
from ludarium.agents.tree.playouts import random_playout
from ludarium.agents.tree.selection import progressive_bias
from ludarium.agents.tree.tree import Parts
from ludarium.core.parameters import choice, number, part
from ludarium.evaluate import Evaluator, Judge
from ludarium.kernel import Kernel, Stream, Table, copy, i64, kernel


@dataclass(frozen=True)
class ProgressiveBias(MonteCarlo):
    """UCT with a bias towards moves that a heuristic likes."""

    name: ClassVar[str] = "progressive-bias"

    unvisited: str = choice("first", ("parent", "first", "draw", "loss"))
    """A move not tried yet counts as the average of its `parent`, comes `first`, or counts as a `draw` or a `loss`."""

    weight: float = number(10.0, 0.0, 1e6, tries=(1.0, 3.0, 10.0, 30.0))
    """How much the heuristic counts, divided by the visits of a move."""

    evaluator: str | Evaluator = part("auto", "evaluator")
    """The heuristic that judges the state after a move."""

    def made_of(self, judge: Judge) -> Parts:
        """UCB1 with judgements, and uniformly random playouts."""
        return _parts(judge.kernel)


@cache
def _parts(judge: Kernel[int]) -> Parts:
    @kernel
    def foresee(table: Table, tree: Tree, place: i64, rng: Stream) -> None:
        """Judge the state after each move, where one role moves and forward calls are left to make one of them."""
        play = tree.play
        node = tree.nodes[place]
        joint = play.joint
        needed = node.edges * (1 + play.reserve)
        if node.acting & (node.acting - 1) != 0 or play.calls + needed >= play.call_limit:
            return
        for role in range(table.roles):
            joint[role] = 0
        for k in range(node.first, node.first + node.edges):
            edge = tree.edges[k]
            copy(play.spare, play.state)
            joint[edge.role] = edge.move
            table.apply(play.spare, joint, rng)
            play.calls += 1
            play.calls += judge(table, play.spare, play.values, tree.judging, rng)
            tree.extras[k].prior = play.values[edge.role]

    return Parts(progressive_bias, random_playout, foresee=foresee, wide=True)
