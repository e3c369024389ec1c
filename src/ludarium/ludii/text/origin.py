"""Where characters came from: a file, or the body of a define as one of its uses put it in.

A text carries one number for each of its characters. Every file, and every use of a define, owns a range of these numbers, so
that cutting and joining texts is cutting and joining arrays, and nothing is looked up before somebody asks for a place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludarium.core.problems import Place

_NEWLINE = re.compile(r"\r\n|\r|\n")
_NOWHERE: NDArray[np.int32] = np.empty(0, np.int32)


class Text:
    """A string, and for each of its characters the number that says where it came from."""

    __slots__ = ("origins", "string")

    def __init__(self, string: str, origins: NDArray[np.int32]) -> None:
        self.string = string
        self.origins = origins

    def __len__(self) -> int:
        return len(self.string)

    def origin(self, at: int) -> int:
        """Where the character at a position came from."""
        return int(self.origins[at])

    def part(self, start: int, end: int | None = None) -> Text:
        """The characters from one position up to another."""
        return Text(self.string[start:end], self.origins[start:end])

    def strip(self) -> Text:
        """The text without the white space at its ends."""
        string = self.string
        start = len(string) - len(string.lstrip())
        return self.part(start, start + len(string.strip()))

    def without(self, spans: Sequence[tuple[int, int]]) -> Text:
        """The text without some parts, given in order."""
        if not spans:
            return self
        ends = [0, *(end for _, end in spans)]
        starts = [*(start for start, _ in spans), len(self)]
        return join([self.part(end, start) for end, start in zip(ends, starts, strict=True)])


EMPTY = Text("", _NOWHERE)


def join(parts: Sequence[Text]) -> Text:
    """One text after the other."""
    if not parts:
        return EMPTY
    return Text("".join(part.string for part in parts), np.concatenate([part.origins for part in parts]))


def standing(string: str, origin: int) -> Text:
    """A string that is in no file, all of it said to stand where one character does."""
    return Text(string, np.full(len(string), origin, np.int32))


class _Owner(NamedTuple):
    """What a range of numbers stands for: a file, or the text that a use put in."""

    file: str
    lines: Sequence[int]
    body: Text
    use: int
    tag: str
    depth: int
    library: bool = False


class Use(NamedTuple):
    """A use of a define: its name, and where the name is written."""

    name: str
    origin: int


class Origins:
    """All the files and uses that a description is made of."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._owners: list[_Owner] = []
        self._next = 0

    @property
    def numbers(self) -> int:
        """How many characters have come from somewhere so far."""
        return self._next

    def file(self, string: str, name: str, *, library: bool = False) -> Text:
        """The text of a file; those of the library are not the user's to mend."""
        lines = [0, *(match.end() for match in _NEWLINE.finditer(string))]
        return self._own(len(string), _Owner(name, lines, EMPTY, -1, "", 0, library), string)

    def inserted(self, body: Text, use: Use) -> Text:
        """The body of a define, as a use of it puts it in."""
        depth = self._owner(use.origin).depth + 1
        return self._own(len(body), _Owner("", (), body, use.origin, use.name, depth), body.string)

    def depth(self, origin: int) -> int:
        """How many uses a character is inside of."""
        return self._owner(origin).depth

    def uses(self, origin: int) -> list[Use]:
        """The uses that put a character in, the innermost first."""
        found = []
        while (owner := self._owner(origin)).tag:
            found.append(Use(owner.tag, owner.use))
            origin = owner.use
        return found

    def place(self, origin: int) -> Place:
        """Where a character is written: in the body of a define if that put it in."""
        return self._written(origin)[0]

    def mend(self, origin: int) -> tuple[Place, str]:
        """Where the user can change a character, and how it got where it is."""
        place, library = self._written(origin)
        uses = self.uses(origin)
        if not uses:
            return place, ""
        if not library:
            return place, f'in the define "{uses[0].name}", used at {self._brief(uses[0].origin, place.file)}'
        for use in uses:
            outside, library = self._written(use.origin)
            if not library:
                return outside, f'in the define "{use.name}" of the library ({place})'
        return place, ""

    def _brief(self, origin: int, file: str) -> str:
        place = self.place(origin)
        return f"{place.line}:{place.column}" if place.file == file else str(place)

    def _written(self, origin: int) -> tuple[Place, bool]:
        index = bisect_right(self._starts, origin) - 1
        owner = self._owners[index]
        while owner.tag:  # a body's own characters may have come from elsewhere
            origin = owner.body.origin(origin - self._starts[index])
            index = bisect_right(self._starts, origin) - 1
            owner = self._owners[index]
        at = origin - self._starts[index]
        line = bisect_right(owner.lines, at)
        return Place(owner.file, line, at - owner.lines[line - 1] + 1), owner.library

    def _own(self, length: int, owner: _Owner, string: str) -> Text:
        start = self._next
        self._next += length + 1  # one more: a place may be asked for just behind the end
        self._starts.append(start)
        self._owners.append(owner)
        return Text(string, np.arange(start, start + length, dtype=np.int32))

    def _owner(self, origin: int) -> _Owner:
        return self._owners[bisect_right(self._starts, origin) - 1]
