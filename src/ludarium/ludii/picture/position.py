"""What a picture shows of a state: the pieces on every site, dice, scores, whose turn it is, and the last move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludarium.ludii.board import TYPES
from ludarium.ludii.memory.large import Covers
from ludarium.ludii.memory.state import TRUMP, Layout
from ludarium.ludii.model import Model

_HELD = ("what", "height", "count", "owned", "solved")
"""The fields of a state that say what lies on a site."""


@dataclass(frozen=True)
class Place:
    """What lies on a site."""

    pieces: tuple[int, ...] = ()
    """The kinds of pieces, from below; without stacks there is one at most."""

    count: int = 0
    """How many there are."""

    told: str = ""
    """What is written there where no piece is seen: the number that a puzzle has there, or ? for a piece of a hidden kind."""

    owner: int = 0
    """Whose the piece of a hidden kind is."""


@dataclass(frozen=True)
class Position:
    """A state for people."""

    places: tuple[Place, ...]
    """By their spots."""

    dice: tuple[tuple[int, bool], ...]
    """What the dice show, and whether they can still be used."""

    scores: tuple[int, ...]
    """Of each player, if the game counts any."""

    last: tuple[int, ...]
    """The spots of the last move."""

    trump: int = -1
    """The suit that is trumps, if there is one."""

    @classmethod
    def of(cls, model: Model, layout: Layout, state: Any) -> Position:
        """Read a state."""
        rolled = {site for site, _ in model.dice}
        held = {name: getattr(state, name) for name in _HELD if name in layout.state.fields}  # each field is a new view
        places = tuple(Place() if k in rolled else _place(layout, held, k) for k in range(layout.spots))
        if layout.large:
            places = _spread(model, state, places)
        known = layout.state.fields
        faces = [each.faces[state.die[k]] for k, (_, each) in enumerate(model.dice)]
        dice = tuple((face, state.current[k] == face) for k, face in enumerate(faces))
        scores = tuple(state.score[k] for k in range(1, model.players + 1)) if "score" in known else ()
        moved = [_last(model, state, end) for end in ("from", "to")] if state.moves > 0 else []
        trump = state.var[layout.vars.index(TRUMP)] if TRUMP in layout.vars else -1
        return cls(places, dice, scores, tuple(dict.fromkeys(spot for spot in moved if spot >= 0)), trump)


def _last(model: Model, state: Any, end: str) -> int:
    """The spot that the last move came from, or went to."""
    site = getattr(state, f"last_{end}")
    kind = TYPES[getattr(state, f"last_{end}_type")] if len(model.types) > 1 else model.types[0]
    return model.spot(kind, site)


def _spread(model: Model, state: Any, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Show large pieces on all sites that they cover."""
    covers, shown = Covers(model), list(places)
    for root in range(model.board_sites):
        for kind in places[root].pieces:
            piece = model.components[kind - 1]
            for site in covers.sites(piece, state.state[root], root) if piece.walks else ():
                shown[site] = places[root]
    return tuple(shown)


def _place(layout: Layout, held: Mapping[str, Any], site: int) -> Place:
    if layout.stacking:
        height = held["height"][site]
        return Place(tuple(held["what"][site * layout.height + level] for level in range(height)), height)
    if layout.domain and held["solved"][site] >= 0:
        return Place(told=str(held["solved"][site]))
    what = held["what"][site]
    if not what:
        bit, word = 1 << (site & 63), site >> 6
        owners = range(1, layout.players + 1) if layout.hides else ()
        seen = (player for player in owners if int(held["owned"][player * layout.words + word]) & bit)
        return next((Place(told="?", owner=player) for player in seen), Place())
    return Place((what,), held["count"][site] if layout.counting else 1)
