"""Where pieces stand, for those who judge states: whose they are, and how near to the centre, the corners and the sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ludarium.core.hints import Pieces
from ludarium.ludii.memory.state import Layout

_PLACES = ("Centre", "Corners", "Sides")


def pieces(layout: Layout) -> Sequence[Pieces]:
    """The sites where each player has pieces, on the board and in hands; nothing where players may swap what they own."""
    return [_owned(layout, role, range(layout.spots)) for role in range(layout.players)] if not layout.swaps else ()


def nearness(layout: Layout) -> Mapping[str, Sequence[tuple[Pieces, float]]]:
    """Pieces on the board by how near they are to a place, from 1 there to 0 as far as one can be, in steps."""
    if layout.swaps:
        return {}
    board = layout.model.topology
    kind = board.default_type
    sites, steps = board.sites(), board.distances(kind)
    found = {}
    for place in _PLACES:
        group = (
            sorted({site for side in sites.sides.values() for site in side})
            if place == "Sides"
            else sites.groups[place]
        )
        if not group:
            continue
        away = steps[:, list(group)].astype(float)
        away[(away == 0) & (np.arange(len(steps))[:, None] != np.array(group)[None, :])] = np.inf  # no way leads there
        least = away.min(axis=1)
        farthest = least[np.isfinite(least)].max()
        if farthest == 0:
            continue
        worth = np.where(np.isfinite(least), 1.0 - least / farthest, 0.0)
        found[place.lower()] = [
            (_owned(layout, role, np.flatnonzero(worth == value).tolist()), float(value))
            for role in range(layout.players)
            for value in np.unique(worth)
            if value > 0
        ]
    return found


def _owned(layout: Layout, role: int, spots: Sequence[int]) -> Pieces:
    offset = layout.state.fields["owned"][1] + 8 * layout.spot_words * (role + 1)
    return Pieces(role, offset, sum(1 << spot for spot in spots))
