"""What a person means by what was typed: a move in full, without brackets, by its number, or in part when it is clear."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\s(),;+]+")


def understand(typed: str, moves: Sequence[tuple[str, ...]]) -> list[int]:
    """Find the moves that may be meant, by their place; each move has one text, or several.

    A whole text comes before a number, and a number before a part: what fits best is all that counts.

    >>> moves = [("(move 5 2 5 4)", "e2e4"), ("(move 4 2 4 4)", "d2d4"), ("(castle king-side)", "O-O")]
    >>> understand("e2e4", moves), understand("move 5 2 5 4", moves), understand("3", moves), understand("castle", moves)
    ([0], [0], [2], [2])
    >>> understand("move", moves), understand("Z", moves)
    ([0, 1], [])
    """
    wanted = _words(typed)
    if not wanted:
        return []
    places = range(len(moves))
    if exact := [place for place in places if typed.strip() in moves[place]]:
        return exact
    if alike := [place for place in places if any(_words(text) == wanted for text in moves[place])]:
        return alike
    number = typed.strip().removeprefix("#")
    if number.isdecimal() and 1 <= int(number) <= len(moves):
        return [int(number) - 1]
    for fits in (_begins, _within, _starts):
        if found := [place for place in places if any(fits(wanted, _words(text)) for text in moves[place])]:
            return found
    return []


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _begins(wanted: Sequence[str], words: Sequence[str]) -> bool:
    return list(words[: len(wanted)]) == list(wanted)


def _within(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words occur in this order, others between or not."""
    rest = iter(words)
    return all(word in rest for word in wanted)


def _starts(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the text begins with what was typed, blanks left out."""
    return "".join(words).startswith("".join(wanted))
