"""Boards as a whole: what they are made of, what is refused, and where that is said."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.ludii.board import build
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.text.expander import expand
from tests.ludii.board.boards import board, counts, equipment


def test_a_square_board_is_numbered_from_the_bottom_row_up():
    chess = board("(square 8)")
    assert chess.default_type == "Cell"
    assert counts(chess) == (81, 144, 64)
    assert chess.cells.labels[:3] == ("A1", "B1", "C1")
    assert chess.cells.labels[63] == "H8"
    assert chess.cells.by_label["E4"] == 28
    assert (chess.cells.rows[28], chess.cells.columns[28]) == (3, 4)
    assert chess.cells.row_sites[0] == tuple(range(8))
    assert chess.cells.column_sites[0] == tuple(range(0, 64, 8))


def test_on_points_a_square_has_as_many_of_them_on_a_side():
    assert counts(board("(square 3)", "Vertex")) == (9, 12, 4)


def test_cells_know_their_corners_and_sides():
    small = board("(square 2)")
    assert small.corners_of[0] == (0, 3, 4, 1)
    for corners, sides in zip(small.corners_of, small.sides_of, strict=True):
        for corner, following, side in zip(corners, (*corners[1:], corners[0]), sides, strict=True):
            assert set(small.ends[side]) == {corner, following}


def test_the_numbers_of_players_says_how_many_hands_there_are():
    text = '(game "T" (players {items}) (equipment {{(board (square 2)) (hand Each)}}) (rules (play (move Pass)) (end {{}})))'
    two = build(bind(expand(text.format(items="2").replace("(end {})", "(end (if True (result P1 Win)))"))))
    assert len(two.containers) == 3
    named = text.format(items="{(player N) (player E) (player S)}").replace(
        "(end {})", "(end (if True (result P1 Win)))"
    )
    assert len(build(bind(expand(named))).containers) == 4
    assert len(build(bind(expand(named)), players=5).containers) == 6


def test_maps_and_regions_are_kept_for_the_compiler():
    found = equipment('(board (square 3)) (regions "Home" P1 {0 1}) (map "M" {(pair 0 1)}) (regions P2 (sites Top))')
    assert [region.arguments["role"].word for region in found.regions] == ["P1", "P2"]
    assert len(found.maps) == 1


def test_a_game_without_a_board_is_refused():
    with pytest.raises(RulesError, match=r"toy.lud:1:25: there is no board"):
        equipment("(hand P1)")


def test_a_match_has_no_board():
    text = '(match "M" (players 2) (games {(subgame "A")}) (end (if True (result P1 Win))))'
    with pytest.raises(RulesError, match="a match has no board of its own"):
        build(bind(expand(text)))


@pytest.mark.parametrize(
    "graph",
    [
        "(square 1000)",
        "(square 1000000)",
        "(square 100000000)",
        "(hex 800)",
        "(hex Star 300)",
        "(tri 2000)",
        "(rectangle 1 1000000)",
        "(tiling T488 300)",
        "(hex {1000 2000})",
        "(square (poly {{0 0} {0 100000} {100000 100000}}))",
        "(concentric {20000 20000})",
        "(layers 2000 (square 10))",
        "(repeat 5000 5000 step:{{1 0} {0 1}} (poly {{0 0} {0 1} {1 1}}))",
        "(complete (square 60))",
        "(regular 20001)",
        "(brick 20000)",
        "(quadhex 2000)",
        "(celtic 1000)",
    ],
)
def test_a_huge_board_is_refused_at_its_place_and_soon(graph):
    with pytest.raises(RulesError, match=r"toy.lud:1:\d+: a board (of more than|cannot have a size|inside of)"):
        board(graph)


def test_what_is_too_large_is_said_where_it_is_written():
    with pytest.raises(
        RulesError, match=r"toy.lud:1:62: a board of more than \d+ points is more than can be played on"
    ):
        board("(merge (square 3) (square 200))")


def test_a_board_with_very_many_crossings_is_refused():
    with pytest.raises(RulesError, match="a board with more than 1000 crossings"):
        board("(splitCrossings (complete (regular 30)))", "Vertex")


def test_a_line_that_forks_again_and_again_is_refused():
    points, lines = [], []
    for k in range(0, 100, 5):
        points += [(k, 0), (k + 1, 0), (k + 2, 0.1), (k + 2, -0.1), (k + 3, 0)]
        lines += [(k, k + 1), (k + 1, k + 2), (k + 1, k + 3), (k + 2, k + 4), (k + 3, k + 4)]
        lines += [(k - 1, k)] if k else []
    vertices = " ".join(f"{{{x} {y}}}" for x, y in points)
    edges = " ".join(f"{{{a} {b}}}" for a, b in lines)
    chain = board(f"(graph vertices:{{{vertices}}} edges:{{{edges}}})", "Vertex")
    with pytest.raises(RulesError, match="toy.lud:1:.*: this board has a line that forks more than 1000 times"):
        chain.radials("Vertex", "Orthogonal")


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ("(square -1)", "a board cannot have a size of -1"),
        ("(square (/ 3 0))", "is not a number"),
        ("(square (^ 10 100))", "is not a number|too large"),
        ("(concentric {1 2} stagger:(= 1 1))", "cannot depend on the game"),
        ("(keep (square 4) (poly {{0 0} {1 1}}))", "a polygon has at least three corners, not 2"),
        ("(graph vertices:{{0 0} {1 0}} edges:{{0 2}})", r"there is no edge {0 2}\n  vertices go from 0 to 1"),
        ("(graph vertices:{{0}})", "a point has two or three numbers, not 1"),
        ("(add (square 2) edges:{{0 99}})", "there is no vertex 99"),
        ("(wedge 0)", "a wedge has at least one row"),
        ("(spiral turns:0 sites:9)", "make no spiral"),
        ("(square {})", "there is no outline with such sides"),
        ("(hex NoShape 3)", "hexagons make no NoShape"),
        ("(tri NoShape 3)", "triangles make no NoShape"),
        ("(square Rectangle 3)", "squares make no Rectangle"),
        ("(concentric Square)", "how many rings"),
        ("(concentric sides:2 rings:1)", "a ring cannot have 2 sides"),
        ("(quadhex 0 thirds:True)", "at least one layer"),
    ],
)
def test_what_cannot_be_made_is_said_with_its_place(graph, message):
    with pytest.raises(RulesError, match=rf"toy.lud:1:\d+: (.|\n)*({message})"):
        board(graph)


@pytest.mark.parametrize(
    "graph", ["(square 0)", "(hex 0)", "(tri 0)", "(union {})", "(graph vertices:{})", "(concentric {})"]
)
def test_an_empty_board_is_a_board_without_sites(graph):
    empty = board(graph, "Vertex")
    assert counts(empty) == (0, 0, 0)
    assert empty.steps("Cell", "Adjacent") == ()


def test_sizes_are_worked_out():
    assert counts(board("(rectangle (+ 1 (* 2 1)) (- 9 (max 3 (abs -5))))"))[2] == 12
    assert counts(board("(square (+ {1 1 1}))"))[2] == 9
    assert counts(board("(square (/ 7 2))"))[2] == 9
    assert counts(board("(square (^ 2 (min 2 3)))"))[2] == 16
