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
from ludarium.agents.nodes import (
    Edge,
    Extra,
    Node,
    Pair,
    Search,
    Step,
    child_of,
    new_node,
    on_path,
    prove_end,
    prove_parent,
    record_step,
    update_edges,
)
from ludarium.evaluate.judge import result
from ludarium.kernel import Kernel, Stream, Table, copy, f64, i64, kernel, u8, u64, view


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
