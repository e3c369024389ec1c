"""Adding to graphs."""

from tests.ludii.board.boards import board, counts, points


def test_points_lines_and_cells_are_added_by_place():
    assert counts(board("(add (square 2) vertices:{{5 5} {0 0}})", "Vertex")) == (5, 4, 1)
    assert counts(board("(add (square 2) edges:{{{0 0} {3 3}}})", "Vertex")) == (5, 5, 1)
    grown = board("(add (square 1) cells:{{{1 0} {1 1} {2 1} {2 0}}})")
    assert counts(grown) == (6, 7, 2)
    assert counts(board("(add (square 1) cells:{{{0 0} {0 1} {1 1} {1 0}}})"))[2] == 1
    assert counts(board("(add edges:{{{0 0} {1 1}}})", "Vertex")) == (2, 1, 0)


def test_lines_and_cells_are_added_by_number():
    assert counts(board("(add (square 2) edges:{{0 3}})", "Vertex")) == (4, 5, 1)
    open_square = "(graph vertices:{{0 0} {0 1} {1 1} {1 0}} edges:{{0 1} {1 2} {2 3} {3 0}})"
    assert counts(board(f"(add {open_square} cells:{{{{0 1 2 3}}}})")) == (4, 4, 1)


def test_a_line_inside_of_a_cell_does_not_split_it_until_faces_are_made():
    assert board("(add (square 1) edges:{{{0 0} {1 1}}})").cells.count == 1
    assert board("(makeFaces (add (square 1) edges:{{{0 0} {1 1}}}))").cells.count == 2


def test_new_points_are_connected_to_those_nearby():
    joined = board("(add (square 2) vertices:{{2 0}} connect:True)", "Vertex")
    assert points(joined)[4] == (2, 0)
    assert joined.steps("Vertex", "Adjacent")[4] == (1,)


def test_bent_lines_are_lines():
    assert counts(board("(add (square 2) edgesCurved:{{{0 0} {1 1} {1 2} {-1 2}}})", "Vertex"))[1] == 5
