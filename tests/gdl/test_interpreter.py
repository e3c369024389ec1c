"""The interpreter says of every state what the slow reference says."""

from random import Random

import pytest

from ludarium import catalog
from ludarium.core import LudariumError
from ludarium.gdl.interpreter import Interpreter
from ludarium.gdl.text.reader import parse, parse_term
from tests.reference.gdl import Reference


@pytest.mark.parametrize("name", ["gdl:tic-tac-toe", "meier", "kriegspiel-tic-tac-toe", "rock-paper-scissors", "tron"])
def test_it_agrees_with_the_reference_along_a_random_match(name):
    clauses = catalog.game(name).clauses
    walk, reference, random = Interpreter(clauses), Reference(clauses), Random(3)
    state, facts = walk.initial(), reference.initial()
    for _ in range(8):
        assert walk.facts(state) == {str(fact) for fact in facts}
        assert walk.over(state) == reference.terminal(facts)
        if walk.over(state):
            break
        for role, each in enumerate(walk.roles):
            assert set(walk.legal(state, role)) == {str(move) for move in reference.legal(facts, each)}
        joint = [random.choice(walk.legal(state, role)) for role in range(len(walk.roles))]
        made = {role: parse_term(move) for role, move in zip(walk.roles, joint, strict=True)}
        state = walk.after(state, joint)
        for role, each in enumerate(walk.roles):
            assert walk.percepts(state, role) == {str(seen) for seen in reference.sees(facts, made, each)}
        facts = reference.next(facts, made)


def test_terms_without_arguments_keep_their_brackets():
    rules = "(role x) (init (on)) (init on) (<= (legal x (press (on))) (true (on))) (<= (next ?f) (true ?f)) (goal x 0) (<= terminal (true off))"
    walk = Interpreter(parse(rules))
    state = walk.initial()
    assert walk.facts(state) == {"(on)", "on"}
    assert walk.legal(state, 0) == ["(press (on))"]
    assert walk.facts(walk.after(state, ["(press (on))"])) == {"(on)", "on"}


def test_rules_that_nobody_can_play_by_are_refused():
    with pytest.raises(LudariumError, match="there is no 'legal'"):
        Interpreter(parse("(role x)"))
