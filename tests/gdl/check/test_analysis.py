"""The graph of relations: what depends on what, in which order, and what is recursive."""

from ludarium.gdl.check.analysis import Dependencies, Scope, components
from ludarium.gdl.text.reader import parse

RULES = """
(arc a b) (arc b c)
(<= (reach ?x ?y) (arc ?x ?y))
(<= (reach ?x ?z) (arc ?x ?y) (reach ?y ?z))
(<= (free ?x) (arc ?x ?y) (not (taken ?x)))
(<= (taken ?x) (true (on ?x)))
(<= (legal p (go ?x)) (free ?x) (reach a ?x))
(<= (next (on ?x)) (does p (go ?x)))
(<= (even ?y) (odd ?x) (arc ?x ?y))
(<= (odd ?y) (even ?x) (arc ?x ?y))
"""


def test_a_relation_reaches_all_that_defines_it():
    dependencies = Dependencies(parse(RULES))
    assert dependencies.reachable("free/1") == {"arc/2", "taken/1", "true on/1"}
    assert dependencies.reachable("reach/2") == {"arc/2", "reach/2"}
    assert dependencies.reachable("nothing/0") == frozenset()


def test_the_scope_says_what_an_answer_depends_on():
    dependencies = Dependencies(parse(RULES))
    assert dependencies.scope("reach/2") is Scope.STATIC
    assert dependencies.scope("legal/2") is Scope.STATE
    assert dependencies.scope("next on/1") is Scope.JOINT


def test_relations_are_recursive_together():
    dependencies = Dependencies(parse(RULES))
    assert dependencies.together("reach/2", "reach/2")
    assert dependencies.together("even/1", "odd/1")
    assert not dependencies.together("free/1", "free/1")
    assert not dependencies.together("free/1", "taken/1")


def test_components_come_after_what_they_need():
    dependencies = Dependencies(parse(RULES))
    order = {name: index for index, group in enumerate(dependencies.components) for name in group}
    for relation, edges in dependencies.edges.items():
        assert all(order[target] <= order[relation] for target in edges)
    assert order["even/1"] == order["odd/1"]


def test_strata_count_the_negations_below():
    strata = Dependencies(parse(RULES)).strata()
    assert (strata["taken/1"], strata["free/1"], strata["legal/2"], strata["reach/2"]) == (0, 1, 1, 0)


def test_a_path_is_the_shortest_chain_of_literals():
    dependencies = Dependencies(parse(RULES))
    assert [str(use.literal) for use in dependencies.path("legal/2", "true on/1")] == [
        "(free ?x)",
        "(not (taken ?x))",
        "(true (on ?x))",
    ]
    assert [str(use.literal) for use in dependencies.path("even/1", "even/1")] == ["(odd ?x)", "(even ?x)"]
    assert dependencies.path("arc/2", "legal/2") == []


def test_a_long_chain_needs_no_deep_stack():
    chain = {str(n): [str(n + 1)] for n in range(20_000)}
    assert len(components(chain)) == 20_001
    chain["20000"] = ["0"]
    assert [len(group) for group in components(chain)] == [20_001]
