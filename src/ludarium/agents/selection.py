"""How tree searches choose among the moves of a node: each rule is a part of the tree search.

All values are from 0 to 1. Ludii's are from -1 to 1, so its constants appear here halved where they are added to
values, and its formulas with values doubled and shifted where they are not linear.

Where several roles choose at once, upper bounds alone make them answer each other in step, and the shares of their moves
settle away from the equilibrium; with a random weight on the exploration they approach it.
"""

from __future__ import annotations

from ludarium.agents.credit import Credit, find_credit
from ludarium.agents.nodes import UNKNOWN, Edge, Extra, Node, Search, move_key
from ludarium.kernel import Kernel, Stream, below, f64, i64, kernel, log, recast, sqrt, u8, u64, uniform, view

C, UNTRIED, EPSILON, TEMPERATURE, REFERENCE, BIAS, WEIGHT = range(7)
"""The places of the parameters that parts look at."""

PROVED = -1e9
"""The score of a move about which everything is proved: it is chosen only if there is no other."""


@kernel
def add_bound(
    search: Search,
    nodes: view[Node],
    edge: Edge,
    extras: view[Extra],
    k: i64,
    mean: f64,
    scale: f64,
    logarithm: f64,
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> f64:
    """UCB1: an upper bound of what the move may be worth."""
    return mean + scale / sqrt(f64(max(1, edge.visits)))


@kernel
def add_tuned_bound(
    search: Search,
    nodes: view[Node],
    edge: Edge,
    extras: view[Extra],
    k: i64,
    mean: f64,
    scale: f64,
    logarithm: f64,
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> f64:
    """UCB1-Tuned: a bound that is nearer where results vary little."""
    n = f64(max(1, edge.visits))
    variance = 0.0
    if edge.visits > 0:
        variance = max(0.0, extras[k].squares / n - (edge.total / n) * (edge.total / n))
    width = logarithm / n
    return mean + 0.5 * sqrt(width * min(1.0, 4.0 * variance + 2.0 * parameters[0] * sqrt(width)))


@kernel
def add_history(
    search: Search,
    nodes: view[Node],
    edge: Edge,
    extras: view[Extra],
    k: i64,
    mean: f64,
    scale: f64,
    logarithm: f64,
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> f64:
    """Progressive history: UCB1, and for moves with few visits what they were worth anywhere."""
    n = f64(edge.visits)
    ledger = recast(Credit, memory)
    credit = ledger[find_credit(ledger, move_key(edge.role, edge.move))]
    history = credit.total / credit.visits if credit.visits > 0.0 else min(1.0, mean)
    bound = scale / sqrt(max(1.0, n))
    return mean + bound + (history - 0.5) * parameters[6] / (2.0 * (1.0 - min(1.0, mean)) * n + 1.0)


@kernel
def add_prior(
    search: Search,
    nodes: view[Node],
    edge: Edge,
    extras: view[Extra],
    k: i64,
    mean: f64,
    scale: f64,
    logarithm: f64,
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> f64:
    """Progressive bias: UCB1, and for moves with few visits what a heuristic says of them."""
    n = f64(max(1, edge.visits))
    return mean + scale / sqrt(n) + parameters[6] * (extras[k].prior - 0.5) / n


@kernel
def add_amaf(
    search: Search,
    nodes: view[Node],
    edge: Edge,
    extras: view[Extra],
    k: i64,
    mean: f64,
    scale: f64,
    logarithm: f64,
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> f64:
    """GRAVE: the average, mixed with that of all playouts in which the move was made below a well-visited node."""
    if edge.visits == 0:
        return mean
    ledger = recast(Credit, memory)
    extra = extras[k]
    if extra.number < 0:
        known = ledger[find_credit(ledger, move_key(edge.role, edge.move))]
        if known.key != 0:
            extra.number = i64(known.total)
    node = nodes[search.reference]
    value = mean
    if node.summed == 1 and 0 <= extra.number < i64(recast(u64, diary)[node.notes]):
        sums = recast(f64, diary)
        told = node.notes + 1 + 2 * extra.number
        played = sums[told + 1]
        if played > 0.0:
            n = f64(edge.visits)
            share = played / (played + n + parameters[5] * played * n)
            value = (1.0 - share) * mean + share * sums[told] / played
    return value + scale / sqrt(f64(edge.visits))


def best_score(score: Kernel[float]) -> Kernel[int]:
    """Make a selection part: the best score, ties at random; proved moves are not tried again."""

    @kernel
    def select(
        search: Search,
        place: i64,
        nodes: view[Node],
        edges: view[Edge],
        extras: view[Extra],
        role: i64,
        parameters: view[f64],
        memory: view[u8],
        diary: view[u8],
        rng: Stream,
    ) -> i64:
        """Choose among the edges of a role that are legal now."""
        tried = 0
        total = 0.0
        for k in range(len(edges)):
            if edges[k].role == role:
                tried += edges[k].visits
                total += edges[k].total
        average = parameters[1]
        if average < 0.0:
            average = total / f64(tried) if tried > 0 else 1e9
        if place == search.root or f64(nodes[place].visits) > parameters[4]:
            search.reference = place
        logarithm = log(f64(max(1, tried)))
        scale = parameters[0] * sqrt(logarithm)
        if nodes[place].acting & (nodes[place].acting - 1) != 0:
            scale *= 2.0 * uniform(rng)  # roles that choose at once must not fall into step
        best = -1e18
        ties = 0
        chosen = 0
        for k in range(len(edges)):
            edge = edges[k]
            if edge.role == role and edge.legal == 1:
                mean = edge.total / f64(edge.visits) if edge.visits > 0 else average
                value = PROVED
                if search.solve == 0 or extras[k].proof == UNKNOWN:
                    value = score(search, nodes, edge, extras, k, mean, scale, logarithm, parameters, memory, diary)
                if value > best:
                    best = value
                    chosen = k
                    ties = 1
                elif value == best:
                    ties += 1
                    if below(rng, ties) == 0:
                        chosen = k
        return chosen

    return select


ucb1 = best_score(add_bound)
ucb1_tuned = best_score(add_tuned_bound)
progressive_history = best_score(add_history)
progressive_bias = best_score(add_prior)
grave = best_score(add_amaf)
