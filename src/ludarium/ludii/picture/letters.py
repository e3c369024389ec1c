"""How pieces and players are told apart: names for roles, and one letter for every kind of piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from string import ascii_uppercase

from ludarium.ludii.model import Component, Model
from ludarium.ludii.picture.cards import card_titles

_COLOUR = re.compile(r"\(player\s+Colour\s+P(\d+)\s+\(colour\s+([A-Za-z]+)\s*\)")
_NAME = re.compile(r'\(player\s+Name\s+P(\d+)\s+"([^"]+)"')
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PLAYERS = "XOYZWVUT"  # one kind of piece each, and all of the same name: the usual marks come first
EMPTY = "."


def role_names(model: Model) -> tuple[str, ...]:
    """What the players are called: by their names, their colours, or their only kinds of pieces, or else by numbers."""
    numbers = range(1, model.players + 1)
    metadata = model.rules.description.metadata.string
    given, colours = ({int(player): told for player, told in each.findall(metadata)} for each in (_NAME, _COLOUR))
    kinds = {k: {each.bare for each in model.components if each.owner == k} for k in numbers}
    alone = {k: next(iter(names)) for k, names in kinds.items() if len(names) == 1}
    for told in (given, colours, alone):
        names = [_spelled(told[k]) for k in numbers if k in told]
        if len(names) == len(set(names)) == model.players > (told is not given):
            return tuple(names)
    return tuple(f"player{k}" for k in numbers)


def _spelled(name: str) -> str:
    return "-".join(_WORDS.findall(name)).lower() or name.lower()


@lru_cache(maxsize=8)
def letters(model: Model) -> Mapping[int, str]:
    """What each kind of piece is drawn as: big letters are the first player's, small ones the second's.

    With more players, or where letters are few, the number of the owner follows. Cards are drawn as what is printed on them.
    """
    return {**_letters(model), **card_titles(model)} if model.cards else _letters(model)


def _letters(model: Model) -> dict[int, str]:
    pieces = [each for each in model.components if not each.faces and not each.card]
    players = range(1, model.players + 1)
    kinds = {k: [each for each in pieces if each.owner == k] for k in players}
    if all(len(own) <= 1 for own in kinds.values()) and model.players <= len(_PLAYERS):
        own = [each for k in players for each in kinds[k]]
        names = [each.bare[:1].upper() for each in own]
        different = len(set(names)) == len(own) and all(name.isalpha() for name in names)
        found = {
            each.index: name if different else _PLAYERS[each.owner - 1] for each, name in zip(own, names, strict=True)
        }
    else:
        first = _initials(each.bare for own in kinds.values() for each in own)
        found = {each.index: _owned(first[each.bare], each, model.players) for own in kinds.values() for each in own}
    others = [each for each in pieces if each.index not in found]
    if len(others) == 1:
        return found | {others[0].index: "#"}
    taken = "".join(found.values()).upper()
    return found | {each.index: letter for each, letter in zip(others, _spare(others, taken), strict=True)}


def owners_of_letters(model: Model) -> dict[str, int]:
    """The role that each single letter belongs to."""
    owners = {each.index: each.owner - 1 for each in model.components}
    found = {letter: owners[index] for index, letter in letters(model).items() if len(letter) == 1}
    return {letter: role for letter, role in found.items() if 0 <= role < model.players}


def _owned(letter: str, piece: Component, players: int) -> str:
    if players > 2:
        return f"{letter}{piece.owner}"
    return letter if piece.owner == 1 else letter.lower()


def _initials(names: Iterable[str]) -> dict[str, str]:
    """A letter of its own for each name: of the name if one is left, else any."""
    found: dict[str, str] = {}
    for name in names:
        if name not in found:
            free = [each for each in (*name.upper(), *ascii_uppercase) if each.isalpha() and each not in found.values()]
            found[name] = free[0] if free else name[:1].upper()
    return found


def _spare(pieces: Iterable[Component], taken: str) -> list[str]:
    """Small letters for pieces that belong to nobody, such as no player has if one is left."""
    found: list[str] = []
    for each in pieces:
        wanted = (*each.name.upper(), *ascii_uppercase)
        letter = next((c for c in wanted if c.isalpha() and c not in taken), "#")
        taken += letter
        found.append(letter.lower())
    return found
