"""What is kept of the course of a match, as a row of texts: lists as JSON, decisions by column.

Columns of numbers are read many times faster than an object per decision, and few readers want the alternatives.
"""

from __future__ import annotations

import json
from typing import Any

from ludarium.core import Match
from ludarium.core.match import Alternative, Turn

COLUMNS = "moves, seconds, faults, turns, alternatives"
_KINDS = ("ply", "role", "move", "seconds", "choices", "iterations", "forward_calls", "value", "fault")


def record(match: Match) -> tuple[str | None, ...] | None:
    """Write the course of a match; None if nothing was kept but the result."""
    lists = (match.moves, [round(each, 6) for each in match.seconds], match.faults)
    if match.length is not None and not any(lists) and not match.turns:
        return None
    turns = {kind: [getattr(turn, kind) for turn in match.turns] for kind in _KINDS}
    turns["seconds"] = [round(seconds, 6) for seconds in turns["seconds"]]
    alternatives = [[[each.move, each.visits, each.value] for each in turn.alternatives] for turn in match.turns]
    return (
        *(_text(each) if each else None for each in lists),
        _text(turns) if match.turns else None,
        _text(alternatives) if any(alternatives) else None,
    )


def course(row: tuple[str | None, ...]) -> dict[str, Any]:
    """Read what `record` wrote, as the fields of a match."""
    moves, seconds, faults, turns, alternatives = (json.loads(each) if each else None for each in row)
    thoughts = alternatives or [[]] * len(turns["ply"] if turns else ())
    made = []
    for values, thought in zip(
        zip(*(turns[kind] for kind in _KINDS), strict=True) if turns else (), thoughts, strict=True
    ):
        considered = tuple(Alternative(*each) for each in thought)
        made.append(Turn(**dict(zip(_KINDS, values, strict=True)), alternatives=considered))
    return {
        "moves": tuple(moves or ()),
        "seconds": tuple(seconds or ()),
        "faults": tuple(faults or ()),
        "turns": tuple(made),
    }


def _text(what: Any) -> str:
    return json.dumps(what, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
