"""The infix reader: the same rules as in prefix form, and what it says about mistakes."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.core.problems import RulesError
from ludarium.gdl.text import reader
from ludarium.gdl.text.infix import parse
from ludarium.gdl.text.sheet import MAX_DEPTH
from tests.gdl.text.texts import INFIX, ODDITIES, PREFIX, mutations, outcome


def written(text):
    return [str(rule) for rule in parse(text)]


def problems(text):
    with pytest.raises(RulesError) as caught:
        parse(text, "game.hrf")
    return caught.value.problems


def only(text):
    """The one problem of a text, as line, column and message."""
    (problem,) = problems(text)
    assert problem.place.file == "game.hrf"
    return problem.place.line, problem.place.column, problem.message


def test_a_game_means_the_same_in_both_forms(tmp_path):
    path = tmp_path / "game.hrf"
    path.write_text(INFIX)
    assert reader.read(path) == reader.parse(PREFIX)


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("p(a,f(b))", "(p a (f b))"),
        ("p ( a , f ( b ) )", "(p a (f b))"),
        ("terminal", "terminal"),
        ("terminal()", "terminal"),
        ("p(f())", "(p (f))"),
        ("p(X,Age1,age1,1)", "(p ?x ?age1 age1 1)"),
        ("h :- a & b", "(<= h a b)"),
        ("h:-a&~b", "(<= h a (not b))"),
        ("h :-\n  a & % why\n  b", "(<= h a b)"),
        ("h :- (a & b)", "(<= h a b)"),
        ("h :- ~~a", "(<= h a)"),
        ("h :- ~(a | b) & c", "(<= h (not a) (not b) c)"),
        ("h :- not(a) & distinct(X,y)", "(<= h (not a) (distinct ?x y))"),
    ],
)
def test_infix_is_read_as_its_prefix_form(text, prefix):
    assert written(text) == [prefix]


def test_and_binds_tighter_than_or():
    assert written("h :- a & b | c & d | e") == ["(<= h a b)", "(<= h c d)", "(<= h e)"]
    assert written("h :- a & (b | c) & d") == ["(<= h a b d)", "(<= h a c d)"]


def test_full_stops_are_optional():
    assert written("p. q(a). r(b) s(c)\nt :- u. v") == ["p", "(q a)", "(r b)", "(s c)", "(<= t u)", "v"]


def test_each_anonymous_variable_is_another_one():
    assert written("p(_,_) :- q(_)\nr(_)") == ["(<= (p ?_1 ?_2) (q ?_3))", "(r ?_1)"]
    assert written("p(_,_1,__2)") == ["(p ?___1 ?_1 ?__2)"]


def test_rules_and_conditions_know_their_places():
    rule = parse("% a comment\n\nh(X) :-\n  a(X) &\n  ~b", "game.hrf")[0]
    assert str(rule.place) == "game.hrf:3:1"
    assert [(each.place.line, each.place.column) for each in rule.body] == [(4, 3), (5, 4)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (1, 1, "there are no rules here")),
        ("% only a comment", (1, 1, "there are no rules here")),
        ("p(a", (1, 2, "this '(' is not closed before the end of the file")),
        ("p(a b)", (1, 2, "this '(' is not closed before 'b' in line 1")),
        ("h :- (a & b", (1, 6, "this '(' is not closed before the end of the file")),
        ("p(a))", (1, 5, "')' is out of place")),
        ("p(,a)", (1, 3, "a term is expected here, not ','")),
        ("p(a,)", (1, 5, "a term is expected here, not ')'")),
        ("h :-", (1, 5, "a relation is expected here, not the end of the file")),
        ("h :- & a", (1, 6, "a relation is expected here, not '&'")),
        ("h :- a, b", (1, 7, "',' is out of place")),
        ("h :- a :- b", (1, 8, "':-' is out of place")),
        (":- a", (1, 1, "a relation is expected here, not ':-'")),
        ("X", (1, 1, "a relation is expected here, not the variable X")),
        ("h :- X", (1, 6, "a relation is expected here, not the variable X")),
        ("Role(white)", (1, 1, "a name is expected before '(', not the variable Role")),
        ("p(?x)", (1, 3, "a term is expected here, not '?'")),
        ('p("a")', (1, 3, "a term is expected here, not '\"'")),
        ("p(a-b)", (1, 2, "this '(' is not closed before '-' in line 1")),
        ("p(é)", (1, 3, "a term is expected here, not 'é'")),
        ("p(\0)", (1, 3, r"a term is expected here, not '\x00'")),
        ("p(a_u0041_)", (1, 3, "the name 'a_u0041_' cannot be written in prefix form")),
        ("p(a_u110000_)", (1, 3, "the name 'a_u110000_' cannot be written in prefix form")),
        ("p(name__u003f_x)", (1, 3, "the name 'name__u003f_x' cannot be written in prefix form")),
        ("p(a_u0020_b)", (1, 3, "a name cannot contain the character ' '")),
        ("not(p)", (1, 1, "'not' cannot be stated as a fact or as the head of a rule")),
        ("p q(a)", (1, 1, "stray text 'p'")),
        ("a ==> b", (1, 3, "'=' is out of place")),
    ],
)
def test_a_mistake_is_named_with_its_place(text, expected):
    assert only(text) == expected


def test_reading_goes_on_with_the_next_statement():
    found = problems("p(a\nq(b)\nr(,)\ns :- &. t(\n  X\nu :- ~)\nv(c)")
    assert [problem.place.line for problem in found] == [1, 3, 4, 4, 6]


def test_nesting_is_limited_and_what_is_allowed_works():
    deepest = "f(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1)
    assert str(parse(f"p({deepest})")[0]).count("(") == MAX_DEPTH
    assert only(f"p(f({deepest}))")[2] == f"this is nested more than {MAX_DEPTH} deep"
    assert written("h :- " + "(" * 200 + "a" + ")" * 200) == ["(<= h a)"]
    assert only("h :- " + "(" * 201 + "a" + ")" * 201)[2] == "this is nested more than 200 deep"


@pytest.mark.parametrize("text", ODDITIES)
def test_odd_texts_end_in_rules_or_in_an_error_soon(text):
    start = time.process_time()
    outcome(parse, text)
    assert time.process_time() - start < 5


@given(st.text() | st.text(":-&|~(),.%_ \nabXY10") | mutations(INFIX))
def test_any_text_ends_in_rules_or_in_an_error(text):
    rules, problems = outcome(parse, text)
    assert bool(rules) != bool(problems)
    assert all(problem.message and problem.place.line >= 1 <= problem.place.column for problem in problems)
