"""The memory of a tree search from move to move; it grows with the tree, up to a number of nodes."""

from __future__ import annotations

from array import array
from math import inf
from struct import Struct
from time import perf_counter
from typing import Any, NamedTuple

from ludarium.agents.search.actions import Actions, actions_of
from ludarium.agents.search.support import blaming
from ludarium.agents.tree.amaf import learn_below
from ludarium.agents.tree.credit import FEW, fade
from ludarium.agents.tree.nodes import DEPTH, UNKNOWN, Edge, Extra, Node, Pair, Tree, follow, new_node, rehash
from ludarium.agents.tree.play import Credit, Play, Settings, TrailMove
from ludarium.agents.tree.playouts import random_playout
from ludarium.agents.tree.trails import random_trail
from ludarium.agents.tree.tree import Parts, tree_search
from ludarium.core import Game, Move, Rng, Role, State
from ludarium.evaluate import Judge, result
from ludarium.kernel import Bundle, bridge, f64, i64, u64, zeros
from ludarium.kernel.game import KernelBridge

_RECORDED = 4096  # plies of a playout that are kept in the trail
_LINE = 64  # moves of the expected play that are told
_CREDITS = 1024  # keys that learning begins with room for
_DIARY = 1 << 17  # words that a diary begins with

# An Edge, and the proof of an Extra: reading their fields one by one takes long.
_EDGE, _EXTRA = Struct("=Qd3i?3x"), Struct("=8xd16x")


class Child(NamedTuple):
    """A move at the root: how often it was tried, its average for the role that made it, and what is proved of it."""

    move: Move
    visits: int
    value: float
    proof: float | None = None


class Root(NamedTuple):
    """The moves of a role at the root, as columns: where there are thousands, an object for each takes long."""

    moves: list[Move]
    visits: list[int]
    values: list[float]
    proofs: list[float]

    def children(self, *, tried: bool = False) -> list[Child]:
        """List the moves; only those that were tried or proved, if some of them are still open."""
        rows = list(zip(*self, strict=True))
        if tried and any(n > 0 and proof == UNKNOWN for _, n, _, proof in rows):
            rows = [row for row in rows if row[1] > 0 or row[3] != UNKNOWN]
        return [Child(move, n, value, None if proof == UNKNOWN else proof) for move, n, value, proof in rows]

    def by_move(self) -> tuple[dict[Move, float], dict[Move, int]]:
        """Give the values and the visits by moves."""
        return dict(zip(self.moves, self.values, strict=True)), dict(zip(self.moves, self.visits, strict=True))


class Growth:
    """A tree, everything learnt beside it, and the space that a search needs, from move to move."""

    def __init__(
        self,
        game: Game,
        parts: Parts,
        rng: Rng,
        *,
        settings: Settings,
        playout_limit: int,
        max_nodes: int,
        transpositions: bool = False,
        solver: bool = False,
        judge: Judge | None = None,
        leaf: int = 1,
    ) -> None:
        self.game, self.rng, self.parts = game, rng, parts
        batches = parts.playout is random_playout and parts.judge is result
        offered = game.offers.playouts if leaf > 1 and batches else None
        self._playouts = offered(leaf) if offered else None
        self.kernels = tree_search(parts)
        self.bridge = bridge(game)
        table, traits = self.bridge.table, game.traits
        plies = DEPTH + min(playout_limit, _RECORDED) if parts.record else 1
        self.play = Play(
            state=bytearray(table.state_size),
            spare=bytearray(table.state_size),
            moves=zeros(u64, table.max_moves),
            joint=zeros(u64, table.roles),
            values=zeros(f64, table.roles),
            actions=self._actions(),
            settings=settings,
            trail=zeros(TrailMove, plies * table.roles),
            ledger=b"",
            playout_limit=playout_limit,
            reserve=judge.calls if judge else 0,
        )
        together, transpose = not traits.turn_taking, transpositions and traits.deterministic
        solve = solver and traits.deterministic and traits.turn_taking
        wide = parts.wide or solve
        # The edges of the root always fit, so that every iteration counts for one of them.
        room = max(1024, 4 * table.max_moves * table.roles)
        self.tree = Tree(
            play=self.play,
            root=bytes(table.state_size),
            nodes=zeros(Node, 256),
            edges=zeros(Edge, room),
            extras=zeros(Extra, room * wide),
            pairs=zeros(Pair, 1024 * (together or transpose)),
            proofs=zeros(f64, 256 * table.roles * solve),
            path=zeros(i64, DEPTH * (table.roles + 1)),
            sums=zeros(f64, table.roles),
            diary=zeros(u64, 1),
            diary_values=zeros(f64, 1),
            judging=judge.judging if judge else Bundle(),
            max_nodes=max_nodes,
            leaf=leaf,
            open_loop=not traits.deterministic,
            together=together,
            transpose=transpose,
            solve=solve,
            wide=wide,
        )
        self._forget()
        self._clear()
        self._warm_up()  # what is compiled now is not on the clock of the first move
        self.line(0, 0)
        if parts.learn is not None:
            self._fade(1.0, 0.0, len(self.play.ledger))

    def reset(self, state: State) -> None:
        """Forget everything and start from a state."""
        self.tree.fill(root=self.bridge.block(state))
        self._forget()
        self._clear()

    def move_on(self, state: State, calls: int, seconds: float = inf) -> int:
        """Start from a state, in the tree there is if it has come to that state; answers the forward calls it took.

        What was learnt about moves in general is kept and fades, as in Ludii. The state is not looked for any longer than so
        many forward calls or seconds.
        """
        block = self.bridge.block(state)
        place, used = self._find(block, calls, perf_counter() + seconds)
        self.tree.fill(root=block)
        if place >= 0 and 2 * self.tree.node_count < self.tree.max_nodes:
            self.tree.top = place
            self.tree.iterations = self.tree.deepest = self.play.calls = 0
        else:
            self._clear()
            if not self.parts.fades:
                self._forget()
        if self.play.learnt and self.parts.fades:
            self.play.learnt = self._fade(0.6, FEW, len(self.play.ledger))
        return used

    def run(self, iterations: int, calls: int) -> tuple[int, int]:
        """Search some more; answers the iterations and forward calls that were used."""
        before = self.play.calls
        limit = self.play.call_limit = before + calls
        done = self._slice(iterations)
        while done < iterations and self.play.calls < limit and not self._solved:
            self._grow()
            done += self._slice(iterations - done)
        return done, self.play.calls - before

    def at_root(self, role: Role) -> Root:
        """Tell of the moves of a role at the root."""
        rows = self._edges(self.tree.top)
        chosen = [k for k, (*_, owner, legal) in enumerate(rows) if owner == role and legal]
        edges = [rows[k] for k in chosen]
        values = [total / visits if visits > 0 else 0.5 for _, total, visits, *_ in edges]
        proofs = [UNKNOWN] * len(values)
        if self.tree.solve:
            node = self.tree.nodes[self.tree.top]
            told = [proof for (proof,) in _rows(_EXTRA, self.tree.extras.memory, node)]
            proofs = [told[k] for k in chosen]
            values = [value if proof == UNKNOWN else proof for value, proof in zip(values, proofs, strict=True)]
        return Root([edge[0] for edge in edges], [edge[2] for edge in edges], values, proofs)

    def line(self, role: Role, move: Move) -> tuple[tuple[Role, Move], ...]:
        """Follow the most visited moves from the root, as long as one role moves at a time; a move of a role first."""
        out = bytearray(TrailMove.size * _LINE)
        count = follow(self.tree, role, move, out)
        steps = (TrailMove(memoryview(out)[k * TrailMove.size :]) for k in range(count))
        return tuple((step.role, step.move) for step in steps)

    @property
    def proven(self) -> list[float] | None:
        """What the root is worth to each role, if that is proved."""
        if not self._solved:
            return None
        roles, top = self.bridge.table.roles, self.tree.top
        return list(self.tree.proofs[top * roles : (top + 1) * roles])

    @property
    def _solved(self) -> bool:
        return self.tree.nodes[self.tree.top].proved

    def _edges(self, place: int) -> list[tuple[Any, ...]]:
        """The edges of a node: move, total, visits, child, role, and whether it is legal now."""
        return _rows(_EDGE, self.tree.edges.memory, self.tree.nodes[place])

    def _followed(self, place: int) -> list[tuple[Role, Move, int]]:
        """List the edges of a node that lead to another: role, move and node."""
        return [(role, move, child) for move, _, _, child, role, _ in self._edges(place) if child >= 0]

    def _find(self, block: bytes, calls: int, end: float) -> tuple[int, int]:
        """Look for a state in the tree, a few moves below the root: its node or -1, and the forward calls it took."""
        reached = self.bridge
        if self.tree.open_loop or self.tree.together or not self.tree.node_count:
            return -1, 0
        if not isinstance(reached, KernelBridge):  # blocks of other games do not last from call to call
            return -1, 0
        root = bytes(self.tree.root.memory)
        if block == root:
            return self.tree.top, 0
        used, level = 0, [(self.tree.top, root)]
        while level and used < calls:
            below = []
            for place, above in level:
                for role, move, child in self._followed(place):
                    if used >= calls:
                        break
                    if perf_counter() > end:
                        return -1, used
                    state = bytearray(above)
                    joint = array("Q", bytes(8 * reached.table.roles))
                    joint[role] = move
                    reached.call("apply", state, joint, self.rng)
                    used += 1
                    if state == block:
                        return child, used
                    below.append((child, bytes(state)))
            level = below
        return -1, used

    def _forget(self) -> None:
        """Drop what was learnt beside the tree."""
        learns, notes = self.parts.learn is not None, self.parts.learn is learn_below
        self.play.learnt = 0
        self.tree.diary_end = 1
        self.play.fill(ledger=zeros(Credit, _CREDITS if learns else 1))
        if notes and len(self.tree.diary) == 1:
            self._lengthen_diary(_DIARY)  # what is in it is not read before it is written

    def _clear(self) -> None:
        tree, play = self.tree, self.play
        play.fill(actions=self._actions())
        tree.node_count = tree.edge_count = tree.iterations = tree.top = tree.deepest = 0
        play.calls = play.recorded = 0
        tree.edges_full = tree.diary_full = play.ledger_full = False
        tree.fill(pairs=zeros(Pair, len(tree.pairs)))

    def _actions(self) -> Actions:
        return actions_of(self.game, records=self.parts.playout is random_trail)

    def _warm_up(self) -> None:
        """Run what has to be compiled: of a search in batches, an iteration that is forgotten."""
        if self._playouts is None:
            self._slice(0)
            return
        own, self.rng = self.rng, Rng(0)
        self.reset(self.game.initial(Rng(0)))
        self.run(1, 2 * self.tree.leaf)
        self._clear()
        self.rng = own

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            if self._playouts is None:
                return self.kernels.search(self.bridge.table, self.tree, self.rng, iterations)
            if not self.tree.node_count:
                new_node(self.tree)
            return self._batches(iterations)

    def _batches(self, iterations: int) -> int:
        """Run iterations whose playouts are played by the game, many at once."""
        assert self._playouts is not None
        tree, play, table = self.tree, self.play, self.bridge.table
        done = 0
        while done < iterations and play.calls < play.call_limit and not self._solved:
            if not self.kernels.descend(table, tree, self.rng):
                break
            place, left = tree.place, play.call_limit - play.calls
            if place >= 0 and tree.nodes[place].proved:
                worth = tuple(tree.proofs[place * table.roles : (place + 1) * table.roles])
            else:
                count = max(1, min(tree.leaf, left))
                state = self.game.state(bytes(play.state.memory))  # type: ignore[attr-defined]
                if tree.solve and place >= 0 and state.over:
                    tree.nodes[place].expanded = True
                limit = min(play.playout_limit, left // count)
                worth, plies = self._playouts(state, count, self.rng, limit=limit)
                play.calls += plies
            for role, value in enumerate(worth):
                play.values[role] = value
            self.kernels.backup(table, tree)
            done += 1
        tree.iterations += done
        return done

    def _grow(self) -> None:
        tree = self.tree
        if tree.node_count >= len(tree.nodes):
            tree.grow("nodes", 2 * len(tree.nodes))
            tree.grow("proofs", 2 * len(tree.proofs))
        if tree.edges_full:
            tree.grow("edges", 2 * len(tree.edges))
            tree.grow("extras", 2 * len(tree.extras))
        if self.play.ledger_full:
            self._fade(1.0, 0.0, 2 * len(self.play.ledger))
        if tree.diary_full:
            self._lengthen_diary(2 * len(tree.diary))
        tree.edges_full = tree.diary_full = self.play.ledger_full = False
        if len(tree.pairs) and 2 * tree.node_count >= len(tree.pairs):
            pairs = zeros(Pair, 2 * len(tree.pairs))
            rehash(tree.pairs, pairs)
            tree.fill(pairs=pairs)

    def _fade(self, factor: float, least: float, length: int) -> int:
        """Take what was learnt over into a new ledger, all of it weaker; say how much is left."""
        ledger = zeros(Credit, length)
        left = fade(self.play.ledger, ledger, factor, least)
        self.play.fill(ledger=ledger)
        return left

    def _lengthen_diary(self, length: int) -> None:
        self.tree.grow("diary", length)
        self.tree.fill(diary_values=self.tree.diary.memory.cast("d"))


def _rows(layout: Struct, memory: memoryview, node: Node) -> list[tuple[Any, ...]]:
    """Read what records tell of the edges of a node."""
    return list(layout.iter_unpack(memory[node.first * layout.size : (node.first + node.edges) * layout.size]))
