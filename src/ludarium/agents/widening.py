"""Monte Carlo tree search that widens: it never lists moves, but samples a few more of them now and then.

Bravi et al., "Rinascimento: optimising statistical forward planning agents for playing Splendor" (2019), section VII D,
table VI; the defaults are the best found there (table VII). The tree is open-loop and holds own moves only: the other roles
move as their model says, and chance is rolled anew each time. What is not in the paper: values go from 0 to 1 here, where
the paper counts points, so its larger constants c explore more here; and a child whose move is not legal this time is
passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from ludarium.agents.rolling.opponents import check_words
from ludarium.agents.rolling.player import Scene
from ludarium.agents.rolling.widening_kernels import RECOMMENDATIONS, Leaf, Widening, grow_wider, recommended
from ludarium.agents.search.support import single_move
from ludarium.core import Agent, Budget, Decision, Game, InformationSet, Move, Rng, Role
from ludarium.core.parameters import choice, number, part
from ludarium.evaluate import Evaluator
from ludarium.kernel import i64, zeros

_ROOM = 256  # nodes that there is room for at first


@dataclass(frozen=True)
class WideningMCTS:
    """Monte Carlo tree search with progressive widening."""

    name: ClassVar[str] = "widening"

    depth: int = number(2, 1, 1000, tries=(2, 3, 6, 11, 21))
    """Own moves that the tree and the rollout below it reach together (d)."""

    c: float = number(0.0, 0.0, 1e6, tries=(0.0, 1.41, 4.0, 9.0, 15.0, 20.0))
    """How much to prefer moves with few tries."""

    epsilon: float = number(1e-6, 0.0, 1.0, tries=(1e-6,))
    """What is added to the number of tries, so that a move without any can be compared (e)."""

    expansion: float = number(0.4, 0.0, 1.0, tries=(0.1, 0.2, 0.3, 0.4))
    """The probability that a node that has children is widened (ep)."""

    samples: int = number(1, 1, 10_000, tries=(1, 3, 5, 10, 15))
    """Actions that are sampled to widen a node (ps)."""

    final: str = choice("secure", RECOMMENDATIONS)
    """Which move to play (rt): the best average (`max`), the most tries (`robust`), the best lower bound (`secure`)."""

    max_nodes: int = number(1_000_000, 2, 2**31 - 1)
    """When the tree has this many nodes it stops growing, and the search goes on in the tree there is."""

    evaluator: str | Evaluator = part("auto", "evaluator")
    """What judges states."""

    opponent: Agent | str = part("nothing", "agent", tries=("nothing", "random", "osla"))
    """What the other roles are expected to do: as `nothing`, `random`, `osla` or any other agent does (om)."""

    opponent_share: float = number(0.05, 0.0001, 0.9, tries=(0.01, 0.05, 0.1))
    """The share of the budget that the opponent model may use for each of its moves (omsb)."""

    def __post_init__(self) -> None:
        check_words(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> WideningPlayer:
        """Make a player for one match."""
        return WideningPlayer(self, game, role, rng)


class WideningPlayer:
    """Widening tree search in its seat."""

    def __init__(self, agent: WideningMCTS, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.role, self.rng = agent, role, rng
        self.scene = Scene(agent, game, role, rng)
        self.scene.planning.length = agent.depth
        self.tree = Widening(
            nodes=zeros(Leaf, _ROOM),
            path=zeros(i64, agent.depth),
            c=agent.c,
            epsilon=agent.epsilon,
            expansion=agent.expansion,
            samples=agent.samples,
            max_nodes=agent.max_nodes,
        )
        self._clear()
        self._slice(0)  # what is compiled now is not on the clock of the first move
        self._chosen()

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Grow a tree from the present state and play its best move."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        self._clear()
        self.scene.begin(info, budget)
        iterations, calls = self.scene.spend(budget, self._run, lambda: True)
        tried = [leaf for leaf in self._children(self.tree.nodes[0]) if leaf.visits]
        chosen = self._chosen()
        return Decision(
            chosen.move if chosen else self.rng.choice(info.legal),
            values={leaf.move: leaf.total / leaf.visits for leaf in tried},
            visits={leaf.move: leaf.visits for leaf in tried},
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=self._line(chosen),
            depth=self.scene.planning.depth,
            note=f"{self.tree.count} nodes",
        )

    def _clear(self) -> None:
        self.tree.fill(nodes=zeros(Leaf, max(_ROOM, self.agent.samples + 1)))
        self.tree.nodes[0].child = -1
        self.tree.count = 1

    def _run(self, iterations: int) -> int:
        done, planning = self._slice(iterations), self.scene.planning
        while done < iterations and planning.calls + planning.reserve < planning.call_limit:
            self.tree.grow("nodes", 2 * len(self.tree.nodes))
            done += self._slice(iterations - done)
        return done

    def _slice(self, iterations: int) -> int:
        return grow_wider(self.scene.bridge.table, self.scene.planning, self.tree, self.rng, iterations)

    def _children(self, parent: Leaf) -> list[Leaf]:
        found: list[Leaf] = []
        place = parent.child
        while place >= 0:
            found.append(self.tree.nodes[place])
            place = found[-1].sibling
        return found

    def _chosen(self) -> Leaf | None:
        """Give the child to play; None if none was tried."""
        place = recommended(self.tree, RECOMMENDATIONS.index(self.agent.final), self.rng)
        return self.tree.nodes[place] if place >= 0 else None

    def _line(self, leaf: Leaf | None) -> tuple[tuple[Role, Move], ...]:
        """Give the own moves that were tried most, from a child of the root on."""
        line = []
        while leaf is not None and leaf.visits:
            line.append((self.role, leaf.move))
            leaf = max(self._children(leaf), key=lambda each: each.visits, default=None)
        return tuple(line)
