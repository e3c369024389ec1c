"""Information-set MCTS: a tree over what roles know, grown from states that the role may be in.

Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (2012). With one tree it is their SO-ISMCTS:
others choose in the nodes of the role that searches, as if they knew no more than it does, and moves that it cannot
tell apart lead to the same node. With many trees it is MO-ISMCTS: each role chooses by what it knows itself, beginning
with what it sees in the present state. Where nothing is hidden both are UCT.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from time import perf_counter
from typing import ClassVar

from ludarium.agents.search.actions import actions_of
from ludarium.agents.search.pacing import spend
from ludarium.agents.search.support import blaming, single_move
from ludarium.agents.search.worlds import MOST, UNSEARCHED, Worlds, check_determinizer
from ludarium.agents.tree.credit import fade
from ludarium.agents.tree.ismcts_kernels import Forest, SetEdge, SetNode, move_in, place_of, worlds_search
from ludarium.agents.tree.play import Credit, Play, Settings, TrailMove
from ludarium.core import Budget, Decision, Game, InformationSet, Move, Rng, Role
from ludarium.core.parameters import check, choice, number, part
from ludarium.hidden import Determinizer
from ludarium.kernel import TableGame, bridge, f64, i64, u64, zeros

_DEPTH = 4096  # plies; below that depth an iteration only plays out
_NEVER = 1 << 62
_EDGE = Struct("=Qd4i")  # a SetEdge: reading its fields one by one takes long
_MORE = 4  # times as many worlds as before are drawn at once
_CREDITS = 1024  # moves that playouts begin with room for
_SHOWN = 1 << 16  # bytes that a game in plain Python may show at once


@dataclass(frozen=True)
class ISMCTS:
    """Monte Carlo tree search over information sets."""

    name: ClassVar[str] = "ismcts"

    determinizer: str | Determinizer = part("auto", "determinizer", tries=("auto", "replay", "enumeration"))
    """How to imagine states: `auto`, `constraint`, `heatmap`, `replay`, `redeal` or `enumeration`."""

    trees: str = choice("one", ("one", "many"))
    """Whether all roles choose in `one` tree of what this role knows, or in `many`: one per role, of what that role knows."""

    c: float = number(0.7, 0.0, 1e6, tries=(0.3, 0.5, 0.7, 1.0, 1.4))
    """How much to prefer moves with few tries."""

    playouts: str = choice("random", ("random", "mast"))
    """How playouts choose: at `random`, or as `mast` does, by what moves were worth in the playouts of all states."""

    epsilon: float = number(0.1, 0.0, 1.0, tries=(0.0, 0.1, 0.2, 0.4))
    """How often playouts of `mast` move at random."""

    playout_limit: int = number(200, 0, (1 << 62) - 1)
    """Plies after which a playout is cut and judged as it stands."""

    final: str = choice("visits", ("visits", "value"))
    """Which move to play: the one with the most `visits`, or the best average `value`."""

    bias: float = number(0.0, 0.0, 1e6, tries=(0.0, 0.02, 1.0))
    """How much a heatmap says in the choice, too: see `determinized`; it is added to the share of visits, or to the value."""

    max_nodes: int = number(1_000_000, 1, (1 << 30) - 1)
    """When there are this many nodes the trees stop growing, and the search goes on in the trees there are."""

    def __post_init__(self) -> None:
        check(self)
        check_determinizer(self.name, self.determinizer)

    def seat(self, game: Game, role: Role, rng: Rng) -> ISMCTSPlayer:
        """Make a player for one match."""
        return ISMCTSPlayer(self, game, role, rng)


class ISMCTSPlayer:
    """Information-set MCTS in its seat."""

    def __init__(self, agent: ISMCTS, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.game, self.role, self.rng = agent, game, role, rng
        self.worlds = Worlds(agent.determinizer, game, role, rng.split(), owner=agent.name, bias=agent.bias)
        self.bridge = bridge(game)
        table = self.bridge.table
        mast = agent.playouts == "mast"
        self._search_worlds = worlds_search(mast=mast)
        settings = Settings()
        settings.c, settings.epsilon = agent.c, agent.epsilon
        self.play = Play(
            state=bytearray(table.state_size),
            spare=b"",
            moves=zeros(u64, table.max_moves),
            joint=zeros(u64, table.roles),
            values=zeros(f64, table.roles),
            actions=actions_of(game),
            settings=settings,
            trail=zeros(TrailMove, (min(agent.playout_limit, _DEPTH) + _DEPTH) * table.roles * mast),
            ledger=zeros(Credit, 1),
            playout_limit=agent.playout_limit,
        )
        self.forest = Forest(
            play=self.play,
            worlds=b"",
            nodes=b"",
            edges=b"",
            keys=zeros(u64, table.roles),
            path=zeros(i64, _DEPTH * table.roles),
            picks=zeros(i64, table.max_moves),
            shown=bytearray(game.max_observation if isinstance(game, TableGame) else _SHOWN),
            role=role,
            many=agent.trees == "many",
            open=game.traits.perfect_information,
            max_nodes=agent.max_nodes,
        )
        self._wanted, self._limit, self._sunk, self._late = 1, 0, 0, False
        self._clear()
        self._slice(0)  # what is compiled now is not on the clock of the first move
        place_of(self.forest.nodes, 1)
        move_in(self.forest.nodes, self.forest.nodes)
        fade(self.play.ledger, zeros(Credit, len(self.play.ledger)), 1.0, 0.0)

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Grow the trees from states that the role may be in, and play the best move."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        self.worlds.begin(info, budget)
        self._clear()
        if self.worlds.states:
            self._enter()
        iterations, calls = spend(budget, lambda iterations, calls: self._run(iterations, calls, budget))
        if iterations == 0:
            return Decision(
                self.rng.choice(info.legal),
                forward_calls=calls,
                seconds=perf_counter() - started,
                note=UNSEARCHED,
            )
        found = self._root(info.legal)
        move = self._best(found)
        return Decision(
            move,
            values={move: total / visits if visits else 0.5 for move, (total, visits) in found.items()},
            visits={move: visits for move, (_, visits) in found.items()},
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=((self.role, move),),
            depth=self.forest.depth,
            note=f"{self.forest.node_count} nodes, {len(self.worlds.states)} states",
        )

    # Worlds: each has its turn. When all had it, and searching took as much work as drawing all but the first one, several
    # times as many are drawn.

    def _run(self, iterations: int, calls: int, budget: Budget) -> tuple[int, int]:
        """Draw states or search them; answers the iterations and forward calls that were used."""
        if self._late and not self.worlds.states and budget.exhausted:
            return 0, 0  # nothing was found in time
        self._late = True
        used = self._draw(calls, budget) if self._wanted > len(self.worlds.states) else 0
        if self._wanted > len(self.worlds.states) or not self.worlds.states:
            return 0, used
        play, forest = self.play, self.forest
        before = play.calls
        limit = play.call_limit = before + calls - used
        done = self._slice(iterations)
        while done < iterations and play.calls < limit and not forest.due:
            self._grow()
            done += self._slice(iterations - done)
        if forest.due:
            forest.due = False
            self._wanted = min(_MORE * len(self.worlds.states), MOST)
            if budget.iterations_left is not None:
                self._wanted = min(self._wanted, len(self.worlds.states) + budget.iterations_left - done)
            self._limit = self.worlds.calls + play.calls
        return done, used + play.calls - before

    def _draw(self, calls: int, budget: Budget) -> int:
        worlds, used = self.worlds, 0
        while worlds.more and len(worlds.states) < self._wanted:
            allowed = calls - used
            if worlds.states:
                allowed = min(allowed, self._limit - worlds.calls)
            now = worlds.draw(self._wanted, allowed)
            used += now
            if used or (budget.exhausted and not worlds.states):
                break
            if now == 0 and allowed == 0:
                break
        if not worlds.more or (worlds.states and worlds.calls >= self._limit):
            self._wanted = len(worlds.states)
        if worlds.states and len(worlds.states) >= self._wanted:
            self._enter()
        return used

    def _enter(self) -> None:
        """Give the states to the kernel; those that are new come first."""
        forest, states = self.forest, self.worlds.states
        forest.fill(worlds=b"".join(self.bridge.blocks(states)))
        forest.next = forest.world_count if forest.world_count < len(states) else 0
        forest.world_count = len(states)
        if len(states) == 1:
            self._sunk = self.worlds.calls
        forest.enough = self.worlds.calls - self._sunk if self.worlds.more and len(states) < MOST else _NEVER

    # Memory

    def _clear(self) -> None:
        forest, play, table = self.forest, self.play, self.bridge.table
        forest.node_count = forest.edge_count = forest.depth = forest.world_count = forest.next = forest.enough = 0
        forest.due = forest.full = play.ledger_full = False
        play.calls = 0
        self._wanted, self._limit, self._sunk, self._late = 1, 0, 0, False
        # The edges of the root always fit, so that every iteration counts for one of them.
        edges = zeros(SetEdge, max(1024, 4 * table.max_moves * table.roles))
        forest.fill(worlds=b"", nodes=zeros(SetNode, 1024), edges=edges)
        play.fill(actions=actions_of(self.game))
        if self.agent.playouts == "mast":
            play.fill(ledger=zeros(Credit, _CREDITS))
            play.learnt = 0

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            return self._search_worlds(self.bridge.table, self.forest, self.rng, iterations)

    def _grow(self) -> None:
        forest, play = self.forest, self.play
        if 2 * forest.node_count >= len(forest.nodes):
            nodes = zeros(SetNode, 2 * len(forest.nodes))
            move_in(forest.nodes, nodes)
            forest.fill(nodes=nodes)
        if forest.edge_count >= len(forest.edges):
            forest.grow("edges", 2 * len(forest.edges))
        if play.ledger_full:
            ledger = zeros(Credit, 2 * len(play.ledger))
            fade(play.ledger, ledger, 1.0, 0.0)
            play.fill(ledger=ledger)
        forest.full = play.ledger_full = False

    # The decision

    def _root(self, legal: tuple[Move, ...]) -> dict[Move, tuple[float, int]]:
        """Give the sums and the visits of the role's own moves at the root."""
        forest = self.forest
        at = forest.nodes[place_of(forest.nodes, forest.root)].first
        found, allowed = {}, set(legal)
        while at >= 0:
            move, total, visits, _, role, at = _EDGE.unpack_from(forest.edges.memory, at * SetEdge.size)
            if role == self.role and move in allowed:
                found[move] = total, visits
        return found

    def _best(self, found: dict[Move, tuple[float, int]]) -> Move:
        def merit(total: float, visits: int) -> tuple[float, float]:
            value = total / visits if visits else -1.0
            return (visits, value) if self.agent.final == "visits" else (value, visits)

        merits = {move: merit(*its) for move, its in found.items()}
        if self.agent.bias:
            counted = {move: its[0] for move, its in merits.items()}
            warm = self.worlds.warmed(counted, shares=self.agent.final == "visits")
            best = max(warm.values())
            return self.rng.choice([move for move, its in warm.items() if its == best])
        top = max(merits.values())
        return self.rng.choice([move for move, its in merits.items() if its == top])
