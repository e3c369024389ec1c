"""Graphs: what is found where, in which order, and what stays when points move."""

import pytest

from ludarium.ludii.board.graph import MAX_VERTICES, Graph, TooLarge, single, within_limit


def _star():
    graph = Graph()
    middle = graph.add_vertex(0, 0)
    for x, y in [(1, 0), (0, 1), (-1, 0), (0, -1)]:
        graph.join(middle, graph.add_vertex(x, y))
    return graph, middle


def test_points_that_are_almost_in_one_place_are_one_the_first():
    graph = Graph()
    first = graph.add_vertex(0.0, 0.0)
    assert graph.vertex_at(0.0004, -0.0004) is first
    second = graph.vertex_at(0.0006, 0.0006)
    assert second is not first
    assert graph.find_vertex(0.0003, 0.0003) is first
    assert graph.find_vertex(0.0, 0.0, 1.0) is None


def test_lines_around_a_point_go_counter_clockwise_from_behind_the_west():
    _, middle = _star()
    assert [(edge.other(middle).x, edge.other(middle).y) for edge in middle.edges] == [(0, -1), (1, 0), (0, 1), (-1, 0)]


def test_a_line_between_two_points_is_there_once_unless_asked_for_again():
    graph, middle = _star()
    other = graph.vertices[1]
    assert graph.join(other, middle) is graph.edges[0]
    assert graph.add_edge(middle, other) is not graph.edges[0]
    assert middle.edge_to(other) is graph.edges[0]


def test_moving_keeps_the_order_of_lines_until_one_is_added():
    graph, middle = _star()
    before = list(middle.edges)
    graph.move(lambda vertex: (-vertex.y, vertex.x, vertex.z))
    assert middle.edges == before
    graph.join(middle, graph.add_vertex(2, 2))
    places = [(edge.other(middle).x, edge.other(middle).y) for edge in middle.edges]
    assert places == [(0, -1), (1, 0), (2, 2), (0, 1), (-1, 0)]
    assert (graph.edges[0].x, graph.edges[0].y) == (0, 0.5)


def test_numbers_go_up_row_by_row_but_rows_hardly_apart_mix():
    graph = Graph()
    for x, y in [(0, 1), (1, 0), (0, 0), (5, 0.001)]:
        graph.add_vertex(x, y)
    graph.reorder()
    assert [(v.x, v.y) for v in graph.vertices] == [(0, 0), (1, 0), (5, 0.001), (0, 1)]
    graph.add_vertex(9, 0)
    graph.reorder()
    assert [(v.x, v.y) for v in graph.vertices] == [(0, 0), (1, 0), (5, 0.001), (9, 0), (0, 1)]
    assert [v.id for v in graph.vertices] == [0, 1, 2, 3, 4]


def test_a_face_is_on_the_right_of_the_lines_it_goes_along():
    graph = Graph()
    corners = [graph.add_vertex(*place) for place in [(0, 0), (0, 1), (1, 0)]]
    assert graph.add_face(corners) is None
    for k in range(3):
        graph.join(corners[k], corners[(k + 1) % 3])
    face = graph.add_face(corners)
    assert all(edge.right is face and edge.left is None for edge in graph.edges)
    assert graph.edges[0].across(face) is None
    assert (face.x, face.y) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert all(vertex.faces == [face] for vertex in corners)


def test_points_nearby_are_joined():
    graph = Graph()
    for place in [(0, 0), (1, 0), (2.1, 0), (0, 0.96)]:
        graph.add_vertex(*place)
    graph.join_nearby(1.0, 0.05)
    assert [(edge.a.id, edge.b.id) for edge in graph.edges] == [(0, 1), (0, 3)]
    graph.connect()
    assert {frozenset((edge.a.id, edge.b.id)) for edge in graph.edges} == {frozenset(p) for p in [(0, 1), (0, 3)]}


def test_there_is_a_limit():
    within_limit(MAX_VERTICES)
    with pytest.raises(TooLarge):
        within_limit(MAX_VERTICES + 1)


def test_numbers_are_rounded_to_32_bits():
    assert single(0.1) == 0.10000000149011612
