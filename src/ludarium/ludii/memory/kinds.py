"""Which types of sites ludemes name: vertices, edges or cells."""

from __future__ import annotations

from ludarium.ludii.board import TYPES, SiteType
from ludarium.ludii.grammar.binder import Bound, Symbol

STATELESS = frozenset(
    [
        "board", "boardless", "sites Board", "sites Top", "sites Bottom", "sites Left", "sites Right", "sites Inner",
        "sites Outer", "sites Perimeter", "sites Corners", "sites ConcaveCorners", "sites ConvexCorners", "sites Major",
        "sites Minor", "sites Centre", "sites Incident", "sites Row", "sites Column", "sites Phase", "sites Layer",
        "sites (SitesEquipmentRegion)", "sites (SitesCoords)", "centrePoint", "count Rows", "count Columns", "count Sites",
        "directions", "ahead", "cost", "set Cost", "forAll", "hint", "is Count", "is Sum",
    ]
)  # fmt: skip
"""Ludemes that name sites of a type without asking what stands there."""

ABOUT_EDGES = frozenset(
    [
        "is Tree",
        "is SpanningTree",
        "is CaterpillarTree",
        "is TreeCentre",
        "is RegularGraph",
        "is Crossing",
        "sites Crossing",
    ]
)
"""Ludemes that mean edges without saying so."""


PUTTING = frozenset(["to", "place (PlaceItem)", "place Stack", "set (SetSite)", "set Count"])
"""Ludemes by which pieces get to sites of the type that they name."""


def types_in(node: Bound) -> list[SiteType]:
    """The types of sites that a ludeme names."""
    words = [each.word for each in node.arguments.values() if isinstance(each, Symbol)]
    words += ["Edge"] if node.unit in ABOUT_EDGES else []
    return [kind for kind in TYPES if kind in words]
