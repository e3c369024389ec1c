"""A description as it is written: statements as nested lists of words, with their comments, in file order.

Both readers make statements, both writers take them; `ludarium.gdl.text.meaning` turns them into rules.
An infix statement has the shape of its prefix form here: `p :- ~q(X)` is the list `<= p (not (q ?x))`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from ludarium.core.problems import Place, Problem, RulesError

MAX_DEPTH = 100
"""Lists nested deeper than this are refused: no game needs them, and what works on terms is recursive."""

_MAX_PROBLEMS = 100  # then reading stops: the file is not a description
_NEWLINE = re.compile(r"\r\n|\r|\n")


class Node(NamedTuple):
    """A word, or a list of nodes, and where it starts in the text."""

    value: str | list[Node]
    at: int = 0

    def __str__(self) -> str:
        """Give the prefix form, with single spaces."""
        return self.value if isinstance(self.value, str) else f"({' '.join(map(str, self.value))})"

    @property
    def parts(self) -> list[Node]:
        """What is in the list; a word has no parts."""
        return self.value if isinstance(self.value, list) else []

    @property
    def is_rule(self) -> bool:
        """Whether it is a list that starts with `<=`."""
        return isinstance(self.value, list) and bool(self.value) and self.value[0].value == "<="


class Statement(NamedTuple):
    """A fact or a rule; the comments before it and in it ("" is an empty line), and the one behind it."""

    node: Node
    before: tuple[str, ...] = ()
    after: str = ""


class Source:
    """A text, the problems found in it so far, and what follows its last statement."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.problems: list[Problem] = []
        self.ending: tuple[str, ...] = ()
        self._lines = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    def line(self, at: int) -> int:
        """Find the line of a position in the text."""
        return bisect_right(self._lines, at)

    def place(self, at: int) -> Place:
        """Find the line and column of a position in the text."""
        line = bisect_right(self._lines, at)
        return Place(self.file, line, at - self._lines[line - 1] + 1)

    def problem(self, at: int, message: str, hint: str = "") -> None:
        """Note a problem; after very many, give up."""
        self.problems.append(Problem(self.place(at), message, hint))
        if len(self.problems) >= _MAX_PROBLEMS:
            self.check()

    def check(self) -> None:
        """Raise what was found, in file order."""
        if self.problems:
            in_order = sorted(self.problems, key=lambda problem: (problem.place.line, problem.place.column))
            raise RulesError(in_order) from None


class Gatherer:
    """Puts comments and empty lines with the statements they belong to, and refuses words that strayed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._last: Statement | None = None
        self._end = 0  # of the last statement
        self._before: list[str] = []

    def between(self, text: str, at: int, *, inside: bool) -> None:
        """Take a comment, written with semicolons, or an empty line; several of these count as one."""
        text = text.rstrip()
        last = self._last
        if not text:
            if not inside and self._before[-1:] != [""] and (self._before or last):
                self._before.append("")
        elif last and not self._before and not inside and self._same_line(self._end, at):
            self._last = last._replace(after=f"{last.after} {text}".strip())
        else:
            self._before.append(text)

    def statement(self, node: Node, end: int) -> Statement | None:
        """Take a statement that ends there, and give back the one before it, which is complete now."""
        last = self._last
        if last is not None:
            if isinstance(node.value, str):
                self._alone(node, node.at)
            if isinstance(last.node.value, str):
                self._alone(last.node, node.at)
        self._last = Statement(node, tuple(self._before))
        self._end = end
        self._before.clear()
        return last

    def _alone(self, word: Node, start: int) -> None:
        """Refuse a word that shares its line with the statement before or behind it."""
        if self._same_line(self._end, start) and self._source.text[self._end] != ".":
            hint = "a fact without arguments has a line of its own"
            self._source.problem(word.at, f"stray text '{word}'", hint)

    def _same_line(self, one: int, other: int) -> bool:
        return self._source.line(one) == self._source.line(other)

    def finish(self) -> Statement | None:
        """Give back the last statement; what follows it stays with the source."""
        self._source.ending = tuple(self._before)
        return self._last
