"""Games about graphs: paths, trees, costs and crossings of pieces on edges."""

import pytest

from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import holds, selected, worth

GAME = """
(game "Edges"
    (players {players})
    (equipment {{ (board {board} use:{use}) {pieces} }})
    (rules (start {{ {start} }}) (play {play}) (end {{ (if {ends} (result Mover Win)) }}))
)
"""
ADD = "(move Add (to Edge (sites Empty Edge)))"


def ended(ends, *edges, board="(square 3)", use="Edge", players=1, play=ADD, start="", pieces=""):
    """After how many moves a game is over."""
    game = from_text(
        GAME.format(board=board, use=use, players=players, play=play, start=start, ends=ends, pieces=pieces)
    )
    state = game.initial()
    for count, edge in enumerate(edges, 1):
        leaf = game.compiled.leaves[0]
        (move,) = [each for each in state.legal(state.movers[0]) if leaf.read(each, "to") == edge]
        state = state.after(move)
        if not state.movers:
            return count
    return None


# The edges of a square with nine vertices: 0 1 below, 2 3 4 upright, 5 6 across the middle, 7 8 9 upright, 10 11 above.


def test_without_pieces_in_the_equipment_each_player_has_one_kind():
    game = from_text(
        GAME.format(board="(square 2)", use="Edge", players=2, play=ADD, start="", ends="(is Full)", pieces="")
    )
    assert [(piece.name, piece.owner) for piece in game.model.components] == [("Ball1", 1), ("Ball2", 2)]


@pytest.mark.parametrize("use", ["Edge", "Vertex", "Cell"])
def test_a_circle_is_closed_by_its_last_edge(use):
    board = "(square 2)" if use == "Cell" else "(square 3)"
    edges = (0, 2, 3, 11, 5)
    assert ended("(is Path Edge Mover length:(exact 4) closed:True)", *edges, use=use, board=board) == 5
    assert ended("(is Path Edge Mover length:(max 9) closed:True)", *edges, use=use, board=board) == 5
    assert ended("(is Path Edge Mover length:(exact 6) closed:True)", *edges, use=use, board=board) is None


def test_a_path_has_no_branches():
    assert ended("(is Path Edge Mover length:(exact 3))", 0, 1, 4) == 3
    assert ended("(is Path Edge Mover length:(exact 3))", 0, 1, 3) is None
    assert ended("(is Path Edge Mover length:(max 1))", 0) == 1


@pytest.mark.parametrize(("use", "board"), [("Vertex", "(square 3)"), ("Edge", "(square 3)"), ("Cell", "(square 2)")])
def test_paths_and_circles_of_vertices(use, board):
    play = "(move Add (to Vertex (sites Empty Vertex)))"
    options = {"use": use, "board": board, "play": play}
    assert ended("(is Path Vertex Mover length:(exact 3))", 0, 1, 2, **options) == 3
    assert ended("(is Path Vertex Mover length:(exact 3))", 0, 4, 1, **options) == 3
    assert ended("(is Path Vertex Mover length:(exact 4))", 1, 3, 5, 4, **options) is None
    assert ended("(is Path Vertex Mover length:(exact 4) closed:True)", 0, 1, 3, 4, **options) == 4
    assert ended("(is Path Vertex Mover length:(max 9) closed:True)", 8, 0, 1, 3, 4, **options) == 5
    assert ended("(is Path Vertex Mover length:(exact 1))", 0, **options) == 1


def test_trees():
    assert ended("(not (is Tree Mover))", 0, 2, 3, 11, 5) == 5
    assert ended("(is SpanningTree Mover)", 0, 1, 2, 3, 4, 7, 8, 9) == 8
    assert ended("(is CaterpillarTree Mover)", 0, 1, 2, 3, 4, 7, 8, 9) is None


def test_regular_graphs():
    assert ended("(is RegularGraph Mover k:2)", 0, 1, 2, board="(complete (regular Star 3))") == 3
    assert ended("(is RegularGraph Mover k:1)", 0, 1, 2, board="(complete (regular Star 3))") is None
    assert ended("(is RegularGraph Mover)", 0, 1, 2, board="(complete (regular Star 3))") == 3
    assert ended("(is RegularGraph Mover odd:True)", 0, 1, 2, board="(complete (regular Star 3))") is None


def test_edges_count_though_no_rule_names_them():
    assert ended("(is Tree P1)", 0, use="Vertex", board="(square 12)", play="(move Add (to (sites Empty)))") == 1


def test_edges_that_cross():
    board = "(complete (regular Star 4))"
    crossing = [(one, two) for one in range(6) for two in range(6) if holds(f"(is Crossing {one} {two})", board=board)]
    assert len(crossing) == 2
    (one, two), (other, first) = crossing
    assert (one, two) == (first, other)
    start = "(set P1 Edge (sites Board Edge))"
    assert selected(f"(sites Crossing at:{one} All)", board=board, start=start) == [two]
    assert selected(f"(sites Crossing at:{one} P2)", board=board, start=start) == []


def test_costs_are_added_up():
    start = "(set Cost 5 Edge at:1) (set Cost 2 Edge to:(sites {3 4}))"
    assert worth("(cost Edge in:(sites Board Edge))", start=start) == 9
    assert worth("(cost Edge at:1)", start=start) == 5
    assert worth("(cost Vertex at:1)", start=start) == 0


def test_the_edge_between_vertices_and_how_many_sites_there_are():
    assert worth("(edge 0 1)", board="(square 2)") == 0
    assert worth("(+ 1 (edge 0 8))", board="(square 2)") == 0
    counts = [worth(f"(/ (count {kind}) 5)") for kind in ("Vertices", "Edges", "Cells")]
    assert counts == [7, 12, 5]


def test_sites_touch_each_other_and_may_belong_to_somebody():
    start = '(place "Man1" Edge {0 3}) (place "Man2" Edge {5})'
    assert selected("(sites Incident Edge of:Cell at:0 P1)", board="(square 2)", start=start) == [0, 3]
    assert selected("(sites Incident Edge of:Cell at:0 P2)", board="(square 2)", start=start) == [5]
    assert selected("(sites Incident Edge of:Cell at:0 All)", board="(square 2)", start=start) == [0, 3, 5]


@pytest.mark.parametrize(("use", "near"), [("Cell", [1, 2]), ("Vertex", [1, 3]), ("Edge", [0, 1, 2, 3])])
def test_sites_are_related_whatever_they_are(use, near):
    board, count = ("(square 2)", 4) if use == "Cell" else (f"(square 3) use:{use}", 9)
    assert [site for site in range(count) if holds(f"(is Related Orthogonal 0 {site})", board=board)] == near


def test_several_scores_are_added_at_once():
    play = "(move Add (to Edge (sites Empty Edge)) (then (addScore {P1 P2} {3 -1})))"
    pieces = '(piece "Ball" Each)'
    assert ended("(and (= 6 (score P1)) (= -2 (score P2)))", 0, 1, 2, players=2, play=play, pieces=pieces) == 2
