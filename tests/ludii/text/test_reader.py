"""Plain descriptions as trees, and what is said about those that are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium.core.problems import RulesError
from ludarium.ludii.text.expander import expand
from ludarium.ludii.text.notes import Notes
from ludarium.ludii.text.origin import Origins
from ludarium.ludii.text.reader import MAX_DEPTH, read
from tests.ludii.texts import HOPS, LIBRARY, LINES, ODDITIES, mutations, outcome


def tree(text):
    notes = Notes(Origins())
    return " ".join(map(str, read(notes.origins.file(text, "x.lud"), notes))), [
        str(each.message) for each in notes.problems
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a  b\n {c -1 .5} )", "(a b {c -1 .5})"),
        ("(a x: (b) y:3)", "(a x:(b) y:3)"),
        ("(a x:)", "(a)"),
        ("(a x: y:3)", "(a y:3)"),
        ("(a ((b c)) ())", "(a (b c))"),
        ("(a (((b))))", "(a (b))"),
        ("(a ((b) (c)))", "(a (b) (c))"),
        ("(a x:((b)))", "(a x:(b))"),
        ("(from: (to))", "(from (to))"),
        ("(a : (b))", "(a (b))"),
        ("(<= 1 2)", "(<= 1 2)"),
        ('("A" b)', '("A" b)'),
        (r'(a "say \"hi\"")', "(a \"say 'hi'\")"),
        ("(a Größe)", "(a Größe)"),
        ("", ""),
    ],
)
def test_a_text_is_read(text, expected):
    assert tree(text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a , b)", "',' cannot be here"),
        ("(a #3 b)", "nothing is filled in for #3"),
        ("(a x#1)", "nothing is filled in for #1"),
        ('(a "x#1")', "nothing is filled in for #1"),
        ("(a <Board>)", "nothing is filled in for <Board>"),
        ("(a <Board:size>)", "nothing is filled in for <Board:size>"),
        ("({a} b)", "this clause has no head"),
        ("((a) b)", "this clause has no head"),
    ],
)
def test_what_is_odd_is_noted_and_read_over(text, message):
    assert tree(text)[1] == [message]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(game (a)\n  (b)", "1:1", "this '(' is not closed at the end of the file"),
        ("(game (a)))", "1:11", "this ')' closes nothing"),
        ("(game {a)\n}", "1:9", "this ')' cannot close the '{' of line 1, column 7"),
        ("(game // (\n))", "2:2", "this ')' closes nothing"),
        ('(game "a)', "1:7", "this string is not closed"),
        ("(game [a])", "1:7", "'[' cannot be here"),
        (
            "(" * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1),
            f"1:{MAX_DEPTH + 1}",
            f"more than {MAX_DEPTH} brackets are open here",
        ),
        ("", "1:1", "there is no game here"),
        ("game", "1:1", "there is no game here"),
    ],
)
def test_what_cannot_be_read_is_refused_at_its_place(text, place, message):
    with pytest.raises(RulesError) as caught:
        expand(text, "x.lud")
    (problem,) = caught.value.problems
    assert str(problem.place) == f"x.lud:{place}"
    assert problem.message == message


def test_what_is_written_the_same_is_the_same_node():
    first, second = expand("(game (a (b 1) c:2) (d (a (b 1) c:2)))").root.parts
    assert second.parts[0] is first
    plain, labelled = expand("(game (a 1) x:(a 1))").root.parts
    assert plain is not labelled


def test_without_sharing_every_node_has_its_own_place():
    description = expand("(game (a 1) (a 1))")
    assert [part.at for part in description.unshared().parts] == [6, 12]
    assert str(description.unshared()) == str(description.root)


def test_a_long_node_is_shown_in_brief():
    root = expand("(game " + "(abc def) " * 100 + ")").root
    assert len(root.brief(50)) < 120
    assert root.brief(10_000) == str(root)


WORDS = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,4}|-?[0-9]{1,3}", fullmatch=True)
STRINGS = st.from_regex(r"[A-Za-z0-9 ().:/]{0,6}", fullmatch=True).map(lambda text: f'"{text}"')
LABELS = st.sampled_from(["", "", "at:", "if:"])
NODES = st.recursive(
    st.tuples(LABELS, WORDS | STRINGS).map("".join),
    lambda inner: st.one_of(
        st.tuples(LABELS, WORDS, st.lists(inner, max_size=4)).map(lambda t: f"{t[0]}({' '.join([t[1], *t[2]])})"),
        st.tuples(LABELS, st.lists(inner, max_size=4)).map(lambda t: f"{t[0]}{{{' '.join(t[1])}}}"),
    ),
    max_leaves=20,
)


@settings(max_examples=40)
@given(st.lists(NODES, max_size=4))
def test_what_is_written_is_read_back(parts):
    text = f"(game {' '.join(parts)})" if parts else "(game)"
    assert tree(text)[0] == text


@given(st.text(alphabet='(){}[]<>":/#~.1aA \n', max_size=200))
def test_any_text_is_read_or_refused(text):
    outcome(lambda each: expand(each, "x.lud", library=LIBRARY), text)


@settings(max_examples=150)
@given(mutations(LINES) | mutations(HOPS))
def test_a_spoilt_description_is_read_or_refused(text):
    outcome(lambda each: expand(each, "x.lud", library=LIBRARY), text)


@pytest.mark.parametrize("text", ODDITIES, ids=range(len(ODDITIES)))
def test_a_text_of_extreme_shape_is_read_or_refused(text):
    outcome(lambda each: expand(each, "x.lud", library=LIBRARY), text)
