"""Start rules: what is placed, and where."""

from __future__ import annotations

from ludarium.ludii.concepts.conditions import hide
from ludarium.ludii.concepts.raising import Case, raises
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Value

_WHERE = ("loc", "coord", "locs", "region", "coords", "where", "at", "to")


@raises("start:place (PlaceItem)", "start:place Stack", "start:place Random")
def _place(case: Case) -> None:
    given = case.node.arguments
    _put(case)
    if "state" in given:
        case.found.add("SiteState")
    if "value" in given:
        case.found.add("PieceValue")
    if "rotation" in given:
        case.found.update(["PieceRotation", "SetRotation"])
    counts = given.get("count", given.get("counts"))
    several = any(_several(each) for each in (counts.items if isinstance(counts, Array) else [counts]))
    if several or (counts is not None and case.node.unit == "place Random"):
        case.found.add("PieceCount")


def _several(value: Value | None) -> bool:
    return value is not None and not (isinstance(value, Constant) and float(value.value) <= 1)


@raises("start:set (SetSite)", "start:set Count")
def _put(case: Case) -> None:
    """Pieces are on the board, unless the rule names a hand."""
    given = case.node.arguments
    container = given.get("container")
    if isinstance(container, Constant) and "Hand" in str(container.value):
        case.found.add("PiecesPlacedOutsideBoard")
    sizes = case.raiser.topology.sites().count
    for slot in _WHERE:
        place = given.get(slot)
        if place is None:
            continue
        for each in place.items if isinstance(place, Array) else [place]:
            beside = isinstance(each, Constant) and not isinstance(each.value, str) and each.value >= sizes
            hand = isinstance(each, Bound) and each.unit in ("handSite", "sites Hand")
            case.found.add("PiecesPlacedOutsideBoard" if beside or hand else "PiecesPlacedOnBoard")


@raises("start:set Hidden")
def _hidden(case: Case) -> None:
    hide(case.node, case.found, setting=False)
