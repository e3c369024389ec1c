"""The search of information-set MCTS: every iteration begins in another state that the role may be in.

A node is an information set: all that a role has seen and done since the search began, mixed into 64 bits. With many
trees every role has nodes of its own and selects there; with one tree all select in the nodes of the role that
searches. An edge knows how often it was available, because not all states of a node allow the same moves. Where several
roles move at once each selects on its own; chance falls anew in every iteration.
"""

from __future__ import annotations

from functools import cache

from ludarium.agents.tree.credit import credit_moves
from ludarium.agents.tree.play import Play
from ludarium.agents.tree.playouts import mast_greedy, random_playout
from ludarium.kernel import (
    Bundle,
    Kernel,
    Record,
    Stream,
    Table,
    below,
    buffer,
    copy,
    f64,
    i32,
    i64,
    kernel,
    log,
    sqrt,
    u8,
    u64,
    uniform,
    view,
)
from ludarium.kernel.table import hash_bytes


class SetNode(Record):
    """An information set under its key, and the first of its edges; a key of 0 is a free place."""

    key: u64
    first: i32
    last: i32


class SetEdge(Record):
    """A move of a role: what came of it for that role, how often it was tried, and how often it could have been."""

    move: u64
    total: f64
    visits: i32
    available: i32
    role: i32
    next: i32


class Forest(Bundle):
    """One tree of information sets, or one for each role, and the states that the role may be in."""

    play: Play
    worlds: view[u8]
    nodes: view[SetNode]
    edges: view[SetEdge]
    keys: view[u64]
    """Where each tree is: the information set of its role."""
    path: view[i64]
    picks: view[i64]
    shown: buffer[u8]
    root: u64
    role: i64
    """The role that searches."""
    node_count: i64
    edge_count: i64
    max_nodes: i64
    world_count: i64
    next: i64
    """The world whose turn it is."""
    enough: i64
    """The forward calls after which more worlds are due."""
    depth: i64
    many: bool
    open: bool
    """Whether nothing is hidden."""
    due: bool
    full: bool


@kernel
def mixed(key: u64, word: u64) -> u64:
    """Mix a word into a key."""
    key = (key ^ word) * 0xD6E8FEB86659FD93
    return key ^ (key >> 32)


@kernel
def sight(table: Table, forest: Forest, role: i64) -> u64:
    """What a role sees in the state at hand, as a number."""
    if forest.open:
        return table.hash(forest.play.state)
    count = table.observe(forest.play.state, role, forest.shown)
    return hash_bytes(forest.shown[0:count])


@kernel
def place_of(nodes: view[SetNode], key: u64) -> i64:
    """Find the place of a key: its own, or a free one."""
    mask = len(nodes) - 1
    place = i64(key >> 1) & mask
    while nodes[place].key != key and nodes[place].key != 0:
        place = (place + 1) & mask
    return place


@kernel
def enter(forest: Forest, key: u64) -> i64:
    """Give the place of a node, which is made if there is none; -1 if there is no room for it."""
    nodes = forest.nodes
    place = place_of(nodes, key)
    if nodes[place].key == 0:
        if forest.node_count >= forest.max_nodes:
            return -1
        if 2 * forest.node_count >= len(nodes):
            forest.full = True
            return -1
        nodes[place].key = key
        nodes[place].first = -1
        nodes[place].last = -1
        forest.node_count += 1
    return place


@kernel
def move_in(old: view[SetNode], new: view[SetNode]) -> None:
    """Enter all nodes into a larger table."""
    for k in range(len(old)):
        if old[k].key != 0:
            copy(new[place_of(new, old[k].key)], old[k])


@kernel
def edge_of(forest: Forest, node: SetNode, role: i64, move: u64, guess: i64) -> i64:
    """Find the edge of a move, from a guess on and then from the first; made if there is none, -1 without room."""
    edges = forest.edges
    place = guess
    while place >= 0:
        if edges[place].move == move and edges[place].role == role:
            return place
        place = i64(edges[place].next)
    place = i64(node.first)
    while place >= 0 and place != guess:
        if edges[place].move == move and edges[place].role == role:
            return place
        place = i64(edges[place].next)
    if forest.edge_count >= len(edges):
        forest.full = True
        return -1
    place = forest.edge_count
    forest.edge_count += 1
    edge = edges[place]
    edge.move = move
    edge.total = 0.0
    edge.visits = 0
    edge.available = 0
    edge.role = role
    edge.next = -1
    if node.first < 0:
        node.first = place
    else:
        edges[node.last].next = place
    node.last = place
    return place


@kernel
def select(forest: Forest, node: SetNode, role: i64, legal: i64, alone: bool, rng: Stream) -> i64:
    """Choose among the first moves of the list: one not tried yet, or the best upper confidence bound."""
    edges = forest.edges
    picks = forest.picks
    moves = forest.play.moves
    count = 0
    guess = i64(node.first)
    for k in range(legal):
        place = edge_of(forest, node, role, moves[k], guess)
        if place >= 0:
            edges[place].available += 1
            picks[count] = place
            count += 1
            guess = i64(edges[place].next)
    best = -1.0
    ties = 0
    chosen = -1
    for k in range(count):
        edge = edges[picks[k]]
        score = 1e9
        if edge.visits > 0:
            n = f64(edge.visits)
            # Roles that choose at once must not fall into step, hence the random weight.
            c = forest.play.settings.c if alone else forest.play.settings.c * 2.0 * uniform(rng)
            score = edge.total / n + c * sqrt(log(f64(edge.available)) / n)
        if score > best:
            best = score
            chosen = picks[k]
            ties = 1
        elif score == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = picks[k]
    return chosen


@cache
def worlds_search(*, mast: bool) -> Kernel[int]:
    """Make the search: playouts are random, or by what moves were worth in those before, in whatever world."""
    playout = mast_greedy if mast else random_playout

    @kernel
    def descend(table: Table, forest: Forest, rng: Stream) -> i64:
        """Go down the trees until a move is new; say how many edges the path has."""
        play = forest.play
        state = play.state
        joint = play.joint
        moves = play.moves
        keys = forest.keys
        roles = table.roles
        trees = roles if forest.many else 1
        steps = 0
        depth = 0
        play.recorded = 0
        while True:
            acting = table.movers(state)
            if acting == 0 or play.calls >= play.call_limit or steps + roles > len(forest.path):
                break
            fresh = False
            alone = acting & (acting - 1) == 0
            for role in range(roles):
                joint[role] = 0
                if (acting >> role) & 1 == 1:
                    count = table.legal(state, role, moves)
                    assert count > 0, "a mover has no legal move"
                    place = enter(forest, keys[role if forest.many else 0])
                    chosen = -1
                    if place >= 0:
                        chosen = select(forest, forest.nodes[place], role, count, alone, rng)
                    if chosen < 0:  # no room: this is as far as the tree goes
                        joint[role] = moves[below(rng, count)]
                        fresh = True
                    else:
                        joint[role] = forest.edges[chosen].move
                        fresh = fresh or forest.edges[chosen].visits == 0
                        forest.path[steps] = chosen
                        steps += 1
                    if mast:
                        play.record(role, joint[role])
            table.apply(state, joint, rng)
            play.calls += 1
            depth += 1
            if fresh:
                break
            for tree in range(trees):
                viewer = tree if forest.many else forest.role
                own = joint[viewer] + 1 if (acting >> viewer) & 1 == 1 else u64(0)
                keys[tree] = mixed(mixed(keys[tree], own), sight(table, forest, viewer)) | 1
        forest.depth = max(forest.depth, depth)
        return steps

    @kernel
    def begin(table: Table, forest: Forest) -> None:
        """Go to the next world, and to the root of each tree."""
        size = table.state_size
        copy(forest.play.state, forest.worlds[forest.next * size : (forest.next + 1) * size])
        for tree in range(table.roles if forest.many else 1):
            viewer = tree if forest.many else forest.role
            # Whatever a world looks like, the role that searches takes it for its own: a bad determinizer gets one root, too.
            seen = u64(0) if viewer == forest.role else sight(table, forest, viewer)
            forest.keys[tree] = mixed(u64(viewer + 1), seen) | 1
        forest.root = forest.keys[forest.role if forest.many else 0]
        enter(forest, forest.root)  # before all others, so that it always finds room

    @kernel
    def search_worlds(table: Table, forest: Forest, rng: Stream, iterations: i64) -> i64:
        """Run iterations in one world after the other until the count, the forward calls or the pools run out; say how many.

        It also stops when all worlds have had their turn and enough forward calls were made: then more worlds are due.
        """
        play = forest.play
        done = 0
        while done < iterations and play.calls < play.call_limit:
            if forest.full or forest.due or play.ledger_full:
                break
            begin(table, forest)
            steps = descend(table, forest, rng)
            play.calls += playout(table, play, rng)
            table.utilities(play.state, play.values)
            if mast:
                credit_moves(play)
            for k in range(steps):
                edge = forest.edges[forest.path[k]]
                edge.visits += 1
                edge.total += play.values[edge.role]
            done += 1
            forest.next += 1
            if forest.next == forest.world_count:
                forest.next = 0
                forest.due = play.calls >= forest.enough
        return done

    return search_worlds
