"""How far pieces have come on tracks that cross themselves, where a site alone does not tell.

For every kind of piece the state counts how many are at each place of each track. Counts are kept as Ludii keeps them: a piece
that is taken away is missing from all places of its site, so that counts may fall below zero.
"""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, constant, i16, i64, kernel
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import Model


def _visits(model: Model) -> tuple[list[int], list[int]]:
    """The places of each site on each track, in ascending order: where those of a pair begin, and the places."""
    begins, found, first = [0], [], 0
    for track in model.topology.tracks:
        at: dict[int, list[int]] = {}
        for k, site in enumerate(track.sites):
            at.setdefault(site, []).append(first + k)
        for site in range(model.block * len(model.types)):
            found += at.get(site, [])
            begins.append(len(found))
        first += len(track.sites)
    return begins, found or [0]


def crossing_kernels(layout: Layout) -> dict[str, Kernel[Any]]:
    """Make the kernels that follow pieces along tracks."""
    State: Any = layout.state
    model, sites, crossing = layout.model, layout.spots, layout.crossing
    tracks, total = len(model.topology.tracks), model.track_places
    begins, visits = (constant(i16, each) for each in _visits(model))
    ranks: list[int] = [-1]
    for piece in model.components:
        ranks.append(-1 if piece.faces else max(ranks) + 1)
    rank = constant(i16, ranks)

    @kernel
    def enter_tracks(s: State, piece: i64, x: i64, count: i64) -> None:
        """Let pieces be at the first place of their site on each track."""
        if crossing and rank[piece] >= 0:
            for t in range(tracks):
                k = i64(begins[t * sites + x])
                if k < begins[t * sites + x + 1]:
                    s.on_track[rank[piece] * total + visits[k]] += count

    @kernel
    def leave_tracks(s: State, piece: i64, x: i64) -> None:
        """Let a piece be missing from all places of its site."""
        if crossing and rank[piece] >= 0:
            for t in range(tracks):
                for k in range(begins[t * sites + x], begins[t * sites + x + 1]):
                    s.on_track[rank[piece] * total + visits[k]] -= 1

    @kernel
    def go_on_track(s: State, piece: i64, t: i64, a: i64, b: i64, count: i64) -> None:
        """Let pieces go to the next place of a site on a track, or to its first if none comes after."""
        if crossing:
            first = rank[piece] * total
            to = i64(begins[t * sites + b])
            end = i64(begins[t * sites + b + 1])
            for k in range(begins[t * sites + a], begins[t * sites + a + 1]):
                if s.on_track[first + visits[k]] > 0:
                    s.on_track[first + visits[k]] -= count
                    later = to
                    while later < end and visits[later] <= visits[k]:
                        later += 1
                    if to < end:
                        s.on_track[first + visits[later if later < end else to]] += count
                    break
            if begins[t * sites + a] == begins[t * sites + a + 1] and to < end:
                s.on_track[first + visits[to]] += 1  # Ludii counts one, however many enter

    @kernel
    def go_on_tracks(s: State, piece: i64, a: i64, b: i64, count: i64) -> None:
        """Let pieces go from a site to another on all tracks."""
        if crossing and rank[piece] >= 0:
            for t in range(tracks):
                go_on_track(s, piece, t, a, b, count)

    @kernel
    def place_on_track(s: State, piece: i64, t: i64, x: i64) -> i64:
        """The first place of a site on a track where a piece is, or of none the first; -1 if there is no such place."""
        first = i64(begins[t * sites + x])
        end = i64(begins[t * sites + x + 1])
        if piece == 0:
            return i64(visits[first]) if first < end else -1
        if crossing and rank[piece] >= 0:
            for k in range(first, end):
                if s.on_track[rank[piece] * total + visits[k]] > 0:
                    return i64(visits[k])
        return -1

    made: list[Kernel[Any]] = [enter_tracks, leave_tracks, go_on_track, go_on_tracks, place_on_track]
    return {each.name: each for each in made}
