"""Information-set MCTS: a tree over what roles know, grown from states that the role may be in.

Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (2012). With one tree it is their SO-ISMCTS:
others choose in the nodes of the role that searches, as if they knew no more than it does, and moves that it cannot
tell apart lead to the same node. With many trees it is MO-ISMCTS: each role chooses by what it knows itself, beginning
with what it sees in the present state. Where nothing is hidden both are UCT.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from struct import Struct
from time import perf_counter
from typing import ClassVar

from ludarium.agents.actions import actions_of
from ludarium.agents.credit import Credit, fade
from ludarium.agents.ismcts_search import Edge, Node, Search, move_in, place_of, worlds_search
from ludarium.agents.nodes import Search as Trail
from ludarium.agents.nodes import Step
from ludarium.agents.pacing import spend
from ludarium.agents.support import blaming, single_move
from ludarium.agents.worlds import MOST, UNSEARCHED, Worlds, check_determinizer
from ludarium.core import Budget, Decision, Game, InformationSet, Move, Rng, Role
from ludarium.core.parameters import check, choice, number, part
from ludarium.kernel import bridge

_DEPTH = 4096  # plies; below that depth an iteration only plays out
_NEVER = 1 << 62
_EDGE = Struct("=Qd4i")  # an Edge: reading its fields one by one takes long
_MORE = 4  # times as many worlds as before are drawn at once
_CREDITS = 1024  # moves that playouts begin with room for
_SHOWN = 1 << 16  # bytes that a game in plain Python may show at once


@dataclass(frozen=True)
class ISMCTS:
    """Monte Carlo tree search over information sets."""

    name: ClassVar[str] = "ismcts"

    determinizer: str = part("auto", "determinizer", tries=("auto", "replay", "enumeration"))
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
        self.search = search = Search()
        search.c, search.role, search.many = agent.c, role, int(agent.trees == "many")
        search.open = int(game.traits.perfect_information)
        search.max_nodes, search.playout_limit = agent.max_nodes, agent.playout_limit
        self._state, self._values = bytearray(table.state_size), array("d", bytes(8 * table.roles))
        self._keys, self._joint = array("Q", bytes(8 * table.roles)), array("Q", bytes(8 * table.roles))
        self._moves, self._picks = array("Q", bytes(8 * table.max_moves)), array("q", bytes(8 * table.max_moves))
        self._path = array("q", bytes(8 * _DEPTH * table.roles))
        mast = agent.playouts == "mast"
        self._search_worlds, self._actions = worlds_search(mast=mast), actions_of(game)
        self._played, self._parameters = Trail(), array("d", [0.0, 0.0, agent.epsilon])
        self._played.playout_limit = agent.playout_limit
        self._trail = bytearray(Step.size * (min(agent.playout_limit, _DEPTH) + _DEPTH) * table.roles if mast else 0)
        self._ledger = bytearray(Credit.size)
        self._shown = bytearray(getattr(game, "max_observation", _SHOWN))
        self._worlds, self._wanted, self._limit, self._sunk, self._late = b"", 1, 0, 0, False
        self._nodes, self._edges = bytearray(), bytearray()
        self._clear()
        self._slice(0)  # what is compiled now is not on the clock of the first move
        place_of(self._nodes, 1)
        move_in(self._nodes, self._nodes)
        fade(self._ledger, bytearray(len(self._ledger)), 1.0, 0.0)

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Grow the trees from states that the role may be in, and play the best move."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        self.worlds.begin(info)
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
            depth=self.search.depth,
            note=f"{self.search.nodes} nodes, {len(self.worlds.states)} states",
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
        search = self.search
        before = search.calls
        search.call_limit = before + calls - used
        done = self._slice(iterations)
        while done < iterations and search.calls < search.call_limit and not search.due:
            self._grow()
            done += self._slice(iterations - done)
        if search.due:
            search.due = 0
            self._wanted = min(_MORE * len(self.worlds.states), MOST)
            if budget.iterations_left is not None:
                self._wanted = min(self._wanted, len(self.worlds.states) + budget.iterations_left - done)
            self._limit = self.worlds.calls + search.calls
        return done, used + search.calls - before

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
        search, states = self.search, self.worlds.states
        self._worlds = b"".join(self.bridge.blocks(states))
        search.next = search.worlds if search.worlds < len(states) else 0
        search.worlds = len(states)
        if len(states) == 1:
            self._sunk = self.worlds.calls
        search.enough = self.worlds.calls - self._sunk if self.worlds.more and len(states) < MOST else _NEVER

    # Memory

    def _clear(self) -> None:
        search = self.search
        search.nodes = search.edges = search.calls = search.full = search.depth = 0
        search.worlds = search.next = search.enough = search.due = 0
        self._worlds, self._wanted, self._limit, self._sunk, self._late = b"", 1, 0, 0, False
        self._nodes = bytearray(Node.size * 1024)
        if self.agent.playouts == "mast":
            self._ledger = bytearray(Credit.size * _CREDITS)
            self._played.learnt = 0
        # The edges of the root always fit, so that every iteration counts for one of them.
        table = self.bridge.table
        self._edges = bytearray(Edge.size * max(1024, 4 * table.max_moves * table.roles))

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            return self._search_worlds(
                self.bridge.table, self._worlds, self._state, self._nodes, self._edges, self._keys,
                self._path, self._picks, self._moves, self._joint, self._values, self._shown, self.search,
                self._actions, self._played, self._trail, self._parameters, self._ledger, self.rng, iterations,
            )  # fmt: skip

    def _grow(self) -> None:
        if 2 * self.search.nodes * Node.size >= len(self._nodes):
            old, self._nodes = self._nodes, bytearray(2 * len(self._nodes))
            move_in(old, self._nodes)
        if self.search.edges * Edge.size >= len(self._edges):
            self._edges += bytes(len(self._edges))
        if self._played.full:
            old, self._ledger = self._ledger, bytearray(2 * len(self._ledger))
            fade(old, self._ledger, 1.0, 0.0)
        self.search.full = self._played.full = 0

    # The decision

    def _root(self, legal: tuple[Move, ...]) -> dict[Move, tuple[float, int]]:
        """Give the sums and the visits of the role's own moves at the root."""
        place = place_of(self._nodes, self.search.root)
        at = Node(memoryview(self._nodes)[place * Node.size :]).first
        found, allowed = {}, set(legal)
        while at >= 0:
            move, total, visits, _, role, at = _EDGE.unpack_from(self._edges, at * Edge.size)
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
