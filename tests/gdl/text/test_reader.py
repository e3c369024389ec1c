"""The prefix reader: what it accepts, what it means, and what it says about mistakes."""

import pickle
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.core import LudariumError
from ludarium.core.problems import RulesError
from ludarium.gdl.text.meaning import MAX_ALTERNATIVES
from ludarium.gdl.text.reader import parse, parse_term, read
from ludarium.gdl.text.sheet import MAX_DEPTH
from ludarium.gdl.text.syntax import Literal, Rule, Term, Variable
from tests.gdl.text.texts import ODDITIES, PREFIX, mutations, outcome

X, Y = Variable("x"), Variable("y")
A, B = Term("a"), Term("b")


def atom(name, *args):
    return Term(name, args or None)


def written(text):
    return [str(rule) for rule in parse(text)]


def problems(text):
    with pytest.raises(RulesError) as caught:
        parse(text, "game.kif")
    return caught.value.problems


def only(text):
    """The one problem of a text, as line, column and message."""
    (problem,) = problems(text)
    assert problem.place.file == "game.kif"
    return problem.place.line, problem.place.column, problem.message


def test_facts_and_rules_become_rules_in_file_order():
    assert parse("(role a)\n(<= (p ?x) (q ?x ?y) (not (r (f ?y) b)))\nopen") == [
        Rule(atom("role", A)),
        Rule(atom("p", X), (Literal(atom("q", X, Y)), Literal(atom("r", atom("f", Y), B), negative=True))),
        Rule(atom("open")),
    ]


def test_rules_and_conditions_know_their_places():
    rule = parse("; a comment\r\n\r\n  (<= p\r\n\tq\r\n    (not (r a)))", "nim.kif")[0]
    assert str(rule.place) == "nim.kif:3:3"
    assert [(each.place.line, each.place.column) for each in rule.body] == [(4, 2), (5, 10)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts_and_ends_comments(newline):
    rules = parse(newline.join(["(p a) ; (q b)", "", "(r c)"]))
    assert [str(rule) for rule in rules] == ["(p a)", "(r c)"]
    assert rules[1].place.line == 3


def test_keywords_are_recognised_in_any_case_and_names_are_not_changed():
    assert written("(ROLE White) (Init (Cell 1)) (<= (NEXT p) (NOT (True P)) (OR q (Distinct ?X ?x)))") == [
        "(role White)",
        "(init (Cell 1))",
        "(<= (next p) (not (true P)) q)",
        "(<= (next p) (not (true P)) (distinct ?X ?x))",
    ]


def test_a_relation_without_arguments_may_have_parentheses_but_a_function_keeps_them():
    assert parse("(<= (terminal) (open) (true (f)))") == parse("(<= terminal open (true (f)))")
    assert parse("(p (f))") != parse("(p f)")


def test_brackets_make_another_relation_where_a_file_has_both():
    rules = parse("(<= (open) (true f)) (<= (legal x a) open) (<= (terminal) (not (open)))")
    assert [str(rule) for rule in rules] == [
        "(<= (open) (true f))",
        "(<= (legal x a) open)",
        "(<= terminal (not (open)))",
    ]
    (made,) = {rule.head.name for rule in rules} & {literal.atom.name for rule in rules for literal in rule.body}
    assert made != "open"


def test_a_rule_without_conditions_is_a_fact():
    assert parse("(<= (p a))") == parse("(p a)")


@pytest.mark.parametrize(
    ("body", "alternatives"),
    [
        ("(or a b) (or c d)", ["a c", "a d", "b c", "b d"]),
        ("(or a (or b c))", ["a", "b", "c"]),
        ("(or a (and b c))", ["a", "b c"]),
        ("(and a (and b c))", ["a b c"]),
        ("(or a)", ["a"]),
        ("(not (not a))", ["a"]),
        ("(not (or a b))", ["(not a) (not b)"]),
        ("(not (and a (not b)))", ["(not a)", "b"]),
        ("(not (or a (and b c)))", ["(not a) (not b)", "(not a) (not c)"]),
        ("x (not (not (or a b))) y", ["x a y", "x b y"]),
    ],
)
def test_or_is_spelt_out_and_not_stands_before_atoms_only(body, alternatives):
    assert written(f"(<= h {body})") == [f"(<= h {each})" for each in alternatives]


def test_connectives_are_ordinary_names_inside_terms():
    assert written("(<= (p (or a b)) (q (not a) and))") == ["(<= (p (or a b)) (q (not a) and))"]


@pytest.mark.parametrize(
    "name", ["é", "日本", "def", "__import__", "it's", "`x`", "{0}", "%s", "a?b", "\\n", "-1", "+"]
)
def test_any_other_printable_name_is_taken_as_it_is(name):
    assert parse(f"(p {name} ?{name})") == [Rule(atom("p", Term(name), Variable(name)))]


def test_a_byte_order_mark_is_no_part_of_the_rules(tmp_path):
    path = tmp_path / "game.KIF"
    path.write_bytes(b"\xef\xbb\xbf(p a)")
    assert read(path) == parse("(p a)")
    assert read(path)[0].place.column == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (1, 1, "there are no rules here")),
        (f"(p a)\n(init {'7' * 5000})", (2, 7, "a name of 5,000 characters; 1,000 are allowed")),
        ("; only a comment\n", (1, 1, "there are no rules here")),
        ("(p a", (1, 1, "this '(' is not closed at the end of the file")),
        ("(p a)\n(q (r b)", (2, 1, "this '(' is not closed at the end of the file")),
        ("(p a))", (1, 6, "this ')' closes nothing")),
        ("()", (1, 1, "there is nothing in these parentheses")),
        ("(p ())", (1, 4, "there is nothing in these parentheses")),
        ("((p) a)", (1, 2, "a name is expected after '(', not another '('")),
        ("(?p a)", (1, 2, "a name is expected after '(', not the variable ?p")),
        ("?x", (1, 1, "a relation is expected here, not the variable ?x")),
        ("(<= ?x p)", (1, 5, "a relation is expected here, not the variable ?x")),
        ("(<= p ?x)", (1, 7, "a relation is expected here, not the variable ?x")),
        ("(<= p (not ?x))", (1, 12, "a relation is expected here, not the variable ?x")),
        ("(<=)", (1, 1, "this rule has no head")),
        ("<=", (1, 1, "'<=' is out of place")),
        ("(p <=)", (1, 4, "'<=' is out of place")),
        ("(<= p q <= r)", (1, 9, "'<=' is out of place")),
        ("(p ?)", (1, 4, "a variable needs a name after '?'")),
        ('(p "a")', (1, 4, "a name cannot contain quotation marks")),
        ("(p a\0b)", (1, 4, r"a name cannot contain the character '\x00'")),
        ("(p a\u200bb)", (1, 4, r"a name cannot contain the character '\u200b'")),
        ("(p \ud800)", (1, 4, r"a name cannot contain the character '\ud800'")),
        ("(<= (not p) q)", (1, 5, "'not' cannot be stated as a fact or as the head of a rule")),
        ("(OR p q)", (1, 1, "'or' cannot be stated as a fact or as the head of a rule")),
        ("(<= p (not))", (1, 7, "'not' takes one condition, here are 0")),
        ("(<= p (not q r))", (1, 7, "'not' takes one condition, here are 2")),
        ("(<= p or)", (1, 7, "'or' needs conditions")),
        ("(role a) b\n(role c)", (1, 10, "stray text 'b'")),
        ("a (role b)", (1, 1, "stray text 'a'")),
    ],
)
def test_a_mistake_is_named_with_its_place(text, expected):
    assert only(text) == expected


def test_an_open_parenthesis_is_found_where_the_next_rule_starts_and_reading_goes_on():
    first, second = problems("(<= (p ?x)\n    (q ?x (r ?x)\n\n(<= s t)\n(u ?)")
    assert (first.place.line, first.message) == (
        1,
        "this '(' is not closed when the next rule starts in line 4",
    )
    assert first.hint == "2 are open, the innermost since line 2, column 5"
    assert second.place.line == 5


def test_all_problems_are_told_in_file_order():
    found = problems("(p ?)\n)\n(<= ?x)\n(q a)\n(")
    assert [problem.place.line for problem in found] == [1, 2, 3, 5]
    with pytest.raises(RulesError, match=r"(?s)game.kif:1:4: .*game.kif:2:1: "):
        parse("(p ?)\n(", "game.kif")


def test_a_file_of_nonsense_is_given_up_soon_and_listed_shortly():
    found = problems(") " * 10_000)
    assert len(found) == 100
    assert str(RulesError(found)).endswith("and 80 more")


def test_the_error_survives_pickling():
    error = RulesError(problems("(p ?)"))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_nesting_is_limited_and_what_is_allowed_works():
    deepest = "(f " * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1)
    rule = parse(f"(p {deepest})")[0]
    assert str(rule) == f"(p {deepest})"
    assert rule.head.ground
    assert len({rule, rule}) == 1
    assert only(f"(p (f {deepest}))")[2] == f"more than {MAX_DEPTH} parentheses are open here"
    assert only("(" * 1_000_000)[2] == f"more than {MAX_DEPTH} parentheses are open here"


def test_ors_that_explode_are_refused():
    assert len(parse(f"(<= h {'(or a b) ' * 12})")) == 4096 == MAX_ALTERNATIVES
    assert only(f"(<= h {'(or a b) ' * 13})")[2] == "the 'or's here stand for more than 4096 rules"
    assert only(f"(<= h {'(or a b) ' * 10_000})")[2] == "the 'or's here stand for more than 4096 rules"
    assert "repeat more than" in only(f"(<= h {'(or a b) ' * 12}{'c ' * 100} (d))\n" * 8)[2]


def test_a_term_alone_is_read_for_moves():
    assert parse_term(" (mark 1 (f ?x)) ") == atom("mark", Term("1"), atom("f", X))
    assert parse_term("noop") == Term("noop")
    for text in ("", "(a) (b)", "(a", "(<= a)", "?"):
        with pytest.raises(RulesError):
            parse_term(text)


@pytest.mark.parametrize("name", ["game.txt", "game", ".kif", "game.kif.bak"])
def test_an_unknown_ending_is_refused(tmp_path, name):
    (tmp_path / name).write_text("(p a)")
    with pytest.raises(LudariumError, match=r"ends in \.kif, \.gdl or \.hrf"):
        read(tmp_path / name)


def test_a_file_that_cannot_be_read_is_an_error_of_the_user(tmp_path, monkeypatch):
    (tmp_path / "folder.kif").mkdir()
    (tmp_path / "latin.kif").write_bytes(b"(p a)\n(q \xe9)")
    (tmp_path / "large.kif").write_bytes(b"(p a)" * 10)
    with pytest.raises(LudariumError, match=r"none\.kif: No such file"):
        read(tmp_path / "none.kif")
    with pytest.raises(LudariumError, match="this is a folder; expected a file of rules"):
        read(tmp_path / "folder.kif")
    with pytest.raises(LudariumError, match=r"latin\.kif:2:4: the byte 0xe9 is not UTF-8"):
        read(tmp_path / "latin.kif")
    with pytest.raises(LudariumError):
        read(Path("a\0b.kif"))
    monkeypatch.setenv("LUDARIUM_LIMITS", "file_megabytes=0.000049")
    with pytest.raises(LudariumError, match="the file has more than"):
        read(tmp_path / "large.kif")


@pytest.mark.parametrize("text", ODDITIES)
def test_odd_texts_end_in_rules_or_in_an_error_soon(text):
    start = time.process_time()
    outcome(parse, text)
    assert time.process_time() - start < 5


@given(st.text() | st.text("()<=?;\n\"' \tnotorab") | mutations(PREFIX))
def test_any_text_ends_in_rules_or_in_an_error(text):
    rules, problems = outcome(parse, text)
    assert bool(rules) != bool(problems)
    assert all(problem.message and problem.place.line >= 1 <= problem.place.column for problem in problems)


@given(st.binary(max_size=60))
def test_any_file_ends_in_rules_or_in_an_error(tmp_path_factory, data):
    for ending in (".kif", ".hrf"):
        path = tmp_path_factory.getbasetemp() / f"any{ending}"
        path.write_bytes(data)
        rules, problems = outcome(read, path)
        assert bool(rules) != bool(problems)
        assert all(problem.place.file == str(path) for problem in problems)


@pytest.mark.slow
def test_fifty_megabytes_are_read(tmp_path):
    path = tmp_path / "large.kif"
    lines = (f"(<= (next (cell ?x ?y {n})) (true (cell ?x ?y b)) (not (blocked ?x {n})))\n" for n in range(700_000))
    path.write_text("".join(lines))
    assert path.stat().st_size > 50e6
    assert len(read(path)) == 700_000


@pytest.mark.corpus
def test_every_file_of_the_corpus_is_read(corpus):
    paths = [path for path in corpus.rglob("*") if path.suffix in (".kif", ".gdl")]
    assert paths
    for path in paths:
        assert any(rule.head.name == "role" for rule in read(path)), path
