"""Taking elements out of graphs."""

from tests.ludii.board.boards import board, counts, points


def test_removing_by_number_closes_up():
    assert points(board("(remove (square 3) vertices:{4})", "Vertex")) == [
        (x, y) for y in range(3) for x in range(3) if (x, y) != (1, 1)
    ]
    assert counts(board("(remove (square 3) vertices:{4})", "Vertex")) == (8, 8, 0)
    assert counts(board("(remove (square 3) vertices:{0 8 2})", "Vertex")) == (6, 6, 1)
    assert points(board("(remove (square 2) cells:{0 3})"), "Cell") == [(1.5, 0.5), (0.5, 1.5)]


def test_removing_by_place():
    assert counts(board("(remove (square 3) vertices:{{1.0 1.0}})", "Vertex")) == (8, 8, 0)
    assert counts(board("(remove (square 2) edges:{{{0.0 0.0} {1.0 0.0}}})", "Vertex")) == (4, 3, 0)
    assert counts(board("(remove (square 2) cells:{{{0.0 0.0} {0.0 1.0} {1.0 1.0} {1.0 0.0}}})"))[2] == 3


def test_removing_edges_by_their_ends_takes_their_cells():
    assert counts(board("(remove (square 3) edges:{{0 1}})", "Vertex")) == (9, 11, 3)


def test_lines_without_a_cell_go_unless_they_are_to_stay():
    assert counts(board("(remove (square 2) cells:{0})")) == (9, 10, 3)
    assert counts(board("(remove (square 2) cells:{0} trimEdges:False)")) == (9, 12, 3)


def test_points_inside_of_a_polygon_are_removed_kept_or_clipped():
    around = "(poly {{0.5 0.5} {0.5 1.5} {1.5 1.5} {1.5 0.5}})"
    assert counts(board(f"(remove (square 3) {around})", "Vertex"))[0] == 8
    assert counts(board(f"(clip (square 3) {around})", "Vertex"))[0] == 8
    assert points(board(f"(keep (square 3) {around})", "Vertex")) == [(1, 1)]


def test_a_hole_takes_the_cells_whose_middle_it_has():
    ring = board("(hole (square 3) (poly {{1 1} {1 2} {2 2} {2 1}}))")
    assert ring.cells.count == 8
    assert counts(ring) == (16, 24, 8)
    assert ring.cells.outer == ring.cells.perimeter
    assert not set(ring.cells.corners) - {0, 2, 5, 7}


def test_trim_takes_loose_ends():
    assert counts(
        board("(trim (graph vertices:{{0 0} {1 0} {0 1} {5 5} {6 6}} edges:{{0 1} {1 2} {0 2} {2 3}}))", "Vertex")
    ) == (3, 3, 1)
