"""Content generation: cards and nobles for any number of token types and decks, with curves fitted to the printed game.

How many types a price has and what it adds up to is drawn from the printed cards of the nearest level. What a card is
worth follows from the least-squares fit of points to the sum and the largest part of a price, which tells the points of
83 % of the printed cards exactly. Every price is turned through all types, so that no type is better than another.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from ludarium.core import Rng
from ludarium.games.rinascimento.content import MOST_CARDS, Card, Content, Noble, standard

NAMES = ("white", "blue", "green", "red", "black", "orange", "violet")
_LEVELS = 3  # of the printed game
_EACH = (8, 4)  # cards of a type in the first and in the last deck
_LARGEST = 7  # part of a price
_NOBLE = 3  # points


@cache
def value_curve() -> tuple[float, float, float]:
    """Fit the points of the printed cards: a constant, per token of the price, and per token of its largest part."""
    import numpy as np  # noqa: PLC0415 - listing games must not wait for it

    cards = standard().cards
    prices = np.array([[1.0, sum(card.price), max(card.price)] for card in cards])
    fit = np.linalg.lstsq(prices, np.array([float(card.points) for card in cards]), rcond=None)[0]
    return float(fit[0]), float(fit[1]), float(fit[2])


def worth(price: tuple[int, ...]) -> int:
    """Give the points of a card with this price.

    >>> worth((0, 0, 7, 3, 0)), worth((1, 1, 1, 1, 0))
    (4, 0)
    """
    constant, total, largest = value_curve()
    return max(0, round(constant + total * sum(price) + largest * max(price)))


def generate(
    *, types: int, decks: int, nobles: int, seed: int, tokens: int = 7, max_tokens: int = 10, players: int = 4
) -> Content:
    """Make cards and nobles; the same seed makes the same."""
    rng = Rng.keyed(seed, "rinascimento", types, decks, nobles)
    cards: list[Card] = []
    for deck in range(decks):
        height = deck / (decks - 1) if decks > 1 else 0.25  # a single deck needs cheap cards, too
        level = 1 + (_LEVELS - 1) * height
        each = round(_EACH[0] + (_EACH[1] - _EACH[0]) * height)
        each = min(each * max(4, players) // 4, MOST_CARDS // types)
        patterns = sorted((_pattern(level, types, tokens, max_tokens, rng) for _ in range(each)), key=sum)
        for bonus in range(types):
            for pattern in patterns:
                price = tuple(pattern[(kind - bonus) % types] for kind in range(types))
                cards.append(Card(deck, bonus, worth(price), price))
    return Content(NAMES[:types], tuple(cards), _nobles(types, nobles, rng))


def _pattern(level: float, types: int, tokens: int, max_tokens: int, rng: Rng) -> tuple[int, ...]:
    """Draw a price; the place 0 is the type of the card's own bonus, which only few prices ask for."""
    nearest = int(level) + (rng.uniform() < level - int(level))
    printed = rng.choice([card for card in standard().cards if card.deck == nearest - 1])
    model = printed.price
    largest = max(1, min(_LARGEST, tokens))
    kinds = min(sum(part > 0 for part in model), types - 1)
    # What a first card costs must be payable with tokens alone; later ones have bonuses to help.
    most = max_tokens if nearest == 1 else 2 * max_tokens
    total = min(max(kinds, sum(model) + rng.below(3) - 1), kinds * largest, most)
    places = list(range(1, types))
    rng.shuffle(places)
    places = places[:kinds]
    if model[printed.bonus]:
        places[0] = 0
    pattern = [0] * types
    for place in places[:total]:
        pattern[place] = 1
    favourite = rng.choice(places)  # printed prices are uneven: one type gets more of the rest
    while sum(pattern) < total:
        place = favourite if rng.below(4) == 0 else rng.choice(places)
        if pattern[place] < largest:
            pattern[place] += 1
    return tuple(pattern)


def _nobles(types: int, count: int, rng: Rng) -> tuple[Noble, ...]:
    """Make nobles as the printed ones, four of two types or three of three, and others only if there are not enough."""
    found = [_noble(types, dict.fromkeys(run, 4)) for run in _neighbours(types, 2)]
    found += [_noble(types, dict.fromkeys(run, 3)) for run in _neighbours(types, 3)] if types > 2 else []
    rng.shuffle(found)
    while len(found) < count:
        one, other = rng.choice(list(combinations(range(types), 2)))
        share = 3 + rng.below(3)
        found.append(_noble(types, {one: share, other: 8 - share}))
    return tuple(found)


def _neighbours(types: int, width: int) -> list[tuple[int, ...]]:
    runs = {tuple(sorted((first + k) % types for k in range(width))) for first in range(types)}
    return sorted(runs)


def _noble(types: int, needs: dict[int, int]) -> Noble:
    return Noble(_NOBLE, tuple(needs.get(kind, 0) for kind in range(types)))
