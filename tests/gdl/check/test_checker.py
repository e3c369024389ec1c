"""The checker: one small description per message, and the verdicts on the games of the corpus."""

import csv

import pytest

from ludarium.gdl.check.checker import check, check_file, lines
from ludarium.gdl.text.reader import parse
from tests.gdl.traces import ReferenceWalk

SOUND = """\
(role white) (role black)
(init (control white)) (init (left 2))
(after 2 1) (after 1 0) (turn white black) (turn black white)
(<= (legal ?p take) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (left ?m)) (true (left ?n)) (after ?n ?m))
(<= (next (control ?q)) (true (control ?p)) (turn ?p ?q))
(<= terminal (true (left 0)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))
"""


def found(text, *, play=False, strict=True):
    rules = parse(text, "game.kif")
    return lines(check(rules, play=(lambda: ReferenceWalk(rules)) if play else None, strict=strict))


def test_a_sound_game_has_no_problems():
    assert found(SOUND, play=True) == []


ERRORS = {
    "a fact with variables": ("(step ?x)", "1: error: a fact cannot have variables: ?x in (step ?x)"),
    "an unbound variable in the head": (
        "(<= (next (free ?x)) (true (left 1)))",
        "1: error: unsafe rule: nothing says what ?x in the head may be",
    ),
    "an unbound variable under not": (
        "(<= (next up) (not (true (left ?x))))",
        "20: error: unsafe rule: ?x occurs under 'not' and in no positive condition",
    ),
    "an unbound variable in distinct": (
        "(<= (next up) (true (left ?x)) (distinct ?x ?y))",
        "32: error: unsafe rule: ?y occurs under 'distinct' and in no positive condition",
    ),
    "a role that is a variable": ("(role ?x)", "1: error: a role cannot be a variable: (role ?x)"),
    "a role by rule": ("(<= (role ?x) (turn ?x ?y))", "1: error: a role cannot be a variable: (role ?x)"),
    "a ground role by rule": (
        "(<= (role red) (turn white black))",
        "1: error: 'role' cannot be the head of a rule",
    ),
    "true in a head": ("(true (left 3))", "1: error: 'true' cannot be stated or be the head of a rule"),
    "does in a head": ("(<= (does white take) (true (left 1)))", "1: error: 'does' cannot be stated"),
    "distinct in a head": ("(distinct a b)", "1: error: 'distinct' cannot be stated"),
    "next as a condition": (
        "(<= (legal white a) (next (left 0)))",
        "21: error: 'next' cannot be a condition",
    ),
    "init as a condition": (
        "(<= (legal white a) (init (left 2)))",
        "21: error: 'init' cannot be a condition",
    ),
    "sees as a condition": ("(<= (legal white a) (sees white b))", "21: error: 'sees' cannot be a condition"),
    "does in legal": ("(<= (legal white a) (does black take))", "21: error: 'legal' depends on 'does'"),
    "does in goal by way of others": (
        "(<= (took ?p) (does ?p take)) (<= (goal ?p 50) (taken ?p)) (<= (taken ?p) (took ?p))",
        "48: error: 'goal' depends on 'does' through 'taken', 'took'",
    ),
    "does in terminal": ("(<= terminal (does white noop))", "14: error: 'terminal' depends on 'does'"),
    "true in init": ("(<= (init ?x) (true ?x))", "15: error: 'init' depends on 'true'"),
    "true in base": ("(<= (base ?x) (true ?x))", "15: error: 'base' depends on 'true'"),
    "a keyword with a wrong number of arguments": (
        "(<= (next up) (does white take 1))",
        "15: error: 'does' takes 2 arguments, here are 3",
    ),
    "a relation with two arities": (
        "(<= (next up) (turn white))",
        "15: error: 'turn' has 1 argument here and 2 at line 3",
    ),
    "a goal that is no number": ("(<= (goal white high) (true (left 0)))", "1: error: high is not a goal value"),
    "a goal over 100": ("(<= (goal white 101) (true (left 0)))", "1: error: 101 is not a goal value"),
    "not inside of true": ("(<= (next up) (true (not up)))", "15: error: 'not' inside of 'true'"),
    "recursion through negation": (
        "(<= (p ?x) (turn ?x ?y) (not (q ?x))) (<= (q ?x) (r ?x)) (<= (r ?x) (role ?x) (p ?x))",
        "30: error: recursion through negation: (p ?x) <- (q ?x) <- (r ?x) <- (p ?x)",
    ),
    "a relation that negates itself": (
        "(<= (p ?x) (role ?x) (not (p ?x)))",
        "27: error: recursion through negation: (p ?x) <- (p ?x)",
    ),
    "functions nested without end": (
        "(num zero) (<= (num (s ?n)) (num ?n))",
        "29: error: unrestricted recursion: only 'num', which depends on 'num', says what ?n may be",
    ),
    "a base that leaves out a fact": (
        "(<= (base (control ?p)) (role ?p)) (<= (base (left ?n)) (after ?n ?m)) (<= (next up) (true ?x))",
        "72: error: 'base' leaves out up",
    ),
    "an input that leaves out a move": (
        "(<= (input ?p take) (role ?p)) (<= (legal ?p pass) (role ?p))",
        "32: error: 'input' leaves out pass",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_found_where_it_is(name):
    text, expected = ERRORS[name]
    problems = found(SOUND + text)
    assert any(problem.startswith(f"game.kif:11:{expected}") for problem in problems), problems


WARNINGS = {
    "a relation that is never used": ("(size 4)", "1: warning: the relation 'size' is never used"),
    "a relation that is never defined": (
        "(<= (next up) (trun white black))",
        "15: warning: the relation 'trun' is never defined (did you mean 'turn'?)",
    ),
    "a fact that nothing makes": (
        "(<= terminal (true over))",
        "14: warning: no 'init' or 'next' ever makes over true",
    ),
    "a fact that nothing asks for": (
        "(init (board 1 2))",
        "1: warning: (board _ _) is made true, but nothing asks",
    ),
    "a variable that is nearly another": (
        "(<= (next (left ?number)) (true (left ?numbr)) (after ?number ?number))",
        "1: warning: the variable ?numbr occurs only once (did you mean ?number?)",
    ),
    "a constant that never comes there": (
        "(<= terminal (true (control wite)))",
        "14: warning: (true (control wite)) never holds: wite never comes there (did you mean 'white'?)",
    ),
    "a constant under not that never comes there": (
        "(<= terminal (not (true (left 7))))",
        "19: warning: (not (true (left 7))) is always true: 7 never comes there (there may be 0, 1, 2)",
    ),
    "a move that nobody may make": (
        "(<= (next (left 0)) (does ?p give))",
        "21: warning: (does ?p give) never holds: give never comes there (there may be noop, take)",
    ),
    "a role that is none": (
        "(<= (legal whit take) (true (left 1)))",
        "1: warning: whit in (legal whit take) is not a role",
    ),
    "names that differ in case": ("(Turn a b)", "1: warning: 'Turn' and 'turn' differ in case only"),
    "variables that differ in case": (
        "(<= (legal ?P take) (true (control ?P)) (role ?p))",
        "41: warning: '?p' and '?P' differ in case only",
    ),
    "a name that nearly is another": (
        "(<= terminal (true (left 1)) (true (control white)) (true (control whitte)))",
        "53: warning: 'whitte' occurs only once (did you mean 'white'?)",
    ),
    "a term with two arities": (
        "(init (left 1 1))",
        "1: warning: the term 'left' has 2 arguments here and 1 at line 2",
    ),
    "a keyword inside of a term": (
        "(init (next 1))",
        "1: warning: the keyword 'next' means nothing inside of 'init'",
    ),
    "recursion against the letter only": (
        "(<= (far ?x ?y) (turn ?x ?y)) (<= (far ?x ?z) (far ?x ?y) (far ?y ?z))",
        "47: warning: unrestricted recursion: only 'far', which depends on 'far', says what ?y may be",
    ),
    "next seen": (
        "(<= (sees ?p (left ?n)) (role ?p) (next (left ?n)))",
        "35: warning: 'next' as a condition of 'sees'",
    ),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_a_warning_is_given_and_is_no_error(name):
    text, expected = WARNINGS[name]
    problems = found(SOUND + text)
    assert any(problem.startswith(f"game.kif:11:{expected}") for problem in problems), problems
    assert not any(": error: " in problem for problem in problems), problems


@pytest.mark.parametrize("name", ["role", "legal", "goal", "terminal", "init", "next"])
def test_a_missing_keyword_is_named(name):
    text = "\n".join(line for line in SOUND.splitlines() if f"({name} " not in line and f"<= {name}" not in line)
    severity = "warning" if name in ("init", "next") else "error"
    assert any(line.startswith(f"game.kif:1:1: {severity}: there is no '{name}'") for line in found(text))


def test_all_problems_come_in_one_run_in_the_order_of_the_file():
    text = "(role ?x)\n(size 4)\n(<= (next (up ?x)) (role ?y) (distinct ?z a))\n" + SOUND
    assert [problem.split(": ")[0] for problem in found(text)][:5] == [
        f"game.kif:{place}" for place in ("1:1", "2:1", "3:1", "3:1", "3:30")
    ]


def test_a_series_of_variables_is_nothing_odd():
    assert found(SOUND + "(<= terminal (true (left ?num1)) (after ?num1 ?num2) (after ?num3 ?num1))") == []


def test_the_alternatives_of_an_or_are_one_statement():
    assert found(SOUND + "(<= terminal (or (true (left ?first)) (after ?firsts 1)) (after ?first ?firsts))") == []


def test_python_words_and_quotes_are_names_like_any_other():
    text = SOUND.replace("take", "lambda").replace("white", "__import__('os')".replace("(", "[").replace(")", "]"))
    assert found(text, play=True) == []


BASE = "(<= (base (control ?p)) (role ?p)) (base (left 0)) (<= (base (left ?n)) (after ?n ?m) (distinct ?n 2))"
PLAYED = {
    "a role without a move": (
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))",
        "",
        "game.kif:4:1: error: black has no legal move at the beginning",
    ),
    "no goal at the end": (
        "(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))",
        "",
        "game.kif:9:1: error: the game is over and black has no goal value after (take noop), (noop take)",
    ),
    "two goals at the end": (
        "(not (goal ?p 100))",
        "(true (left 0))",
        "game.kif:9:1: error: the game is over and white has the goal values 0 and 100 after",
    ),
    "a goal out of range": (
        SOUND[SOUND.index("(<= (goal ?p 100)") :],
        "(<= (goal ?p ?v) (role ?p) (worth ?v)) (worth 500)",
        "game.kif:9:1: error: white has the goal value 500 after",
    ),
    "a game that does not end": (
        "(after 1 0)",
        "(after 1 2) (after 9 0)",
        "game.kif:8:1: warning: the game has not ended after",
    ),
    "a base that leaves out a fact that comes up": (
        "(role white)",
        f"{BASE} (role white)",
        "game.kif:1:1: error: 'base' leaves out (left 2), which comes up at the beginning",
    ),
}


@pytest.mark.parametrize("name", PLAYED)
def test_playing_shows_what_rules_alone_do_not(name):
    old, new, expected = PLAYED[name]
    assert old in SOUND
    problems = found(SOUND.replace(old, new), play=True)
    assert any(problem.startswith(expected) for problem in problems), problems


def test_the_compiled_game_is_played(tmp_path):
    path = tmp_path / "game.kif"
    path.write_text(SOUND)
    assert check_file(path) == []
    path.write_text(SOUND.replace("(<= (legal ?p noop) (role ?p) (not (true (control ?p))))", ""))
    assert any("black has no legal move" in line for line in lines(check_file(path)))


def test_what_cannot_be_read_is_a_problem_too(tmp_path):
    path = tmp_path / "game.kif"
    for text in ("", "(role white", "(<= )"):
        path.write_text(text)
        assert lines(check_file(path)), text


ACCEPTED_ANYWAY = {
    "test_clean_not_distinct": "(not (distinct ...)) has a plain meaning, so we allow it",
    "chessAlex": "names that differ in case only are a warning: names are as written",
}


@pytest.mark.corpus
def test_the_verdicts_on_the_corpus_are_those_of_ggp_base(corpus):
    with (corpus / "index.csv").open(encoding="utf-8", newline="") as file:
        verdicts = {row["name"]: row["validator"] for row in csv.DictReader(file)}
    wrong = {}
    for name, verdict in verdicts.items():
        errors = [p for p in check_file(corpus / "games" / f"{name}.kif", play=False, strict=True) if not p.warning]
        if bool(errors) != (verdict == "reject"):
            wrong[name] = errors
    assert wrong == {name: [] for name in ACCEPTED_ANYWAY}


@pytest.mark.corpus
def test_games_with_hidden_information_pass(corpus):
    paths = [path for path in (corpus / "gdl2").iterdir() if path.suffix in (".gdl", ".kif")]
    assert [p for path in paths for p in check_file(path, play=False) if not p.warning] == []
