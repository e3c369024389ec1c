"""Moving a graph as a whole; all numbers stay what they are."""

from __future__ import annotations

from math import cos, radians, sin

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.graph import Graph


def shift(given: Arguments) -> Graph:
    """`(shift dx dy [dz] graph)`."""
    graph = given.graph("graph")
    dx, dy, dz = given.number("dx"), given.number("dy"), given.number("dz")
    graph.move(lambda vertex: (vertex.x + dx, vertex.y + dy, vertex.z + dz))
    return graph


def scale(given: Arguments) -> Graph:
    """`(scale x [y] [z] graph)`."""
    graph = given.graph("graph")
    x = given.number("scaleX")
    y, z = given.number("scaleY", x), given.number("scaleZ", 1.0)
    graph.move(lambda vertex: (vertex.x * x, vertex.y * y, vertex.z * z))
    return graph


def rotate(given: Arguments) -> Graph:
    """`(rotate degrees graph)`: counter-clockwise around the middle."""
    graph = given.graph("graph")
    angle = radians(given.number("degreesFn"))
    left, bottom, width, height = graph.bounds()
    x, y = left + width / 2.0, bottom + height / 2.0
    c, s = cos(angle), sin(angle)
    graph.move(
        lambda vertex: (
            x + (vertex.x - x) * c - (vertex.y - y) * s,
            y + (vertex.y - y) * c + (vertex.x - x) * s,
            vertex.z,
        )
    )
    return graph


def skew(given: Arguments) -> Graph:
    """`(skew amount graph)`: the higher a point, the further it moves to the right."""
    graph = given.graph("graph")
    amount = given.number("amount")
    bottom = graph.bounds()[1]
    graph.move(lambda vertex: (vertex.x + (vertex.y - bottom) * amount, vertex.y, vertex.z))
    return graph
