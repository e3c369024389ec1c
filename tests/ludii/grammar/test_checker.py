"""What the checker says: one small mistake per message, all mistakes of a file at once, and none about the library."""

import random

import pytest
from hypothesis import given, settings

from ludarium.core.problems import RulesError
from ludarium.ludii.grammar.checker import bind, check
from ludarium.ludii.library import open_library
from ludarium.ludii.text.expander import expand
from tests.ludii.texts import HOPS, LIBRARY, LINES, ODDITIES, PASS, mutations

FREE = """(game "Free"
    (players 2)
    (equipment {
        (board (hex 3))
        (piece "Stone" Each)
        (regions P1 {(sites Side N) (sites Side S)})
    })
    (rules
        (start (place "Stone1" {0 1}))
        (play (move Add (to (sites Empty))))
        (end (if (is Connected Mover) (result Mover Win)))
    )
)
"""


def found(text, library=LIBRARY):
    problems = check(text, "free.lud", library=library)
    return [f"{each.place.line}:{each.place.column}: {each.message} ({each.hint})" for each in problems]


@pytest.mark.parametrize("text", [FREE, LINES, HOPS, PASS])
def test_a_sound_description_has_no_problems(text):
    assert found(text) == []


MISTAKES = [
    ("(players 2)", "(player 2)", "2:5: (player 2) does not fit here (here may be (players ...))"),
    ("Each", "Eech", "5:24: Eech does not fit here (did you mean 'Each'?)"),
    ("(sites Empty)", "(sites Empti)", "10:36: 'Empti' cannot follow 'sites' (did you mean 'Empty'?)"),
    ("(to (", "(tu (", "10:25: there is no ludeme 'tu' (here may be (to ...))"),
    ("(move Add", "(move Ad", "10:21: 'Ad' cannot follow 'move' (did you mean 'Add'?)"),
    ("(equipment", "(equipmnt", "3:5: there is no ludeme 'equipmnt' (did you mean 'equipment'?)"),
    ("(is Connected Mover)", "(is Conected Mover)", "11:22: 'Conected' cannot follow 'is' (did you mean 'Connected'?)"),
    ("Side N", "Side NNN", "6:34: NNN does not fit here (did you mean 'NNW'?)"),
    ("(hex 3)", "(hex 3 size:4)", "4:28: 'hex' has no 'size:' (it is written (hex [HexShapeType] dim [dim]))"),
    ("(hex 3)", '(hex "3")', "and there is no define of that name"),
    ("(hex 3)", "(hexagonal 3)", "4:16: there is no ludeme 'hexagonal' (did you mean 'hex'?)"),
    ("(result Mover Win)", "(result Mover)", "11:39: 'result' lacks the argument 'result'"),
    ("(is Connected Mover)", "(is Connected)", "11:18: 'is' lacks 'regions' or 'role' or 'regionType'"),
    ("(is Connected Mover)", "(is Connected Mover {(sites Top)})", "fits no free slot of 'is'"),
    ("(is Connected Mover)", "(is In at:3)", "'is' has no 'at:'"),
    ("(is Connected Mover)", '("IsConected" Mover)', '11:18: there is no define "IsConected"'),
    ("(is Connected Mover)", '"IsEmptyToo"', "(did you mean 'IsEmptyTo'?)"),
    ("(is Connected Mover)", "(is Empty #1)", "11:28: nothing is filled in for #1"),
    ("(is Connected Mover)", "(is Empty <Where>)", "11:28: nothing is filled in for <Where>"),
    ("(is Connected Mover)", "(is)", "11:18: 'is' does not say what it is about"),
    ("(is Connected Mover)", "(= 1 2 Mover)", "11:18: '=' takes only one of 'valueB' or 'roleB'"),
    ("{0 1}", "{0 at:1}", "9:38: 'at:' cannot be in braces"),
    ('"Stone1"', "3", "9:23: 3 does not fit here (here may be a string)"),
    ("(sites Side S)", "5", "6:37: 5 does not fit here (here may be "),
    ("(result Mover Win)", '("Wrong" 1)', 'in the define "Wrong" of the library (def/Wrong.def:2:5)'),
]


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES, ids=[f"{old} -> {new}" for old, new, _ in MISTAKES])
def test_a_mistake_is_named_at_its_place(old, new, message):
    assert old in FREE
    problems = found(FREE.replace(old, new, 1))
    assert len(problems) == 1, problems
    assert message in problems[0]


def test_all_mistakes_of_a_file_are_found_in_one_run():
    text = FREE
    for old, new in [
        ("2)", "two)"),
        ("Each", "Eech"),
        ("Side N", "Sid N"),
        ("{0 1}", "{0 x 1}"),
        ("Empty", "Empti"),
        ("Win", "Wim"),
    ]:
        text = text.replace(old, new, 1)
    text = '(define "Unused" (foo))\n' + text.replace("(hex 3)", "(hex #2 (wrong))")
    lines = [problem.split(":")[0] for problem in found(text)]
    assert lines == ["1", "3", "5", "5", "6", "7", "10", "11", "12"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('(define "A" 1)\n', '1:9: the define "A" is never used (remove it, or see how its uses are spelled)'),
        ('(rulesets {(ruleset "Ruleset/X" {"A/b"})})\n', 'the ruleset "Ruleset/X" chooses "A/b", which there is not'),
        ('(metadata (info {(athor "x")}))\n', "1:18: there is no ludeme 'athor' (did you mean 'author'?)"),
    ],
)
def test_what_is_odd_is_a_warning_and_does_not_keep_a_game_from_binding(text, message):
    (problem,) = check(text + FREE, "x.lud")
    assert problem.warning
    assert message in f"{problem.place.line}:{problem.place.column}: {problem.message} ({problem.hint})"
    assert bind(expand(text + FREE)).root.unit == "game"


def test_a_define_that_only_an_option_uses_is_used():
    text = '(define "A" 3) (define "B" 4)' + FREE.replace("(hex 3)", "(hex <Size>)")
    text += '(option "S" <Size> args:{<s>} {(item "a" <"A"> "a") (item "b" <"B"> "b")})'
    assert found(text) == []


def test_without_a_library_a_missing_define_says_how_to_get_one():
    text = FREE.replace("(is Connected Mover)", '("IsInCheck" "Stone" Mover)')
    (problem,) = check(text, "free.lud")
    assert problem.message == 'there is no define "IsInCheck"'
    assert "point LUDARIUM_LUDII to Ludii's .jar" in problem.hint


def test_problems_are_errors_when_a_game_is_bound():
    with pytest.raises(RulesError) as caught:
        bind(expand(FREE.replace("Win", "Wim"), "free.lud"))
    assert str(caught.value) == "free.lud:11:53: Wim does not fit here\n  did you mean 'Win'?"


def test_very_many_problems_are_cut_short():
    assert len(check(FREE.replace("{0 1}", "{" + "(what ever) " * 3000 + "}"))) <= 100
    assert len(check(FREE.replace("(sites Empty)", "(sites " + "word " * 3000 + ")"))) <= 100
    unknown = " ".join(f"(word{k})" for k in range(3000))
    assert len(check(FREE.replace("{0 1}", f"{{{unknown}}}"))) == 100


@settings(max_examples=150)
@given(mutations(FREE) | mutations(LINES))
def test_a_spoilt_description_is_checked(text):
    for problem in check(text, "x.lud", library=LIBRARY):
        assert problem.place.line >= 1


@pytest.mark.parametrize("text", ODDITIES, ids=range(len(ODDITIES)))
def test_a_text_of_extreme_shape_is_checked(text):
    check(text, "x.lud", library=LIBRARY)


@pytest.mark.corpus
def test_the_library_has_no_errors(ludii):
    library = open_library(ludii)
    failed = {}
    for path in library.paths:
        problems = [each for each in check(*library.read(path), library=library.defines) if not each.warning]
        if problems:
            failed[path] = problems
    assert failed == {}


@pytest.mark.corpus
@pytest.mark.slow
def test_spoilt_games_of_the_library_are_checked(ludii):
    library = open_library(ludii)
    rng = random.Random(20)
    pieces = ["", *'(){}<>":#~', " ", "..", "#1", "~", "(define ", '"A"', "0", "Mover", "(sites Board)"]
    for path in rng.sample(library.paths, 400):
        string, file = library.read(path)
        for _ in range(rng.randint(1, 4)):
            start = rng.randrange(len(string))
            end = start + rng.choice([0, 1, 5, 60])
            string = string[:start] + rng.choice([*pieces, string[start:end] * 2]) + string[end:]
        check(string, file, library=library.defines)
