"""Graphs made from a few numbers: tilings of the plane in some shape, rings, spirals, and lists of points."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.generators.bricks import brick
from ludarium.ludii.board.generators.celtic import celtic
from ludarium.ludii.board.generators.circles import spiral
from ludarium.ludii.board.generators.hexagons import hexagons
from ludarium.ludii.board.generators.quadhex import quadhex
from ludarium.ludii.board.generators.rings import concentric, regular
from ludarium.ludii.board.generators.shapes import given, repeat, wedge
from ludarium.ludii.board.generators.squares import rectangle, square
from ludarium.ludii.board.generators.tilings import tiling
from ludarium.ludii.board.generators.triangles import triangles
from ludarium.ludii.board.graph import Graph

GENERATORS: Mapping[str, Callable[[Arguments], Graph]] = {
    "brick": brick,
    "celtic": celtic,
    "concentric": concentric,
    "graph": given,
    "hex": hexagons,
    "quadhex": quadhex,
    "rectangle": rectangle,
    "regular": regular,
    "repeat": repeat,
    "spiral": spiral,
    "square": square,
    "tiling": tiling,
    "tri": triangles,
    "wedge": wedge,
}
"""By the word that a ludeme begins with."""
