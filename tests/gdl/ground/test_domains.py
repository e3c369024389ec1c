"""What may stand where: domains flow from facts through rules, by `next` to `true`, by `legal` to `does`."""

import pytest

from ludarium.gdl.ground.domains import Domains
from ludarium.gdl.text.reader import parse, parse_term

RULES = """
(size 1) (size 2) (after 1 2) (after 2 3)
(init (cell 1 empty))
(<= (legal p (put ?n)) (size ?n))
(<= (next (cell ?n full)) (does p (put ?n)))
(<= (both ?n) (size ?n) (after ?m ?n))
(<= (never ?n) (true (cell ?n broken)))
(<= (later ?n) (never ?n))
(<= (next (box (box ?f))) (true (box ?f)))
(init (box a))
"""


@pytest.mark.parametrize(
    ("atom", "admitted"),
    [
        ("(true (cell 2 full))", True),
        ("(true (cell 1 empty))", True),
        ("(true (cell 3 full))", False),
        ("(true (cell 1 broken))", False),
        ("(true (cell ?x ?y))", True),
        ("(does p (put 2))", True),
        ("(does p (put 3))", False),
        ("(does q (put 2))", False),
        ("(both 2)", True),
        ("(both 1)", False),
        ("(later ?n)", False),
        ("(unknown 1)", False),
        ("(true (box (box (box (box (box (box b)))))))", True),
    ],
)
def test_only_what_can_be_derived_is_admitted(atom, admitted):
    assert Domains(parse(RULES)).admits(parse_term(atom)) == admitted


def test_a_misfit_names_the_constant_and_what_may_be_there():
    label, known = Domains(parse(RULES)).misfit(parse_term("(true (cell 1 broken))"))
    assert (str(label), sorted(map(str, known))) == ("broken", ["empty", "full"])
    label, known = Domains(parse(RULES)).misfit(parse_term("(does p (move 1 2))"))
    assert (str(label), sorted(map(str, known))) == ("(move _ _)", ["(put _)"])


def test_what_follows_from_an_impossible_condition_is_no_misfit():
    assert Domains(parse(RULES)).misfit(parse_term("(later 1)")) is None
