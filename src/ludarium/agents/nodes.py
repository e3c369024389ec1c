"""What a search tree is made of: nodes, edges and what they remember, in pools that grow; and what is proved of them."""

from __future__ import annotations

from ludarium.kernel import Record, Table, copy, f64, i32, i64, kernel, u8, u64, view

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
    expanded: i32
    proved: i32
    best: i64
    """The edge whose proof is best for the mover, or -1."""
    summed: i32
    """Whether the learning part keeps sums for this node, and no longer notes."""
    notes: i64
    """Where the learning part keeps its sums or its last note about this node, if any."""


class Edge(Record):
    """A move of a role, and what came of it for that role."""

    move: u64
    total: f64
    visits: i32
    child: i32
    role: i32
    legal: i32


class Extra(Record):
    """What only some searches know of an edge; theirs are `wide`."""

    squares: f64
    proof: f64
    prior: f64
    number: i64
    """What the learning part calls the move; -1 if it has not met it."""


class Search(Record):
    """The counters of a search, and its settings."""

    root: i64
    nodes: i64
    edges: i64
    max_nodes: i64
    iterations: i64
    calls: i64
    call_limit: i64
    reserve: i64
    """The most forward calls that judging a state can take."""
    playout_limit: i64
    open_loop: i64
    together: i64
    full: i64
    transpose: i64
    solve: i64
    wide: i64
    leaf: i64
    """Playouts from every new node."""
    place: i64
    """Where a descent ended: a node, or -1."""
    steps: i64
    plies: i64
    deepest: i64
    played: i64
    """How many moves the trail tells of."""
    learnt: i64
    """How many keys the learning part has in its memory."""
    noted: i64
    """How many words of the diary are written."""
    reference: i64
    """A node that the selection part wants to remember on its way down."""


class Pair(Record):
    """A child under its parent and joint choice, or under the hash of its state."""

    key: u64
    child: i64


class Step(Record):
    """A move that was played in an iteration, in the tree or below it, and the two mixed into a key."""

    move: u64
    key: u64
    role: i64


@kernel
def move_key(role: i64, move: u64) -> u64:
    """Mix a role and a move; never 0."""
    key = (move ^ (u64(role + 1) * 0x9E3779B97F4A7C15)) * 0xD6E8FEB86659FD93
    return (key ^ (key >> 32)) | 1


@kernel
def record_step(search: Search, trail: view[Step], role: i64, move: u64) -> None:
    """Add a move to the trail, as long as there is room."""
    if search.played < len(trail):
        step = trail[search.played]
        step.move = move
        step.role = role
        step.key = move_key(role, move)
        search.played += 1


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
    node.proved = 0
    node.best = -1
    node.summed = 0
    node.notes = 0
    search.nodes += 1
    return place


@kernel
def add_edge(edges: view[Edge], extras: view[Extra], node: Node, search: Search, role: i64, move: u64) -> None:
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
                if search.wide == 1:
                    copy(extras[first + k], extras[node.first + k])
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
    if search.wide == 1:
        extra = extras[node.first + node.edges]
        extra.squares = 0.0
        extra.proof = UNKNOWN
        extra.prior = 0.5
        extra.number = -1
    node.edges += 1


@kernel
def update_edges(
    table: Table,
    state: view[u8],
    node: Node,
    edges: view[Edge],
    extras: view[Extra],
    search: Search,
    moves: view[u64],
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
                    add_edge(edges, extras, node, search, role, moves[k])
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


@kernel
def follow(nodes: view[Node], edges: view[Edge], place: i64, role: i64, move: u64, out: view[Step]) -> i64:
    """List a move of a role and then the most visited ones, as long as one role moves at a time; say how many."""
    count = 0
    while place >= 0 and count < len(out):
        node = nodes[place]
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
def prove_end(table: Table, node: Node, place: i64, values: view[f64], proofs: view[f64]) -> None:
    """Note that a game ends in a node, and how."""
    node.proved = 1
    for role in range(table.roles):
        proofs[place * table.roles + role] = values[role]


@kernel
def prove_parent(
    table: Table,
    nodes: view[Node],
    edges: view[Edge],
    extras: view[Extra],
    proofs: view[f64],
    place: i64,
    used: i64,
) -> bool:
    """Say on an edge what is proved about its child, and prove the node if that is enough."""
    roles = table.roles
    node = nodes[place]
    edge = edges[used]
    proof = proofs[edge.child * roles + edge.role]
    extras[used].proof = proof
    if node.best < 0 or proof > extras[node.best].proof:
        node.best = used
    if proof < 1.0:
        for k in range(node.first, node.first + node.edges):
            if extras[k].proof == UNKNOWN:
                return False
    node.proved = 1
    for role in range(roles):
        proofs[place * roles + role] = proofs[edges[node.best].child * roles + role]
    return True
