"""Reading plain descriptions: clauses `(head ...)`, arrays `{...}`, words and strings, any of them with a label `name:`.

What defines leave behind is read as Ludii reads it: `((...))` is `(...)`, `()` is nothing, a label without a value goes to the
next argument, or is dropped where there is none. What is written the same is the same node, wherever it stands: descriptions
repeat themselves many times over, and whatever works on nodes can remember what it found out about them.
"""

from __future__ import annotations

import re
from typing import Literal, NoReturn

from ludarium.ludii.text.notes import Notes
from ludarium.ludii.text.origin import Text

MAX_DEPTH = 100
"""Brackets nested deeper than this are refused: no game needs them, and what works on trees is recursive."""

Kind = Literal["clause", "array", "word", "string"]

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<label>[\w-]+:(?!:))
    | (?P<open>[({])
    | (?P<close>[)}])
    | (?P<string>"(?:\\"|[^"])*+")
    | (?P<marker><[A-Za-z][\w \t-]*(?::[\w \t-]*)?>)       # of an option
    | (?P<word>[\w.+*/%=!^~<>&|\#-]+)
    | (?P<colon>:)
    | (?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_MARKER = re.compile(r"#\d")
_UNFILLED_STRING = re.compile(r'#[1-9]"\Z')  # other signs of this kind have a meaning in HTML
_CLOSES = {")": "(", "}": "{"}
_BRACKET = re.compile(r'"(?:\\"|[^"])*+"|[(){}\[\]]|"')
_PAIRS = {")": "(", "}": "{", "]": "["}


class Node:
    """A clause, array, word or string."""

    __slots__ = ("at", "kind", "label", "parts", "text")

    def __init__(self, kind: Kind, text: str, at: int, label: str = "", parts: tuple[Node, ...] = ()) -> None:
        self.kind = kind
        self.text = text
        """The head of a clause, the word, or what the string says."""
        self.at = at
        """Where it begins in the text it was read from; the first time, if it is repeated."""
        self.label = label
        self.parts = parts

    def __str__(self) -> str:
        label = f"{self.label}:" if self.label else ""
        if self.kind == "word":
            return label + self.text
        if self.kind == "string":
            return f'{label}"{self.text}"'
        parts = " ".join(map(str, self.parts))
        if self.kind == "array":
            return f"{label}{{{parts}}}"
        return f"{label}({self.text}{' ' if self.parts else ''}{parts})"

    def brief(self, most: int) -> str:
        """How it is written, but no more than about so many characters."""
        shown, left = [], most
        for part in self.parts:
            if left <= 0:
                shown.append("...")
                break
            shown.append(part.brief(left))
            left -= len(shown[-1]) + 1
        text = self.text[:most] + ("..." if len(self.text) > most else "")
        return str(Node(self.kind, text, self.at, self.label, tuple(Node("word", each, 0) for each in shown)))


def read(text: Text, notes: Notes, *, shared: bool = True) -> list[Node]:
    """The clauses that a plain text consists of; what is wrong is noted.

    If nothing is shared, every node knows its own place, not only the first one.
    """
    return _Reader(text, notes, shared=shared).read()


def check_brackets(text: Text, notes: Notes) -> None:
    """Refuse a text, already without comments, whose brackets or strings do not close."""
    string = text.string
    stack: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(string):
        found, at = match.group(), match.start()
        if found in "({[":
            stack.append((found, at))
        elif found == '"':
            notes.stop(text.origin(at), "this string is not closed", "add a '\"'")
        elif found[0] == '"':
            continue
        elif stack and stack[-1][0] == _PAIRS[found]:
            stack.pop()
        else:
            _mismatch(text, stack, found, at, notes)
    if stack:
        opened, at = stack[-1]
        close = next(closing for closing, opening in _PAIRS.items() if opening == opened)
        notes.stop(text.origin(at), f"this '{opened}' is not closed at the end of the file", f"add a '{close}'")


def _mismatch(text: Text, stack: list[tuple[str, int]], found: str, at: int, notes: Notes) -> NoReturn:
    if not stack:
        hint = f"remove it, or add a '{_PAIRS[found]}' before it"
        notes.stop(text.origin(at), f"this '{found}' closes nothing", hint)
    opened, where = stack[-1]
    place = notes.origins.place(text.origin(where))
    message = f"this '{found}' cannot close the '{opened}' of line {place.line}, column {place.column}"
    notes.stop(text.origin(at), message, "one of the two is wrong, or a bracket between them is missing")


class _Open:
    """A bracket that is not closed yet."""

    __slots__ = ("at", "head", "label", "parts", "square")

    def __init__(self, bracket: str, at: int, label: str) -> None:
        self.square = bracket
        self.at = at
        self.label = label
        self.head = ""
        self.parts: list[Node] = []

    @property
    def headless(self) -> bool:
        """Whether what comes next is the head of a clause."""
        return self.square == "(" and not self.head and not self.parts


class _Reader:
    def __init__(self, text: Text, notes: Notes, *, shared: bool) -> None:
        self._shared = shared
        self._text = text
        self._notes = notes
        self._label = ""  # one that waits for its value
        self._stack = [_Open("{", 0, "")]
        self._nodes: dict[tuple[object, ...], Node] = {}

    def read(self) -> list[Node]:
        stack = self._stack
        for match in _TOKEN.finditer(self._text.string):
            kind = match.lastgroup
            if kind == "space":
                continue
            text, at = match.group(), match.start()
            if kind == "open":
                if len(stack) > MAX_DEPTH:
                    self._notes.stop(self._origin(at), f"more than {MAX_DEPTH} brackets are open here")
                stack.append(_Open(text, at, self._label))
                self._label = ""
            elif kind == "close":
                self._close(text, at)
            elif kind == "word":
                self._word(text, at)
            elif kind == "label":
                self._labelled(text[:-1])
            elif kind != "colon":
                self._other(str(kind), text, at)
        if len(stack) > 1:
            still = stack[-1]
            self._notes.stop(
                self._origin(still.at), f"this '{still.square}' is not closed", "see what the defines make"
            )
        return stack[0].parts

    def _node(self, kind: Kind, text: str, at: int, label: str, parts: tuple[Node, ...] = ()) -> Node:
        if not self._shared:
            return Node(kind, text, at, label, parts)
        key = (kind, text, label, *map(id, parts))
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(kind, text, at, label, parts)
        return node

    def _word(self, text: str, at: int) -> None:
        if "#" in text:
            self._unfilled(text, at)
        still = self._stack[-1]
        if still.headless:
            still.head = text
        else:
            still.parts.append(self._node("word", text, at, self._label))
        self._label = ""

    def _labelled(self, label: str) -> None:
        if self._stack[-1].headless:
            self._stack[-1].head = label  # (from: (to)) is (from (to))
        else:
            self._label = label

    def _other(self, kind: str, text: str, at: int) -> None:
        label, self._label = self._label, ""
        if kind == "string":
            if _UNFILLED_STRING.search(text):
                self._unfilled(text, at, warning=True)
            self._stack[-1].parts.append(self._node("string", text[1:-1].replace('\\"', "'"), at, label))
        elif kind == "marker":
            hint = "an option of that name, with such an argument, is missing"
            self._notes.add(self._origin(at), f"nothing is filled in for {text}", hint)
            self._stack[-1].parts.append(self._node("word", text, at, label))
        elif text in "[]":
            hint = "this description has places that are still to be completed"
            self._notes.stop(self._origin(at), f"'{text}' cannot be here", hint)
        elif text == '"':
            self._notes.stop(self._origin(at), "this string is not closed", "add a '\"'")
        else:
            self._notes.add(self._origin(at), f"{text!r} cannot be here", "remove it, or put it into a string")

    def _unfilled(self, text: str, at: int, *, warning: bool = False) -> None:
        if marker := _MARKER.search(text):
            hint = "only the body of a define has such places, and their numbers have no gaps"
            origin = self._origin(at + marker.start())
            self._notes.add(origin, f"nothing is filled in for {marker.group()}", hint, warning=warning)

    def _close(self, text: str, at: int) -> None:
        self._label = ""  # one without a value
        stack = self._stack
        if len(stack) == 1 or stack[-1].square != _CLOSES[text]:
            self._notes.stop(
                self._origin(at), f"this '{text}' closes nothing that is open", "see what the defines make"
            )
        closed = stack.pop()
        parts = stack[-1].parts
        if closed.square == "{":
            parts.append(self._node("array", "", closed.at, closed.label, tuple(closed.parts)))
        elif closed.head:
            parts.append(self._node("clause", closed.head, closed.at, closed.label, tuple(closed.parts)))
        elif closed.parts:
            parts += self._without_head(closed)

    def _without_head(self, closed: _Open) -> list[Node]:
        """What a clause without a head comes to."""
        first, *others = closed.parts
        if first.kind == "string":  # a use of a define that is nowhere
            return [self._node("clause", f'"{first.text}"', closed.at, closed.label, tuple(others))]
        if first.kind == closed.parts[-1].kind == "clause":
            if closed.label:
                first = self._node("clause", first.text, first.at, closed.label, first.parts)
            return [first, *others]
        self._notes.add(self._origin(closed.at), "this clause has no head", "begin it with the name of a ludeme")
        return []

    def _origin(self, at: int) -> int:
        return self._text.origin(at)
