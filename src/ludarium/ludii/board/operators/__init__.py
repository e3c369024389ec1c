"""Graphs made from other graphs: moved, joined, cut, split."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.graph import Graph
from ludarium.ludii.board.operators.adding import add
from ludarium.ludii.board.operators.cutting import clip, hole, keep, remove, trim
from ludarium.ludii.board.operators.joining import intersect, layers, merge, union
from ludarium.ludii.board.operators.moving import rotate, scale, shift, skew
from ludarium.ludii.board.operators.splitting import complete, dual, faces, recoordinate, renumber, split, subdivide

OPERATORS: Mapping[str, Callable[[Arguments], Graph]] = {
    "add": add,
    "clip": clip,
    "complete": complete,
    "dual": dual,
    "hole": hole,
    "intersect": intersect,
    "keep": keep,
    "layers": layers,
    "makeFaces": faces,
    "merge": merge,
    "recoordinate": recoordinate,
    "remove": remove,
    "renumber": renumber,
    "rotate": rotate,
    "scale": scale,
    "shift": shift,
    "skew": skew,
    "splitCrossings": split,
    "subdivide": subdivide,
    "trim": trim,
    "union": union,
}
"""By the word that a ludeme begins with."""
