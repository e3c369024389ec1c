"""Where pieces stand, for those who judge states: whose they are, and how near they are to places on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ludarium.core.hints import Pieces
from ludarium.ludii.hints import fixed_regions, owned_regions
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
    groups: dict[str, Sequence[int]] = {
        place.lower(): sorted({site for side in sites.sides.values() for site in side})
        if place == "Sides"
        else sites.groups[place]
        for place in _PLACES
    }
    groups |= {f"region {k}": region or () for k, (_, region) in enumerate(fixed_regions(layout))}
    for owner, regions in owned_regions(layout).items():
        groups[f"regions of {owner}"] = sorted({site for region in regions for site in region})
    found = {}
    for place, group in groups.items():
        if not group:
            continue
        away = steps[:, list(group)].astype(float)
        away[(away == 0) & (np.arange(len(steps))[:, None] != np.array(group)[None, :])] = np.inf  # no way leads there
        least = away.min(axis=1)
        farthest = least[np.isfinite(least)].max()
        if farthest == 0:
            continue
        worth = np.where(np.isfinite(least), 1.0 - least / farthest, 0.0)
        found[place] = [
            (_owned(layout, role, np.flatnonzero(worth == value).tolist()), float(value))
            for role in range(layout.players)
            for value in np.unique(worth)
            if value > 0
        ]
    return found


def _owned(layout: Layout, role: int, spots: Sequence[int]) -> Pieces:
    offset = layout.state.fields["owned"][1] + 8 * layout.spot_words * (role + 1)
    return Pieces(role, offset, sum(1 << spot for spot in spots))
