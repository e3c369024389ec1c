"""Options and rulesets: read, chosen, filled in, refused."""

import pytest

from ludarium.core import LudariumError, UnknownName
from ludarium.core.problems import RulesError
from ludarium.ludii.text.expander import expand
from tests.ludii.texts import LINES


def board(selections=()):
    root = expand(LINES, "lines.lud", selections).root
    equipment, rules = root.parts[2], root.parts[3]
    return str(equipment.parts[0].parts[0]), str(rules.parts[1])


def test_options_are_listed_with_their_items_descriptions_and_defaults():
    options = expand(LINES).options
    assert [each.heading for each in options.categories] == ["Board", "Aim"]
    assert [item.name for item in options.categories[0].items] == ["Small", "Large", "Huge"]
    assert options.categories[0].default.name == "Large"  # most stars
    assert options.categories[1].default.name == "Usual"  # no stars: the first
    assert options.categories[1].items[1].description == "A line loses."
    assert options.choices == ("Board/Large", "Aim/Usual")
    assert [each.name for each in options.rulesets] == ["Ruleset/Children (Own)", "Ruleset/Unknown"]


def test_the_default_is_filled_in():
    assert board() == ("(board (square 5))", "(end (if (is Line 4) (result Mover Win)))")


def test_an_item_is_chosen_by_heading_and_name():
    assert board(["Aim/Misere", "Board/Huge"]) == ("(board (square 9))", "(end (if (is Line 5) (result Mover Loss)))")


@pytest.mark.parametrize("name", ["Ruleset/Children (Own)", "Children (Own)"])
def test_a_ruleset_is_chosen_by_its_name(name):
    assert board([name]) == ("(board (square 3))", "(end (if (is Line 3) (result Mover Loss)))")
    assert expand(LINES, selections=[name]).options.ruleset.name == "Ruleset/Children (Own)"


def test_what_is_chosen_last_counts():
    assert board(["Children (Own)", "Board/Huge"])[0] == "(board (square 9))"


def test_an_unknown_option_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="unknown option 'Board/Smal': did you mean 'Board/Small'?"):
        expand(LINES, selections=["Board/Smal"])
    with pytest.raises(LudariumError, match="unknown option 'Size/3': this game has no options"):
        expand('(game "x")', selections=["Size/3"])


def test_a_ruleset_that_chooses_nothing_cannot_be_chosen():
    with pytest.raises(LudariumError, match="the ruleset 'Ruleset/Unknown' names no options"):
        expand(LINES, selections=["Ruleset/Unknown"])


def test_arguments_may_hold_clauses_and_comparisons_and_end_with_the_first_sign():
    text = """(option "A" <A> args:{<a> <b>} {(item "x" <(if (< 1 2) (>= 3 4))> <5> "x")}) (game <A:a> <A:b>)"""
    assert str(expand(text).root) == "(game (if (< 1 2) (>= 3 4)) 5)"
    text = """(option "A" <A> args:{<a> <b>} {(item "x" <3 <B> 4> "x")}) (game <A>)"""
    assert str(expand(text).root) == "(game 3 <B)"


def test_an_item_without_arguments_ends_the_filling_in():
    text = '(option "M" <M> args:{} {(item "x" "x")}) (option "A" <A> args:{<a>} {(item "y" <1> "y")}) (game <A>)'
    assert [problem.message for problem in expand(text).notes.problems] == ["nothing is filled in for <A>"]


def test_what_an_argument_brings_in_is_written_in_the_option():
    text = '(game "x" <A>)\n(option "A" <A> args:{<a>}\n {(item "y" <(here)> "y")})'
    description = expand(text, "x.lud")
    assert str(description.place(description.root.parts[1])) == "x.lud:3:14"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('(option "A" {}) (game)', "1:1: this option has no heading, tag or argument names"),
        ('(option "A" <A> args:{<a>} {(item <1>)}) (game)', "1:29: this item has no name"),
        ('(option "A" <A> args:{<a>} {(item "x" <1 "y")}) (game)', "1:39: this '<' is not closed"),
        (
            '(option "A" <A> args:{<a>} {(item "x" <1> "y")}) (game ' + "<A> " * 1001 + ")",
            "filled in more than 1000 times",
        ),
        (
            '(option "A" <A> args:{<a>} {(item "x" <' + "z" * 9999 + '> "y")}) (game ' + "<A> " * 999 + ")",
            "makes more than",
        ),
        ("(rulesets {(ruleset x)}) (game)", "1:12: this ruleset has no name"),
    ],
)
def test_what_is_no_option_is_refused_at_its_place(text, message):
    with pytest.raises(RulesError) as caught:
        expand(text, "x.lud")
    assert message in str(caught.value)


def test_an_item_with_more_arguments_than_names_is_noted():
    text = '(option "A" <A> args:{<a>} {(item "x" <1> <2> "y")}) (game <A>)'
    (problem,) = expand(text).notes.problems
    assert problem.message == 'the item "x" has 2 arguments, its option names 1'
