"""Boards among the groups of a game."""

from ludarium import library
from ludarium.gdl.facts.boards import boards
from ludarium.gdl.facts.candidates import Shape
from ludarium.gdl.facts.groups import Group, Standing
from ludarium.gdl.game import load

CELL = Shape("cell", 3, (0, 1))


def group(x, y, exclusive=Standing.PROVED, covering=Standing.PROVED, shape=CELL, board=()):
    facts = tuple(f"(cell {x} {y} {content})" for content in ("b", "w"))
    return Group((shape,), (*board, str(x), str(y)), facts, exclusive, covering)


def test_a_board_has_columns_and_rows_in_order():
    (board,) = boards([group(x, y) for x in (10, 9, 1) for y in "cab"])
    assert board.columns == ("1", "9", "10")
    assert board.rows == ("a", "b", "c")
    assert board.cells["9", "b"].facts == ("(cell 9 b b)", "(cell 9 b w)")
    assert board.standing is Standing.PROVED
    assert board.full


def test_a_board_is_as_sure_as_its_cells():
    cells = [group(x, y) for x in (1, 2) for y in (1, 2)]
    unsure = [*cells[1:], group(1, 1, exclusive=Standing.OBSERVED)]
    assert boards(unsure)[0].standing is Standing.OBSERVED
    assert not boards([*cells[1:], group(1, 1, covering=Standing.FALSE)])[0].full


def test_boards_of_one_relation_are_told_apart():
    shape = Shape("cell", 4, (0, 1, 2))
    both = [group(x, y, shape=shape, board=(side,)) for side in ("left", "right") for x in (1, 2) for y in (1, 2)]
    assert [(board.name, len(board.cells), board.axes) for board in boards(both)] == [
        ("left", 4, (1, 2)),
        ("right", 4, (1, 2)),
    ]


def test_what_has_no_two_coordinates_is_no_board():
    assert boards([Group((Shape("control", 1, ()),), (), ("(control a)", "(control b)"), *[Standing.PROVED] * 2)]) == []
    assert boards([group(1, y) for y in range(5)]) == []
    assert boards([group(x, y) for x in ("red", "green") for y in (1, 2)]) == []
    assert boards([]) == []


def test_a_battle_at_sea_has_two_seas():
    found = boards(load(library.path("battleship")).groups.groups)
    assert len(found) == 2
    assert {(len(board.columns), len(board.rows)) for board in found} == {(5, 5)}
