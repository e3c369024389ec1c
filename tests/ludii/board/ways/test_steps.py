"""Steps and what they are called."""

from ludarium.ludii.board.ways.directions import DIRECTIONS
from tests.ludii.board.boards import board

CHESS = board("(square 8)")
E4 = CHESS.cells.by_label["E4"]


def _named(topology, kind, site):
    return {name: topology.steps(kind, name)[site] for name in DIRECTIONS if topology.steps(kind, name)[site]}


def test_a_king_steps_in_eight_directions():
    assert _named(CHESS, "Cell", E4) == {
        "All": (36, 37, 29, 21, 20, 19, 27, 35),
        "Adjacent": (36, 37, 29, 21, 20, 19, 27, 35),
        "SameLayer": (36, 37, 29, 21, 20, 19, 27, 35),
        "Orthogonal": (36, 29, 20, 27),
        "Diagonal": (37, 21, 19, 35),
        "N": (36,),
        "NE": (37,),
        "E": (29,),
        "SE": (21,),
        "S": (20,),
        "SW": (19,),
        "W": (27,),
        "NW": (35,),
    }


def test_diagonals_of_hexagons_are_two_away_and_not_adjacent():
    hexagonal = board("(hex 3)")
    middle = 9
    assert len(hexagonal.steps("Cell", "Orthogonal")[middle]) == 6
    assert hexagonal.steps("Cell", "Adjacent")[middle] == hexagonal.steps("Cell", "Orthogonal")[middle]
    assert len(hexagonal.steps("Cell", "Diagonal")[middle]) == 6
    assert hexagonal.steps("Cell", "OffDiagonal")[middle] == ()
    assert hexagonal.supported("Cell", "Diagonal") == ("N", "ENE", "ESE", "S", "WSW", "WNW")


def test_triangles_touch_others_at_their_corners():
    tri = board("(tri 5)")
    middle = max(range(tri.cells.count), key=lambda site: len(tri.steps("Cell", "Adjacent")[site]))
    assert len(tri.steps("Cell", "Orthogonal")[middle]) == 3
    assert len(tri.steps("Cell", "Diagonal")[middle]) == 3
    assert len(tri.steps("Cell", "OffDiagonal")[middle]) == 6


def test_points_step_along_lines_and_across_cells():
    grid = board("(square 3)", "Vertex")
    assert grid.steps("Vertex", "Orthogonal")[4] == (7, 5, 1, 3)
    assert grid.steps("Vertex", "Diagonal")[4] == (8, 2, 0, 6)
    assert grid.steps("Vertex", "Adjacent")[4] == (7, 5, 1, 3)


def test_a_diagonal_that_is_drawn_is_orthogonal():
    alquerque = board("(square 3 diagonals:Alternating)", "Vertex")
    assert len(alquerque.steps("Vertex", "Orthogonal")[4]) == 8
    assert alquerque.steps("Vertex", "Diagonal")[4] == ()


def test_sites_of_other_types_can_be_reached():
    assert CHESS.steps("Cell", "Orthogonal", "Vertex")[0] == (10, 1, 0, 9)
    assert len(CHESS.steps("Cell", "All", "Edge")[0]) == 4
    assert len(CHESS.steps("Vertex", "Orthogonal", "Cell")[10]) == 4
    assert len(CHESS.steps("Edge", "Orthogonal")[20]) == 6


def test_supported_directions_are_those_that_lead_anywhere():
    assert CHESS.supported("Cell") == ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    assert CHESS.supported("Cell", "Orthogonal") == ("N", "E", "S", "W")
    assert CHESS.supported("Cell", "OffDiagonal") == ()
    assert CHESS.supported_at("Cell", "Orthogonal")[0] == ("N", "E")


def test_up_and_down():
    pyramid = board("(square 2 pyramidal:True)", "Vertex")
    assert pyramid.vertices.count == 5
    top = int(pyramid.vertices.z.argmax())
    assert set(pyramid.steps("Vertex", "Downward")[top]) == set(range(5)) - {top}
    assert pyramid.steps("Vertex", "UNE")[0] == (top,)
    assert pyramid.supported("Vertex", "Orthogonal").count("DSW") == 2  # Ludii calls DNW so, too


def test_distances_count_steps():
    assert CHESS.distances("Cell")[0, 63] == 7
    assert CHESS.distances("Cell", "Orthogonal")[0, 63] == 14
    assert CHESS.distances("Cell")[5, 5] == 0
    apart = board("(union (square 2) (shift 5 5 (square 2)))")
    assert apart.distances("Cell")[0, apart.cells.count - 1] == 0
