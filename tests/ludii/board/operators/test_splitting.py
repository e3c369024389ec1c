"""Duals, crossings, faces and numbers."""

from tests.ludii.board.boards import board, counts, points


def test_the_dual_of_a_board_of_squares_is_one():
    assert counts(board("(dual (square 3))", "Vertex")) == (4, 4, 1)
    assert counts(board("(dual (square 3))")) == (9, 12, 4)
    assert counts(board("(dual (regular 5))", "Vertex")) == (5, 5, 0)


def test_cells_are_subdivided_around_their_middle():
    assert counts(board("(subdivide (square 1))")) == (5, 8, 4)
    assert counts(board("(subdivide (square 2))", "Vertex")) == (5, 8, 0)
    assert counts(board("(subdivide (square 1) min:5)")) == (4, 4, 1)


def test_a_complete_graph_has_all_lines():
    assert counts(board("(complete (regular 5))", "Edge"))[:2] == (5, 10)
    assert counts(board("(complete (square 2) eachCell:True)", "Vertex"))[:2] == (4, 6)


def test_crossings_become_points():
    crossed = board("(splitCrossings (add (square 2) edges:{{0 3} {1 2}}))", "Vertex")
    assert points(crossed)[4] == (0.5, 0.5)
    assert counts(crossed) == (5, 8, 4)
    star = board("(splitCrossings (regular Star 5))", "Vertex")
    assert counts(star) == (10, 15, 6)


def test_lines_through_points_are_split_there():
    through = board("(splitCrossings (graph vertices:{{0 0} {2 0} {1 0} {1 1}} edges:{{0 1} {2 3}}))", "Vertex")
    assert set(map(frozenset, through.ends)) == {frozenset(pair) for pair in [(0, 2), (1, 2), (2, 3)]}


def test_numbers_can_be_made_anew():
    graph = "(graph vertices:{{0 1} {1 0} {0 0}} edges:{{0 1} {1 2} {0 2}})"
    assert points(board(graph, "Vertex")) == [(0, 1), (1, 0), (0, 0)]
    assert points(board(f"(renumber {graph})", "Vertex")) == [(0, 0), (1, 0), (0, 1)]
    only_edges = board(f"(renumber Edge {graph})", "Vertex")
    assert points(only_edges) == [(0, 1), (1, 0), (0, 0)]
    assert only_edges.ends == ((1, 2), (0, 2), (0, 1))
    assert points(board(f"(recoordinate {graph})", "Vertex")) == [(0, 1), (1, 0), (0, 0)]
