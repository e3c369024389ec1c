"""The tree search that tree-searching agents share; how to select and how to play out are parts passed in.

A node stands for a sequence of joint moves. With chance the tree is open-loop: every iteration plays from
the root anew, and a node's edges are the moves that were legal on any visit. Where several roles move at once
each selects on its own edges (decoupled selection), and the child is found by the joint choice.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache

from ludarium.agents.support import blaming
from ludarium.core import Game, Move, Rng, Role, State
from ludarium.kernel import Kernel, Record, Stream, Table, bridge, copy, f64, i32, i64, kernel, u8, u64, view

_DEPTH = 4096  # plies; below that depth an iteration only plays out


class Node(Record):
    """A place in the tree; `edges` from `first` on lead out of it, with room for `room`."""

    acting: i64
    first: i64
    edges: i32
    room: i32
    visits: i32
    expanded: i32


class Edge(Record):
    """A move of a role, and what came of it for that role."""

    move: u64
    total: f64
    visits: i32
    child: i32
    role: i32
    legal: i32


class Search(Record):
    """The counters of a search, and its settings."""

    nodes: i64
    edges: i64
    max_nodes: i64
    iterations: i64
    calls: i64
    call_limit: i64
    playout_limit: i64
    open_loop: i64
    together: i64
    full: i64


class Pair(Record):
    """A child under its parent and joint choice."""

    key: u64
    child: i64


@kernel
def random_playout(
    table: Table, state: view[u8], search: Search, parameters: view[f64], memory: view[u8], rng: Stream
) -> i64:
    """Play uniformly random moves."""
    return i64(table.playout(state, rng, min(search.playout_limit, search.call_limit - search.calls)))


@kernel
def new_node(nodes: view[Node], search: Search) -> i64:
    """Take a node from the pool."""
    place = search.nodes
    node = nodes[place]
    node.acting = 0
    node.first = 0
    node.edges = 0
    node.room = 0
    node.visits = 0
    node.expanded = 0
    search.nodes += 1
    return place


@kernel
def add_edge(edges: view[Edge], node: Node, search: Search, role: i64, move: u64) -> None:
    """Append an edge to a node, moving its edges to the end of the pool if they need more room."""
    if node.edges == node.room:
        room = max(4, 2 * node.room)
        at_end = node.first + node.room == search.edges
        first = node.first if at_end else search.edges
        if first + room > len(edges):
            search.full = 1
            return
        if not at_end:
            for k in range(node.edges):
                copy(edges[first + k], edges[node.first + k])
        node.first = first
        node.room = room
        search.edges = first + room
    edge = edges[node.first + node.edges]
    edge.move = move
    edge.total = 0.0
    edge.visits = 0
    edge.child = -1
    edge.role = role
    edge.legal = 1
    node.edges += 1


@kernel
def update_edges(
    table: Table, state: view[u8], node: Node, edges: view[Edge], search: Search, moves: view[u64]
) -> None:
    """Give a node an edge per move that is legal now, and mark which of its edges are."""
    node.acting = table.movers(state)
    known = node.edges
    if known == 0:
        node.first = search.edges
    for k in range(known):
        edges[node.first + k].legal = 0
    for role in range(table.roles):
        if (node.acting >> role) & 1 == 1:
            count = table.legal(state, role, moves)
            assert count > 0, "a mover has no legal move"
            guess = 0
            for k in range(count):
                found = -1
                for step in range(known):
                    place = (guess + step) % known
                    if edges[node.first + place].move == moves[k] and edges[node.first + place].role == role:
                        found = place
                        break
                if found >= 0:
                    edges[node.first + found].legal = 1
                    guess = found + 1
                else:
                    add_edge(edges, node, search, role, moves[k])
    if node.first + node.room == search.edges:
        node.room = node.edges
        search.edges = node.first + node.edges
    node.expanded = 1 - search.full


@kernel
def child_of(pairs: view[Pair], key: u64) -> i64:
    """Find the place of a key in the hash table: its own, or an empty one (key 0)."""
    mask = len(pairs) - 1
    place = i64(key >> 1) & mask
    while pairs[place].key != key and pairs[place].key != 0:
        place = (place + 1) & mask
    return place


@kernel
def rehash(old: view[Pair], new: view[Pair]) -> None:
    """Enter the children of one hash table into another."""
    for k in range(len(old)):
        if old[k].key != 0:
            copy(new[child_of(new, old[k].key)], old[k])


@cache
def tree_search(select: Kernel[int], playout: Kernel[int] = random_playout) -> Kernel[int]:
    """Make the search kernel from its parts.

    `select(node, edges, role, parameters, memory, rng) -> place` chooses among the edges of a role that are
    legal now; `playout(table, state, search, parameters, memory, rng) -> plies` plays a state to its end, or
    as far as it may.
    """

    @kernel
    def search_tree(
        table: Table,
        root: view[u8],
        state: view[u8],
        nodes: view[Node],
        edges: view[Edge],
        pairs: view[Pair],
        path: view[i64],
        search: Search,
        parameters: view[f64],
        memory: view[u8],
        moves: view[u64],
        joint: view[u64],
        values: view[f64],
        rng: Stream,
        iterations: i64,
    ) -> i64:
        """Run iterations until the count, the forward calls or the pools run out; say how many were done."""
        done = 0
        roles = table.roles
        if search.nodes == 0:
            new_node(nodes, search)
        while done < iterations and search.calls < search.call_limit:
            more = search.nodes < search.max_nodes
            if search.full == 1 or (more and search.nodes >= len(nodes)):
                break
            if more and search.together == 1 and 2 * search.nodes >= len(pairs):
                break
            copy(state, root)
            place = 0
            steps = 0
            while True:
                node = nodes[place]
                if node.expanded == 0 or search.open_loop == 1:
                    if node.visits == 0 and place != 0:
                        break
                    update_edges(table, state, node, edges, search, moves)
                last = node.acting == 0 or search.full == 1
                if last or search.calls >= search.call_limit or steps + roles + 1 > len(path):
                    break
                path[steps] = -1 - place
                steps += 1
                key = u64(place + 1) * 0x9E3779B97F4A7C15
                chosen = 0
                for role in range(roles):
                    joint[role] = 0
                    if (node.acting >> role) & 1 == 1:
                        out = edges[node.first : node.first + node.edges]
                        chosen = node.first + select(node, out, role, parameters, memory, rng)
                        joint[role] = edges[chosen].move
                        path[steps] = chosen
                        steps += 1
                        key = (key ^ u64(chosen - node.first + 1)) * 0xD6E8FEB86659FD93
                        key ^= key >> 32
                table.apply(state, joint, rng)
                search.calls += 1
                alone = node.acting & (node.acting - 1) == 0
                slot = 0
                if alone:
                    place = edges[chosen].child
                else:
                    assert search.together == 1, "it says turn_taking, but several roles move at once"
                    key |= 1
                    slot = child_of(pairs, key)
                    place = pairs[slot].child if pairs[slot].key == key else -1
                if place < 0:
                    if search.nodes >= search.max_nodes:
                        break
                    place = new_node(nodes, search)
                    if alone:
                        edges[chosen].child = place
                    else:
                        pairs[slot].key = key
                        pairs[slot].child = place
            search.calls += playout(table, state, search, parameters, memory, rng)
            table.utilities(state, values)
            if place >= 0:
                nodes[place].visits += 1
            for k in range(steps):
                if path[k] < 0:
                    nodes[-1 - path[k]].visits += 1
                else:
                    edge = edges[path[k]]
                    edge.visits += 1
                    edge.total += values[edge.role]
            done += 1
        search.iterations += done
        return done

    return search_tree


@dataclass(frozen=True)
class Child:
    """A move at the root: how often it was tried, and its average for the role that made it."""

    move: Move
    visits: int
    value: float


class Tree:
    """The memory of a search from one state; it grows with the tree, up to `max_nodes`."""

    def __init__(
        self,
        game: Game,
        search: Kernel[int],
        rng: Rng,
        *,
        parameters: list[float],
        playout_limit: int,
        max_nodes: int,
        memory: int = 8,
    ) -> None:
        self.game, self.kernel, self.rng = game, search, rng
        self.bridge = bridge(game)
        table = self.bridge.table
        self.search = Search()
        self.search.max_nodes = max_nodes
        self.search.playout_limit = playout_limit
        self.search.open_loop = 0 if game.traits.deterministic else 1
        self.search.together = 0 if game.traits.turn_taking else 1
        self.parameters = array("d", parameters)
        self.memory = bytearray(memory)
        self._state = bytearray(table.state_size)
        self._moves, self._joint = array("Q", bytes(8 * table.max_moves)), array("Q", bytes(8 * table.roles))
        self._values = array("d", bytes(8 * table.roles))
        self._path = array("q", bytes(8 * _DEPTH * (table.roles + 1)))
        self._root = bytes(table.state_size)
        self._clear()
        self._slice(0)  # what is compiled now is not on the clock of the first move

    def reset(self, state: State) -> None:
        """Forget everything and start from a state."""
        self._root = self.bridge.block(state)
        self._clear()

    def _clear(self) -> None:
        self.search.nodes = self.search.edges = self.search.iterations = self.search.calls = self.search.full = 0
        table = self.bridge.table
        self._nodes = bytearray(Node.size * 256)
        # The edges of the root always fit, so that every iteration counts for one of them.
        self._edges = bytearray(Edge.size * max(1024, 4 * table.max_moves * table.roles))
        self._pairs = bytearray(Pair.size * 1024 * self.search.together)

    def run(self, iterations: int, calls: int) -> tuple[int, int]:
        """Search some more; answers the iterations and forward calls that were used."""
        before = self.search.calls
        self.search.call_limit = before + calls
        done = self._slice(iterations)
        while done < iterations and self.search.calls < self.search.call_limit:
            self._grow()
            done += self._slice(iterations - done)
        return done, self.search.calls - before

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            return self.kernel(
                self.bridge.table, self._root, self._state, self._nodes, self._edges, self._pairs, self._path,
                self.search, self.parameters, self.memory, self._moves, self._joint, self._values,
                self.rng, iterations,
            )  # fmt: skip

    def _grow(self) -> None:
        nodes = self.search.nodes
        if nodes * Node.size >= len(self._nodes):
            self._nodes += bytes(len(self._nodes))
        if self.search.full:
            self.search.full = 0
            self._edges += bytes(len(self._edges))
        if self.search.together and 2 * nodes * Pair.size >= len(self._pairs):
            old, self._pairs = self._pairs, bytearray(2 * len(self._pairs))
            rehash(old, self._pairs)

    def children(self, role: Role) -> list[Child]:
        """List the moves of a role at the root."""
        root = Node(self._nodes)
        found = []
        for k in range(root.first, root.first + root.edges):
            edge = Edge(memoryview(self._edges)[k * Edge.size :])
            if edge.role == role and edge.legal:
                value = edge.total / edge.visits if edge.visits else 0.5
                found.append(Child(edge.move, edge.visits, value))
        return found
