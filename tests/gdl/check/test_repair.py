"""Rules that are mended, because they can mean only one thing."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.gdl.check.definition import prepared
from ludarium.gdl.check.repair import extent
from ludarium.gdl.text.reader import parse

GAME = "(role x) (role y) (init a) (<= terminal (true b)) (<= (next b) (true a)) "


def texts(text):
    return [str(rule) for rule in prepared(parse(text))]


def test_rules_in_order_stay_as_they_are():
    text = GAME + "(<= (legal ?p go) (role ?p)) (<= (goal ?p 50) (role ?p))"
    assert prepared(parse(text)) == parse(text)


@pytest.mark.parametrize(
    ("rule", "mended"),
    [
        ("(<= (goal ?p 50) terminal)", "(<= (goal ?p 50) terminal (role ?p))"),
        ("(<= (goal ?p 0) (not (on ?p))) (on x)", "(<= (goal ?p 0) (not (on ?p)) (role ?p))"),
        ("(<= (goal ?p 0) (distinct ?p x))", "(<= (goal ?p 0) (distinct ?p x) (role ?p))"),
        ("(<= (legal ?p ?p) (true a)) (goal x 0)", "(<= (legal ?p ?p) (true a) (role ?p))"),
        ("(<= (sees ?p it) (true a)) (goal x 0)", "(<= (sees ?p it) (true a) (role ?p))"),
        ("(goal ?p 50)", "(<= (goal ?p 50) (role ?p))"),
    ],
)
def test_what_stands_where_a_role_belongs_is_a_role(rule, mended):
    assert mended in texts(GAME + "(legal x go) (legal y go) " + rule)


def test_a_variable_that_is_bound_needs_no_role():
    rule = "(<= (goal ?p 50) (plays ?p))"
    assert rule in texts(GAME + "(legal x go) (plays x) " + rule)


def test_unsafe_rules_that_nothing_asks_for_are_left_out():
    text = GAME + "(legal x go) (legal y go) (goal x 0) (goal y 0) (<= (differs ?a ?b) (distinct ?a ?b))"
    assert not any("differs" in rule for rule in texts(text))
    with pytest.raises(RulesError, match="unsafe rule"):
        prepared(parse(text + "(<= terminal (differs a b))"))


def test_derived_roles_become_facts_where_the_rule_stood():
    text = "(role m) (<= (role ?p) (seat ?p ?n)) (role a) (seat z 1) (seat k 2) (seat a 3)"
    rest = "(<= (legal ?p go) (role ?p)) (<= (goal ?p 0) (role ?p)) (<= terminal (true over)) (next over)"
    roles = [rule for rule in texts(text + rest) if rule.startswith("(role")]
    assert roles == ["(role m)", "(role k)", "(role z)", "(role a)"]


def test_the_extent_of_a_relation_that_never_changes():
    rules = parse(
        "(to 1 2) (to 2 3) (<= (far ?x ?z) (to ?x ?y) (to ?y ?z)) (<= (far ?x ?y) (to ?x ?y) (not (odd ?x))) (odd 1)"
    )
    assert extent(rules, "far", 2) == ["1 3", "2 3"]
    assert extent(rules, "odd", 1) == ["1"]
    assert extent(rules, "none", 1) == []


def test_arguments_that_are_functions():
    assert extent(parse("(input x (move a b)) (input y noop)"), "input", 2) == ["x (move a b)", "y noop"]
