"""The cards and nobles that Rinascimento is played with: the printed game's, or those of a file with the same columns.

A file is a table with a head: `deck,bonus,points` and then one column per type of token, which gives the type its name. A
card names its deck (1, 2, ...) and the type of its bonus; a noble has the word noble for a deck, and no bonus.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

from ludarium.core import BadParameter

JOKER = "joker"
MOST_TYPES = 7
MOST_CARDS = 64  # in a deck, which is a word of bits
_MOST_COST = 100
_LONG = 10  # digits; Python reads no number of thousands
_HEAD = ["deck", "bonus", "points"]


@dataclass(frozen=True)
class Card:
    """A development: the deck it is from and the type of its bonus, counted from 0, its points and its price per type."""

    deck: int
    bonus: int
    points: int
    price: tuple[int, ...]


@dataclass(frozen=True)
class Noble:
    """A noble: its points and the bonuses it asks for, per type."""

    points: int
    needs: tuple[int, ...]


@dataclass(frozen=True)
class Content:
    """What lies in the box: the names of the types, the cards deck by deck, and the nobles."""

    types: tuple[str, ...]
    cards: tuple[Card, ...]
    nobles: tuple[Noble, ...]

    @cached_property
    def decks(self) -> tuple[range, ...]:
        """The numbers of the cards of each deck."""
        sizes = [sum(card.deck == deck for card in self.cards) for deck in range(1 + max(c.deck for c in self.cards))]
        return tuple(range(sum(sizes[:deck]), sum(sizes[: deck + 1])) for deck in range(len(sizes)))

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """A letter for each type: the first, the last or any other letter of its name that is still free."""
        taken: list[str] = []
        for name in self.types:
            candidates = [name[0], name[-1], *name, *"abcdefghijklmnopqrstuvwxyz"]
            taken.append(next(c for c in candidates if c not in taken and c != JOKER[0]))
        return tuple(taken)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the cards are called: 2r4 is the fourth card of the second deck with a red bonus."""
        counts: dict[tuple[int, int], int] = {}
        found = []
        for card in self.cards:
            number = counts[card.deck, card.bonus] = counts.get((card.deck, card.bonus), 0) + 1
            found.append(f"{card.deck + 1}{self.letters[card.bonus]}{number}")
        return tuple(found)

    def first(self, decks: int) -> Content:
        """Keep the first decks only."""
        return Content(self.types, tuple(card for card in self.cards if card.deck < decks), self.nobles)


@cache
def standard() -> Content:
    """Give the cards and nobles of the printed game.

    >>> content = standard()
    >>> [len(deck) for deck in content.decks], len(content.nobles), content.names[0]
    ([40, 30, 20], 10, '1w1')
    """
    text = (resources.files("ludarium.games.rinascimento") / "cards.csv").read_text(encoding="utf-8")
    return read(text.splitlines(), "the standard cards")


def load(path: Path) -> Content:
    """Read cards and nobles from a file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadParameter(f"cannot read the cards in '{path}': {problem}") from None
    return read(lines, f"'{path}'")


def read(lines: Iterable[str], where: str) -> Content:
    """Read cards and nobles from the lines of a table."""
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    if not rows or [name.lower() for name in rows[0][:3]] != _HEAD:
        found = ",".join(rows[0]) if rows else "nothing"
        raise BadParameter(f"{where}: expected the columns deck,bonus,points and one per type of token, found {found}")
    types = tuple(name.lower() for name in rows[0][3:])
    _check_types(types, where)
    cards: list[Card] = []
    nobles: list[Noble] = []
    for number, row in enumerate(rows[1:], 2):
        place = f"{where}, row {number}"
        if len(row) != len(rows[0]):
            raise BadParameter(f"{place}: {len(row)} columns, where the head has {len(rows[0])}")
        points = _number(row[2], place, "points")
        amounts = tuple(_number(cell, place, name) for name, cell in zip(types, row[3:], strict=True))
        if row[0].lower() == "noble":
            nobles.append(Noble(points, amounts))
            continue
        if row[1].lower() not in types:
            raise BadParameter(f"{place}: the bonus '{row[1]}' is none of {', '.join(types)}")
        deck = _number(row[0], place, "deck") - 1
        cards.append(Card(deck, types.index(row[1].lower()), points, amounts))
    cards.sort(key=lambda card: card.deck)
    _check_decks([card.deck for card in cards], where)
    return Content(types, tuple(cards), tuple(nobles))


def unaffordable(content: Content, *, tokens: int, jokers: int, max_tokens: int) -> list[int]:
    """List the cards that nobody can ever buy, however many of the other cards are bought before."""
    left, bonuses, going = list(range(len(content.cards))), [0] * len(content.types), True
    while going:
        bought = [k for k in left if _payable(content.cards[k].price, bonuses, tokens, jokers, max_tokens)]
        for k in bought:
            bonuses[content.cards[k].bonus] += 1
        left = [k for k in left if k not in bought]
        going = bool(bought)
    return left


def _payable(price: Sequence[int], bonuses: Sequence[int], tokens: int, jokers: int, max_tokens: int) -> bool:
    lacking = [max(0, cost - bonus) for cost, bonus in zip(price, bonuses, strict=True)]
    return sum(lacking) <= max_tokens and sum(max(0, each - tokens) for each in lacking) <= jokers


def _number(cell: str, place: str, what: str) -> int:
    if not (cell.isascii() and cell.isdecimal() and len(cell) < _LONG) or int(cell) > _MOST_COST:
        raise BadParameter(f"{place}: {what} is '{cell}'; expected a whole number from 0 to {_MOST_COST}")
    return int(cell)


def _check_types(types: Sequence[str], where: str) -> None:
    if not 2 <= len(types) <= MOST_TYPES:
        raise BadParameter(f"{where}: {len(types)} types of tokens; expected 2 to {MOST_TYPES}")
    for name in types:
        if not (name.isascii() and name.isalpha()) or name in (JOKER, "back", "nothing") or types.count(name) > 1:
            raise BadParameter(f"{where}: '{name}' cannot name a type of tokens; expected words, each once")


def _check_decks(decks: Sequence[int], where: str) -> None:
    if not decks or sorted(set(decks)) != list(range(max(decks) + 1)):
        raise BadParameter(f"{where}: decks are numbered 1, 2, 3 and so on, and none may be empty")
    for deck in set(decks):
        if decks.count(deck) > MOST_CARDS:
            raise BadParameter(f"{where}: deck {deck + 1} has {decks.count(deck)} cards; {MOST_CARDS} at most")
