"""The memory of a tree search from move to move; it grows with the tree, up to a number of nodes."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ludarium.agents.actions import actions_of
from ludarium.agents.amaf import learn_below
from ludarium.agents.credit import FEW, Credit, fade
from ludarium.agents.nodes import DEPTH, UNKNOWN, Edge, Extra, Node, Pair, Search, Step, follow, rehash
from ludarium.agents.playouts import random_playout
from ludarium.agents.support import blaming
from ludarium.agents.trails import random_trail
from ludarium.agents.tree import Parts, tree_search
from ludarium.core import Game, Move, Rng, Role, State
from ludarium.evaluate import Judge, result
from ludarium.kernel import Record, bridge

_RECORDED = 4096  # plies of a playout that are kept in the trail
_LINE = 64  # moves of the expected play that are told
_CREDITS = 1024  # keys that learning begins with room for
_DIARY = 1 << 17  # words that a diary begins with

_Numbers = np.ndarray[Any, np.dtype[Any]]


def _layout(record: type[Record], **kinds: str) -> np.dtype[Any]:
    """Describe fields of a record to numpy."""
    offsets = [record.fields[name][1] for name in kinds]
    return np.dtype(
        {"names": list(kinds), "formats": list(kinds.values()), "offsets": offsets, "itemsize": record.size}
    )


_EDGE = _layout(Edge, move="u8", total="f8", visits="i4", child="i4", role="i4", legal="i4")
_EXTRA = _layout(Extra, proof="f8")


class Child(NamedTuple):
    """A move at the root: how often it was tried, its average for the role that made it, and what is proved of it."""

    move: Move
    visits: int
    value: float
    proof: float | None = None


class Root(NamedTuple):
    """The moves of a role at the root, as arrays: where there are thousands, an object for each takes long."""

    moves: _Numbers
    visits: _Numbers
    values: _Numbers
    proofs: _Numbers

    def children(self, *, tried: bool = False) -> list[Child]:
        """List the moves; only those that were tried or proved, if some of them are still open."""
        root = self
        if tried and np.any((self.visits > 0) & (self.proofs == UNKNOWN)):
            known = (self.visits > 0) | (self.proofs != UNKNOWN)
            root = Root(*(column[known] for column in self))
        told = zip(*(column.tolist() for column in root), strict=True)
        return [Child(move, n, value, None if proof == UNKNOWN else proof) for move, n, value, proof in told]

    def told(self) -> tuple[dict[Move, float], dict[Move, int]]:
        """Give the values and the visits by moves."""
        listed = self.moves.tolist()
        return dict(zip(listed, self.values.tolist(), strict=True)), dict(
            zip(listed, self.visits.tolist(), strict=True)
        )


class Tree:
    """A tree, everything learnt beside it, and the space that a search needs."""

    def __init__(
        self,
        game: Game,
        parts: Parts,
        rng: Rng,
        *,
        parameters: Sequence[float],
        playout_limit: int,
        max_nodes: int,
        transpositions: bool = False,
        solver: bool = False,
        judge: Judge | None = None,
        leaf: int = 1,
    ) -> None:
        self.game, self.rng = game, rng
        batches = parts.playout is random_playout and parts.judge is result
        self._playouts = getattr(game, "playouts", None) if leaf > 1 and batches else None
        self.kernels, self.parts = tree_search(parts), parts
        self.bridge = bridge(game)
        table = self.bridge.table
        search = self.search = Search()
        search.max_nodes = max_nodes
        search.leaf = leaf
        search.playout_limit = playout_limit
        search.open_loop = 0 if game.traits.deterministic else 1
        search.together = 0 if game.traits.turn_taking else 1
        search.transpose = int(transpositions and game.traits.deterministic)
        search.solve = int(solver and game.traits.deterministic and game.traits.turn_taking)
        search.wide = int(parts.wide or bool(search.solve))
        self.parameters = array("d", parameters)
        self.judging = judge.memory if judge else bytearray(8)
        search.reserve = judge.calls if judge else 0
        self.ledger, self._diary = bytearray(), bytearray()
        self._forget()
        self._state, self._spare = bytearray(table.state_size), bytearray(table.state_size)
        self._moves, self._joint = array("Q", bytes(8 * table.max_moves)), array("Q", bytes(8 * table.roles))
        self._values, self._sums = array("d", bytes(8 * table.roles)), array("d", bytes(8 * table.roles))
        self._path = array("q", bytes(8 * DEPTH * (table.roles + 1)))
        plies = DEPTH + min(playout_limit, _RECORDED) if parts.record else 1
        self._trail = bytearray(Step.size * plies * table.roles)
        self._root = bytes(table.state_size)
        self._nodes = bytearray(Node.size * 256)
        self._proofs = array("d", bytes(8 * 256 * table.roles * search.solve))
        # The edges of the root always fit, so that every iteration counts for one of them.
        room = max(1024, 4 * table.max_moves * table.roles)
        self._edges, self._extras = bytearray(Edge.size * room), bytearray(Extra.size * room * search.wide)
        self._pairs = bytearray(Pair.size * 1024 * max(search.together, search.transpose))
        self._clear()
        self._slice(0)  # what is compiled now is not on the clock of the first move
        self.line(0, 0)
        if parts.learn is not None:
            fade(self.ledger, bytearray(len(self.ledger)), 1.0, 0.0)

    def reset(self, state: State) -> None:
        """Forget everything and start from a state."""
        self._root = self.bridge.block(state)
        self._forget()
        self._clear()

    def move_on(self, state: State, calls: int, seconds: float = inf) -> int:
        """Start from a state, in the tree there is if it has come to that state; answers the forward calls it took.

        What was learnt about moves in general is kept and fades, as in Ludii. The state is not looked for any longer than so
        many forward calls or seconds.
        """
        block = self.bridge.block(state)
        place, used = self._find(block, calls, perf_counter() + seconds)
        self._root = block
        if place >= 0 and 2 * self.search.nodes < self.search.max_nodes:
            self.search.root = place
            self.search.iterations = self.search.deepest = self.search.calls = 0
        else:
            self._clear()
            if not self.parts.fades:
                self._forget()
        if self.search.learnt and self.parts.fades:
            old, self.ledger = self.ledger, bytearray(len(self.ledger))
            self.search.learnt = fade(old, self.ledger, 0.6, FEW)
        return used

    def run(self, iterations: int, calls: int) -> tuple[int, int]:
        """Search some more; answers the iterations and forward calls that were used."""
        before = self.search.calls
        self.search.call_limit = before + calls
        done = self._slice(iterations)
        while done < iterations and self.search.calls < self.search.call_limit and not self._solved:
            self._grow()
            done += self._slice(iterations - done)
        return done, self.search.calls - before

    def at_root(self, role: Role) -> Root:
        """Tell of the moves of a role at the root."""
        node = Node(memoryview(self._nodes)[self.search.root * Node.size :])
        edges = np.frombuffer(self._edges, _EDGE, node.edges, node.first * Edge.size)
        chosen = np.flatnonzero((edges["role"] == role) & (edges["legal"] == 1))
        edges = edges[chosen]
        visits = edges["visits"]
        values = np.where(visits > 0, edges["total"] / np.maximum(visits, 1), 0.5)
        proofs = np.full(len(values), UNKNOWN)
        if self.search.solve:
            proofs = np.frombuffer(self._extras, _EXTRA, node.edges, node.first * Extra.size)["proof"][chosen]
            values = np.where(proofs == UNKNOWN, values, proofs)
        return Root(edges["move"], visits, values, proofs)

    def line(self, role: Role, move: Move) -> tuple[tuple[Role, Move], ...]:
        """Follow the most visited moves from the root, as long as one role moves at a time; a move of a role first."""
        out = bytearray(Step.size * _LINE)
        count = follow(self._nodes, self._edges, self.search.root, role, move, out)
        steps = (Step(memoryview(out)[k * Step.size :]) for k in range(count))
        return tuple((step.role, step.move) for step in steps)

    @property
    def proven(self) -> list[float] | None:
        """What the root is worth to each role, if that is proved."""
        if not self._solved:
            return None
        roles = self.bridge.table.roles
        return list(self._proofs[self.search.root * roles : (self.search.root + 1) * roles])

    @property
    def _solved(self) -> bool:
        return bool(Node(memoryview(self._nodes)[self.search.root * Node.size :]).proved)

    def _followed(self, place: int) -> list[tuple[Role, Move, int]]:
        """List the edges of a node that lead to another: role, move and node."""
        node = Node(memoryview(self._nodes)[place * Node.size :])
        edges = np.frombuffer(self._edges, _EDGE, node.edges, node.first * Edge.size)
        edges = edges[edges["child"] >= 0]
        return list(zip(edges["role"].tolist(), edges["move"].tolist(), edges["child"].tolist(), strict=True))

    def _find(self, block: bytes, calls: int, end: float) -> tuple[int, int]:
        """Look for a state in the tree, a few moves below the root: its node or -1, and the forward calls it took."""
        unit = getattr(self.bridge, "unit", None)  # blocks of games that have none do not last from call to call
        if self.search.open_loop or self.search.together or not self.search.nodes or unit is None:
            return -1, 0
        if block == self._root:
            return self.search.root, 0
        used, level = 0, [(self.search.root, self._root)]
        while level and used < calls:
            below = []
            for place, above in level:
                for role, move, child in self._followed(place):
                    if used >= calls:
                        break
                    if perf_counter() > end:
                        return -1, used
                    state = bytearray(above)
                    joint = array("Q", bytes(8 * self.bridge.table.roles))
                    joint[role] = move
                    unit.call("apply", state, joint, self.rng)
                    used += 1
                    if state == block:
                        return child, used
                    below.append((child, bytes(state)))
            level = below
        return -1, used

    def _forget(self) -> None:
        """Drop what was learnt beside the tree."""
        learns, notes = self.parts.learn is not None, self.parts.learn is learn_below
        self.search.learnt = 0
        self.search.noted = 1
        self.ledger = bytearray(Credit.size * (_CREDITS if learns else 1))
        if not notes or not self._diary:
            self._diary = bytearray(8 * (_DIARY if notes else 1))  # what is in it is not read before it is written

    def _clear(self) -> None:
        self._actions = actions_of(self.game, tells=self.parts.playout is random_trail)
        search = self.search
        search.nodes = search.edges = search.iterations = search.calls = search.full = 0
        search.root = search.deepest = search.played = 0
        self._pairs = bytearray(len(self._pairs))

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            if self._playouts is not None and self.search.nodes:
                return self._batches(iterations)
            return self.kernels.search(
                self.bridge.table, self._root, self._state, self._spare, self._nodes, self._edges, self._extras, self._pairs,
                self._proofs, self._path, self._trail, self.search, self.parameters, self.ledger, self._diary,
                self.judging, self._actions, self._moves, self._joint, self._values, self._sums, self.rng, iterations,
            )  # fmt: skip

    def _batches(self, iterations: int) -> int:
        """Run iterations whose playouts are played by the game, many at once."""
        assert self._playouts is not None
        search, table, roles = self.search, self.bridge.table, self.bridge.table.roles
        done = 0
        while done < iterations and search.calls < search.call_limit and not self._solved:
            ready = self.kernels.descend(
                table, self._root, self._state, self._spare, self._nodes, self._edges, self._extras, self._pairs, self._path,
                self._trail, search, self.parameters, self.ledger, self._diary, self.judging, self._moves, self._joint,
                self._values, self.rng,
            )  # fmt: skip
            if not ready:
                break
            place, left = search.place, search.call_limit - search.calls
            if place >= 0 and Node(memoryview(self._nodes)[place * Node.size :]).proved:
                self._values = self._proofs[place * roles : (place + 1) * roles]
            else:
                count = max(1, min(search.leaf, left))
                state = self.game.state(bytes(self._state))  # type: ignore[attr-defined]
                if search.solve and place >= 0 and state.over:
                    Node(memoryview(self._nodes)[place * Node.size :]).expanded = 1
                limit = min(search.playout_limit, left // count)
                worth, plies = self._playouts(state, count, self.rng, limit=limit)
                self._values = array("d", worth)
                search.calls += plies
            self.kernels.backup(
                table, self._nodes, self._edges, self._extras, self._proofs, self._path, self._trail, search, self.parameters,
                self.ledger, self._diary, self._values,
            )  # fmt: skip
            done += 1
        search.iterations += done
        return done

    def _grow(self) -> None:
        nodes = self.search.nodes
        if nodes * Node.size >= len(self._nodes):
            self._nodes += bytes(len(self._nodes))
            self._proofs.frombytes(bytes(8 * len(self._proofs)))
        if self.search.full == 1:
            self._edges += bytes(len(self._edges))
            self._extras += bytes(len(self._extras))
        if self.search.full == 2:
            old, self.ledger = self.ledger, bytearray(2 * len(self.ledger))
            fade(old, self.ledger, 1.0, 0.0)
        if self.search.full == 3:
            self._diary += bytes(len(self._diary))
        self.search.full = 0
        if self._pairs and 2 * nodes * Pair.size >= len(self._pairs):
            old, self._pairs = self._pairs, bytearray(2 * len(self._pairs))
            rehash(old, self._pairs)
