"""Pieces that turn, as a move or an effect; where they look then is up to directions."""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, Push, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.memory import actions
from ludarium.ludii.model import bound, items

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
