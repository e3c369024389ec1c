"""The tree that widens: own moves only, sampled and never listed."""

from __future__ import annotations

from ludarium.agents.actions import Actions, sampled
from ludarium.agents.opponent_models import Model
from ludarium.agents.rolling import Judging, Work, judged, play_turn
from ludarium.kernel import (
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


class Leaf(Record):
    """An own move below another one; children form a chain from `child` over their `sibling`s."""

    move: u64
    total: f64
    visits: i32
    child: i32
    sibling: i32
    children: i32


class Widening(Record):
    """How the tree widens, and how far it is."""

    c: f64
    epsilon: f64
    expansion: f64
    samples: i64
    nodes: i64
    max_nodes: i64


@kernel
def widen(
    table: Table,
    actions: Actions,
    state: view[u8],
    moves: buffer[u64],
    nodes: view[Leaf],
    place: i64,
    widening: Widening,
    work: Work,
    rng: Stream,
) -> i64:
    """Sample actions, add those that are new, and choose one of them; -1 if there is none."""
    added = 0
    for _ in range(widening.samples):
        if widening.nodes >= widening.max_nodes:
            break
        move = sampled(table, actions, state, work.role, moves, rng)
        known = i64(nodes[place].child)
        while known >= 0 and nodes[known].move != move:
            known = nodes[known].sibling
        if known < 0:
            leaf = nodes[widening.nodes]
            leaf.move = move
            leaf.total = 0.0
            leaf.visits = 0
            leaf.child = -1
            leaf.children = 0
            leaf.sibling = nodes[place].child
            nodes[place].child = widening.nodes
            nodes[place].children += 1
            widening.nodes += 1
            added += 1
    if added == 0:
        return -1
    chosen = i64(nodes[place].child)
    for _ in range(below(rng, added)):
        chosen = nodes[chosen].sibling
    return chosen


@kernel
def best_child(
    table: Table,
    actions: Actions,
    state: view[u8],
    moves: buffer[u64],
    nodes: view[Leaf],
    place: i64,
    widening: Widening,
    work: Work,
    rng: Stream,
) -> i64:
    """Choose the child with the best upper confidence bound whose move is legal now, ties at random; -1 if none is."""
    scale = log(f64(max(1, nodes[place].visits)))
    best = 0.0
    ties = 0
    chosen = -1
    child = i64(nodes[place].child)
    while child >= 0:
        n = f64(nodes[child].visits)
        average = nodes[child].total / n if n > 0.0 else 0.0
        score = average + widening.c * sqrt(scale / (n + widening.epsilon))
        if chosen < 0 or score >= best:
            # What was sampled at the root is legal there.
            if place == 0 or actions.fits(table, state, work.role, nodes[child].move, moves) != 0:
                ties = ties + 1 if chosen >= 0 and score == best else 1
                if ties == 1 or below(rng, ties) == 0:
                    chosen = child
                best = score
        child = nodes[child].sibling
    return chosen


@kernel
def grow_wider(
    table: Table,
    actions: Actions,
    model: Model,
    judging: Judging,
    root: view[u8],
    state: view[u8],
    spare: view[u8],
    memory: view[u8],
    opponent_memory: view[u8],
    moves: buffer[u64],
    joint: view[u64],
    values: view[f64],
    nodes: view[Leaf],
    path: view[i64],
    trace: view[u64],
    widening: Widening,
    work: Work,
    rng: Stream,
    iterations: i64,
) -> i64:
    """Run iterations until the count, the forward calls or the pool runs out; say how many were done."""
    done = 0
    while done < iterations and work.calls + work.price < work.call_limit:
        if min(widening.nodes + widening.samples, widening.max_nodes) > len(nodes):
            break
        copy(state, root)
        place = 0
        steps = 0
        own = 0
        waited = 0
        inside = True
        work.cut = 0
        work.plies = 0
        work.traced = 0
        while True:
            acting = table.movers(state)
            mine = (acting >> work.role) & 1 == 1
            if acting == 0 or (mine and own == work.length) or waited >= work.patience:
                break
            move = u64(0)
            if mine:
                chosen = -1
                if inside:
                    wider = nodes[place].children == 0 or uniform(rng) < widening.expansion
                    if wider:
                        chosen = widen(table, actions, state, moves, nodes, place, widening, work, rng)
                        inside = chosen < 0
                    if chosen < 0:
                        chosen = best_child(table, actions, state, moves, nodes, place, widening, work, rng)
                    if chosen < 0 and not wider:
                        chosen = widen(table, actions, state, moves, nodes, place, widening, work, rng)
                        inside = False
                if chosen >= 0:
                    move = nodes[chosen].move
                    place = chosen
                    path[steps] = place
                    steps += 1
                else:
                    inside = False
                    move = sampled(table, actions, state, work.role, moves, rng)
            going = play_turn(
                table, actions, model, state, spare, opponent_memory, moves, joint, values, trace, work, acting,
                move, rng,
            )  # fmt: skip
            if not going:
                work.cut = 1
                break
            own += 1 if mine else 0
            waited = 0 if mine else waited + 1
        value = judged(table, judging, state, spare, memory, values, work, rng)
        # An iteration that the budget ended is not to be compared with others; but if it is the first, it has to do.
        if work.cut == 0 or nodes[0].visits == 0:
            nodes[0].visits += 1
            for k in range(steps):
                nodes[path[k]].visits += 1
                nodes[path[k]].total += value
        work.depth = max(work.depth, work.plies)
        done += 1
    return done


@kernel
def recommended(nodes: view[Leaf], widening: Widening, rule: i64, rng: Stream) -> i64:
    """Choose a child of the root: by its average (0), its tries (1) or its lower bound (2), ties at random; -1 if none."""
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
            if rule != 1:
                merit = nodes[child].total / n
            if rule == 2:
                merit -= widening.c * sqrt(scale / (n + widening.epsilon))
            if ties == 0 or merit > best:
                best = merit
                ties = 0
            if merit == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = child
        child = nodes[child].sibling
    return chosen
