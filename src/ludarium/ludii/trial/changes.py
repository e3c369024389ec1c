"""The actions that make one state of another, for moves of games that do not tell their own.

They are not the ones that Ludii would have recorded, but they come to the same: whoever does them gets the same state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludarium.ludii.trial import interpreter
from ludarium.ludii.trial.facts import CELL, DICE, Site
from ludarium.ludii.trial.position import EMPTY, Piece, Position, Snapshot
from ludarium.ludii.trial.record import Action, Value

_FIELDS = ("state", "rotation", "value")


def changes(position: Position, after: Snapshot) -> Iterator[Action]:
    """The actions that lead to another state; each is done when it is told."""
    for action in _changes(position, after):
        interpreter.do(position, action)
        yield action


def _changes(position: Position, after: Snapshot) -> Iterator[Action]:
    dice = {Site(CELL, number) for number in position.facts.dice}
    for site in sorted({*position.sites, *after.sites}):
        there = after.sites.get(site, ())
        if position.pieces(site) == there:
            continue
        if site in dice and there:
            yield from _die(position, site, there[0])
        elif position.facts.stacking:
            yield from _stack(position, site, there)
        else:
            yield from _single(position, site, there[0] if there else EMPTY)
    for name, tell in _VALUES.items():
        if name in after.values:
            yield from tell(position, after.values[name])


def _die(position: Position, site: Site, there: Piece) -> Iterator[Action]:
    if not position.pieces(site):
        yield Action("Add", {"type": site.type, "to": site.number, "what": there.what})
    if position.piece(site).state != there.state:
        yield Action("SetStateAndUpdateDice", {"site": site.number, "state": there.state})


def _single(position: Position, site: Site, there: Piece) -> Iterator[Action]:
    here = position.piece(site)
    at: dict[str, Value] = {"type": site.type, "to": site.number}
    if here.what != there.what:
        if here != EMPTY:
            yield Action("Remove", at)
        if there.what:
            count = {"count": there.count} if there.count > 1 else {}
            told = {name: getattr(there, name) for name in _FIELDS if getattr(there, name)}
            yield Action("Add", {**at, "what": there.what, **count, **told})
        here = position.piece(site)
    if here.count != there.count:
        yield Action("SetCount", {**at, "what": there.what, "count": there.count})
    for name in _FIELDS:
        if getattr(position.piece(site), name) != getattr(there, name):
            yield Action(f"Set{name.capitalize()}", {**at, name: getattr(there, name)})


def _stack(position: Position, site: Site, there: tuple[Piece, ...]) -> Iterator[Action]:
    at: dict[str, Value] = {"type": site.type, "to": site.number}
    here = position.pieces(site)
    same = 0
    while same < min(len(here), len(there)) and here[same] == there[same]:
        same += 1
    for _ in here[same:]:
        yield Action("Remove", at)
    for piece in there[same:]:
        told = {name: getattr(piece, name) for name in _FIELDS}
        quiet = not any(told.values()) and not position.above.get(site)
        yield Action("Add", {**at, "what": piece.what, **({} if quiet else told), "stack": True})


def _scores(position: Position, after: Any) -> Iterator[Action]:
    for player, score in _different(position.scores, after, 0):
        yield Action("SetScore", {"player": player, "score": score})


def _amounts(position: Position, after: Any) -> Iterator[Action]:
    for player, amount in _different(position.amounts, after, 0):
        yield Action("SetAmount", {"player": player, "amount": amount})


def _player_values(position: Position, after: Any) -> Iterator[Action]:
    for player, value in _different(position.player_values, after, -1):
        yield Action("SetValueOfPlayer", {"player": player, "value": value})


def _teams(position: Position, after: Any) -> Iterator[Action]:
    for player, team in sorted(after.items()):
        if position.teams.get(player) != team:
            yield Action("AddPlayerToTeam", {"team": team, "player": player})


def _variables(position: Position, after: Any) -> Iterator[Action]:
    for name, value in _different(position.variables, after, -1):
        yield Action("SetVar", {"name": name, "value": value})


def _remembered(position: Position, after: Any) -> Iterator[Action]:
    for name in sorted({*position.remembered, *after}):
        here, there = list(position.remembered.get(name, ())), list(after.get(name, ()))
        for value in list(here):
            if value in there:
                here.remove(value)
                there.remove(value)
        yield from (Action("ForgetValue", {"name": name, "value": value}) for value in here)
        yield from (Action("RememberValue", {"name": name, "value": value}) for value in there)


def _pending(position: Position, after: Any) -> Iterator[Action]:
    for value in sorted(set(after) - position.pending):
        yield Action("SetPending", {"value": value})


def _temp(position: Position, after: Any) -> Iterator[Action]:
    if position.temp != after:
        yield Action("SetTemp", {"temp": after})


def _trump(position: Position, after: Any) -> Iterator[Action]:
    if position.trump != after:
        yield Action("SetTrumpSuit", {"trumpSuit": after})


def _pot(position: Position, after: Any) -> Iterator[Action]:
    if position.pot != after:
        yield Action("SetPot", {"pot": after})


def _counter(position: Position, after: Any) -> Iterator[Action]:
    """One less, because playing the move counts it."""
    if position.counter != after - 1:
        yield Action("SetCounter", {"counter": after - 1})


def _dice(position: Position, after: Any) -> Iterator[Action]:
    hands = [container for container in position.facts.containers if container.name.startswith(DICE)]
    for site, shown in sorted(after.items()):
        if position.dice.get(site) == shown:
            continue
        state = position.piece(Site(CELL, site)).state
        if shown != position.shown(site, state):
            hand = next((n for n, each in enumerate(hands) if each.first <= site < each.first + each.sites), 0)
            first = hands[hand].first if hands else site
            yield Action("UseDie", {"indexHandDice": hand, "indexDie": site - first, "site": site})
        else:
            yield Action("SetStateAndUpdateDice", {"site": site, "state": state})


def _triggered(position: Position, after: Any) -> Iterator[Action]:
    for player in sorted(set(after) - position.triggered):
        yield Action("Trigger", {"event": "event", "player": player})


def _hidden(position: Position, after: Any) -> Iterator[Action]:
    for site in sorted({*position.hidden, *after}):
        here, there = position.hidden.get(site, frozenset()), after.get(site, frozenset())
        for level, player, what in sorted(here ^ there):
            at: dict[str, Value] = {"type": site.type, "to": site.number, "level": level, "who": player}
            yield Action(f"SetHidden{what}", {**at, "value": (level, player, what) in there})


_VALUES = {
    "scores": _scores,
    "variables": _variables,
    "remembered": _remembered,
    "pending": _pending,
    "temp": _temp,
    "counter": _counter,
    "player values": _player_values,
    "teams": _teams,
    "amounts": _amounts,
    "pot": _pot,
    "trump": _trump,
    "dice": _dice,
    "triggered": _triggered,
    "hidden": _hidden,
}


def _different(here: Mapping[Any, int], there: Mapping[Any, int], missing: int) -> list[tuple[Any, int]]:
    """What has another value there; a value that is missing is known."""
    found = {key: there.get(key, missing) for key in {*here, *there}}
    return sorted((key, value) for key, value in found.items() if here.get(key, missing) != value)
