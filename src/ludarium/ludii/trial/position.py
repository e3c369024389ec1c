"""What is where: all of a state that recorded actions tell, in plain Python.

A site holds a tuple of pieces, the lowest first; where nothing stacks, there is one piece with a count. Empty sites are not
kept, unless something was said of them. Pieces are values, so a snapshot costs a copy of one dictionary.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludarium.ludii.trial.facts import CELL, GameFacts, Site


class Piece(NamedTuple):
    """One level of a site."""

    what: int = 0
    who: int = 0
    count: int = 0  # type: ignore[assignment]  # the word of the field, not what tuples do
    state: int = 0
    rotation: int = 0
    value: int = 0


EMPTY = Piece()

Flag = tuple[int, int, str]
"""That something is hidden: the level, the player it is hidden from, and what is hidden ("" for all)."""


@dataclass(frozen=True)
class Snapshot:
    """A state as it can be compared: what stands on the sites, and whatever else is kept, by name."""

    sites: Mapping[Site, tuple[Piece, ...]]
    values: Mapping[str, Any] = field(default_factory=dict)
    """Scores, variables and so on. A game leaves out what it does not keep: then nothing depends on it."""
    fields: frozenset[str] = frozenset(Piece._fields)
    """What of a piece is kept."""


@dataclass
class Position:
    """A state that actions change."""

    facts: GameFacts
    sites: dict[Site, tuple[Piece, ...]] = field(default_factory=dict)
    above: dict[Site, tuple[Piece, ...]] = field(default_factory=dict)
    """What Ludii leaves in the slots above a stack: a piece put there without more said takes its state over."""
    hidden: dict[Site, frozenset[Flag]] = field(default_factory=dict)
    scores: dict[int, int] = field(default_factory=dict)
    variables: dict[str, int] = field(default_factory=dict)
    temp: int = -1
    counter: int = 0
    pending: set[int] = field(default_factory=set)
    remembered: dict[str, list[int]] = field(default_factory=dict)
    player_values: dict[int, int] = field(default_factory=dict)
    teams: dict[int, int] = field(default_factory=dict)
    amounts: dict[int, int] = field(default_factory=dict)
    pot: int = 0
    dice: dict[int, int] = field(default_factory=dict)
    """What the dice show, by site, and 0 once they are used."""
    dice_equal: bool = False
    next: int | None = None
    """Who was said to move next, in the last move."""
    triggered: set[int] = field(default_factory=set)
    costs: dict[Site, int] = field(default_factory=dict)
    phases: dict[Site, int] = field(default_factory=dict)
    notes: list[tuple[int, str]] = field(default_factory=list)
    propositions: list[str] = field(default_factory=list)
    votes: list[str] = field(default_factory=list)
    decided: str = ""
    removals: list[int] = field(default_factory=list)
    """Sites that are cleared when the turn ends."""
    swapped: dict[int, int] = field(default_factory=dict)
    """Who plays for whom, if that has changed."""
    trump: int = -1
    lost: bool = False
    """Whether nothing is known of the sites: the next game of a match has begun, and what is placed in it is not recorded."""
    oddities: list[str] = field(default_factory=list)
    """What one does not expect: a move from an empty site, a level that is not there."""

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """What stands on a site, the lowest first."""
        return self.sites.get(site, ())

    def piece(self, site: Site) -> Piece:
        """What stands on a site, on top."""
        pieces = self.sites.get(site)
        return pieces[-1] if pieces else EMPTY

    def put(self, site: Site, *pieces: Piece) -> None:
        """Let a site hold nothing but this."""
        if pieces and (self.facts.stacking or pieces[0] != EMPTY):
            self.sites[site] = pieces
        else:
            self.sites.pop(site, None)

    def shown(self, site: int, face: int) -> int:
        """The number on a face of the die on a site; where the numbers are not known, the faces are counted from 1."""
        faces = self.facts.faces.get(self.piece(Site(CELL, site)).what)
        return face + 1 if faces is None or face >= len(faces) else faces[face]

    def odd(self, message: str) -> None:
        """Note what should not happen."""
        if not self.lost:
            self.oddities.append(message)

    def load(self, snapshot: Snapshot) -> None:
        """Let the sites hold what they do in another state."""
        self.sites = dict(snapshot.sites)
        self.lost = False

    def snapshot(self, kept: Collection[str] | None = None) -> Snapshot:
        """The state as it is now, to compare; of the values only those that are kept, if not all."""
        values: dict[str, Any] = {
            "scores": {player: score for player, score in self.scores.items() if score},
            "variables": {name: value for name, value in self.variables.items() if value != -1},
            "remembered": {name: sorted(found) for name, found in self.remembered.items() if found},
            "pending": frozenset(self.pending),
            "temp": self.temp,
            "counter": self.counter,
            "player values": {player: value for player, value in self.player_values.items() if value != -1},
            "teams": dict(self.teams),
            "amounts": {player: amount for player, amount in self.amounts.items() if amount},
            "pot": self.pot,
            "trump": self.trump,
            "dice": {site: self.dice.get(site, self.shown(site, 0)) for site in {*self.facts.dice, *self.dice}},
            "triggered": frozenset(self.triggered),
            "propositions": tuple(self.propositions),
            "votes": tuple(self.votes),
            "hidden": {site: flags for site, flags in self.hidden.items() if flags},
            "removals": frozenset(self.removals),
        }
        if kept is not None:
            values = {name: value for name, value in values.items() if name in kept}
        return Snapshot(dict(self.sites), values)


def difference(ours: Snapshot, recorded: Snapshot) -> tuple[str, str] | None:
    """The first thing that two states say differently, in the words of either; nothing if they agree.

    Ludii has pieces without an owner where a count was set (seeds in holes): there the owner is not compared.
    """
    if ours.sites != recorded.sites:
        left = frozenset(Piece._fields) - (ours.fields & recorded.fields)
        for site in sorted({*ours.sites, *recorded.sites}):
            here, there = ours.sites.get(site, ()), recorded.sites.get(site, ())
            if here != there:
                ownerless = len(there) == 1 and there[0].who == 0
                without = left | {"who"} if ownerless else left
                told = _told(_without(here, without)), _told(_without(there, without))
                if told[0] != told[1]:
                    return f"{site}: {told[0]}", f"{site}: {told[1]}"
    for name, value in ours.values.items():
        if name in recorded.values and value != recorded.values[name]:
            return f"{name}: {_said(value)}", f"{name}: {_said(recorded.values[name])}"
    return None


def _without(pieces: tuple[Piece, ...], left: frozenset[str]) -> tuple[Piece, ...]:
    """The pieces with nothing in the fields that are left out."""
    found = tuple(piece._replace(**dict.fromkeys(left, 0)) for piece in pieces)
    return () if found == (EMPTY,) else found


def _told(pieces: tuple[Piece, ...]) -> str:
    if not pieces:
        return "empty"
    told = []
    for piece in pieces:
        rest = [f"{name} {value}" for name, value in zip(Piece._fields[1:], piece[1:], strict=True) if value]
        told.append(f"{piece.what} ({', '.join(rest)})" if rest else str(piece.what))
    return " under ".join(told)


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_said(inner)}" for name, inner in sorted(value.items())) or "none"
    if isinstance(value, (frozenset, tuple, list)):
        parts = sorted(map(_said, value)) if isinstance(value, frozenset) else list(map(_said, value))
        return "{" + ", ".join(parts) + "}"
    return str(value)
