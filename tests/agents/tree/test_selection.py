"""Every selection rule goes where its formula, worked out in plain Python from what the tree holds, says."""

import re
from math import log, sqrt
from pathlib import Path

import pytest

from ludarium import agent, game
from ludarium.agents.tree import selection
from ludarium.agents.tree.ismcts_kernels import place_of
from ludarium.agents.tree.play import move_key
from ludarium.agents.tree.selection import grave
from ludarium.arena.position import Position
from ludarium.core import Limit, Rng

CONNECT_FOUR = game("connect-four")
STEPS = 60


def ucb1(c):
    def score(growth, k, edge, mean, tried):
        return mean + c * sqrt(log(tried) / edge.visits)

    return score


def tuned(c):
    """Auer, Cesa-Bianchi and Fischer: mean + sqrt(ln t / n * min(1/4, variance + c * sqrt(ln t / n) / 2))."""

    def score(growth, k, edge, mean, tried):
        width = log(tried) / edge.visits
        variance = growth.tree.extras[k].squares / edge.visits - mean**2
        return mean + sqrt(width * min(0.25, variance + 0.5 * c * sqrt(width)))

    return score


def history(c, weight):
    """Nijssen and Winands, values from -1 to 1: UCB1 plus H * W / ((1 - mean) * n + 1), in Ludii's form; halved for values from 0 to 1."""

    def score(growth, k, edge, mean, tried):
        ledger, key = growth.play.ledger, move_key(edge.role, edge.move)
        total, visits = next((credit.total, credit.visits) for credit in ledger if credit.key == key)
        x, worth = 2 * mean - 1, 2 * total / visits - 1
        return mean + c * sqrt(log(tried) / edge.visits) + 0.5 * worth * weight / ((1 - x) * edge.visits + 1)

    return score


def prior(c, weight):
    def score(growth, k, edge, mean, tried):
        judged = growth.tree.extras[k].prior
        return mean + c * sqrt(log(tried) / edge.visits) + weight * (judged - 0.5) / edge.visits

    return score


def amaf(c, bias, reference=0):
    """Cazenave: (1 - beta) * mean + beta * AMAF, beta = p / (p + n + bias * p * n), with the sums of a node."""

    def score(growth, k, edge, mean, tried):
        tree, ledger, key = growth.tree, growth.play.ledger, move_key(edge.role, edge.move)
        number = int(next(credit.total for credit in ledger if credit.key == key))
        at = tree.nodes[reference].notes + 1 + 2 * number
        total, played = tree.diary_values[at], tree.diary_values[at + 1]
        beta = played / (played + edge.visits + bias * played * edge.visits)
        return (1 - beta) * mean + beta * total / played + c * sqrt(log(tried) / edge.visits)

    return score


RULES = [
    ("uct(unvisited=first, c=0.4)", ucb1(0.4)),
    ("uct(unvisited=first, c=1.3)", ucb1(1.3)),
    ("ucb1-tuned(unvisited=first, c=0.1)", tuned(0.1)),
    ("ucb1-tuned(unvisited=first, c=2.0)", tuned(2.0)),
    ("progressive-history(unvisited=first, c=0.5, weight=2.0)", history(0.5, 2.0)),
    ("progressive-history(unvisited=first, c=0.2, weight=9.0)", history(0.2, 9.0)),
    ("progressive-bias(evaluator=mobility, c=0.5, weight=2.0)", prior(0.5, 2.0)),
    ("progressive-bias(evaluator=mobility, c=0.1, weight=30.0)", prior(0.1, 30.0)),
    ("grave(c=0.2, bias=0.01)", amaf(0.2, 0.01)),
    ("grave(c=0.0, bias=1.0)", amaf(0.0, 1.0)),
]


@pytest.mark.parametrize(("spec", "formula"), RULES, ids=[spec for spec, _ in RULES])
@pytest.mark.parametrize("seed", range(2))
def test_the_root_tries_the_move_with_the_best_score(spec, formula, seed):
    growth = agent(spec).seat(CONNECT_FOUR, 0, Rng(seed)).growth
    growth.reset(CONNECT_FOUR.initial())
    growth.run(150, 1 << 60)
    different = 0
    for _ in range(STEPS):
        edges = [growth.tree.edges[k] for k in range(growth.tree.nodes[0].edges)]
        before = [edge.visits for edge in edges]
        scores = [formula(growth, k, edge, edge.total / edge.visits, sum(before)) for k, edge in enumerate(edges)]
        means = [edge.total / edge.visits for edge in edges]
        growth.run(1, 1 << 60)
        tried = [edge.visits - old for edge, old in zip(edges, before, strict=True)].index(1)
        assert scores[tried] == pytest.approx(max(scores))
        different += tried != means.index(max(means))
    assert different > 0 or "c=0.0" in spec  # the formula has to matter


def test_no_rule_of_the_tree_searches_is_without_a_formula():
    source = Path(selection.__file__).read_text(encoding="utf-8")
    made = set(re.findall(r"^(\w+) = best_score\(", source, re.MULTILINE))
    tested = {spec.partition("(")[0].replace("-", "_") for spec, _ in RULES}
    assert made == tested - {"uct"} | {"ucb1"}


@pytest.mark.parametrize(("unvisited", "worth"), [("draw", 0.5), ("loss", 0.0)])
def test_a_move_not_tried_yet_counts_as_the_parameter_says(unvisited, worth):
    growth = agent(f"uct(unvisited={unvisited}, c=0.0)").seat(CONNECT_FOUR, 0, Rng(3)).growth
    growth.reset(CONNECT_FOUR.initial())
    for _ in range(40):
        edges = [growth.tree.edges[k] for k in range(growth.tree.nodes[0].edges)] if growth.tree.node_count else []
        scores = [edge.total / edge.visits if edge.visits else worth for edge in edges]
        before = [edge.visits for edge in edges]
        growth.run(1, 1 << 60)
        if edges:
            tried = [edge.visits - old for edge, old in zip(edges, before, strict=True)].index(1)
            assert scores[tried] == max(scores)


def test_below_a_node_with_few_visits_grave_looks_at_one_with_more():
    """The reference node is the root until a child has more visits than the reference."""
    growth = agent("grave(reference=20, c=0.3)").seat(CONNECT_FOUR, 0, Rng(1)).growth
    growth.reset(CONNECT_FOUR.initial())
    growth.run(400, 1 << 60)
    tree = growth.tree
    summed = {place for place in range(tree.node_count) if tree.nodes[place].summed}
    assert summed == {place for place in range(tree.node_count) if place == 0 or tree.nodes[place].visits > 20}
    assert 1 < len(summed) < tree.node_count
    for place in range(tree.node_count):
        grave(tree, 0, 0, Rng(0))  # the way to the node begins at the root
        if tree.nodes[place].edges:
            grave(tree, place, tree.nodes[place].acting.bit_length() - 1, Rng(0))
            assert tree.reference == (place if place in summed else 0)


def test_grave_chooses_by_the_sums_of_the_node_that_it_looks_at():
    growth = agent("grave(reference=20, c=0.3, bias=0.1)").seat(CONNECT_FOUR, 0, Rng(1)).growth
    growth.reset(CONNECT_FOUR.initial())
    growth.run(600, 1 << 60)
    tree, looked_at, by_root = growth.tree, set(), 0
    for place in (edge.child for edge in map(tree.edges.__getitem__, range(tree.nodes[0].edges))):
        node = tree.nodes[place]
        edges = [(k, tree.edges[k]) for k in range(node.first, node.first + node.edges)]
        if not edges or any(edge.visits == 0 for _, edge in edges):
            continue
        grave(tree, 0, 0, Rng(0))  # the way to the node begins at the root
        chosen = grave(tree, place, 1, Rng(0))
        reference = place if node.visits > 20 else 0
        tried = sum(edge.visits for _, edge in edges)
        by_reference, by_the_root = (
            {k: amaf(0.3, 0.1, at)(growth, k, edge, edge.total / edge.visits, tried) for k, edge in edges}
            for at in (reference, 0)
        )
        assert by_reference[chosen] == pytest.approx(max(by_reference.values()))
        looked_at.add(reference)
        by_root += by_the_root[chosen] == pytest.approx(max(by_the_root.values()))
    assert len(looked_at) > by_root  # at some node it matters whose sums they are


@pytest.mark.parametrize("c", [0.3, 1.2])
def test_ismcts_divides_by_how_often_a_move_was_available(c):
    """Cowling, Powley and Whitehouse: mean + c * sqrt(ln(times available) / n)."""
    player = agent(f"ismcts(c={c})").seat(CONNECT_FOUR, 0, Rng(2))
    info, budget = Position(CONNECT_FOUR).information_set(0), Limit(iterations=1000).start()
    player.worlds.begin(info, budget)
    player._clear()
    player._enter()
    player._run(150, 1 << 60, budget)
    forest, different = player.forest, 0
    root = forest.nodes[place_of(forest.nodes, forest.root)]
    for _ in range(STEPS):
        edges, at = [], root.first
        while at >= 0:
            edges.append(forest.edges[at])
            at = forest.edges[at].next
        means = [edge.total / edge.visits for edge in edges]
        before = [edge.visits for edge in edges]
        scores = [mean + c * sqrt(log(e.available + 1) / e.visits) for mean, e in zip(means, edges, strict=True)]
        player._run(1, 1 << 60, budget)
        tried = [edge.visits - old for edge, old in zip(edges, before, strict=True)].index(1)
        assert scores[tried] == pytest.approx(max(scores))
        different += tried != means.index(max(means))
    assert different > 0


@pytest.mark.parametrize(("c", "epsilon"), [(0.3, 1e-6), (1.5, 1.0)])
def test_a_tree_that_widens_tries_the_child_with_the_best_bound(c, epsilon):
    """Bravi et al., where no new child is sampled: mean + c * sqrt(ln(visits of the parent) / (n + epsilon))."""
    spec = f"widening(c={c}, epsilon={epsilon}, expansion=0.0, samples=20, depth=21, opponent=random, evaluator=result)"
    player = agent(spec).seat(CONNECT_FOUR, 0, Rng(2))
    player.choose(Position(CONNECT_FOUR).information_set(0), Limit(iterations=60).start())
    different = 0
    for _ in range(STEPS):
        root = player.tree.nodes[0]
        before = {leaf.move: (leaf.visits, leaf.total) for leaf in player._children(root)}
        means = {move: total / n if n else 0.0 for move, (n, total) in before.items()}
        scores = {move: means[move] + c * sqrt(log(root.visits) / (n + epsilon)) for move, (n, _) in before.items()}
        player._run(1)
        (tried,) = [leaf.move for leaf in player._children(player.tree.nodes[0]) if leaf.visits > before[leaf.move][0]]
        assert scores[tried] == pytest.approx(max(scores.values()))
        different += means[tried] < max(means.values())
    assert different > 0
