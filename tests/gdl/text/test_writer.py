"""The writers: what they write reads back as the same rules, whatever the names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.core import LudariumError
from ludarium.gdl.text import infix, reader, writer
from ludarium.gdl.text.meaning import word_fault
from ludarium.gdl.text.names import canonical
from ludarium.gdl.text.sheet import Node, Statement
from ludarium.gdl.text.syntax import Literal, Rule, Term, Variable
from tests.gdl.text.texts import PREFIX

LETTERS = st.text(min_size=1, max_size=4) | st.text("aNx1_-?é", min_size=1, max_size=4)
NAMES = LETTERS.filter(
    lambda name: not word_fault(name) and name[0] != "?" and name == canonical(name) and not name.isspace()
)
VARIABLES = LETTERS.filter(lambda name: not word_fault(f"?{name}")).map(Variable)
CONSTANTS = NAMES.map(Term)


def applied(children):
    return st.builds(Term, NAMES, st.lists(children, max_size=3).map(tuple))


TERMS = st.recursive(CONSTANTS | VARIABLES, applied, max_leaves=5)
RELATIONS = NAMES.filter(lambda name: name.lower() not in ("not", "or", "and"))
ATOMS = st.builds(Term, RELATIONS, st.lists(TERMS, max_size=3).map(lambda args: tuple(args) or None))
RULES = st.lists(
    st.builds(Rule, ATOMS, st.lists(st.builds(Literal, ATOMS, st.booleans()), max_size=4).map(tuple)),
    min_size=1,
    max_size=4,
)


@given(RULES)
def test_rules_come_back_from_both_forms(rules):
    assert reader.parse(writer.prefix(rules)) == rules
    assert infix.parse(writer.infix(rules)) == rules


def combined(children):
    return st.builds(
        lambda name, parts: Node([Node(name), *(parts[:1] if name == "not" else parts)]),
        st.sampled_from(["not", "or", "and", "OR"]),
        st.lists(children, min_size=1, max_size=3),
    )


CONDITIONS = st.recursive(st.sampled_from("abcd").map(Node), combined, max_leaves=6)
STATEMENTS = st.lists(CONDITIONS, min_size=1, max_size=3).map(
    lambda body: Statement(Node([Node("<="), Node("h"), *body]))
)


@given(STATEMENTS)
def test_conditions_mean_the_same_in_both_forms(statement):
    rules = reader.parse(str(statement.node))
    assert infix.parse(writer.infix([statement])) == rules
    assert reader.parse(writer.prefix([statement])) == rules
    assert "(and" not in writer.prefix([statement])


def test_long_statements_have_a_line_for_each_condition():
    conditions = [f"(condition_{n} ?x)" for n in range(5)]
    rules = reader.parse(f"(<= (head ?x) {' '.join(conditions)} (or {' '.join(conditions)}))")
    assert (
        writer.prefix(rules[:1])
        == "(<= (head ?x)\n" + "".join(f"    {each}\n" for each in conditions) + "    (condition_0 ?x))\n"
    )
    assert writer.infix(rules[:1]).splitlines()[:2] == ["head(X) :-", "  condition_0(X) &"]


def test_a_long_or_is_broken_too():
    statement = Node([Node("<="), Node("h"), Node([Node("or"), *(Node(letter * 20) for letter in "abcde")])])
    assert writer.prefix([Statement(statement)]).splitlines() == [
        "(<= h",
        "    (or",
        *(f"        {letter * 20}" for letter in "abcd"),
        f"        {'e' * 20}))",
    ]


@pytest.mark.parametrize("name", ["", "a b", "(", "a;b", '"', "?x", "<=", "ROLE", "\0", "\u200b"])
def test_a_name_that_would_not_come_back_is_refused(name):
    for write in (writer.prefix, writer.infix):
        with pytest.raises(LudariumError, match="cannot be written"):
            write([Rule(Term("p", (Term(name),)))])


@pytest.mark.parametrize("name", ["not", "or", "AND"])
def test_a_relation_named_as_a_connective_is_refused(name):
    with pytest.raises(LudariumError):
        writer.prefix([Rule(Term(name, (Term("a"),)))])


def test_the_writer_needs_no_comments_to_write_a_game():
    rules = reader.parse(PREFIX)
    assert writer.infix(rules).count("\n") == len(rules)


def test_brackets_that_make_another_relation_are_written():
    rules = reader.parse("(<= (open) (true f)) (<= (legal x a) open) (<= (legal x b) (not (open)))")
    assert writer.prefix(rules).splitlines()[0] == "(<= (open) (true f))"
    assert writer.infix(rules).splitlines()[:2] == ["open() :- true(f)", "legal(x,a) :- open"]
    assert reader.parse(writer.prefix(rules)) == infix.parse(writer.infix(rules)) == rules


@pytest.mark.corpus
def test_every_rule_of_the_corpus_comes_back_from_both_forms(corpus):
    for path in [path for path in corpus.rglob("*") if path.suffix in (".kif", ".gdl")]:
        rules = reader.read(path)
        assert infix.parse(writer.infix(rules)) == rules, path
        assert reader.parse(writer.prefix(rules)) == rules, path
