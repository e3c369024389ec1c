"""Card games as SVG: rows of cards, face up or face down, each row with what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludarium.drawing.colours import FAINT, INK, LINE
from ludarium.drawing.svg import Image

_WIDE, _HIGH, _GAP = 46.0, 64.0, 8.0
_SUITS = {"c": "♣", "h": "♥", "s": "♠", "d": "♦"}
_RED = "#b3261e"
_ACROSS = 13  # cards of a row, before another begins


@dataclass(frozen=True)
class Card:
    """A card: its face, if it can be seen, and the site that it is."""

    face: str = ""
    suit: str = ""
    site: str = ""


@dataclass(frozen=True)
class Row:
    """Cards that lie together, and what they are."""

    label: str
    cards: Sequence[Card] = ()
    note: str = ""


BACK = Card()
"""A card that lies face down."""


def draw_rows(rows: Sequence[Row], title: str = "") -> str:
    """Draw rows of cards below each other.

    >>> draw_rows([Row("first", [Card("K")]), Row("second", [BACK])]).count("<rect")
    4
    """
    image = Image(title)
    top = 6.0
    for row in rows:
        top += 20
        image.words(14, top, row.label, 15, INK, text_anchor="start", font_weight="bold")
        if row.note:
            image.words(22 + 9.2 * len(row.label), top, row.note, 14, FAINT, text_anchor="start")
        top += 8
        for place, card in enumerate(row.cards):
            x = 14 + place % _ACROSS * (_WIDE + _GAP)
            _card(image, x, top + place // _ACROSS * (_HIGH + _GAP), card)
        top += -(-len(row.cards) // _ACROSS) * (_HIGH + _GAP)
    image.reach(260, top)
    return image.finished()


def _card(image: Image, x: float, y: float, card: Card) -> None:
    if not card.face:
        image.rect(x, y, _WIDE, _HIGH, "#54718c", rx=6, stroke=LINE)
        image.rect(x + 6, y + 6, _WIDE - 12, _HIGH - 12, "none", rx=3, stroke="#cfdbe6", stroke_dasharray="3 3")
        return
    image.rect(x, y, _WIDE, _HIGH, "#fffef9", rx=6, stroke=LINE)
    colour = _RED if card.suit in ("h", "d") else INK
    if card.suit:
        image.words(x + _WIDE / 2, y + 27, card.face, 21, colour, font_weight="bold")
        image.words(x + _WIDE / 2, y + 54, _SUITS.get(card.suit, card.suit), 22, colour)
    else:
        image.words(x + _WIDE / 2, y + _HIGH / 2 + 9, card.face, 25, colour, font_weight="bold")
    if card.site:
        place = f'x="{x:.5g}" y="{y:.5g}" width="{_WIDE:g}" height="{_HIGH:g}" rx="6"'
        image.site(card.site, f"<rect {place}", x + _WIDE / 2, y + _HIGH / 2, _WIDE / 2)
