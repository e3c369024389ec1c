"""What all tree searches by playouts have in common: their parameters, and how a player uses its budget."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf, sqrt
from time import perf_counter
from typing import ClassVar

from ludarium.agents.search.pacing import spend
from ludarium.agents.search.support import require, single_move
from ludarium.agents.tree.growth import Child, Growth
from ludarium.agents.tree.play import Settings
from ludarium.agents.tree.tree import Parts
from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.core.parameters import check, choice, flag, number, part
from ludarium.evaluate import Evaluator, Judge, evaluator, judging

_ALL = (1 << 62) - 1
_FINDING = 0.1  # of the time left: how long to look for the present state in the tree of the last move
_UNTRIED = {"parent": -1.0, "first": 1e9, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class MonteCarlo:
    """The parameters of a tree search by playouts; subclasses add their own, and say what they are made of."""

    name: ClassVar[str]

    c: float = number(sqrt(0.5), 0.0, 1e6, tries=(0.1, 0.3, 0.5, sqrt(0.5), 1.0, 1.4))
    """How much to prefer moves with few tries."""

    playout_limit: int = number(200, 0, _ALL, tries=(0, 10, 50, 200, 1000))
    """Plies after which a playout is cut and judged as it stands."""

    final: str = choice("visits", ("visits", "value", "sample"))
    """Which move to play: the most `visits`, the best average `value`, or a `sample` in proportion to visits."""

    unvisited: str = choice("parent", ("parent", "first", "draw", "loss"))
    """A move not tried yet counts as the average of its `parent`, comes `first`, or counts as a `draw` or a `loss`."""

    max_nodes: int = number(5_000_000, 1, (1 << 31) - 1)
    """When the tree has this many nodes it stops growing, and the search goes on in the tree there is."""

    reuse: bool = flag(default=True)
    """Whether to go on in the tree of the last move; where nothing is left to chance and roles take turns."""

    solver: bool = flag(default=False)
    """Whether to prove wins and losses; where nothing is left to chance and roles take turns."""

    transpositions: bool = flag(default=False)
    """Whether equal states share a node; where nothing is left to chance."""

    leaf: int = number(1, 1, 4096, tries=(1, 64))
    """Playouts from each new node: games with a batch of 64 play them all at once."""

    evaluator: str | Evaluator = part("result", "evaluator")
    """What a playout that was cut is worth: the `result` as it stands, or what a heuristic says."""

    def __post_init__(self) -> None:
        check(self)
        evaluator(self.evaluator)  # what cannot be read is an error now

    def made_of(self, judge: Judge) -> Parts:
        """What the search is made of."""
        raise NotImplementedError

    def seat(self, game: Game, role: Role, rng: Rng) -> MonteCarloPlayer:
        """Make a player for one match."""
        require(game, self, perfect_information=True)
        return MonteCarloPlayer(self, game, role, rng)

    @property
    def settings(self) -> Settings:
        """The parameters that kernels look at."""
        settings = Settings()
        for each in fields(self):
            if each.name in Settings.fields:
                setattr(settings, each.name, getattr(self, each.name))
        settings.untried = _UNTRIED[self.unvisited]
        return settings


class MonteCarloPlayer:
    """A tree search in its seat."""

    def __init__(self, agent: MonteCarlo, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.role, self.rng = agent, role, rng
        judge = judging(agent.evaluator, game)
        self.growth = Growth(
            game,
            agent.made_of(judge),
            rng,
            settings=agent.settings,
            playout_limit=agent.playout_limit,
            max_nodes=agent.max_nodes,
            transpositions=agent.transpositions,
            solver=agent.solver,
            judge=judge,
            leaf=agent.leaf,
        )

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Grow a tree from the present state and play its best move."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        begun = False

        def search(iterations: int, calls: int) -> tuple[int, int]:
            nonlocal begun
            used = 0 if begun else self._begin(info, calls, budget.seconds_left)
            begun = True
            done, more = self.growth.run(iterations, calls - used)
            return done, used + more

        iterations, calls = spend(budget, search)
        root = self.growth.at_root(self.role)
        move = final_move(root.children(tried=True), self.agent.final, self.rng)
        values, visits = root.by_move()
        proven = self.growth.proven
        return Decision(
            move,
            values=values,
            visits=visits,
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=self.growth.line(self.role, move),
            depth=self.growth.tree.deepest,
            proven=proven[self.role] if proven else None,
            note=f"{self.growth.tree.node_count} nodes",
        )

    def _begin(self, info: InformationSet, calls: int, seconds: float | None) -> int:
        """Find the tree to go on in; answers the forward calls that it took."""
        assert info.state is not None
        if self.agent.reuse:
            share = inf if seconds is None else _FINDING * seconds
            return self.growth.move_on(info.state, min(4 * len(info.legal) + 64, calls // 10), share)
        self.growth.reset(info.state)
        return 0


def final_move(children: list[Child], rule: str, rng: Rng) -> int:
    """Choose the move to play by the rule, or what is proved to be better than it; ties at random."""

    def merit(child: Child) -> tuple[float, float]:
        value = child.value if child.visits else -1.0
        return (child.visits, value) if rule == "visits" else (value, child.visits)

    proved = [child for child in children if child.proof is not None]
    open_ = [child for child in children if child.proof is None]
    if rule == "sample" and any(child.visits for child in open_):
        found = _draw_child(open_, rng)
    else:
        merits = [merit(child) for child in open_]
        best = max(merits, default=(0.0, 0.0))
        equal = [child for child, its in zip(open_, merits, strict=True) if its == best]
        found = rng.choice(equal) if equal else proved[0]
    sure = max((child.value for child in proved), default=0.0)
    if proved and (sure >= found.value or not open_):
        longest = max(child.visits for child in proved if child.value == sure)  # what is lost, resists
        return rng.choice([child.move for child in proved if child.value == sure and child.visits == longest])
    return found.move


def _draw_child(children: list[Child], rng: Rng) -> Child:
    point = rng.uniform() * sum(child.visits for child in children)
    for child in children:
        point -= child.visits
        if point < 0:
            break
    return child
