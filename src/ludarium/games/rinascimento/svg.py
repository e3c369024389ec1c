"""The table of Rinascimento as an SVG image that grows with its parameters."""

from __future__ import annotations

from typing import Any

from ludarium.core import Role
from ludarium.games.rinascimento.content import JOKER
from ludarium.games.rinascimento.picture import ROLES, counts, headline, reserved
from ludarium.games.rinascimento.settings import Settings

COLOURS = {
    "white": "#f4f1e8",
    "blue": "#3568b8",
    "green": "#3c9a5f",
    "red": "#c8453b",
    "black": "#3b3735",
    "orange": "#dd8a2e",
    "violet": "#7d58a8",
    JOKER: "#e3c048",
}
_OTHERS = ("#58a6a6", "#b0627f", "#8a9a3b", "#9a7b5b", "#6b7fa8", "#c9a0a0", "#4f6f52")
_WIDE, _HIGH, _GAP, _ROUND = 74, 96, 8, 9


class _Drawing:
    """Elements, and how far they reach."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.box = settings, settings.box
        self.parts: list[str] = []
        self.sites: list[str] = []
        self.width = self.height = 0.0
        names = [*self.box.types, JOKER]
        self.colours = [COLOURS.get(name, _OTHERS[kind % len(_OTHERS)]) for kind, name in enumerate(names)]

    def block(self, x: float, y: float, wide: float, high: float, fill: str, edge: str = "#8a8378") -> None:
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="6" fill="{fill}" stroke="{edge}"/>'
        )
        self.width, self.height = max(self.width, x + wide), max(self.height, y + high)

    def write(
        self, x: float, y: float, text: str, size: int = 12, anchor: str = "start", fill: str = "#2b2926"
    ) -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{text}</text>'
        )
        reach = 0.6 * size * len(text) / (1 if anchor == "start" else 2)
        self.width, self.height = max(self.width, x + reach), max(self.height, y + 0.3 * size)

    def count(self, x: float, y: float, kind: int, number: int, *, square: bool = False) -> None:
        """Draw a token, or a bonus as a square, with a number in it."""
        colour = self.colours[kind]
        dark = sum(int(colour[k : k + 2], 16) for k in (1, 3, 5)) < 420
        shape = (
            f'<rect x="{x - _ROUND:g}" y="{y - _ROUND:g}" width="{2 * _ROUND}" height="{2 * _ROUND}" rx="2"'
            if square
            else f'<circle cx="{x:g}" cy="{y:g}" r="{_ROUND}"'
        )
        self.parts.append(f'{shape} fill="{colour}" stroke="#6d675e"/>')
        self.write(x, y + 4, str(number), 12, "middle", "#ffffff" if dark else "#2b2926")
        self.width, self.height = max(self.width, x + _ROUND), max(self.height, y + _ROUND)

    def row(self, x: float, y: float, amounts: list[int], *, square: bool = False) -> float:
        """Draw the counts that are not 0; tells where the row ends."""
        for kind, number in enumerate(amounts):
            if number:
                self.count(x + _ROUND, y, kind, number, square=square)
                x += 2 * _ROUND + 3
        return x

    def card(self, x: float, y: float, number: int | None, deck: int, *, veiled: bool = False) -> None:
        """Draw a card, or the back of one."""
        if number is None:
            self.block(x, y, _WIDE, _HIGH, "#a8977c")
            self.write(x + _WIDE / 2, y + _HIGH / 2 + 6, f"deck {deck + 1}", 14, "middle", "#ffffff")
            return
        card = self.box.cards[number]
        area = f'x="{x:g}" y="{y:g}" width="{_WIDE}" height="{_HIGH}"'
        middle = f'data-x="{x + _WIDE / 2:g}" data-y="{y + _HIGH / 2:g}" data-r="{_WIDE / 2}"'
        name = self.box.names[number]
        self.sites.append(f'<rect {area} rx="6" fill="transparent" class="site" data-site="{name}" {middle}/>')
        self.block(x, y, _WIDE, _HIGH, "#fffdf7", "#b5502b" if veiled else "#8a8378")
        if card.points:
            self.write(x + 7, y + 20, str(card.points), 17)
        self.count(x + _WIDE - 15, y + 15, card.bonus, 1, square=True)
        self.write(x + _WIDE / 2, y + 42, self.box.names[number], 10, "middle", "#8a8378")
        at = [(k, n) for k, n in enumerate(card.price) if n]
        for place, (kind, amount) in enumerate(at):
            self.count(x + 14 + 21 * (place % 3), y + 82 - 21 * (place // 3), kind, amount)

    def finished(self, title: str) -> str:
        width, height = self.width + 2 * _GAP, self.height + 2 * _GAP
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" font-family="sans-serif" role="img"><title>{title}</title>'
        )
        ground = f'<rect width="{width:g}" height="{height:g}" fill="#e9e2d3"/>'
        return "\n".join([head, ground, *self.parts, *self.sites, "</svg>"])


def svg(settings: Settings, state: Any, role: Role | None) -> str:
    """Draw nobles, tokens, decks and players; for a role, only what that role sees."""
    drawing = _Drawing(settings)
    title = headline(settings, state)
    drawing.write(_GAP, 20, title, 15)
    top = _nobles(drawing, settings, state, 30.0)
    x = _GAP
    for kind, number in enumerate([*counts(settings, state.stacks), state.bank]):
        drawing.count(x + _ROUND, top + _ROUND, kind, number)
        x += 2 * _ROUND + 14
    top += 3 * _ROUND
    for deck in reversed(range(settings.decks)):
        drawing.card(_GAP, top, None, deck)
        drawing.write(_GAP + _WIDE / 2, top + _HIGH - 8, str(state.decks[deck].bit_count()), 12, "middle", "#ffffff")
        for place in range(settings.face_up):
            number = state.shown[deck * settings.face_up + place]
            if number:
                drawing.card(_GAP + (place + 1) * (_WIDE + _GAP), top, number - 1, deck)
        top += _HIGH + _GAP
    for player in range(settings.players):
        top = _player(drawing, settings, state, player, role, top)
    return drawing.finished(title)


def _nobles(drawing: _Drawing, settings: Settings, state: Any, top: float) -> float:
    numbers = [state.nobles[place] for place in range(settings.nobles) if state.nobles[place]]
    across = max(4, settings.face_up + 1)  # as many as cards lie beside each other
    for place, number in enumerate(numbers):
        noble = settings.box.nobles[number - 1]
        x, y = _GAP + (place % across) * (_WIDE + _GAP), top + (place // across) * (56 + _GAP)
        drawing.block(x, y, _WIDE, 56, "#efe3f2")
        drawing.write(x + 7, y + 20, str(noble.points), 16)
        drawing.row(x + 6, y + 42, list(noble.needs), square=True)
    return top + -(-len(numbers) // across) * (56 + _GAP)


def _player(drawing: _Drawing, settings: Settings, state: Any, player: int, role: Role | None, top: float) -> float:
    turn = not state.ended and state.tick % settings.players == player
    words = f"{ROLES[player]}: points {state.points[player]}, cards {state.bought[player]}"
    drawing.write(_GAP, top + 16, words, 14, fill="#b5502b" if turn else "#2b2926")
    x = drawing.row(_GAP, top + 34, counts(settings, state.bonuses[player]), square=True)
    drawing.row(x + 12, top + 34, [*counts(settings, state.tokens[player]), state.jokers[player]])
    top += 34 + _ROUND + _GAP
    held = list(reserved(settings, state, player, role))
    for place, each in enumerate(held):
        drawing.card(_GAP + place * (_WIDE + _GAP), top, each.card, each.deck, veiled=each.unseen)
    return top + (_HIGH + _GAP if held else 0)
