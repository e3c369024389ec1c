"""Boards drawn from facts, by a description or by guessing."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.view import View, picture, view


def terms(*texts: str):
    return [parse_term(text) for text in texts]


def test_a_view_is_read_from_the_comments() -> None:
    text = ';@ board = "cell ?x ?y ?piece"\n(role x)\n;@ symbols = { b = "." }\n;@ up = true\n'
    assert view(text) == View("cell ?x ?y ?piece", {"b": "."}, up=True)
    assert view("; a comment\n(role x)") is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("board = ", "game.kif:2:1: the view description is wrong"),
        ('bord = "cell ?x ?y ?p"', "a view has no 'bord', but board, symbols"),
        ('up = "yes"', "'up' should be a bool, not 'yes'"),
        ('board = "cell ?a ?b ?c"', "a board is a fact with ?x, ?y and a content"),
        ('board = "cell ?x (?y ?p"', "the view description is wrong"),
        ('hide = "past"', "'hide' should be a list"),
    ],
)
def test_a_wrong_view_is_explained(line: str, message: str) -> None:
    with pytest.raises(RulesError, match=message.replace("?", r"\?")):
        view(f"(role x)\n;@ {line}", "game.kif")


def test_rows_count_up_from_the_bottom_if_asked_and_marks_show_on_empty_squares() -> None:
    facts = terms("(cell 1 1 r)", "(cell 2 1 b)", "(cell 1 2 b)", "(cell 2 2 b)", "(control red)", "(past x)")
    asked = View("cell ?x ?y ?p", {"b": "."}, {"1 1": "+", "2 2": "+"}, up=True, hide=["past"])
    assert picture(facts, asked).splitlines() == ["2 . +", "1 r .", "  1 2", "control red"]


def test_what_is_not_told_is_no_square_where_blanks_are_told() -> None:
    assert picture(terms("(cell 1 1 b)", "(cell 3 3 r)"), View("cell ?x ?y ?p")).splitlines()[1].strip() == "2"
    assert picture(terms("(at 1 1 s)", "(at 3 3 r)"), View("at ?x ?y ?p")).splitlines()[1] == "2 · · ·"


def test_several_boards_stand_side_by_side() -> None:
    facts = terms("(cell left 1 1 x)", "(cell left 2 1 o)", "(cell right 1 1 o)", "(cell right 2 1 x)")
    assert picture(facts, View("cell ?board ?x ?y ?mark")).splitlines() == [
        "left    right",
        "1 x o   1 o x",
        "  1 2     1 2",
    ]


def test_hexagons_are_slanted() -> None:
    facts = [parse_term(f"(cell {x} {y} b)") for x in (1, 2) for y in (1, 2)]
    assert picture(facts, View("cell ?x ?y ?s", {"b": "."}, shape="hex")).splitlines() == [
        "  1 2",
        "1 . .",
        "2  . .",
    ]


def test_a_board_is_found_with_letters_and_numbers_wherever_the_content_stands() -> None:
    facts = terms("(on red a 1)", "(on blank b 1)", "(on blank a 2)", "(on green b 2)", "(step 3)")
    assert picture(facts).splitlines() == ["2 · g", "1 r ·", "  a b", "step 3"]


def test_contents_with_the_same_initial_are_written_out() -> None:
    facts = terms("(cell 1 1 white)", "(cell 1 2 wall)", "(cell 2 1 b)", "(cell 2 2 black)")
    assert picture(facts).splitlines()[:2] == ["2  wall     b", "1 white     ·"]


@pytest.mark.parametrize(
    "facts",
    [
        ["(cell 1 1 x)", "(cell 1 1 o)", "(cell 1 2 x)", "(cell 2 1 x)"],  # two contents on one square
        ["(p 1 9999 x)", "(p 2 1 x)", "(p 3 1 x)", "(p 4 1 x)"],  # too large
        ["(p one two x)", "(p one one x)", "(p two one x)", "(p two two x)"],  # no coordinates
    ],
)
def test_what_is_no_board_is_listed(facts: list[str]) -> None:
    assert picture(terms(*facts)).startswith(min(facts)[1:-1])


def test_nothing_is_drawn_of_nothing_and_long_lists_are_cut() -> None:
    assert picture([]) == ""
    many = picture(terms(*(f"(holds thing{n} place)" for n in range(100))))
    assert many.splitlines()[-1].endswith("more facts")
    assert len(many) < 600
