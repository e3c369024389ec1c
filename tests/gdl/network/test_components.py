"""Strongly connected components, lowest first."""

from ludarium.gdl.network.components import components


def found(graph, *wanted):
    return [(sorted(component), loop) for component, loop in components(wanted, lambda node: graph.get(node, ()))]


def test_what_a_node_needs_comes_before_it():
    assert found({1: [2, 3], 2: [3]}, 1) == [([3], False), ([2], False), ([1], False)]


def test_nodes_that_need_each_other_come_together():
    assert found({1: [2], 2: [3], 3: [1, 4]}, 1) == [([4], False), ([1, 2, 3], True)]


def test_a_node_may_need_itself():
    assert found({1: [1, 2]}, 1) == [([2], False), ([1], True)]


def test_every_node_comes_once_and_only_if_it_is_wanted():
    assert found({1: [2], 3: [2, 1], 5: [1]}, 1, 3, 1) == [([2], False), ([1], False), ([3], False)]


def test_what_is_known_is_not_asked_about():
    asked = []
    graph = {1: [2, 3], 2: [4], 3: [1]}
    made = components([2, 1], lambda node: asked.append(node) or graph[node], known={2: "", 4: ""})
    assert [(sorted(component), loop) for component, loop in made] == [([1, 3], True)]
    assert asked == [1, 3]


def test_a_long_chain_is_no_problem():
    assert len(found({k: [k + 1] for k in range(50_000)}, 0)) == 50_001
