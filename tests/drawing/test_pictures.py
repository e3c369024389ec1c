"""Pictures as SVG: boards found in letters, boards of rules, cards, and the sites that moves are made on."""

import re
from xml.etree import ElementTree as ET

import pytest

from ludarium.arena.position import after
from ludarium.catalog import game
from ludarium.core import Rng
from ludarium.drawing import click_steps, moves_on, picture_svg, sites_in
from ludarium.drawing.text import grids_in

BOARDS = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "attaque",
    "battleship",
    "gdl:tic-tac-toe",
    "two-board-tic-tac-toe",
    "three-player-connect-four",
    "checkers",
    "hex",
    "lud:hex",
    "oncoming",
    "nim",
    "goofspiel",
    "whist",
]


@pytest.mark.parametrize("name", BOARDS)
def test_every_move_of_a_board_or_a_hand_can_be_clicked_and_no_two_games_of_clicks_are_alike(name):
    made = game(name)
    state, rng = made.initial(Rng(1)), Rng(2)
    for _ in range(6):
        if state.over:
            break
        svg = picture_svg(made, state)
        ET.fromstring(svg)
        for role in state.movers:
            steps = moves_on(made, state, role, svg)
            assert list(steps) == state.legal(role)
            idle = role in state.movers and len(steps) == 1  # a forced noop has no place
            assert idle or all(steps.values()), steps
            assert len(set(steps.values())) == len(steps)
        state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)


def test_boards_side_by_side_are_told_apart_by_their_titles():
    text = "  mine        yours\n2 . #       2 . .\n1 . .       1 o .\n  a b         a b\nto move: me"
    grids, lines = grids_in(text)
    assert [(grid.title, grid.cells["b", "2"], grid.cells["a", "1"]) for grid in grids] == [
        ("mine", "#", "."),
        ("yours", ".", "o"),
    ]
    assert grids[0].name("b", "2") == "mine b2"
    assert lines == ["to move: me"]


def test_what_is_no_board_stays_lines():
    for text in ("a: | | (2)\nb: | (1)", "a b", "x a b\n  a b", "hello"):
        grids, lines = grids_in(text)
        assert not grids
        assert lines == text.split("\n")


def test_a_board_without_labels_is_numbered_from_below():
    grids, _ = grids_in(". .\nX O\na b")
    assert grids[0].rows == ["2", "1"]
    assert not grids[0].labelled


def test_a_drawing_for_a_role_shows_no_more_than_the_role_sees():
    poker = game("leduc-poker")
    dealt = after(poker, "", seed=3).state
    faces = {role: re.findall(r">([JQK])</text>", picture_svg(poker, dealt, role)) for role in (None, 0, 1)}
    assert [len(faces[role]) for role in (None, 0, 1)] == [2, 1, 1]
    assert faces[None] == faces[0] + faces[1]


def test_sites_of_ludii_boards_are_called_as_moves_call_them():
    made = game("lud:breakthrough")
    state = made.initial()
    steps = moves_on(made, state, 0, picture_svg(made, state))
    assert steps[made.parse("b2-b3")] == (("b2",), ("b3",))


def test_rows_first_in_facts_are_rows_first_in_clicks():
    made = game("brandubh")
    state = made.initial()
    svg = picture_svg(made, state)
    ways = moves_on(made, state, 0, svg)
    assert ways[made.parse("d1-b1")] == (("d1",), ("b1",))
    assert "d1" in sites_in(svg)


@pytest.mark.parametrize(
    ("text", "sites", "steps"),
    [
        ("b2xd4", ["b2", "d4"], (("b2",), ("d4",))),
        ("(move 4 4 3 5)", ["4 4", "3 5", "4 3"], (("4 4",), ("3 5",))),
        ("(mark left 1 2)", ["left 1 2", "right 1 2"], (("left 1 2",),)),
        ("reserve 1r5", ["1r5", "1g5"], (("1r5",),)),
        ("2 from b", ["1 from b", "2 from b"], (("2 from b",),)),
        ("(drop 3)", ["3 1", "3 2", "1 3"], (("3 1", "3 2"),)),
        ("noop", ["a1"], ()),
        ("", ["a1"], ()),
    ],
)
def test_steps(text, sites, steps):
    assert click_steps(text, sites) == steps


def test_names_from_rules_are_no_markup():
    from ludarium.drawing import Grid, draw_grids

    svg = draw_grids([Grid(["<b>"], ['"1"'], {("<b>", '"1"'): "<script>"})], ["<i>&"], ["x"], title="</title>")
    root = ET.fromstring(svg)
    assert not [each for each in root.iter() if each.tag.endswith(("script", "}b", "}i"))]
    assert sites_in(svg) == {'<b>"1"'}
