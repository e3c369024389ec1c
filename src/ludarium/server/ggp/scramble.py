"""Scrambling: other words for the names of a description, so that a player knows a game by nothing but its rules."""

from __future__ import annotations

import re

from ludarium.core import Rng
from ludarium.gdl.text.syntax import KEYWORDS

_WORD = re.compile(r"[^\s()]+")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_FIRST = (
    "b",
    "br",
    "d",
    "f",
    "g",
    "gl",
    "h",
    "j",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
    "z",
)
_MIDDLE = ("a", "e", "i", "o", "u", "ai", "ea", "oo")
_LAST = ("b", "d", "g", "k", "l", "m", "n", "nd", "p", "r", "rt", "s", "sh", "st", "t", "x")
_KEPT = KEYWORDS | {"<=", "_", "nil", "and"}


class Scrambler:
    """Words for words, drawn once for a match; numbers and what has a meaning of its own stay as they are."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._words: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def hidden(self, text: str) -> str:
        """Write rules or moves in the words of the match."""
        return _WORD.sub(lambda found: self._other(found.group()), text)

    def shown(self, text: str) -> str:
        """Write what a player says in the words of the rules; words that are none of the match's stay."""
        return _WORD.sub(lambda found: self._names.get(found.group().lower(), found.group()), text)

    def _other(self, word: str) -> str:
        if word.lower() in _KEPT or _NUMBER.fullmatch(word):
            return word
        mark = "?" if word[0] == "?" else ""
        if word not in self._words:
            made = self._new()
            self._words[word], self._names[mark + made] = mark + made, word
        return self._words[word]

    def _new(self) -> str:
        length = 2
        while True:
            syllables = [self._rng.choice(_FIRST) + self._rng.choice(_MIDDLE) for _ in range(length // 2)]
            made = "".join(syllables) + self._rng.choice(_LAST)
            if made not in self._names and made not in _KEPT and made not in self._words:
                return made
            length += 1
