"""The table of Rinascimento as text, whatever its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludarium.core import Role
from ludarium.games.rinascimento.content import JOKER
from ludarium.games.rinascimento.rules import STALE, WON
from ludarium.games.rinascimento.settings import Settings

ROLES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_WIDTH = 76


@dataclass(frozen=True)
class Reserved:
    """A reserved card as somebody sees it: its number, or None and the deck it is from."""

    card: int | None
    deck: int
    unseen: bool


def counts(settings: Settings, word: int) -> list[int]:
    """Take the counts per type out of a word."""
    return [word >> 8 * kind & 0xFF for kind in range(settings.types)]


def reserved(settings: Settings, state: Any, player: int, viewer: Role | None) -> Iterator[Reserved]:
    """Go through the reserved cards of a player; for a viewer, only what that role sees of them."""
    for place in range(settings.max_reserved):
        number = state.reserved[player * settings.max_reserved + place]
        if number:
            unseen = bool(state.unseen[player] >> place & 1)
            secret = unseen and viewer not in (None, player)
            yield Reserved(None if secret else number - 1, settings.box.cards[number - 1].deck, unseen)


def headline(settings: Settings, state: Any) -> str:
    """Say how far the game is."""
    if state.ended == STALE:
        return f"after {state.tick} turns nobody wins"
    if state.ended == WON:
        best = max((state.points[p], -state.bought[p]) for p in range(settings.players))
        winners = [p for p in range(settings.players) if (state.points[p], -state.bought[p]) == best]
        return f"after {state.tick} turns {' and '.join(ROLES[p] for p in winners)} won"
    return f"turn {state.tick + 1} of {settings.ticks} at most: {ROLES[state.tick % settings.players]}"


def picture(settings: Settings, state: Any, role: Role | None) -> str:
    """Show nobles, tokens, decks and players."""
    box = settings.box
    nobles = [
        f"{box.nobles[number - 1].points} for {_amounts(box.letters, box.nobles[number - 1].needs)}"
        for number in (state.nobles[place] for place in range(settings.nobles))
        if number
    ]
    stacks = [f"{name} {n}" for name, n in zip(box.types, counts(settings, state.stacks), strict=True)]
    stacks.append(f"{JOKER} {state.bank}")
    lines = [headline(settings, state), *_listed("nobles", nobles), *_listed("tokens", stacks)]
    for deck in reversed(range(settings.decks)):
        places = range(deck * settings.face_up, (deck + 1) * settings.face_up)
        cards = [_card(settings, state.shown[place] - 1) for place in places if state.shown[place]]
        lines += _listed(f"deck {deck + 1}, {state.decks[deck].bit_count()}", cards)
    for player in range(settings.players):
        lines += _player(settings, state, player, role)
    return "\n".join(lines)


def _player(settings: Settings, state: Any, player: int, role: Role | None) -> list[str]:
    letters = settings.box.letters
    turn = "> " if not state.ended and state.tick % settings.players == player else "  "
    tokens = _amounts([*letters, JOKER[0]], [*counts(settings, state.tokens[player]), state.jokers[player]])
    facts = [
        f"points {state.points[player]}",
        f"cards {state.bought[player]}",
        f"bonuses {_amounts(letters, counts(settings, state.bonuses[player]))}",
        f"tokens {tokens}",
    ]
    hand = []
    for each in reserved(settings, state, player, role):
        if each.card is None:
            hand.append(f"? from deck {each.deck + 1}")
        else:
            hand.append(_card(settings, each.card) + (" (unseen)" if each.unseen else ""))
    found = _listed(f"{turn}{ROLES[player]}", facts)
    return found + (_listed("    holds", hand) if hand else [])


def _card(settings: Settings, card: int) -> str:
    box = settings.box
    points = f" {box.cards[card].points}p" if box.cards[card].points else ""
    return f"{box.names[card]}{points} {_amounts(box.letters, box.cards[card].price)}"


def _amounts(letters: Sequence[str], amounts: Sequence[int]) -> str:
    return "".join(f"{n}{letter}" for letter, n in zip(letters, amounts, strict=True) if n) or "-"


def _listed(name: str, items: Sequence[str]) -> list[str]:
    """Write items behind a name, on several lines if they are many."""
    lines = [f"{name:<11}"]
    for item in items or ("none",):
        if len(lines[-1]) + len(item) + 3 > _WIDTH:
            lines.append(" " * 11)
        lines[-1] += f" {item}" if len(lines[-1]) == 11 else f"   {item}"
    return lines
