"""Polygons one inside of the other."""

from tests.ludii.board.boards import board, counts, euler, points


def test_merels():
    merels = board("(concentric Square rings:3)", "Vertex")
    assert counts(merels) == (24, 32, 0)
    assert board("(concentric Square rings:3)").cells.count == 9
    assert sorted(len(here) for here in merels.steps("Vertex", "Adjacent")) == [2] * 12 + [3] * 8 + [4] * 4


def test_what_is_joined_can_be_chosen():
    assert counts(board("(concentric Square rings:3 joinCorners:True)", "Vertex"))[1] == 40
    assert counts(board("(concentric Square rings:3 midpoints:False joinMidpoints:False joinCorners:True)", "Vertex"))[
        :2
    ] == (12, 20)
    assert counts(board("(concentric Hexagon rings:2 joinMidpoints:False)", "Vertex"))[:2] == (24, 24)
    assert counts(board("(concentric Triangle rings:2)", "Vertex"))[:2] == (12, 15)
    assert counts(board("(concentric sides:5 rings:1)", "Vertex"))[:2] == (10, 10)


def test_single_polygons_and_stars():
    assert counts(board("(regular 5)")) == (5, 5, 1)
    assert counts(board("(regular 5)", "Vertex")) == (5, 5, 0)
    star = board("(regular Star 5)", "Vertex")
    assert counts(star) == (5, 5, 0)
    assert points(board("(regular 4)", "Vertex"))[0] == (-0.45, -0.45)
    assert euler(board("(regular 7)")) == 1
