"""Faces: which are found, in which order, and what keeps walks from closing."""

from ludarium.ludii.board.faces import assemble, make_faces


def _corners(graph):
    return [tuple(vertex.id for vertex in face.corners) for face in graph.faces]


SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_a_face_begins_at_its_first_point_and_goes_clockwise():
    assert _corners(assemble(SQUARE, [(0, 1), (0, 2), (1, 3), (2, 3)])) == [(0, 2, 3, 1)]


def test_faces_come_in_the_order_of_their_points():
    points = [*SQUARE, (2, 0), (2, 1)]
    graph = assemble(points, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 4), (3, 5), (4, 5)])
    assert _corners(graph) == [(0, 2, 3, 1), (1, 3, 5, 4)]
    assert graph.vertices[1].edge_to(graph.vertices[3]).left is graph.faces[0]


def test_a_face_with_a_loose_end_inside_is_found_from_where_that_begins():
    graph = assemble([*SQUARE, (0.5, 0.5)], [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)])
    assert _corners(graph) == [(3, 1, 0, 2)]


def test_lines_that_cross_make_faces_unless_they_may_not():
    lines = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (1, 2)]
    graph = assemble(SQUARE, lines)
    assert len(_corners(graph)) > 0
    make_faces(graph, planar=True)
    crossed = {4, 5}
    for face in graph.faces:
        used = [edge.id for edge in face.sides[:-1]]
        assert not (crossed - {4}) & set(used)  # the earlier of two lines that cross does not know of the later one


def test_what_encloses_a_hole_is_no_face_beyond_32_corners():
    def ring(count):
        points = [(k, 0) for k in range(count)] + [(k, 1) for k in reversed(range(count))]
        return assemble(points, [(k, (k + 1) % len(points)) for k in range(len(points))])

    assert len(_corners(ring(16))) == 1
    assert len(_corners(ring(17))) == 0


def test_faces_stay_on_their_level():
    points = [(x, y, z) for z in (0, 1) for x, y in SQUARE]
    lines = [(0, 1), (0, 2), (1, 3), (2, 3), (4, 5), (4, 6), (5, 7), (6, 7), *((k, k + 4) for k in range(4))]
    assert _corners(assemble(points, lines)) == [(0, 2, 3, 1), (4, 6, 7, 5)]


def test_faces_around_a_point_are_sorted_by_angle():
    points = [(x, y) for y in range(3) for x in range(3)]
    lines = [(k, k + 1) for k in range(9) if k % 3 < 2] + [(k, k + 3) for k in range(6)]
    middle = assemble(points, lines).vertices[4]
    assert [(face.x, face.y) for face in middle.faces] == [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]
