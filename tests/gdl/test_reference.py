"""The slow reference by itself: each part of the language on a few rules whose meaning is plain."""

import pytest

from ludarium.gdl.text.reader import parse
from ludarium.gdl.text.syntax import Term
from tests.reference.gdl import Reference

GRAPH = "(role r) (arc a b) (arc b c) (arc c a) (arc c d) (arc e e)"


def legal(text):
    reference = Reference(parse(text))
    return {str(move) for move in reference.legal(reference.initial(), "r")}


def test_recursion_finds_all_that_can_be_reached_through_cycles():
    reach = "(<= (reach ?x ?y) (arc ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))"
    assert legal(f"{GRAPH} {reach} (<= (legal r ?x) (reach a ?x))") == {"a", "b", "c", "d"}
    assert legal(f"{GRAPH} {reach} (<= (legal r ?x) (reach ?x d))") == {"a", "b", "c"}


def test_mutual_recursion_is_worked_out_to_the_end():
    parity = "(<= (even ?y) (odd ?x) (arc ?x ?y)) (<= (odd ?y) (even ?x) (arc ?x ?y)) (even a)"
    assert legal(f"{GRAPH} {parity} (<= (legal r ?x) (even ?x))") == {"a", "b", "c", "d"}


def test_negation_is_failure_to_derive():
    assert legal(f"{GRAPH} (node d) (node b) (<= (legal r ?x) (node ?x) (not (source ?x))) "
                 "(<= (source ?x) (arc ?x ?y))") == {"d"}  # fmt: skip


def test_a_relation_may_negate_itself_for_other_arguments():
    reference = Reference(parse("(role r) (role s) (won r) (<= (goal ?p 100) (won ?p))"
                                "(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))"))  # fmt: skip
    assert reference.goal(frozenset(), "r") == [100]
    assert reference.goal(frozenset(), "s") == [0]


def test_recursion_through_negation_is_refused():
    with pytest.raises(AssertionError, match="its own negation"):
        legal("(role r) (<= (legal r a) (not (legal r a)))")


def test_distinct_compares_whole_terms():
    pairs = "(role r) (p (f 1) (f 2)) (p (f 1) (f 1)) (p 1 (f 1))"
    assert legal(f"{pairs} (<= (legal r (m ?x ?y)) (distinct ?x ?y) (p ?x ?y))") == {
        "(m (f 1) (f 2))",
        "(m 1 (f 1))",
    }
    assert legal(f"{pairs} (<= (legal r (m ?x ?y)) (p ?x ?y) (not (distinct ?x ?y)))") == {"(m (f 1) (f 1))"}


def test_a_variable_twice_means_the_same_term():
    assert legal(f"{GRAPH} (<= (legal r ?x) (arc ?x ?x))") == {"e"}
    assert legal("(role r) (p (f 1 2)) (p (f 2 2)) (<= (legal r ?x) (p (f ?x ?x)))") == {"2"}


def test_functions_are_taken_apart_and_built():
    assert legal("(role r) (p (f a (g b))) (<= (legal r (h ?y ?x)) (p (f ?x (g ?y))))") == {"(h b a)"}
    assert legal("(role r) (p (f)) (p f) (<= (legal r ?x) (p ?x) (distinct ?x f))") == {"(f)"}


def test_a_variable_stands_for_a_whole_fact():
    reference = Reference(parse("(role r) (init a) (init (b 1)) (<= (next ?f) (true ?f) (does r keep))"))
    state = reference.initial()
    assert {str(fact) for fact in state} == {"a", "(b 1)"}
    assert reference.next(state, {"r": Term("keep")}) == state
    assert reference.next(state, {"r": Term("drop")}) == frozenset()


def test_unsafe_rules_mean_what_the_caller_asks():
    assert legal("(role r) (ok 1) (<= (legal ?p ?p) (ok 1))") == {"r"}
    assert legal("(role r) (<= (same ?x ?y) (not (distinct ?x ?y))) (ok 1) (<= (legal r go) (same 1 1))") == {"go"}


def test_what_a_role_sees_depends_on_state_and_move():
    reference = Reference(parse(
        "(role r) (role random) (init (coin heads)) (percept r (coin heads))"
        "(<= (sees r (coin ?c)) (true (coin ?c)) (does r look)) (<= (sees r heard) (does random shout))"
    ))  # fmt: skip
    state = reference.initial()
    seen = reference.sees(state, {"r": Term("look"), "random": Term("noop")}, "r")
    assert {str(term) for term in seen} == {"(coin heads)"}
    assert reference.sees(state, {"r": Term("noop"), "random": Term("shout")}, "random") == set()
    assert reference.sees(state, {"r": Term("noop"), "random": Term("shout")}, "r") == {Term("heard")}
    assert reference.declared("percept") == {"r (coin heads)"}
