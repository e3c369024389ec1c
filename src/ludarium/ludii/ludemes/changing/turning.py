"""Pieces that turn, as a move or an effect; where they look then is up to directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludarium.ludii.board.ways.directions import SPECIFIC
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, Push, act
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.ludemes.where.directions import COMPASS
from ludarium.ludii.memory import actions
from ludarium.ludii.model import bound, items, word

_BITS = 8


@ludeme("moves", "move Set Rotation", "set Rotation")
def _set_rotation(script: Script, node: Bound) -> None:
    """Turn a piece as it is told, and one step to the left and to the right unless that is ruled out."""
    given = node.arguments
    place = bound(given["to"]).arguments.get("loc") if "to" in given else None
    site = script.local("site", script.number(place, "c.from_"))
    told = [given["direction"]] if "direction" in given else list(items(given.get("directions")))
    supported = script.topology.supported
    most = max(len(supported("Cell", "All")), len(supported("Vertex", "All"))) - 1

    def turn(rotation: str) -> None:
        extra = {"rotation": (script.local("rotation", rotation), _BITS)}
        find(script, Found(node, "SetRotation", site, site, _turned(script), extra))

    with script.block(f"if 0 <= {site} < {script.layout.sites}:"):
        for each in told:
            turn(script.number(each))
        for side in ("previous", "next"):
            with script.block(f"if {script.truth(given.get(side))}:"):
                now = script.local("now", f"i64(s.rotation[slot_of(s, {site}, -1)])")
                before, after = f"({now} - 1 if {now} > 0 else {most})", f"({now} + 1 if {now} < {most} else 0)"
                turn(before if side == "previous" else after)


def _turned(script: Script) -> Push:
    def push(_: str, to: str, known: Mapping[str, str]) -> None:
        act(script, actions.SET_ROTATION, to, known["rotation"])

    return push


def turns_of(script: Script, value: Value) -> list[dict[str, tuple[str, int]]]:
    """How a piece may be turned where it comes to, each as what tells a move apart; none if nothing is said of it."""
    given = bound(value).arguments
    if "rotations" not in given:
        return []
    node = bound(given["rotations"])
    asked = node.arguments
    names = [asked["directionOfRotation"]] if "directionOfRotation" in asked else items(asked["directionsOfRotation"])
    kind, sides = script.topology.default_type, sides_of_cells(script)
    part = len(script.topology.supported(kind, "All")) // sides if sides else 0
    ways = [way for name in names for way in _ways(script, word(name))]
    if not part or not set(ways) <= set(COMPASS):
        raise script.model.unsupported(node, why="on a board whose cells differ, or in such directions")
    found = dict.fromkeys(COMPASS.index(way) // part for way in ways)
    return [{"rotation": (str(rotation), _BITS)} for rotation in found]


def _ways(script: Script, name: str) -> Sequence[str]:
    return (name,) if name in SPECIFIC else script.topology.supported(script.topology.default_type, name)


def sides_of_cells(script: Script) -> int:
    """How many sides every cell has; 0 if they differ."""
    counts = {len(sides) for sides in script.topology.sides_of}
    return counts.pop() if len(counts) == 1 else 0
