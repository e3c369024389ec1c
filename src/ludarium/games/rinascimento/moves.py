"""Moves of Rinascimento as 64-bit codes and as text.

A code tells its kind in the upper four bits. Taking tokens is one move with the tokens that go back, and what counts is how
the hand changes: per type a byte, the change plus 64, and the number of jokers that go back. So two ways to the same hand
are one move. Cards go by their number, wherever they lie: `buy 2r4` buys it from the table or from one's own reserve.
"""

from __future__ import annotations

from functools import cache

from ludarium.core import IllegalMove
from ludarium.games.rinascimento.content import JOKER, Content

TAKE, RESERVE, BLIND, BUY = 1, 2, 3, 4
"""Kinds of moves, in the upper four bits."""

KIND = 60
"""Where the kind begins."""

JOKERS = 56
"""Where the number of jokers begins that go back when tokens are taken."""

BACK = 16
"""Where a token begins that goes back for a joker: 1 + its type, or `BACK_JOKER`."""

BACK_JOKER = 8
EVEN = 64
"""How a byte says that a hand keeps its tokens of a type."""


class Writer:
    """Moves as text and back, for some content."""

    def __init__(self, content: Content) -> None:
        self.types, self.cards, self.decks = content.types, content.names, len(content.decks)
        self.words = {**dict(zip(content.letters, content.types, strict=True)), **{t: t for t in content.types}}
        self.words |= {JOKER: JOKER, JOKER[0]: JOKER}

    def text(self, move: int) -> str:
        """Write a move."""
        kind = move >> KIND
        if kind == TAKE:
            return self._take(move)
        if kind == BUY:
            return f"buy {self.cards[move & 0xFFFF]}"
        place = move & 0xFFFF
        what = self.cards[place] if kind == RESERVE else f"deck {place + 1}"
        back = move >> BACK & 15
        gone = "" if not back else f" back {JOKER if back == BACK_JOKER else self.types[back - 1]}"
        return f"reserve {what}{gone}"

    def parse(self, written: str) -> int:
        """Read a move."""
        verb, *words = written.split()
        there, back = words, list[str]()
        if "back" in words:
            there, back = words[: words.index("back")], words[words.index("back") + 1 :]
            if not back:
                raise ValueError
        match verb, there, back:
            case "buy", [card], [] if card in self.cards:
                return BUY << KIND | self.cards.index(card)
            case "reserve", [card], [] | [_] if card in self.cards:
                return RESERVE << KIND | self.cards.index(card) | self._one_back(back)
            case "reserve", ["deck", deck], [] | [_] if deck.isdecimal() and 1 <= int(deck) <= self.decks:
                return BLIND << KIND | int(deck) - 1 | self._one_back(back)
            case "take", [_, *_], _:
                return self._taken([] if there == ["nothing"] else there, back)
        raise ValueError

    def _take(self, move: int) -> str:
        changes = [(move >> 8 * kind & 0xFF) - EVEN for kind in range(len(self.types))]
        gained = [name for name, change in zip(self.types, changes, strict=True) for _ in range(change)]
        lost = [name for name, change in zip(self.types, changes, strict=True) for _ in range(-change)]
        lost += [JOKER] * (move >> JOKERS & 15)
        return f"take {' '.join(gained) or 'nothing'}{' back ' if lost else ''}{' '.join(lost)}"

    def _taken(self, there: list[str], back: list[str]) -> int:
        gained, lost = [self.words[word] for word in there], [self.words[word] for word in back]
        if JOKER in gained or set(gained) & set(lost) or max(len(gained), len(lost)) > 15:
            raise IllegalMove("jokers are not taken, and what is taken does not go back")
        code = TAKE << KIND | lost.count(JOKER) << JOKERS
        for kind, name in enumerate(self.types):
            code |= EVEN + gained.count(name) - lost.count(name) << 8 * kind
        return code

    def _one_back(self, back: list[str]) -> int:
        if not back:
            return 0
        name = self.words[back[0]]
        return (BACK_JOKER if name == JOKER else 1 + self.types.index(name)) << BACK


@cache
def most_changes(types: int, positive: int, top: int, total: int, jokers: int) -> int:
    """Count the ways in which a hand can change when tokens are taken, if there is enough of everything.

    At most `positive` types grow, by `top` at most; what goes back, jokers included, leaves `total` in sum.

    >>> most_changes(5, 3, 1, 3, 5), most_changes(5, 3, 1, 0, 5)
    (10, 226)
    """
    back = positive * top - total
    ways = {(0, 0): 1}
    for _ in range(types):
        following: dict[tuple[int, int], int] = {}
        for (grown, sum_), count in ways.items():
            for change in range(-back, top + 1):
                key = grown + (change > 0), sum_ + change
                if key[0] <= positive and key[1] >= total - positive * top - back:
                    following[key] = following.get(key, 0) + count
        ways = following
    return sum(count for (_, sum_), count in ways.items() if 0 <= sum_ - total <= jokers)
