"""Nim in plain Python, without kernels: the model for a game that need not be fast.

Searches reach it through callbacks. States are frozen: a move makes a new one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ludarium.core import BadParameter, Game, IllegalMove, Move, Offers, Rng, Role, State, Traits
from ludarium.drawing.colours import FAINT, LINE
from ludarium.drawing.svg import Image

RULES = """\
The players take turns to take one or more objects from one heap. Whoever takes the last object of all wins,
or loses if the game is misère. A move is written as a number and a heap: 3 from b."""

HEAPS = "abcdefghijklmnopqrstuvwxyz"


def nim(heaps: Sequence[int] = (3, 5, 7), *, misere: bool = False) -> Nim:
    """Make the game for heaps of these sizes."""
    return Nim(tuple(heaps), misere=misere)


class Nim(Game):
    """The heaps that a match begins with, and whether the last object wins or loses."""

    roles = ("first", "second")

    def __init__(self, heaps: tuple[int, ...], *, misere: bool) -> None:
        if not 1 <= len(heaps) <= len(HEAPS):
            raise BadParameter(f"Nim is played with 1 to {len(HEAPS)} heaps, not {len(heaps)}")
        if not all(type(size) is int and 1 <= size <= 255 for size in heaps):
            raise BadParameter(f"a heap holds 1 to 255 objects; these are {', '.join(map(str, heaps))}")
        given = [f"heaps={heaps}"] * (heaps != (3, 5, 7)) + ["misere=True"] * misere
        self.name = f"nim({', '.join(given)})" if given else "nim"
        self.heaps = heaps
        self.misere = misere
        self.max_moves = sum(heaps)
        self.offers = Offers(rules=RULES, svg=self.svg)
        self.traits = Traits(
            turn_taking=True,
            deterministic=True,
            perfect_information=True,
            constant_sum=True,
            max_plies=sum(heaps),
        )

    def text(self, move: Move) -> str:
        """Write how many are taken from which heap."""
        return f"{move % 256} from {HEAPS[move // 256]}"

    def parse(self, text: str) -> Move:
        """Read what `text` writes."""
        match = re.fullmatch(r"(\d+) from ([a-z])", text.strip().lower())
        if not match or not 1 <= int(match[1]) <= 255 or HEAPS.index(match[2]) >= len(self.heaps):
            last = HEAPS[len(self.heaps) - 1]
            raise IllegalMove(f"'{text}' is not a move: write a number and a heap, 1 from a to {last}")
        return HEAPS.index(match[2]) * 256 + int(match[1])

    def picture(self, state: State, role: Role | None = None) -> str:
        """Draw the heaps as rows of bars."""
        assert isinstance(state, NimState)
        rows = zip(HEAPS, state.heaps, strict=False)
        return "\n".join(f"{heap}: {'| ' * size}({size})" for heap, size in rows)

    def svg(self, state: State, role: Role | None = None) -> str:
        """Draw the heaps as rows of matches; a click on one takes it and all to its right."""
        assert isinstance(state, NimState)
        image = Image(self.name)
        for row, (heap, size) in enumerate(zip(HEAPS, state.heaps, strict=False)):
            top = 14.0 + 62 * row
            image.words(20, top + 32, heap, 16, FAINT)
            image.words(50 + 24 * max(self.heaps), top + 32, str(size), 16, FAINT)
            for k in range(size):
                x = 44.0 + 24 * k
                image.rect(x, top, 7, 50, "#d3a35f", rx=2, stroke=LINE)
                image.disc(x + 3.5, top + 3, 6, "#b3261e")
                taken = f"{size - k} from {heap}"
                image.site(taken, f'<rect x="{x - 8:g}" y="{top - 6:g}" width="23" height="60"', x + 3.5, top + 25, 12)
            image.reach(60 + 24 * max(self.heaps), top + 50)
        return image.finished()

    def _initial(self, rng: Rng | None) -> NimState:
        return NimState(self, self.heaps, 0)


@dataclass(frozen=True, slots=True, eq=False)
class NimState(State):
    """What is left of each heap, and whose turn it is."""

    game: Nim
    heaps: tuple[int, ...]
    turn: Role

    @property
    def movers(self) -> tuple[Role, ...]:
        """The players take turns until all is taken."""
        return (self.turn,) if any(self.heaps) else ()

    def legal(self, role: Role) -> list[Move]:
        """List one or more from any heap."""
        if role not in self.movers:
            return []
        return [at * 256 + count for at, size in enumerate(self.heaps) for count in range(1, size + 1)]

    def utilities(self) -> tuple[float, ...]:
        """At the end the player to move did not take the last object."""
        if any(self.heaps):
            return (0.5, 0.5)
        winner = self.turn if self.game.misere else 1 - self.turn
        return (1.0 - winner, float(winner))

    def observe(self, role: Role) -> bytes:
        """See everything."""
        return bytes([*self.heaps, self.turn])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NimState):
            return NotImplemented
        return (self.heaps, self.turn) == (other.heaps, other.turn) and self.game is other.game

    def __hash__(self) -> int:
        return hash((self.heaps, self.turn))

    def _after(self, joint: Sequence[Move], rng: Rng | None) -> NimState:
        at, count = divmod(joint[self.turn], 256)
        left = tuple(size - count * (heap == at) for heap, size in enumerate(self.heaps))
        return NimState(self.game, left, 1 - self.turn)
