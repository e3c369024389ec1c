"""Cards: what a deck holds, what each card is worth, and what people call it.

Cards of a deck go by suits, and in a suit by the order in which they are listed, as Ludii numbers them; without a list a suit has
an ace and what follows it. Rules name a card by its number (`"Card7"`), people by what is printed on it (`7c`, `10h`, `Qs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol, Value

TYPES = (
    "Joker", "Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King",
)  # fmt: skip
SUITS = ("clubs", "spades", "diamonds", "hearts")
"""From number 1 on."""

MOST_CARDS = 255
"""All of them may come to lie on one stack."""

_USUAL_SUITS = 4
_FACES = ("joker", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


@dataclass(frozen=True)
class Card:
    """What is printed on a card, and what rules ask of it."""

    type: str
    rank: int
    value: int
    trump_rank: int
    trump_value: int
    suit: int

    @property
    def face(self) -> str:
        """What stands on it beside its suit."""
        return _FACES[TYPES.index(self.type)]

    @property
    def sign(self) -> str:
        """The letter of its suit, or its number if it is none of the usual four."""
        return SUITS[self.suit - 1][0] if 1 <= self.suit <= len(SUITS) else f"_{self.suit}"

    @property
    def title(self) -> str:
        """What people call it."""
        return self.face + self.sign


def suit_name(suit: int) -> str:
    """What people call a suit."""
    return SUITS[suit - 1] if 1 <= suit <= len(SUITS) else str(suit)


def titles(cards: Sequence[Card]) -> list[str]:
    """What people call some cards; those that are printed alike are numbered."""
    found: list[str] = []
    times: dict[str, int] = {}
    for each in cards:
        times[each.title] = times.get(each.title, 0) + 1
        found.append(each.title if times[each.title] == 1 else f"{each.title}.{times[each.title]}")
    return found


def size_of(deck: Bound) -> tuple[int, int]:
    """How many suits a deck has, and how many cards each of them has."""
    given = deck.arguments
    listed = given.get("cards")
    each = len(listed.items) if isinstance(listed, Array) else _number(given.get("cardsBySuit"), len(TYPES) - 1)
    return _number(given.get("suits"), _USUAL_SUITS), each


def fault_of(deck: Bound) -> tuple[str, str] | None:
    """What is wrong with a deck, and a hint; nothing if it can be played with."""
    suits, many = size_of(deck)
    if suits < 1 or many < 1:
        return f"a deck of {suits} suits of {many} cards each holds nothing", ""
    if many >= len(TYPES) and "cards" not in deck.arguments:
        return f"there are no {many} cards of a suit", f"more than {len(TYPES) - 1} have to be listed"
    if suits * many > MOST_CARDS:
        return f"a deck of {suits * many:,} cards is too large", f"{MOST_CARDS} cards are possible"
    return None


def cards_of(deck: Bound) -> Iterator[Card]:
    """The cards of a deck, whose size must have been looked at."""
    suits, many = size_of(deck)
    listed = deck.arguments.get("cards")
    kinds = [each for each in listed.items if isinstance(each, Bound)] if isinstance(listed, Array) else []
    for suit in range(1, suits + 1):
        if kinds:
            yield from (card_of(each, suit) for each in kinds)
        else:
            yield from (Card(TYPES[k], k, k, k, k, suit) for k in range(1, many + 1))


def card_of(node: Bound, suit: int) -> Card:
    """A card as it is described; what is not said of it as a trump is what it is otherwise."""
    given = node.arguments
    kind = given.get("type") or given.get("cardType")
    rank, value = (_number(given.get(name), 0) for name in ("rank", "value"))
    trump_rank, trump_value = _number(given.get("trumpRank"), rank), _number(given.get("trumpValue"), value)
    name = kind.word if isinstance(kind, Symbol) else TYPES[0]
    return Card(name, rank, value, trump_rank, trump_value, suit)


def _number(value: Value | None, usual: int) -> int:
    return int(value.value) if isinstance(value, Constant) else usual
