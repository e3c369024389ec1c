"""The tree search that tree-searching agents share; how to select, to play out and to learn are parts passed in.

A node stands for a sequence of joint moves, or for a state where transpositions are joined. With chance the tree is
open-loop: every iteration plays from the root anew, and a node's edges are the moves that were legal on any visit.
Where several roles move at once each selects on its own edges (decoupled selection), and the child is found by the
joint choice. With the solver, what is proved about a node goes up the tree: a role that can move to a sure win has
one, and a node whose children are all proved is worth the best of them to its mover. A move that is proved is not tried
again, and a mover who tried a worse one counts as having made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ludarium.agents.actions import Actions
from ludarium.evaluate.judge import result
from ludarium.kernel import Kernel, Record, Stream, Table, copy, f64, i32, i64, kernel, u8, u64, view

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


@dataclass(frozen=True)
class Parts:
    """What a tree search is made of.

    - `select(search, place, nodes, edges, extras, role, parameters, memory, diary, rng) -> edge` among those legal now;
    - `playout(table, actions, state, search, trail, moves, joint, parameters, memory, rng) -> plies` plays a state to its end,
      or as far as it may;
    - `judge(table, state, values, judging, rng) -> calls` says what the end of a playout is worth to each role;
    - `learn(search, nodes, path, trail, values, parameters, memory, diary)` takes in what an iteration has shown;
    - `foresee(table, state, spare, node, edges, extras, search, joint, values, judging, rng)` judges moves that are new.

    A trail of moves is kept if `record` says so. What is learnt `fades` from move to move, or belongs to the tree.
    Parts that look at extras are `wide`.
    """

    select: Kernel[int]
    playout: Kernel[int]
    judge: Kernel[int] = result
    learn: Kernel[None] | None = None
    foresee: Kernel[None] | None = None
    record: bool = False
    fades: bool = True
    wide: bool = False


@kernel
def learn_nothing(
    search: Search,
    nodes: view[Node],
    path: view[i64],
    trail: view[Step],
    values: view[f64],
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> None:
    """Forget what an iteration has shown beyond the tree."""
    return


@kernel
def foresee_nothing(
    table: Table,
    state: view[u8],
    spare: view[u8],
    node: Node,
    edges: view[Edge],
    extras: view[Extra],
    search: Search,
    joint: view[u64],
    values: view[f64],
    judging: view[u8],
    rng: Stream,
) -> None:
    """Let new moves be equal."""
    return


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


@dataclass(frozen=True)
class Kernels:
    """A search as one kernel, and its first and last thirds for searches that play out elsewhere."""

    search: Kernel[int]
    descend: Kernel[int]
    backup: Kernel[None]


@cache
def tree_search(parts: Parts) -> Kernels:
    """Make the kernels of a search from its parts."""
    select, playout, judge, record = parts.select, parts.playout, parts.judge, int(parts.record)
    learn, foresee = parts.learn or learn_nothing, parts.foresee or foresee_nothing
    foresees = int(parts.foresee is not None)

    @kernel
    def descend(
        table: Table,
        root: view[u8],
        state: view[u8],
        spare: view[u8],
        nodes: view[Node],
        edges: view[Edge],
        extras: view[Extra],
        pairs: view[Pair],
        path: view[i64],
        trail: view[Step],
        search: Search,
        parameters: view[f64],
        memory: view[u8],
        diary: view[u8],
        judging: view[u8],
        moves: view[u64],
        joint: view[u64],
        values: view[f64],
        rng: Stream,
    ) -> i64:
        """Go down the tree to where it ends, and add a node there; 0 if the pools have no room for that."""
        roles = table.roles
        more = search.nodes < search.max_nodes
        if search.full != 0 or (more and search.nodes >= len(nodes)):
            return 0
        if more and search.together + search.transpose > 0 and 2 * search.nodes >= len(pairs):
            return 0
        copy(state, root)
        place = search.root
        steps = 0
        plies = 0
        if record == 1:
            search.played = 0
        while True:
            node = nodes[place]
            if node.proved == 1:
                break
            if node.expanded == 0 or search.open_loop == 1:
                if node.visits == 0 and place != search.root:
                    break
                fresh = node.expanded == 0
                update_edges(table, state, node, edges, extras, search, moves)
                if foresees == 1 and fresh and node.expanded == 1 and node.acting != 0:
                    out = edges[node.first : node.first + node.edges]
                    known = extras[node.first : node.first + node.edges]
                    foresee(table, state, spare, node, out, known, search, joint, values, judging, rng)
            last = node.acting == 0 or search.full == 1
            if last or search.calls >= search.call_limit or steps + roles + 1 > len(path):
                break
            path[steps] = -1 - place
            steps += 1
            plies += 1
            key = u64(place + 1) * 0x9E3779B97F4A7C15
            chosen = 0
            for role in range(roles):
                joint[role] = 0
                if (node.acting >> role) & 1 == 1:
                    out = edges[node.first : node.first + node.edges]
                    known = extras[search.wide * node.first : search.wide * (node.first + node.edges)]
                    chosen = node.first + select(search, place, nodes, out, known, role, parameters, memory, diary, rng)
                    joint[role] = edges[chosen].move
                    path[steps] = chosen
                    steps += 1
                    key = (key ^ u64(chosen - node.first + 1)) * 0xD6E8FEB86659FD93
                    key ^= key >> 32
                    if record == 1:
                        record_step(search, trail, role, edges[chosen].move)
            table.apply(state, joint, rng)
            search.calls += 1
            alone = node.acting & (node.acting - 1) == 0
            looked_up = not alone or search.transpose == 1
            slot = 0
            place = edges[chosen].child
            if not alone:
                assert search.together == 1, "it says turn_taking, but several roles move at once"
                place = -1
            if looked_up and place < 0:
                if search.transpose == 1:
                    key = table.hash(state)
                key |= 1
                slot = child_of(pairs, key)
                place = pairs[slot].child if pairs[slot].key == key else -1
                if alone and place >= 0:
                    edges[chosen].child = place
            if place < 0:
                if search.nodes >= search.max_nodes:
                    break
                place = new_node(nodes, search)
                if alone:
                    edges[chosen].child = place
                if looked_up:
                    pairs[slot].key = key
                    pairs[slot].child = place
            elif search.transpose == 1 and on_path(path, steps, place):
                place = -1
                break
        search.place = place
        search.steps = steps
        search.plies = plies
        search.deepest = max(search.deepest, plies)
        return 1

    @kernel
    def backup(
        table: Table,
        nodes: view[Node],
        edges: view[Edge],
        extras: view[Extra],
        proofs: view[f64],
        path: view[i64],
        trail: view[Step],
        search: Search,
        parameters: view[f64],
        memory: view[u8],
        diary: view[u8],
        values: view[f64],
    ) -> None:
        """Enter the values of an iteration into the nodes and edges that it came through."""
        place = search.place
        proved = False
        if place >= 0:
            nodes[place].visits += 1
            if search.solve == 1:
                proved = nodes[place].proved == 1
                if not proved and nodes[place].expanded == 1 and nodes[place].acting == 0:
                    prove_end(table, nodes[place], place, values, proofs)
                    proved = True
        for back in range(search.steps):
            k = search.steps - 1 - back
            if path[k] >= 0:
                edge = edges[path[k]]
                value = values[edge.role]
                edge.visits += 1
                edge.total += value
                if search.wide == 1:
                    extras[path[k]].squares += value * value
            else:
                node = nodes[-1 - path[k]]
                node.visits += 1
                if search.solve == 1:
                    if proved:
                        proved = prove_parent(table, nodes, edges, extras, proofs, -1 - path[k], path[k + 1])
                    if node.best >= 0 and extras[node.best].proof > values[edges[node.best].role]:
                        sure = edges[node.best].child * table.roles
                        for role in range(table.roles):
                            values[role] = proofs[sure + role]
        learn(search, nodes, path, trail, values, parameters, memory, diary)

    @kernel
    def assess(
        table: Table, state: view[u8], search: Search, values: view[f64], judging: view[u8], rng: Stream
    ) -> None:
        """Say what the end of a playout is worth; as it stands, where there are too few calls left to judge it."""
        if search.calls + search.reserve > search.call_limit:
            table.utilities(state, values)
        else:
            search.calls += judge(table, state, values, judging, rng)

    @kernel
    def search_tree(
        table: Table,
        root: view[u8],
        state: view[u8],
        spare: view[u8],
        nodes: view[Node],
        edges: view[Edge],
        extras: view[Extra],
        pairs: view[Pair],
        proofs: view[f64],
        path: view[i64],
        trail: view[Step],
        search: Search,
        parameters: view[f64],
        memory: view[u8],
        diary: view[u8],
        judging: view[u8],
        actions: Actions,
        moves: view[u64],
        joint: view[u64],
        values: view[f64],
        sums: view[f64],
        rng: Stream,
        iterations: i64,
    ) -> i64:
        """Run iterations until the count, the forward calls or the pools run out; say how many were done."""
        done = 0
        if search.nodes == 0:
            new_node(nodes, search)
        while done < iterations and search.calls < search.call_limit and nodes[search.root].proved == 0:
            ready = descend(
                table, root, state, spare, nodes, edges, extras, pairs, path, trail, search, parameters, memory,
                diary, judging, moves, joint, values, rng,
            )  # fmt: skip
            if ready == 0:
                break
            if search.place >= 0 and nodes[search.place].proved == 1:
                for role in range(table.roles):
                    values[role] = proofs[search.place * table.roles + role]
            else:
                if search.solve == 1 and search.place >= 0 and table.movers(state) == 0:
                    nodes[search.place].expanded = 1  # a game that ends here need not be visited again to know it
                more = search.leaf - 1
                if more > 0:
                    copy(spare, state)
                    for role in range(table.roles):
                        sums[role] = 0.0
                    while more > 0 and search.calls < search.call_limit:
                        search.calls += playout(
                            table, actions, state, search, trail, moves, joint, parameters, memory, rng
                        )
                        search.calls += judge(table, state, values, judging, rng)
                        for role in range(table.roles):
                            sums[role] += values[role]
                        copy(state, spare)
                        more -= 1
                search.calls += playout(table, actions, state, search, trail, moves, joint, parameters, memory, rng)
                assess(table, state, search, values, judging, rng)
                if search.leaf > 1:
                    for role in range(table.roles):
                        values[role] = (values[role] + sums[role]) / f64(search.leaf - more)
            backup(table, nodes, edges, extras, proofs, path, trail, search, parameters, memory, diary, values)
            done += 1
        search.iterations += done
        return done

    return Kernels(search_tree, descend, backup)
