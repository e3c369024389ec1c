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

from ludarium.agents.tree.nodes import (
    Tree,
    child_of,
    new_node,
    on_path,
    prove_end,
    prove_parent,
    update_edges,
)
from ludarium.evaluate.judge import result
from ludarium.kernel import Kernel, Stream, Table, copy, f64, i64, kernel, u64


@dataclass(frozen=True)
class Parts:
    """What a tree search is made of.

    - `select(tree, place, role, rng) -> edge` chooses among the edges of a node that are legal now;
    - `playout(table, play, rng) -> plies` plays a state to its end, or as far as it may;
    - `judge(table, state, values, judging, rng) -> calls` says what the end of a playout is worth to each role;
    - `learn(tree)` takes in what an iteration has shown;
    - `foresee(table, tree, place, rng)` judges the moves of a node that are new.

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
def learn_nothing(tree: Tree) -> None:
    """Forget what an iteration has shown beyond the tree."""
    return


@kernel
def foresee_nothing(table: Table, tree: Tree, place: i64, rng: Stream) -> None:
    """Let new moves be equal."""
    return


@dataclass(frozen=True)
class Kernels:
    """A search as one kernel, and its first and last thirds for searches that play out elsewhere."""

    search: Kernel[int]
    descend: Kernel[bool]
    backup: Kernel[None]


@cache
def tree_search(parts: Parts) -> Kernels:
    """Make the kernels of a search from its parts."""
    select, playout, judge, record = parts.select, parts.playout, parts.judge, parts.record
    learn, foresee = parts.learn or learn_nothing, parts.foresee or foresee_nothing
    foresees = parts.foresee is not None

    @kernel
    def descend(table: Table, tree: Tree, rng: Stream) -> bool:
        """Go down the tree to where it ends, and add a node there; False if the pools have no room for that."""
        roles = table.roles
        play = tree.play
        edges = tree.edges
        pairs = tree.pairs
        path = tree.path
        joint = play.joint
        more = tree.node_count < tree.max_nodes
        if tree.full() or (more and tree.node_count >= len(tree.nodes)):
            return False
        if more and (tree.together or tree.transpose) and 2 * tree.node_count >= len(pairs):
            return False
        copy(play.state, tree.root)
        place = tree.top
        steps = 0
        plies = 0
        if record:
            play.recorded = 0
        while True:
            node = tree.nodes[place]
            if node.proved:
                break
            if not node.expanded or tree.open_loop:
                if node.visits == 0 and place != tree.top:
                    break
                fresh = not node.expanded
                update_edges(table, tree, node)
                if foresees and fresh and node.expanded and node.acting != 0:
                    foresee(table, tree, place, rng)
            last = node.acting == 0 or tree.edges_full
            if last or play.calls >= play.call_limit or steps + roles + 1 > len(path):
                break
            path[steps] = -1 - place
            steps += 1
            plies += 1
            key = u64(place + 1) * 0x9E3779B97F4A7C15
            chosen = 0
            for role in range(roles):
                joint[role] = 0
                if (node.acting >> role) & 1 == 1:
                    chosen = select(tree, place, role, rng)
                    joint[role] = edges[chosen].move
                    path[steps] = chosen
                    steps += 1
                    key = (key ^ u64(chosen - node.first + 1)) * 0xD6E8FEB86659FD93
                    key ^= key >> 32
                    if record:
                        play.record(role, edges[chosen].move)
            table.apply(play.state, joint, rng)
            play.calls += 1
            alone = node.acting & (node.acting - 1) == 0
            looked_up = not alone or tree.transpose
            slot = 0
            place = edges[chosen].child
            if not alone:
                assert tree.together, "it says turn_taking, but several roles move at once"
                place = -1
            if looked_up and place < 0:
                if tree.transpose:
                    key = table.hash(play.state)
                key |= 1
                slot = child_of(pairs, key)
                place = pairs[slot].child if pairs[slot].key == key else -1
                if alone and place >= 0:
                    edges[chosen].child = place
            if place < 0:
                if tree.node_count >= tree.max_nodes:
                    break
                place = new_node(tree)
                if alone:
                    edges[chosen].child = place
                if looked_up:
                    pairs[slot].key = key
                    pairs[slot].child = place
            elif tree.transpose and on_path(path, steps, place):
                place = -1
                break
        tree.place = place
        tree.steps = steps
        tree.deepest = max(tree.deepest, plies)
        return True

    @kernel
    def backup(table: Table, tree: Tree) -> None:
        """Enter the values of an iteration into the nodes and edges that it came through."""
        nodes = tree.nodes
        edges = tree.edges
        path = tree.path
        values = tree.play.values
        place = tree.place
        proved = False
        if place >= 0:
            nodes[place].visits += 1
            if tree.solve:
                proved = nodes[place].proved
                if not proved and nodes[place].expanded and nodes[place].acting == 0:
                    prove_end(table, tree, place)
                    proved = True
        for back in range(tree.steps):
            k = tree.steps - 1 - back
            if path[k] >= 0:
                edge = edges[path[k]]
                value = values[edge.role]
                edge.visits += 1
                edge.total += value
                if tree.wide:
                    tree.extras[path[k]].squares += value * value
            else:
                node = nodes[-1 - path[k]]
                node.visits += 1
                if tree.solve:
                    if proved:
                        proved = prove_parent(table, tree, -1 - path[k], path[k + 1])
                    if node.best >= 0 and tree.extras[node.best].proof > values[edges[node.best].role]:
                        sure = edges[node.best].child * table.roles
                        for role in range(table.roles):
                            values[role] = tree.proofs[sure + role]
        learn(tree)

    @kernel
    def assess(table: Table, tree: Tree, rng: Stream) -> None:
        """Say what the end of a playout is worth; as it stands, where there are too few calls left to judge it."""
        play = tree.play
        if play.calls + play.reserve > play.call_limit:
            table.utilities(play.state, play.values)
        else:
            play.calls += judge(table, play.state, play.values, tree.judging, rng)

    @kernel
    def play_out(table: Table, tree: Tree, rng: Stream) -> None:
        """Play from the end of a descent, as often as wanted, and average what comes of it."""
        play = tree.play
        values = play.values
        more = tree.leaf - 1
        if more > 0:
            copy(play.spare, play.state)
            for role in range(table.roles):
                tree.sums[role] = 0.0
            while more > 0 and play.calls < play.call_limit:
                play.calls += playout(table, play, rng)
                assess(table, tree, rng)
                for role in range(table.roles):
                    tree.sums[role] += values[role]
                copy(play.state, play.spare)
                more -= 1
        play.calls += playout(table, play, rng)
        assess(table, tree, rng)
        if tree.leaf > 1:
            for role in range(table.roles):
                values[role] = (values[role] + tree.sums[role]) / f64(tree.leaf - more)

    @kernel
    def search_tree(table: Table, tree: Tree, rng: Stream, iterations: i64) -> i64:
        """Run iterations until the count, the forward calls or the pools run out; say how many were done."""
        play = tree.play
        done = 0
        if tree.node_count == 0:
            new_node(tree)
        while done < iterations and play.calls < play.call_limit and not tree.nodes[tree.top].proved:
            if not descend(table, tree, rng):
                break
            if tree.place >= 0 and tree.nodes[tree.place].proved:
                for role in range(table.roles):
                    play.values[role] = tree.proofs[tree.place * table.roles + role]
            else:
                if tree.solve and tree.place >= 0 and table.movers(play.state) == 0:
                    tree.nodes[tree.place].expanded = True  # a game that ends here need not be visited again to know it
                play_out(table, tree, rng)
            backup(table, tree)
            done += 1
        tree.iterations += done
        return done

    return Kernels(search_tree, descend, backup)
