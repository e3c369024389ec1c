"""Defines: names for pieces of text, with places `#1` to `#9` that a use fills in.

With `(define "Add" (move Add (to #1)))`, a use `("Add" (sites Empty))` is `(move Add (to (sites Empty)))`. This works
on text, not on a tree, in the order in which Ludii does it: the defines of the file until nothing changes, those of the library
until nothing changes, and both again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ludarium.ludii.text.notes import Notes
from ludarium.ludii.text.options import MAX_CHARACTERS
from ludarium.ludii.text.origin import Text, Use, join
from ludarium.ludii.text.scan import arguments, closing, without_comments

MAX_USES = 10_000
"""How many uses of defines a description may come to."""

MAX_DEPTH = 100
"""How deep uses may stand in what other uses put in."""

MAX_WORK = 40_000_000
"""How many characters may be looked at: what costs more than that is no description of a game."""

_MULTIPLY = "see which define uses which: they multiply"
_MARKER = re.compile(r"#([1-9])")
_WORDLESS = " \t\r\n(){}[]:,;"  # what may stand between a word and the string behind it
_WORD = frozenset('_"-.+*/%=!^~<>&|#')
_NAMED = ("game", "match", "instance")  # the string behind these is a name, whatever it says
_NEAR = 200  # characters to look back for them


@dataclass(frozen=True)
class Define:
    """A name, and the text that it stands for."""

    name: str
    body: Text
    origin: int

    @cached_property
    def numbers(self) -> int:
        """How many arguments the body asks for."""
        found = {int(number) for number in _MARKER.findall(self.body.string)}
        return next(k for k in range(10) if k + 1 not in found)


class Library:
    """The defines that come from elsewhere: each a text of a file, looked into when its name turns up."""

    def __init__(self, files: Mapping[str, tuple[str, str]]) -> None:
        self.files = files
        """By name: the text of the file, and what the file is called."""

    def define(self, name: str, notes: Notes) -> Define:
        """The define of a name that the library has."""
        string, file = self.files[name]
        text = without_comments(notes.origins.file(string, file, library=True))
        defines = cut_defines(text, notes)[1]
        return next(define for define in defines if define.name == name)


NO_LIBRARY = Library({})


def cut_defines(text: Text, notes: Notes) -> tuple[Text, list[Define]]:
    """Take all defines out of a text."""
    string, spans, defines = text.string, [], []
    at = string.find("(define ")
    while at >= 0:
        origin = text.origin(at)
        end = closing(string, at)
        if end < 0:
            notes.stop(origin, "this define is not closed", "add a ')'")
        first = string.find('"', at, end)
        last = string.find('"', first + 1, end) if first >= 0 else -1
        if last < 0:
            notes.stop(origin, "this define has no name", 'write it as (define "Name" ...)')
        defines.append(Define(string[first + 1 : last], text.part(last + 1, end).strip(), text.origin(first)))
        spans.append((at, end + 1))
        at = string.find("(define ", end)
    return text.without(spans), defines


class Expansion:
    """The filling in of defines, with what it has cost so far."""

    def __init__(self, library: Library, notes: Notes) -> None:
        self.used: set[str] = set()
        """The names that were used."""
        self._library = library
        self._notes = notes
        self._known: dict[str, Define] = {}
        self._present: set[str] = set()  # what stands between quotation marks
        self._uses = 0
        self._work = 0

    def expand(self, text: Text, defines: list[Define]) -> Text:
        """Fill in defines until none is left; bodies may bring in defines of their own."""
        while True:
            text = self._pass(text, defines)
            if "(define " not in text.string:
                return text
            text, more = cut_defines(text, self._notes)
            defines = [*defines, *more]

    def _pass(self, text: Text, defines: list[Define]) -> Text:
        own = {each.name: each for each in reversed(defines)}  # the first of a name counts
        names = list(dict.fromkeys(each.name for each in defines))
        changed = True
        while changed:
            uses = self._uses
            text = self._thoroughly(text, names, own)
            text = self._thoroughly(text, self._library.files, self._known)
            changed = self._uses > uses
        return text

    def _thoroughly(self, text: Text, names: Iterable[str], defines: Mapping[str, Define]) -> Text:
        """Fill in defines, one after the other, until nothing changes."""
        changed = True
        while changed:
            before = self._uses
            self._spend(len(text), text.origin(0) if len(text) else 0)
            self._present = set(text.string.split('"'))
            for name in names:
                self._work += 1
                if name in self._present:
                    text = self._one(text, defines[name] if name in defines else self._define(name))
            changed = self._uses > before
        return text

    def _define(self, name: str) -> Define:
        if name not in self._known:
            self._known[name] = self._library.define(name, self._notes)
        return self._known[name]

    def _one(self, text: Text, define: Define) -> Text:
        """Fill in all uses of one define, also those that its arguments bring along."""
        tag = f'"{define.name}"'
        done: list[Text] = []
        length = 0
        behind = 0
        at = text.string.find(tag, 1)
        while at >= 0:
            string = text.string
            if self._protected(string, at):
                at = string.find(tag, at + 1)
                continue
            origin = text.origin(at)
            start, end = at, at + len(tag)
            if string[at - 1] == "(":
                start = at - 1
                end = closing(string, start) + 1
                self._spend((end or len(string)) - start, origin)
                if not end:
                    self._notes.stop(origin, "the '(' before this is not closed", "see what the defines make")
            put = self._put(define, text, at, end)
            self._present.update(put.string.split('"'))
            done.append(text.part(behind, start))
            length += start - behind
            if tag in put.string:  # the arguments use it again: that is next, beginning with the second character
                text = join([put, text.part(end)])
                self._spend(len(text), origin)
                behind, at = 0, text.string.find(tag, 1)
            else:
                done.append(put)
                length += len(put)
                behind, at = end, string.find(tag, end)
            if length + len(text) - behind > MAX_CHARACTERS:
                message = f'the define "{define.name}" makes more than {MAX_CHARACTERS:,} characters'
                self._notes.stop(origin, message, _MULTIPLY)
        return join([*done, text.part(behind)]) if done else text

    def _put(self, define: Define, text: Text, at: int, end: int) -> Text:
        """What one use comes to."""
        string, origins = text.string, self._notes.origins
        origin = text.origin(at)
        self._count(define, origin)
        body = origins.inserted(define.body, Use(define.name, origin))
        numbers = define.numbers
        if not numbers:
            return body
        start = at + len(define.name) + 2
        given = list(arguments(string, start, end - 1)) if end > start else []
        parts, behind = [], 0
        for match in _MARKER.finditer(body.string):
            number = int(match.group(1))
            if number > numbers:
                continue
            parts.append(body.part(behind, match.start()))
            behind = match.end()
            if number <= len(given) and string[slice(*given[number - 1])] != "~":
                parts.append(text.part(*given[number - 1]))
        return join([*parts, body.part(behind)])

    def _count(self, define: Define, origin: int) -> None:
        """Note a use, and see that it comes to an end."""
        notes = self._notes
        self._uses += 1
        self.used.add(define.name)
        self._spend(len(define.body), origin)
        chain = [use.name for use in notes.origins.uses(origin)]
        if define.name in chain:
            names = [*reversed(chain[: chain.index(define.name) + 1]), define.name]
            circle = " -> ".join(f'"{name}"' for name in names)
            notes.stop(origin, f"this define is used inside of itself: {circle}", "a define cannot stand for itself")
        if len(chain) >= MAX_DEPTH:
            notes.stop(origin, f"defines are nested deeper than {MAX_DEPTH}", _MULTIPLY)
        if self._uses > MAX_USES:
            notes.stop(origin, f"there are more than {MAX_USES:,} uses of defines", _MULTIPLY)

    def _spend(self, characters: int, origin: int) -> None:
        self._work += characters
        if self._work > MAX_WORK:
            self._notes.stop(origin, "filling in the defines takes too much work", _MULTIPLY)

    @staticmethod
    def _protected(string: str, at: int) -> bool:
        """Whether it is the name of a game."""
        before = string[max(0, at - _NEAR) : at].rstrip(_WORDLESS)
        for word in _NAMED:
            if before.endswith(word):
                rest = before[: -len(word)][-1:]
                return bool(rest) and not (rest.isalnum() or rest in _WORD)
        return False
