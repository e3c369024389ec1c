"""How tree searches choose among the moves of a node: each rule is a part of the tree search.

All values are from 0 to 1. Ludii's are from -1 to 1, so its constants appear here halved where they are added to
values, and its formulas with values doubled and shifted where they are not linear.

Where several roles choose at once, upper bounds alone make them answer each other in step, and the shares of their moves
settle away from the equilibrium; with a random weight on the exploration they approach it.
"""

from __future__ import annotations

from ludarium.agents.tree.credit import find_credit
from ludarium.agents.tree.nodes import UNKNOWN, Tree
from ludarium.agents.tree.play import move_key
from ludarium.kernel import Kernel, Stream, below, f64, i64, kernel, log, sqrt, uniform

PROVED = -1e9
"""The score of a move about which everything is proved: it is chosen only if there is no other."""


@kernel
def add_bound(tree: Tree, k: i64, mean: f64, scale: f64, logarithm: f64) -> f64:
    """UCB1: an upper bound of what the move of an edge may be worth."""
    return mean + scale / sqrt(f64(max(1, tree.edges[k].visits)))


@kernel
def add_tuned_bound(tree: Tree, k: i64, mean: f64, scale: f64, logarithm: f64) -> f64:
    """UCB1-Tuned: a bound that is nearer where results vary little."""
    edge = tree.edges[k]
    n = f64(max(1, edge.visits))
    variance = 0.0
    if edge.visits > 0:
        variance = max(0.0, tree.extras[k].squares / n - (edge.total / n) * (edge.total / n))
    width = logarithm / n
    return mean + 0.5 * sqrt(width * min(1.0, 4.0 * variance + 2.0 * tree.play.settings.c * sqrt(width)))


@kernel
def add_history(tree: Tree, k: i64, mean: f64, scale: f64, logarithm: f64) -> f64:
    """Progressive history: UCB1, and for moves with few visits what they were worth anywhere."""
    edge = tree.edges[k]
    ledger = tree.play.ledger
    n = f64(edge.visits)
    credit = ledger[find_credit(ledger, move_key(edge.role, edge.move))]
    history = credit.total / credit.visits if credit.visits > 0.0 else min(1.0, mean)
    bound = scale / sqrt(max(1.0, n))
    return mean + bound + (history - 0.5) * tree.play.settings.weight / (2.0 * (1.0 - min(1.0, mean)) * n + 1.0)


@kernel
def add_prior(tree: Tree, k: i64, mean: f64, scale: f64, logarithm: f64) -> f64:
    """Progressive bias: UCB1, and for moves with few visits what a heuristic says of them."""
    n = f64(max(1, tree.edges[k].visits))
    return mean + scale / sqrt(n) + tree.play.settings.weight * (tree.extras[k].prior - 0.5) / n


@kernel
def add_amaf(tree: Tree, k: i64, mean: f64, scale: f64, logarithm: f64) -> f64:
    """GRAVE: the average, mixed with that of all playouts in which the move was made below a well-visited node."""
    edge = tree.edges[k]
    if edge.visits == 0:
        return mean
    extra = tree.extras[k]
    if extra.number < 0:
        ledger = tree.play.ledger
        known = ledger[find_credit(ledger, move_key(edge.role, edge.move))]
        if known.key != 0:
            extra.number = i64(known.total)
    node = tree.nodes[tree.reference]
    value = mean
    if node.summed and 0 <= extra.number < i64(tree.diary[node.notes]):
        place = node.notes + 1 + 2 * extra.number
        played = tree.diary_values[place + 1]
        if played > 0.0:
            n = f64(edge.visits)
            share = played / (played + n + tree.play.settings.bias * played * n)
            value = (1.0 - share) * mean + share * tree.diary_values[place] / played
    return value + scale / sqrt(f64(edge.visits))


def best_score(score: Kernel[float]) -> Kernel[int]:
    """Make a selection part: the best score, ties at random; proved moves are not tried again.

    `score(tree, edge, mean, scale, logarithm)` says how good it is to try an edge: the mean is its average, or what a move
    counts that was not tried; the scale is what UCB1 divides by the root of the visits.
    """

    @kernel
    def select(tree: Tree, place: i64, role: i64, rng: Stream) -> i64:
        """Choose among the edges of a role that are legal now."""
        node = tree.nodes[place]
        edges = tree.edges
        settings = tree.play.settings
        first = node.first
        end = first + node.edges
        tried = 0
        total = 0.0
        for k in range(first, end):
            if edges[k].role == role:
                tried += edges[k].visits
                total += edges[k].total
        average = settings.untried
        if average < 0.0:
            average = total / f64(tried) if tried > 0 else 1e9
        if place == tree.top or f64(node.visits) > settings.reference:
            tree.reference = place
        logarithm = log(f64(max(1, tried)))
        scale = settings.c * sqrt(logarithm)
        if node.acting & (node.acting - 1) != 0:
            scale *= 2.0 * uniform(rng)  # roles that choose at once must not fall into step
        solve = tree.solve
        best = -1e18
        ties = 0
        chosen = first
        for k in range(first, end):
            edge = edges[k]
            if edge.role == role and edge.legal:
                mean = edge.total / f64(edge.visits) if edge.visits > 0 else average
                value = PROVED
                if not solve or tree.extras[k].proof == UNKNOWN:
                    value = score(tree, k, mean, scale, logarithm)
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
