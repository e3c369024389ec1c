"""What holds pieces beside the board: hands and decks, then dice, one behind the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludarium.ludii.board.topology import Container
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol, Value

MOST_FACES = 1000
"""Of a die."""


def containers(items: Sequence[Bound], board: Container, players: int) -> tuple[Container, ...]:
    """The board, then hands and decks in the order of the description, then dice, those of one owner together."""
    found = [board]
    for item in items:
        head = item.signature.ludeme.names[0]
        if head == "hand":
            found += _hands(item, players)
        elif head == "deck":
            owner, role = _owner(item)
            found.append(Container(f"Deck{owner}", "deck", owner, role, 0, 1, items=(item,)))
    for item in items:
        if item.signature.ludeme.names[0] == "dice":
            dice = _dice(item)
            same = [k for k, each in enumerate(found) if each.kind == "dice" and each.owner == dice.owner]
            if same:
                found[same[0]] = _together(found[same[0]], dice)
            else:
                found.append(dice)
    placed = []
    at = 0
    for container in found:
        placed.append(replace(container, first=at))
        at += container.count
    return tuple(placed)


def player(role: str) -> int:
    """The number of a player, or 0."""
    return int(role[1:]) if role[:1] == "P" and role[1:].isdigit() else 0


def whole(value: Value | None, default: int) -> int:
    """A number, if it is given."""
    return int(value.value) if isinstance(value, Constant) else default


def _hands(item: Bound, players: int) -> list[Container]:
    _, role = _owner(item)
    roles = [f"P{k}" for k in range(1, players + 1)] if role == "Each" else [role]
    size = whole(item.arguments.get("size"), 1)
    return [Container(f"Hand{player(each)}", "hand", player(each), each, 0, size, items=(item,)) for each in roles]


def _owner(item: Bound) -> tuple[int, str]:
    role = item.arguments.get("role")
    word = role.word if isinstance(role, Symbol) else "Shared"
    return player(word), word


def _dice(item: Bound) -> Container:
    given = item.arguments
    owner, role = _owner(item)
    count = whole(given.get("num"), 1)
    faces = _lists(given.get("facesByDie"))
    if not faces:
        same = _numbers(given.get("faces"))
        first = whole(given.get("from"), 1)
        faces = [same or tuple(range(first, first + min(whole(given.get("d"), 6), MOST_FACES + 1)))] * count
    bias = _numbers(given.get("biased"))
    return Container(f"Dice{owner}", "dice", owner, role, 0, count, tuple(faces), (bias,) * count, (item,))


def _together(one: Container, other: Container) -> Container:
    return replace(
        one,
        count=one.count + other.count,
        faces=one.faces + other.faces,
        biased=one.biased + other.biased,
        items=one.items + other.items,
    )


def _numbers(value: Value | None) -> tuple[int, ...]:
    return tuple(whole(item, 0) for item in value) if isinstance(value, Array) else ()


def _lists(value: Value | None) -> list[tuple[int, ...]]:
    return [_numbers(item) for item in value] if isinstance(value, Array) else []
