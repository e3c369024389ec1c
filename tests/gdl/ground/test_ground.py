"""Grounding: what goes into clingo and what comes out, besides what the games show."""

import pickle

import pytest

from ludarium.core import LudariumError
from ludarium.gdl.ground import ground as grounding
from ludarium.gdl.ground.ground import ground
from ludarium.gdl.ground.large import GroundingTooLarge
from ludarium.gdl.text.reader import parse

LINES = """
(role x) (init (cell 1 b)) (init (cell 2 b)) (near 1 2) (near 2 1)
(<= (legal x (mark ?n)) (true (cell ?n b)))
(<= (next (cell ?n x)) (does x (mark ?n)))
(<= (next (cell ?n ?w)) (true (cell ?n ?w)) (does x (mark ?m)) (near ?n ?m))
(<= (line ?w) (true (cell 1 ?w)) (true (cell 2 ?w)) (distinct ?w b))
(<= open (true (cell ?n b)))
(<= (goal x 100) (line x))
(<= (goal x 0) (not (line x)))
(<= terminal (not open))
"""


@pytest.mark.parametrize(
    ("atom", "row"),
    [
        ("p(c1,c2)", ("c1", "c2")),
        ("p(f1(c1,c2),c3)", ("f1(c1,c2)", "c3")),
        ("p(f1(f2(c1,c9),c2),c3,f4(c1))", ("f1(f2(c1,c9),c2)", "c3", "f4(c1)")),
    ],
)
def test_an_atom_is_taken_apart(atom, row):
    assert grounding._row(atom) == row


def test_only_what_makes_facts_and_moves_is_asked_what_is_possible(monkeypatch):
    programs = []
    real = grounding._program
    monkeypatch.setattr(grounding, "_program", lambda *a, **k: (programs.append(real(*a, **k)), programs[-1])[1])
    found = ground(parse(LINES))
    assert "pnext(" in programs[0]
    assert "pgoal(" not in programs[0]
    assert "pterminal" not in programs[0]
    assert set(found.names["goal"]) == {"x 0", "x 100"}
    monkeypatch.setattr(grounding, "_behind", lambda rules: {rule.head.name for rule in rules})
    whole = ground(parse(LINES))
    assert "pgoal(" in programs[1]
    assert {kind: set(names) for kind, names in found.names.items()} == {k: set(n) for k, n in whole.names.items()}
    assert len(found.rules) == len(whole.rules)


def test_what_there_is_too_much_of_is_counted_when_it_is_told():
    endless = "(init (n 0)) (<= (next (n (s ?a))) (true (n ?a)))"
    with pytest.raises(GroundingTooLarge) as caught:
        ground(parse(LINES + endless), max_rules=500)
    assert caught.value.facts > 100
    assert "more than 500 instances" in str(caught.value)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copied, LudariumError)
    assert str(copied) == str(caught.value)
