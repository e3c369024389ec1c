"""The tree that widens: own moves only, sampled and never listed."""

from __future__ import annotations

from ludarium.agents.rolling.plans import Planning, judged, play_turn
from ludarium.agents.search.actions import sampled
from ludarium.kernel import Bundle, Record, Stream, Table, below, f64, i32, i64, kernel, log, sqrt, u64, uniform, view

RECOMMENDATIONS = ("max", "robust", "secure")
"""How a tree says what to play: the best average, the most tries, the best lower bound."""

MAX, ROBUST, SECURE = range(len(RECOMMENDATIONS))


class Leaf(Record):
    """An own move below another one; children form a chain from `child` over their `sibling`s."""

    move: u64
    total: f64
    visits: i32
    child: i32
    sibling: i32
    children: i32


class Widening(Bundle):
    """The tree, and how it widens."""

    nodes: view[Leaf]
    path: view[i64]
    c: f64
    epsilon: f64
    expansion: f64
    samples: i64
    count: i64
    """How many nodes there are."""
    max_nodes: i64

    @kernel
    def clear(self: Widening) -> None:
        """Leave nothing but the root."""
        self.count = 0
        self.add(0, -1)

    @kernel
    def add(self: Widening, move: u64, sibling: i64) -> None:
        """Add a node."""
        leaf = self.nodes[self.count]
        leaf.move = move
        leaf.total = 0.0
        leaf.visits = 0
        leaf.child = -1
        leaf.children = 0
        leaf.sibling = sibling
        self.count += 1


@kernel
def widen(table: Table, planning: Planning, tree: Widening, place: i64, rng: Stream) -> i64:
    """Sample actions, add those that are new, and choose one of them; -1 if there is none."""
    stage = planning.stage
    nodes = tree.nodes
    added = 0
    for _ in range(tree.samples):
        if tree.count >= tree.max_nodes:
            break
        move = sampled(table, stage.actions, stage.state, planning.role, stage.moves, rng)
        known = i64(nodes[place].child)
        while known >= 0 and nodes[known].move != move:
            known = nodes[known].sibling
        if known < 0:
            tree.add(move, i64(nodes[place].child))
            nodes[place].child = tree.count - 1
            nodes[place].children += 1
            added += 1
    if added == 0:
        return -1
    chosen = i64(nodes[place].child)
    for _ in range(below(rng, added)):
        chosen = nodes[chosen].sibling
    return chosen


@kernel
def best_child(table: Table, planning: Planning, tree: Widening, place: i64, rng: Stream) -> i64:
    """Choose the child with the best upper confidence bound whose move is legal now, ties at random; -1 if none is."""
    stage = planning.stage
    nodes = tree.nodes
    scale = log(f64(max(1, nodes[place].visits)))
    best = 0.0
    ties = 0
    chosen = -1
    child = i64(nodes[place].child)
    while child >= 0:
        n = f64(nodes[child].visits)
        average = nodes[child].total / n if n > 0.0 else 0.0
        score = average + tree.c * sqrt(scale / (n + tree.epsilon))
        if chosen < 0 or score >= best:
            # What was sampled at the root is legal there.
            move = nodes[child].move
            if place == 0 or stage.actions.fits(table, stage.state, planning.role, move, stage.moves) != 0:
                ties = ties + 1 if chosen >= 0 and score == best else 1
                if ties == 1 or below(rng, ties) == 0:
                    chosen = child
                best = score
        child = nodes[child].sibling
    return chosen


@kernel
def next_node(table: Table, planning: Planning, tree: Widening, place: i64, rng: Stream) -> tuple[i64, bool]:
    """Choose a child of a node, a new one now and then; -1 if there is none. Says whether the descent may go on below it."""
    chosen = -1
    wider = tree.nodes[place].children == 0 or uniform(rng) < tree.expansion
    if wider:
        chosen = widen(table, planning, tree, place, rng)
        if chosen >= 0:
            return chosen, False
    chosen = best_child(table, planning, tree, place, rng)
    if chosen < 0 and not wider:
        return widen(table, planning, tree, place, rng), False
    return chosen, chosen >= 0


@kernel
def grow_wider(table: Table, planning: Planning, tree: Widening, rng: Stream, iterations: i64) -> i64:
    """Run iterations until the count, the forward calls or the pool runs out; say how many were done."""
    stage = planning.stage
    nodes = tree.nodes
    done = 0
    while done < iterations and planning.goes_on():
        if min(tree.count + tree.samples, tree.max_nodes) > len(nodes):
            break
        planning.start()
        place = 0
        steps = 0
        own = 0
        waited = 0
        inside = True
        while True:
            acting = table.movers(stage.state)
            mine = (acting >> planning.role) & 1 == 1
            if acting == 0 or (mine and own == planning.length) or waited >= planning.patience:
                break
            move = u64(0)
            if mine:
                chosen = -1
                if inside:
                    chosen, inside = next_node(table, planning, tree, place, rng)
                if chosen >= 0:
                    move = nodes[chosen].move
                    place = chosen
                    tree.path[steps] = place
                    steps += 1
                else:
                    move = sampled(table, stage.actions, stage.state, planning.role, stage.moves, rng)
            if not play_turn(table, planning, stage.moves[0:0], acting, move, rng):
                planning.cut = True
                break
            own += 1 if mine else 0
            waited = 0 if mine else waited + 1
        value = judged(table, planning, rng)
        # An iteration that the budget ended is not to be compared with others; but if it is the first, it has to do.
        if not planning.cut or nodes[0].visits == 0:
            nodes[0].visits += 1
            for k in range(steps):
                nodes[tree.path[k]].visits += 1
                nodes[tree.path[k]].total += value
        planning.depth = max(planning.depth, planning.plies)
        done += 1
    return done


@kernel
def recommended(tree: Widening, rule: i64, rng: Stream) -> i64:
    """Choose a child of the root by a rule, one of `RECOMMENDATIONS`, ties at random; -1 if there is none."""
    nodes = tree.nodes
    scale = 0.0
    child = i64(nodes[0].child)
    while child >= 0:
        scale += f64(nodes[child].visits)
        child = nodes[child].sibling
    scale = log(max(1.0, scale))
    best = 0.0
    ties = 0
    chosen = -1
    child = i64(nodes[0].child)
    while child >= 0:
        n = f64(nodes[child].visits)
        if n > 0.0:
            merit = n
            if rule != ROBUST:
                merit = nodes[child].total / n
            if rule == SECURE:
                merit -= tree.c * sqrt(scale / (n + tree.epsilon))
            if ties == 0 or merit > best:
                best = merit
                ties = 0
            if merit == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = child
        child = nodes[child].sibling
    return chosen
