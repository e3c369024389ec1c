"""What is measured: outlines, corners, sides, colours, centres, coordinates."""

from tests.ludii.board.boards import board, labels

CHESS = board("(square 8)")


def test_the_border_of_a_chess_board():
    cells = CHESS.cells
    border = tuple(site for site in range(64) if site % 8 in (0, 7) or site // 8 in (0, 7))
    assert cells.outer == cells.perimeter == border
    assert set(cells.inner) == set(range(64)) - set(border)
    assert cells.corners == (0, 7, 56, 63)
    assert labels(CHESS, cells.corners) == ["A1", "H1", "A8", "H8"]
    assert cells.top == tuple(range(56, 64))
    assert cells.bottom == tuple(range(8))
    assert cells.left == tuple(range(0, 64, 8))
    assert cells.right == tuple(range(7, 64, 8))


def test_the_sides_of_a_chess_board_are_its_rows_and_columns():
    assert CHESS.cells.sides["N"] == CHESS.cells.top
    assert CHESS.cells.sides["E"] == CHESS.cells.right
    assert CHESS.cells.sides["NE"] == ()


def test_the_centre_is_four_cells_or_one():
    assert CHESS.cells.centre == (27, 28, 35, 36)
    assert board("(square 3)").cells.centre == (4,)
    assert board("(square 12)").cells.centre == (65, 66, 77, 78)


def test_colours_differ_between_neighbours():
    dark, light, *others = CHESS.cells.phases
    assert dark == tuple(site for site in range(64) if (site // 8 + site) % 2 == 0)
    assert len(light) == 32
    assert not any(others)
    assert CHESS.cells.phase[0] == 0
    assert CHESS.cells.phase[1] == 1
    hexagonal = board("(hex 3)")
    for site, near in enumerate(hexagonal.steps("Cell", "Adjacent")):
        assert all(hexagonal.cells.phase[other] != hexagonal.cells.phase[site] for other in near)


def test_a_cross_has_convex_and_concave_corners():
    cross = board("(merge (shift 0 5 (rectangle 5 15)) (shift 5 0 (rectangle 15 5)))", "Vertex")
    assert len(cross.vertices.groups["ConvexCorners"]) == 8
    assert len(cross.vertices.groups["ConcaveCorners"]) == 4


def test_blunt_corners_are_corners_until_they_are_hardly_bent():
    assert len(board("(tri Hexagon 5)", "Vertex").vertices.corners) == 6
    assert len(board("(hex 5)").cells.corners) == 6
    assert len(board("(regular 40)", "Vertex").vertices.corners) == 40
    assert len(board("(regular 80)", "Vertex").vertices.corners) == 0


def test_edges_lean_or_stand():
    grid = board("(square 2 diagonals:Alternating)", "Vertex")
    groups = grid.edges.groups
    assert len(groups["Horizontal"]) == len(groups["Vertical"]) == 2
    assert (len(groups["Slash"]), len(groups["Slosh"])) == (1, 0)
    assert len(groups["Axial"]) == 4
    assert len(groups["Angled"]) == 1


def test_columns_of_hexagons_are_slanted():
    hexagonal = board("(hex 3)")
    assert hexagonal.cells.labels[:7] == ("A1", "B1", "C1", "A2", "B2", "C2", "D2")
    assert hexagonal.cells.row_sites[2] == tuple(range(7, 12))


def test_letters_go_on_behind_z():
    long = board("(rectangle 1 30)")
    assert long.cells.labels[24:28] == ("Y1", "Z1", "AA1", "AB1")


def test_labels_that_are_not_unique_are_made_anew_from_rows_and_columns_of_the_ground():
    odd = board("(graph vertices:{{0 0} {0.1 0} {0.2 0} {9 9} {9.1 9}} edges:{{0 1} {1 2} {3 4}})", "Vertex")
    assert len(set(odd.vertices.labels)) == 5
    assert odd.vertices.labels == ("A1", "B1", "C1", "D2", "E2")


def test_edges_are_called_by_their_numbers():
    assert CHESS.edges.labels[:3] == ("0", "1", "2")


def test_a_part_inside_of_another_has_no_outline_of_its_own():
    two = board("(union (square 5) (shift 1.5 1.5 (square 1)))")
    inside = [site for site in range(26) if two.cells.x[site] == 2.0 and two.cells.y[site] == 2.0]
    assert len(inside) == 1
    assert inside[0] in two.cells.inner
