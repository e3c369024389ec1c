"""The search of information-set MCTS: every iteration begins in another state that the role may be in.

A node is an information set: all that a role has seen and done since the search began, mixed into 64 bits. With many
trees every role has nodes of its own and selects there; with one tree all select in the nodes of the role that
searches. An edge knows how often it was available, because not all states of a node allow the same moves. Where several
roles move at once each selects on its own; chance falls anew in every iteration.
"""

from __future__ import annotations

from functools import cache

from ludarium.agents.actions import Actions
from ludarium.agents.credit import learn_moves
from ludarium.agents.nodes import Node as TreeNode
from ludarium.agents.nodes import Search as Trail
from ludarium.agents.nodes import Step, record_step
from ludarium.agents.playouts import mast_greedy, random_playout
from ludarium.agents.tree import learn_nothing
from ludarium.kernel import (
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
    recast,
    sqrt,
    u8,
    u64,
    uniform,
    view,
)
from ludarium.kernel.table import hash_bytes


class Node(Record):
    """An information set under its key, and the first of its edges; a key of 0 is a free place."""

    key: u64
    first: i32
    last: i32


class Edge(Record):
    """A move of a role: what came of it for that role, how often it was tried, and how often it could have been."""

    move: u64
    total: f64
    visits: i32
    available: i32
    role: i32
    next: i32


class Search(Record):
    """The counters of a search, and its settings."""

    root: u64
    c: f64
    role: i64
    many: i64
    open: i64
    nodes: i64
    edges: i64
    max_nodes: i64
    calls: i64
    call_limit: i64
    playout_limit: i64
    worlds: i64
    next: i64
    enough: i64
    due: i64
    full: i64
    depth: i64


@kernel
def mixed(key: u64, word: u64) -> u64:
    """Mix a word into a key."""
    key = (key ^ word) * 0xD6E8FEB86659FD93
    return key ^ (key >> 32)


@kernel
def sight(table: Table, state: view[u8], role: i64, search: Search, shown: buffer[u8]) -> u64:
    """What a role sees in a state, as a number."""
    if search.open == 1:
        return table.hash(state)
    count = table.observe(state, role, shown)
    return hash_bytes(shown[0:count])


@kernel
def place_of(nodes: view[Node], key: u64) -> i64:
    """Find the place of a key: its own, or a free one."""
    mask = len(nodes) - 1
    place = i64(key >> 1) & mask
    while nodes[place].key != key and nodes[place].key != 0:
        place = (place + 1) & mask
    return place


@kernel
def enter(nodes: view[Node], key: u64, search: Search) -> i64:
    """Give the place of a node, which is made if there is none; -1 if there is no room for it."""
    place = place_of(nodes, key)
    if nodes[place].key == 0:
        if search.nodes >= search.max_nodes:
            return -1
        if 2 * search.nodes >= len(nodes):
            search.full = 1
            return -1
        nodes[place].key = key
        nodes[place].first = -1
        nodes[place].last = -1
        search.nodes += 1
    return place


@kernel
def move_in(old: view[Node], new: view[Node]) -> None:
    """Enter all nodes into a larger table."""
    for k in range(len(old)):
        if old[k].key != 0:
            copy(new[place_of(new, old[k].key)], old[k])


@kernel
def edge_of(node: Node, edges: view[Edge], search: Search, role: i64, move: u64, guess: i64) -> i64:
    """Find the edge of a move, from a guess on and then from the first; made if there is none, -1 without room."""
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
    if search.edges >= len(edges):
        search.full = 1
        return -1
    place = search.edges
    search.edges += 1
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
def select(
    node: Node,
    edges: view[Edge],
    search: Search,
    role: i64,
    moves: view[u64],
    picks: view[i64],
    alone: bool,
    rng: Stream,
) -> i64:
    """Choose among the moves that are legal in this state: one not tried yet, or the best upper confidence bound."""
    count = 0
    guess = i64(node.first)
    for k in range(len(moves)):
        place = edge_of(node, edges, search, role, moves[k], guess)
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
            c = search.c if alone else search.c * 2.0 * uniform(rng)
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
    playout, learn, records = (mast_greedy, learn_moves, 1) if mast else (random_playout, learn_nothing, 0)

    @kernel
    def search_worlds(
        table: Table,
        worlds: view[u8],
        state: view[u8],
        nodes: view[Node],
        edges: view[Edge],
        keys: view[u64],
        path: view[i64],
        picks: view[i64],
        moves: buffer[u64],
        joint: view[u64],
        values: view[f64],
        shown: buffer[u8],
        search: Search,
        actions: Actions,
        played: Trail,
        trail: view[Step],
        parameters: view[f64],
        memory: view[u8],
        rng: Stream,
        iterations: i64,
    ) -> i64:
        """Run iterations in one world after the other until the count, the forward calls or the pools run out; say how many.

        It also stops when all worlds have had their turn and enough forward calls were made: then more worlds are due.
        """
        done = 0
        roles = table.roles
        trees = roles if search.many == 1 else 1
        while (
            done < iterations
            and search.calls < search.call_limit
            and search.full == 0
            and search.due == 0
            and played.full == 0
        ):
            copy(state, worlds[search.next * table.state_size : (search.next + 1) * table.state_size])
            for tree in range(trees):
                viewer = tree if search.many == 1 else search.role
                # Whatever a world looks like, the role that searches takes it for its own: a bad determinizer gets one root, too.
                seen = u64(0) if viewer == search.role else sight(table, state, viewer, search, shown)
                keys[tree] = mixed(u64(viewer + 1), seen) | 1
            search.root = keys[search.role if search.many == 1 else 0]
            enter(nodes, search.root, search)  # before all others, so that it always finds room
            steps = 0
            depth = 0
            played.played = 0
            while True:
                acting = table.movers(state)
                if acting == 0 or search.calls >= search.call_limit or steps + roles > len(path):
                    break
                fresh = False
                alone = acting & (acting - 1) == 0
                for role in range(roles):
                    joint[role] = 0
                    if (acting >> role) & 1 == 1:
                        count = table.legal(state, role, moves)
                        assert count > 0, "a mover has no legal move"
                        place = enter(nodes, keys[role if search.many == 1 else 0], search)
                        chosen = -1
                        if place >= 0:
                            chosen = select(nodes[place], edges, search, role, moves[0:count], picks, alone, rng)
                        if chosen < 0:  # no room: this is as far as the tree goes
                            joint[role] = moves[below(rng, count)]
                            fresh = True
                        else:
                            joint[role] = edges[chosen].move
                            fresh = fresh or edges[chosen].visits == 0
                            path[steps] = chosen
                            steps += 1
                        if records == 1:
                            record_step(played, trail, role, joint[role])
                table.apply(state, joint, rng)
                search.calls += 1
                depth += 1
                if fresh:
                    break
                for tree in range(trees):
                    viewer = tree if search.many == 1 else search.role
                    own = joint[viewer] + 1 if (acting >> viewer) & 1 == 1 else u64(0)
                    keys[tree] = mixed(mixed(keys[tree], own), sight(table, state, viewer, search, shown)) | 1
            search.depth = max(search.depth, depth)
            played.calls = search.calls
            played.call_limit = search.call_limit
            search.calls += playout(table, actions, state, played, trail, moves, joint, parameters, memory, rng)
            table.utilities(state, values)
            learn(played, recast(TreeNode, memory[0:0]), path, trail, values, parameters, memory, memory[0:0])
            for k in range(steps):
                edge = edges[path[k]]
                edge.visits += 1
                edge.total += values[edge.role]
            done += 1
            search.next += 1
            if search.next == search.worlds:
                search.next = 0
                search.due = 1 if search.calls >= search.enough else 0
        return done

    return search_worlds
