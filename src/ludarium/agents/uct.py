"""UCT: a tree grown by playouts, in which each role prefers moves with a good average or few tries.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006). The defaults are Ludii's: its constant
sqrt(2) is for values from -1 to 1, which is sqrt(1/2) for our utilities from 0 to 1; a move not tried yet
counts as the average so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt as root
from time import perf_counter
from typing import ClassVar

from ludarium.agents.pacing import spend
from ludarium.agents.support import require, single_move
from ludarium.agents.tree import Child, Edge, Node, Tree, tree_search
from ludarium.core import BadParameter, Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.kernel import Stream, below, f64, i64, kernel, log, sqrt, u8, view

UNVISITED = ("parent", "first")
FINAL = ("visits", "value")


@kernel
def ucb1(node: Node, edges: view[Edge], role: i64, parameters: view[f64], memory: view[u8], rng: Stream) -> i64:
    """Choose the best upper confidence bound, ties at random; parameters: c, what untried moves count as."""
    c = parameters[0]
    untried = parameters[1]
    tried = 0
    total = 0.0
    for k in range(len(edges)):
        if edges[k].role == role:
            tried += edges[k].visits
            total += edges[k].total
    average = untried
    if untried < 0.0:
        average = total / f64(tried) if tried > 0 else 1e9
    scale = c * sqrt(log(f64(max(1, tried))))
    best = -1.0
    ties = 0
    chosen = 0
    for k in range(len(edges)):
        edge = edges[k]
        if edge.role == role and edge.legal == 1:
            n = f64(edge.visits)
            score = average + scale
            if edge.visits > 0:
                score = edge.total / n + scale / sqrt(n)
            if score > best:
                best = score
                chosen = k
                ties = 1
            elif score == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = k
    return chosen


@dataclass(frozen=True)
class UCT:
    """Upper confidence bounds applied to trees."""

    name: ClassVar[str] = "uct"

    c: float = root(0.5)
    """How much to prefer moves with few tries."""

    playout_limit: int = 200
    """Plies after which a playout is cut and judged as it stands."""

    final: str = "visits"
    """Which move to play: the one with the most `visits`, or the best average `value`."""

    unvisited: str = "parent"
    """A move not tried yet counts as the average of its `parent`, or comes `first`."""

    max_nodes: int = 5_000_000
    """When the tree has this many nodes it stops growing, and the search goes on in the tree there is."""

    def __post_init__(self) -> None:
        if not 0 <= self.c < 1e6:
            raise BadParameter(f"uct: c is {self.c}; expected 0 or more, and usually about 1")
        if not 0 <= self.playout_limit < 1 << 62:
            raise BadParameter(f"uct: playout_limit is {self.playout_limit}; expected 0 or more")
        if not 1 <= self.max_nodes < 1 << 31:
            raise BadParameter(f"uct: max_nodes is {self.max_nodes}; expected 1 to 2147483647")
        for name, value, known in (("final", self.final, FINAL), ("unvisited", self.unvisited, UNVISITED)):
            if value not in known:
                raise BadParameter(f"uct: {name} is {value!r}; expected one of {', '.join(known)}")

    def seat(self, game: Game, role: Role, rng: Rng) -> UCTPlayer:
        """Make a player for one match."""
        require(game, self, perfect_information=True)
        return UCTPlayer(self, game, role, rng)


class UCTPlayer:
    """UCT in its seat."""

    def __init__(self, agent: UCT, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.role, self.rng = agent, role, rng
        untried = -1.0 if agent.unvisited == "parent" else 1e9
        self.tree = Tree(
            game,
            tree_search(ucb1),
            rng,
            parameters=[agent.c, untried],
            playout_limit=agent.playout_limit,
            max_nodes=agent.max_nodes,
        )

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Grow a tree from the present state and play its best move."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        assert info.state is not None
        self.tree.reset(info.state)
        iterations, calls = spend(budget, self.tree.run)
        children = self.tree.children(self.role)
        return Decision(
            final_move(children, self.agent.final, self.rng),
            values={child.move: child.value for child in children},
            visits={child.move: child.visits for child in children},
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            note=f"{self.tree.search.nodes} nodes",
        )


def final_move(children: list[Child], rule: str, rng: Rng) -> int:
    """Choose the move to play: by visits and then value, or by value and then visits; ties at random."""

    def merit(child: Child) -> tuple[float, float]:
        value = child.value if child.visits else -1.0
        return (child.visits, value) if rule == "visits" else (value, child.visits)

    best = max(map(merit, children))
    return rng.choice([child.move for child in children if merit(child) == best])
