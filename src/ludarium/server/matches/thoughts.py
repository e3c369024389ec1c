"""What an agent thought, as words and numbers for a page or a program."""

from __future__ import annotations

from typing import Any

from ludarium.core import Decision, Game, InformationSet, Role

MOST = 400
"""Moves of a decision that are told."""


def told(game: Game, role: Role, made: Decision, legal: int = 0) -> dict[str, Any]:
    """Tell a decision: the move, what was thought of the others, best first, the expected line, and the work it took."""
    visits, values = dict(made.visits), dict(made.values)
    total = sum(visits.values())
    order = sorted(
        dict.fromkeys([made.move, *visits, *values]),
        key=lambda move: (move == made.move, visits.get(move, 0), values.get(move, 0.0)),
        reverse=True,
    )
    return {
        "role": game.roles[role],
        "move": game.text(made.move),
        "notation": game.notation(made.move),
        "legal": legal,
        "moves": [
            {
                "move": game.text(move),
                "notation": game.notation(move),
                "visits": int(visits.get(move, 0)),
                "share": visits.get(move, 0) / total if total else None,
                "value": _rounded(values.get(move)),
            }
            for move in order[:MOST]
        ],
        "line": [{"role": game.roles[who], "notation": game.notation(move)} for who, move in made.line],
        "iterations": made.iterations,
        "forward_calls": made.forward_calls,
        "seconds": round(made.seconds, 6),
        "rate": round(made.iterations / made.seconds) if made.seconds > 0 else None,
        "depth": made.depth,
        "proven": made.proven,
        "votes": [{"agent": who, "notation": game.notation(move)} for who, move in made.votes],
        "note": made.note,
    }


def belief_data(game: Game, info: InformationSet, *, samples: int = 500, seed: int = 0) -> dict[str, Any]:
    """Tell what a role may believe of hidden places: how likely each content is, likeliest first."""
    from ludarium.core import Rng  # noqa: PLC0415
    from ludarium.hidden import determinizer  # noqa: PLC0415
    from ludarium.hidden.belief import believe, grid  # noqa: PLC0415

    held = believe(determinizer("auto").sampler(game, info.role), info, Rng.keyed(seed, "belief"), samples=samples)
    data: dict[str, Any] = {
        "role": game.roles[info.role],
        "states": held.states,
        "exact": held.exact,
        "places": {place: dict(shares) for place, shares in held.shares.items()},
        "contents": held.contents,
        "maps": {},
    }
    for content in held.contents if len(held.contents) <= 12 else []:
        if board := grid(held.heat(content)):
            columns, rows, values = board
            cells = [[x, y, round(value, 4)] for (x, y), value in values.items()]
            data["maps"][content] = {"columns": columns, "rows": rows, "cells": cells}
    return data


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)
