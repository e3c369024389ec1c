"""The parameters of Rinascimento, and what they must not contradict.

Bravi, Perez-Liebana, Lucas and Liu, "Rinascimento: optimising statistical forward planning agents for playing Splendor"
(2019), tables I to III; the symbols there stand at the end of each meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ludarium.core import BadParameter
from ludarium.core.parameters import check, flag, number
from ludarium.games.rinascimento.content import MOST_TYPES, Content, load, standard, unaffordable
from ludarium.games.rinascimento.generate import generate

KINDS = ("buy from the table", "buy a reserved card", "take different", "take same", "reserve", "reserve from a deck")
"""What the random action generator tells apart."""

WEIGHTS = (22.5, 22.5, 22.5, 22.5, 5.0, 5.0)
_TABLE = 64  # face-up cards, a bit each
_LANE = 127  # what a count per type can be


@dataclass(frozen=True)
class Settings:
    """The rules and the content of a game."""

    name: ClassVar[str] = "rinascimento"

    players: int = number(4, 2, 8)
    """How many play: P."""

    types: int = number(5, 2, MOST_TYPES)
    """Types of tokens, jokers apart: nTT."""

    tokens: int = number(0, 0, 60)
    """Tokens of each type; 0 is the printed rule: 4, 5 or 7 for two, three or four players, and two more for each further.

    Where there are fewer than five types, the printed number of tokens is shared out among them.
    """

    jokers: int = number(5, 0, 60)
    """Joker tokens: nJT."""

    decks: int = number(3, 1, 6)
    """Decks of cards: D."""

    face_up: int = number(4, 1, 16)
    """Cards of each deck that lie face up: FUC."""

    extra_nobles: int = number(1, -8, 32)
    """Nobles on the table, more than there are players: EN."""

    max_tokens: int = number(10, 1, 60)
    """Tokens that a player may keep, jokers included: maxT."""

    max_reserved: int = number(3, 0, 8)
    """Cards that a player may have reserved: maxRC."""

    goal: int = number(15, 1, 1000)
    """Prestige points that end the game: PP."""

    different: int = number(3, 0, MOST_TYPES)
    """Types to take from when taking different tokens: nTTPD."""

    per_type: int = number(1, 1, 15)
    """Tokens of each type when taking different ones: nTPD."""

    same: int = number(2, 0, 15)
    """Tokens when taking the same; 0 forbids it: nTPS."""

    same_stack: int = number(4, 1, 60)
    """Tokens that must lie there to take the same: minTPS."""

    ticks: int = number(300, 1, 60_000)
    """Turns after which nobody wins."""

    content: str = "auto"
    """The cards and nobles: standard, generated, a file, or auto: the standard ones where they fit, else generated."""

    seed: int = number(0, 0, 2**53)
    """Which cards and nobles are generated."""

    weights: tuple[float, ...] = WEIGHTS
    """How often random play does each of `KINDS`: buys (table, reserve), takes (different, same), reserves (table, deck)."""

    published: bool = flag(default=False)
    """Play by the rules of the published Java code, errors included, to compare with its figures."""

    def __post_init__(self) -> None:
        check(self)
        content: Any = self.content
        if not isinstance(content, str) or not content:
            raise self._wrong(f"content is {content!r}; expected standard, generated, auto or a file")
        self._check_weights()
        if self.players + self.extra_nobles < 0:
            raise self._wrong(f"extra_nobles is {self.extra_nobles}, but there are {self.players} players")
        if self.different > self.types:
            raise self._wrong(f"one cannot take {self.different} different tokens, for there are {self.types} types")
        if self.different == 0 and self.same == 0:
            raise self._wrong("nobody could ever take a token")
        for what, amount in (("per_type", self.per_type), ("same", self.same), ("same_stack", self.same_stack)):
            if amount > self.stack:
                raise self._wrong(f"{what} is {amount}, but there are {self.stack} tokens of a type")
        for what, amount in (("different", self.different * self.per_type), ("same", self.same)):
            if amount > 15:
                raise self._wrong(f"{what} tokens to take at once are {amount}; 15 at most")
        if self.decks * self.face_up > _TABLE:
            raise self._wrong(f"{self.decks * self.face_up} cards cannot lie face up; {_TABLE} at most")

    @property
    def stack(self) -> int:
        """Tokens of each type."""
        return self.tokens or -(-5 * max(4, 2 * self.players - 1) // min(5, self.types))

    @property
    def nobles(self) -> int:
        """Nobles on the table."""
        return self.players + self.extra_nobles

    @property
    def spec(self) -> str:
        """How the catalog writes a game with these settings."""
        changed = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if getattr(self, f.name) != f.default]
        return f"rinascimento({', '.join(changed)})" if changed else "rinascimento"

    @cached_property
    def box(self) -> Content:
        """The cards and nobles."""
        content = self._content()
        if len(content.types) != self.types or len(content.decks) < self.decks:
            has = f"{len(content.types)} types and {len(content.decks)} decks"
            raise self._wrong(f"types={self.types} and decks={self.decks} do not fit the content, which has {has}")
        content = content.first(self.decks)
        self._check_content(content)
        return content

    def _content(self) -> Content:
        printed = standard()
        fits = self.types == len(printed.types) and self.decks <= len(printed.decks)
        fits = fits and self.nobles <= len(printed.nobles)
        if self.content == "standard" or (self.content == "auto" and fits):
            return printed
        if self.content not in ("auto", "generated"):
            return load(Path(self.content))
        return generate(
            types=self.types, decks=self.decks, nobles=self.nobles, seed=self.seed, tokens=self.stack,
            max_tokens=self.max_tokens, players=self.players,
        )  # fmt: skip

    def _check_content(self, content: Content) -> None:
        if self.nobles > len(content.nobles):
            raise self._wrong(f"{self.nobles} nobles should lie on the table, but only {len(content.nobles)} exist")
        bonuses = [sum(card.bonus == kind for card in content.cards) for kind in range(self.types)]
        if max(bonuses) + self.max_tokens > _LANE:
            raise self._wrong(f"{max(bonuses)} cards of one type and {self.max_tokens} tokens are too many to count")
        never = unaffordable(content, tokens=self.stack, jokers=self.jokers, max_tokens=self.max_tokens)
        if never:
            names = ", ".join(content.names[k] for k in never[:5])
            raise self._wrong(f"{len(never)} cards can never be bought with these tokens: {names}")
        for noble in content.nobles:
            for name, need, most in zip(content.types, noble.needs, bonuses, strict=True):
                if need > most:
                    raise self._wrong(f"a noble wants {need} {name} bonuses, but only {most} exist")

    def _check_weights(self) -> None:
        given: Any = self.weights
        fine = isinstance(given, tuple) and len(given) == len(KINDS)
        fine = fine and all(isinstance(w, (int, float)) and not isinstance(w, bool) and 0 <= w <= 1e6 for w in given)
        if not fine or not any(given):
            listed = ", ".join(KINDS)
            raise BadParameter(f"rinascimento: weights is {given!r}; expected {len(KINDS)} numbers from 0 on: {listed}")

    def _wrong(self, why: str) -> BadParameter:
        return BadParameter(f"rinascimento: {why}")


PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "two": {"players": 2},
    "three": {"players": 3},
    "eight": {"players": 8, "ticks": 600, "content": "generated"},
    "short": {"players": 2, "goal": 5, "face_up": 3},
    "open": {"max_reserved": 0, "jokers": 0, "tokens": 9},
    "poor": {"tokens": 5, "jokers": 2, "max_tokens": 6},
    "seven-colours": {"types": 7, "different": 4},
    "tiny": {"players": 2, "types": 3, "decks": 2, "goal": 8, "face_up": 3, "different": 2, "max_tokens": 7},
    "published": {"published": True},
    "published-two": {"published": True, "players": 2, "tokens": 4},
}
"""Settings worth a name: `rinascimento(preset=two)`; other parameters may be given beside it."""
