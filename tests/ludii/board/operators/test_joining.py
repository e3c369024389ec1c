"""Several graphs in one."""

from tests.ludii.board.boards import board, counts, points


def test_merge_makes_one_of_points_in_the_same_place():
    two = board("(merge (square 2) (shift 1 0 (square 2)))", "Vertex")
    assert points(two) == [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)]
    assert counts(two) == (6, 7, 2)


def test_merge_makes_one_of_points_that_are_almost_in_one_place():
    assert counts(board("(merge (square 2) (shift 1.004 0.004 (square 2)))", "Vertex")) == (6, 7, 2)
    assert counts(board("(merge (square 2) (shift 1.02 0 (square 2)))", "Vertex"))[0] == 8


def test_merge_finds_faces_anew_in_the_order_of_points():
    stairs = board("(merge (shift 1 0 (square 1)) (square 1))")
    assert points(stairs, "Cell") == [(1.5, 0.5), (0.5, 0.5)]


def test_union_joins_nothing_unless_asked_to():
    apart = board("(union (square 2) (shift 2 0 (square 2)))", "Vertex")
    assert counts(apart) == (8, 8, 2)
    joined = board("(union (square 2) (shift 2 0 (square 2)) connect:True)", "Vertex")
    assert counts(joined) == (8, 10, 3)
    assert counts(board("(union {(square 2) (square 2) (square 2)})", "Vertex")) == (12, 12, 3)


def test_intersect_keeps_what_is_in_all():
    both = board("(intersect (rectangle 3 2) (rectangle 2 3))", "Vertex")
    assert points(both) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert counts(both) == (4, 4, 1)


def test_layers_are_one_above_the_other():
    cube = board("(layers 3 (square 2))", "Vertex")
    assert counts(cube) == (12, 20, 3)
    assert sorted(cube.vertices.z.tolist()) == [0] * 4 + [1] * 4 + [2] * 4
    assert cube.vertices.labels[:3] == ("A1/0", "A1/1", "A1/2")
    assert cube.steps("Vertex", "U")[0] == (1,)
    assert cube.steps("Vertex", "D")[1] == (0,)
    assert cube.radials("Vertex", "U")[0][0].sites == (0, 1, 2)


def test_a_pivot_survives_a_merge():
    wheel = board("(merge (concentric {1 6}) (shift 5 5 (square 2)))", "Vertex")
    assert wheel.steps("Vertex", "In")[1] == (0,)
