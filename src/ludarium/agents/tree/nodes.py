"""What a search tree is made of: nodes, edges and what they remember, in pools that grow; and what is proved of them."""

from __future__ import annotations

from ludarium.agents.tree.play import Play, TrailMove
from ludarium.kernel import Bundle, Record, Table, copy, f64, i32, i64, kernel, u8, u64, view

DEPTH = 4096
"""Plies; below that depth an iteration only plays out."""

UNKNOWN = -1.0
"""The proof of an edge about which nothing is proved."""


class Node(Record):
    """A place in the tree; `edges` from `first` on lead out of it, with room for `room`."""

    acting: i64
    first: i64
    edges: i32
    room: i32
    visits: i32
    expanded: bool
    proved: bool
    summed: bool
    """Whether the learning part keeps sums for this node, and no longer notes."""
    best: i64
    """The edge whose proof is best for the mover, or -1."""
    notes: i64
    """Where the learning part keeps its sums or its last note about this node, if any."""


class Edge(Record):
    """A move of a role, and what came of it for that role."""

    move: u64
    total: f64
    visits: i32
    child: i32
    role: i32
    legal: bool


class Extra(Record):
    """What only some searches know of an edge; theirs are `wide`."""

    squares: f64
    proof: f64
    prior: f64
    number: i64
    """What the learning part calls the move; -1 if it has not met it."""


class Pair(Record):
    """A child under its parent and joint choice, or under the hash of its state."""

    key: u64
    child: i64


class Tree(Bundle):
    """A tree, what is learnt beside it, and the iteration that makes it grow."""

    play: Play
    root: view[u8]
    """The state that the search begins in."""
    nodes: view[Node]
    edges: view[Edge]
    extras: view[Extra]
    pairs: view[Pair]
    proofs: view[f64]
    """Per node and role: what is proved."""
    path: view[i64]
    """The edges of a descent, and -1 less the nodes that they lead out of."""
    sums: view[f64]
    diary: view[u64]
    """Iterations, notes and sums, for the learning part that wants them."""
    diary_values: view[f64]
    """The same memory as `diary`."""
    judging: Bundle
    top: i64
    """The node of the root."""
    node_count: i64
    edge_count: i64
    max_nodes: i64
    iterations: i64
    leaf: i64
    """Playouts from every new node."""
    place: i64
    """Where a descent ended: a node, or -1."""
    steps: i64
    deepest: i64
    diary_end: i64
    reference: i64
    """A node that the selection part wants to remember on its way down."""
    open_loop: bool
    together: bool
    """Whether several roles may move at once."""
    transpose: bool
    solve: bool
    wide: bool
    edges_full: bool
    diary_full: bool

    @kernel
    def full(self: Tree) -> bool:
        """Whether some pool has to grow before the search goes on."""
        return self.edges_full or self.diary_full or self.play.ledger_full


@kernel
def new_node(tree: Tree) -> i64:
    """Take a node from the pool."""
    place = tree.node_count
    node = tree.nodes[place]
    node.acting = 0
    node.first = 0
    node.edges = 0
    node.room = 0
    node.visits = 0
    node.expanded = False
    node.proved = False
    node.best = -1
    node.summed = False
    node.notes = 0
    tree.node_count += 1
    return place


@kernel
def add_edge(tree: Tree, node: Node, role: i64, move: u64) -> None:
    """Append an edge to a node, moving its edges to the end of the pool if they need more room."""
    edges = tree.edges
    extras = tree.extras
    if node.edges == node.room:
        room = max(4, 2 * node.room)
        at_end = node.first + node.room == tree.edge_count
        first = node.first if at_end else tree.edge_count
        if first + room > len(edges):
            tree.edges_full = True
            return
        if not at_end:
            for k in range(node.edges):
                copy(edges[first + k], edges[node.first + k])
                if tree.wide:
                    copy(extras[first + k], extras[node.first + k])
        node.first = first
        node.room = room
        tree.edge_count = first + room
    edge = edges[node.first + node.edges]
    edge.move = move
    edge.total = 0.0
    edge.visits = 0
    edge.child = -1
    edge.role = role
    edge.legal = True
    if tree.wide:
        extra = extras[node.first + node.edges]
        extra.squares = 0.0
        extra.proof = UNKNOWN
        extra.prior = 0.5
        extra.number = -1
    node.edges += 1


@kernel
def update_edges(table: Table, tree: Tree, node: Node) -> None:
    """Give a node an edge per move that is legal in the state at hand, and mark which of its edges are."""
    state = tree.play.state
    moves = tree.play.moves
    edges = tree.edges
    node.acting = table.movers(state)
    known = node.edges
    if known == 0:
        node.first = tree.edge_count
    for k in range(known):
        edges[node.first + k].legal = False
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
                    edges[node.first + found].legal = True
                    guess = found + 1
                else:
                    add_edge(tree, node, role, moves[k])
    if node.first + node.room == tree.edge_count:
        node.room = node.edges
        tree.edge_count = node.first + node.edges
    node.expanded = not tree.edges_full


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


@kernel
def follow(tree: Tree, role: i64, move: u64, out: view[TrailMove]) -> i64:
    """List a move of a role and then the most visited ones, as long as one role moves at a time; say how many."""
    place = tree.top
    edges = tree.edges
    count = 0
    while place >= 0 and count < len(out):
        node = tree.nodes[place]
        chosen = -1
        for k in range(node.first, node.first + node.edges):
            edge = edges[k]
            if edge.visits > 0 and (count > 0 or (edge.role == role and edge.move == move)):
                if chosen < 0 or edge.visits > edges[chosen].visits:
                    chosen = k
        if chosen < 0 or (count > 0 and node.acting & (node.acting - 1) != 0):
            break
        out[count].role = edges[chosen].role
        out[count].move = edges[chosen].move
        place = edges[chosen].child if node.acting & (node.acting - 1) == 0 else -1
        count += 1
    return count


@kernel
def on_path(path: view[i64], steps: i64, place: i64) -> bool:
    """Whether a descent has come through a node."""
    for k in range(steps):
        if path[k] == -1 - place:
            return True
    return False


@kernel
def prove_end(table: Table, tree: Tree, place: i64) -> None:
    """Note that a game ends in a node, and how."""
    tree.nodes[place].proved = True
    for role in range(table.roles):
        tree.proofs[place * table.roles + role] = tree.play.values[role]


@kernel
def prove_parent(table: Table, tree: Tree, place: i64, used: i64) -> bool:
    """Say on an edge what is proved about its child, and prove the node if that is enough."""
    roles = table.roles
    node = tree.nodes[place]
    edge = tree.edges[used]
    extras = tree.extras
    proofs = tree.proofs
    proof = proofs[edge.child * roles + edge.role]
    extras[used].proof = proof
    if node.best < 0 or proof > extras[node.best].proof:
        node.best = used
    if proof < 1.0:
        for k in range(node.first, node.first + node.edges):
            if extras[k].proof == UNKNOWN:
                return False
    node.proved = True
    for role in range(roles):
        proofs[place * roles + role] = proofs[tree.edges[node.best].child * roles + role]
    return True
