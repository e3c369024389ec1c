"""Defines: what a use comes to, in which order, and where it ends."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.ludii.text import defines
from ludarium.ludii.text.expander import expand
from tests.ludii.texts import LIBRARY


def plain(text, library=defines.NO_LIBRARY):
    return str(expand(text, "x.lud", library=library).root)


def problem(text):
    with pytest.raises(RulesError) as caught:
        expand(text, "x.lud")
    (only,) = caught.value.problems
    return only


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(define "A" 1 2) (game x "A" ("A") (b "A"))', "(game x 1 2 1 2 (b 1 2))"),
        ('(define "A" (a #1 #2)) (game x ("A" (b c) {d e}))', "(game x (a (b c) {d e}))"),
        ('(define "A" (a #2 #1 #1)) (game x ("A" 1 2))', "(game x (a 2 1 1))"),
        ('(define "A" (a #1 #2 #3)) (game x ("A" ~ 2))', "(game x (a 2))"),
        ('(define "A" (a x:#1 y:#2)) (game x ("A" ~ 2))', "(game x (a y:2))"),  # the label without a value goes on
        ('(define "A" (a x:#1)) (game x ("A"))', "(game x (a))"),
        ('(define "A" (a "Disc#1")) (game x ("A" P1))', '(game x (a "DiscP1"))'),
        ('(define "A" (a #1)) (game x ("A" at:(b c) d))', "(game x (a at:(b c)))"),
        ('(define "A" (a #1)) (game x ("A" ("A" ("A" x))))', "(game x (a (a (a x))))"),
        ('(define "A" ("B" #1 #1)) (define "B" (b #2 #1)) (game x ("A" x))', "(game x (b x x))"),
        ('(define "B" (b #1)) (define "A" ("B" #1)) (game x ("A" x))', "(game x (b x))"),
        ('(define "A" (a)) (define "A" (b)) (game x ("A"))', "(game x (a))"),
        ('(define "Chess" (a)) (game "Chess" "Chess")', '(game "Chess" (a))'),  # its name stays
        ('(define "A" (a)) (match "A" (games "A"))', '(match "A" (games (a)))'),
        ('(define "A" (define "B" (b)) (a "B")) (game x ("A"))', "(game x (a (b)))"),
        ('(define "A" (a)) (game "AA" "A A" "a")', '(game "AA" "A A" "a")'),
        ('(define "A" (a #10)) (game x ("A" x))', "(game x (a x0))"),
        ('(define "A") (game x (a "A") ("A"))', "(game x (a))"),
    ],
)
def test_a_use_comes_to(text, expected):
    assert plain(text) == expected


def test_without_brackets_several_words_are_one_argument_or_several_by_the_order_of_the_defines():
    first = '(define "Two" 1 2) (define "Pick" (pick #1 #2)) (game x ("Pick" "Two" 3))'
    last = '(define "Pick" (pick #1 #2)) (define "Two" 1 2) (game x ("Pick" "Two" 3))'
    assert plain(first) == "(game x (pick 1 2))"
    assert plain(last) == "(game x (pick 1 2 3))"


def test_defines_of_the_library_are_filled_in_too():
    assert plain('(game x ("StepToEmpty"))', LIBRARY) == "(game x (move Step (to if:(is Empty (to)))))"


def test_a_define_of_the_file_goes_before_that_of_the_library():
    text = '(define "StepTo" (own #1)) (game x ("StepTo" x))'
    assert plain(text, LIBRARY) == "(game x (own x))"


def test_the_file_may_use_what_the_library_brings_in():
    assert plain('(define "Yes" True) (game x ("StepTo" "Yes"))', LIBRARY) == "(game x (move Step (to if:True)))"


def test_what_was_used_is_known():
    assert expand('(define "A" 1) (game x "StepToEmpty" "A")', library=LIBRARY).used == {
        "StepToEmpty",
        "StepTo",
        "IsEmptyTo",
        "A",
    }


@pytest.mark.parametrize(
    ("text", "place", "circle"),
    [
        ('(game x "A")\n(define "A"\n ("A"))', "x.lud:3:3", '"A" -> "A"'),
        (
            '(game x "A")\n(define "A" ("B"))\n(define "B" (b "C"))\n(define "C" "A")',
            "x.lud:4:13",
            '"A" -> "B" -> "C" -> "A"',
        ),
    ],
)
def test_a_define_that_never_ends_is_refused_with_its_circle(text, place, circle):
    found = problem(text)
    assert str(found.place) == place
    assert found.message == f"this define is used inside of itself: {circle}"


def test_a_define_in_its_own_arguments_is_no_circle():
    assert plain('(define "A" (a #1)) (define "B" ("A" ("A" 1))) (game x ("B"))') == "(game x (a (a 1)))"


def test_defines_that_multiply_are_stopped():
    many = "".join(f'(define "D{k}" "D{k + 1}" "D{k + 1}")' for k in range(40))
    assert "uses of defines" in problem(f'{many}(define "D40" x)(game y "D0")').message
    long = "".join(f'(define "D{k}" #1 #1) ' for k in range(30))
    uses = '("D0" ' + " ".join(f'("D{k}"' for k in range(1, 30)) + " x" + ")" * 30
    assert problem(f"{long}(game y {uses})").message


def test_defines_that_are_nested_too_deep_are_stopped():
    chain = "".join(f'(define "D{k}" ("D{k + 1}"))' for k in range(defines.MAX_DEPTH + 5))
    assert "nested deeper" in problem(f'{chain}(game y ("D0"))').message


def test_much_work_for_little_is_stopped(monkeypatch):
    monkeypatch.setattr(defines, "MAX_WORK", 1000)
    assert "too much work" in problem('(define "A" 1) (game x ' + "(b) " * 500 + '"A")').message


@pytest.mark.parametrize("text", ["(define A 1) (game)", "(define  ) (game)"])
def test_a_define_needs_a_name(text):
    assert problem(text).message == "this define has no name"


def test_an_argument_that_tears_a_string_apart_is_refused_where_it_is():
    found = problem('(define "A" (a #1))\n(game x\n ("A" n:"b c"))')
    assert (str(found.place), found.message) == ("x.lud:3:9", "this string is not closed")
