"""Concepts that come from how a game is drawn, and from what its pieces are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from ludarium.ludii.board.topology import Topology
from ludarium.ludii.grammar.checker import Rules
from ludarium.ludii.model import bound, items
from ludarium.ludii.text.metadata import read_metadata
from ludarium.ludii.text.reader import Node

STYLES = (
    "Graph", "Chess", "Go", "Mancala", "PenAndPaper", "Shibumi", "Backgammon", "Janggi", "Xiangqi", "Shogi", "Table",
    "Surakarta", "Tafl",
)  # fmt: skip
_CALLED = ("ball", "disc", "marker", "king", "queen", "knight", "rook", "bishop", "pawn")
_PILED = ("Backgammon", "Default", "None", "Reverse")
_ROWS = {2: "Two", 3: "Three", 4: "Four", 6: "Six"}


def called(names: Collection[str]) -> set[str]:
    """What kinds of pieces there are by their names."""
    bare = (re.sub(r"\d+\Z", "", name).lower().removesuffix("_nocross") for name in names)
    return {f"{name.capitalize()}Component" for name in bare if name in _CALLED}


def drawn(rules: Rules, board: Topology, raised: Collection[str]) -> tuple[set[str], set[str]]:
    """What the metadata adds, and what it takes away."""
    found: set[str] = set()
    heaps: list[str] = []
    for clause in _graphics(rules):
        words = [part.text for part in clause.parts if part.kind == "word" and not part.label]
        found |= _shown(clause, words)
        if clause.text == "stackType":
            heaps += [word for word in words if word[:1].isupper()]
    if "MancalaStyle" in found:
        found |= _mancala(rules, board, raised)
    if not heaps:
        return found, set()
    found.add("StackType")
    if set(heaps) & set(_PILED):
        return found | {"Stack"}, set()
    return found, {"Stack"}


def _shown(clause: Node, words: Sequence[str]) -> set[str]:
    """What a clause of the metadata is about."""
    match [clause.text, *words[:2]]:
        case ["board", "Style", style] if style[:1].upper() + style[1:] in STYLES:
            return {f"{style[:1].upper()}{style[1:]}Style"}
        case ["no", "Board", *_]:
            return {"NoBoard"}
        case ["show", "Symbol", *_]:
            return {"Symbols"}
        case ["show", "Piece", "State" | "Value" as what]:
            return {f"ShowPiece{what}"}
        case ["piece", "Families", *_] if any(each.text == "Abstract" for each in _strings(clause)):
            return {"MarkerComponent"}
    return set()


def _mancala(rules: Rules, board: Topology, raised: Collection[str]) -> set[str]:
    found = {"MancalaBoard"}
    for item in items(bound(rules.root.arguments["equipment"]).arguments["items"]):
        node = bound(item)
        if node.unit == "mancalaBoard":
            found.add("Sow")
            given = node.arguments
            rows = int(repr(given["rows"]))
            if rows in _ROWS:
                found.add(f"Mancala{_ROWS[rows]}Rows")
            if repr(given.get("store", "Outer")).strip("'") != "None":
                found.add("MancalaStores")
    if "CircleTiling" in raised:
        found.add("MancalaCircular")
    if board.tracks:
        found |= {way for track in board.tracks for way in _ways(board, track.sites, track.next)}
    return found


def _ways(board: Topology, sites: tuple[int, ...], after: tuple[int, ...]) -> Iterator[str]:
    """Whether a track goes clockwise, by its first step."""
    kind = board.default_type
    for site, following in list(zip(sites, after, strict=True))[:1]:
        for direction, way in (("N", "CCW"), ("E", "CCW"), ("CCW", "CCW"), ("S", "CW"), ("W", "CW"), ("CW", "CW")):
            if 0 <= site < board.sites().count and following in board.steps(kind, direction)[site]:
                yield f"Sow{way}"


def _graphics(rules: Rules) -> Iterator[Node]:
    read = read_metadata(rules.description)
    for part in read[0].parts if read else ():
        if part.text == "graphics":
            yield from _clauses(part)


def _clauses(node: Node) -> Iterator[Node]:
    for part in node.parts:
        if part.kind == "array":
            yield from _clauses(part)
        elif part.kind == "clause":
            yield part


def _strings(node: Node) -> Iterator[Node]:
    for part in node.parts:
        if part.kind == "string":
            yield part
        elif part.kind == "array":
            yield from _strings(part)
