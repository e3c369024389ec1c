"""Moves as people write them, where a rule file says how: `e2e4` for `(move 5 2 5 4)`.

A notation is a list of forms, each a pattern of moves and how they are written:

    ;@ letters = true
    ;@ moves = { "move ?x1 ?y1 ?x2 ?y2" = "?x1?y1?x2?y2", "castle king-side" = "O-O" }

With `letters`, columns (variables that begin with x) are the letters a, b, c ... and not numbers; the board shows them, too.
What was written is read back by the same forms; moves that fit no form stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Term, Variable


def letter(column: str) -> str:
    """Write a column as a letter; what is no number from 1 to 26 stays as it is.

    >>> letter("5"), letter("27"), letter("b")
    ('e', '27', 'b')
    """
    return ascii_lowercase[int(column) - 1] if column.isdecimal() and 1 <= int(column) <= 26 else column


@dataclass(frozen=True)
class Form:
    """A pattern of moves, and how they are written."""

    pattern: Term
    template: str
    letters: bool

    @classmethod
    def of(cls, pattern: str, template: str, *, letters: bool) -> Form:
        """Read a form; a ValueError says what is wrong with it."""
        text = pattern.strip()
        term = parse_term(f"({text})" if " " in text else text)
        if not isinstance(term, Term):
            raise ValueError(f"'{pattern}' is not a pattern of moves such as \"move ?x1 ?y1 ?x2 ?y2\"")
        form = cls(term, template, letters)
        if sorted(form._variables.findall(template)) != sorted(form._names) or not template.strip():
            wanted = " ".join(form._names) or "none"
            raise ValueError(f"'{template}' has to name each variable of '{pattern}' once: {wanted}")
        return form

    def written(self, move: Term) -> str | None:
        """Write a move; None if it does not fit."""
        if move.name != self.pattern.name or move.arity != self.pattern.arity:
            return None
        values: dict[str, str] = {}
        for expected, given in zip(self.pattern.args or (), move.args or (), strict=True):
            if isinstance(expected, Variable):
                column = self.letters and expected.name.startswith("x")
                values[f"?{expected.name}"] = letter(str(given)) if column else str(given)
            elif expected != given:
                return None
        return self._variables.sub(lambda found: values[found[0]], self.template)

    def read(self, text: str) -> str | None:
        """Read what was written as a term; None if it is none of these."""
        found = self._regex.fullmatch(text)
        if found is None:
            return None
        words = []
        for arg in self.pattern.args or ():
            if not isinstance(arg, Variable):
                words.append(str(arg))
                continue
            value = found[arg.name]
            if self.letters and arg.name.startswith("x") and not value.isdecimal():
                value = str(ascii_lowercase.index(value.lower()) + 1)
            words.append(value)
        return f"({' '.join([self.pattern.name, *words])})" if words else self.pattern.name

    @cached_property
    def _names(self) -> list[str]:
        return [f"?{arg.name}" for arg in self.pattern.args or () if isinstance(arg, Variable)]

    @cached_property
    def _variables(self) -> re.Pattern[str]:
        """Find the variables in the template: `?y1x` is `?y1` and an x, if there is no other variable."""
        known = sorted(self._names, key=len, reverse=True)
        return re.compile("|".join([*map(re.escape, known), r"\?\w*"]))

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        """Find the values of the variables in a text: a letter and a number for a square, else as little as fits."""
        parts, last = [], 0
        for found in self._variables.finditer(self.template):
            parts.append(re.escape(self.template[last : found.start()]))
            name = found[0][1:]
            kind = r"[^\s()]+?"
            if self.letters and name[0] in "xy":
                kind = r"[a-zA-Z]" if name[0] == "x" else r"\d+"
            parts.append(f"(?P<{name}>{kind})")
            last = found.end()
        parts.append(re.escape(self.template[last:]))
        return re.compile("".join(parts), re.IGNORECASE)


@dataclass(frozen=True)
class Notation:
    """All forms of a game, the first that fits counts.

    >>> notation = Notation.of({"move ?x1 ?y1 ?x2 ?y2": "?x1?y1-?x2?y2"}, letters=True)
    >>> notation.written("(move 5 2 5 4)"), notation.read("e2-e4"), notation.written("noop"), notation.read("resign")
    ('e2-e4', '(move 5 2 5 4)', 'noop', None)
    """

    forms: tuple[Form, ...] = ()

    @classmethod
    def of(cls, moves: Mapping[str, str], *, letters: bool) -> Notation:
        """Read the forms of a view description."""
        return cls(tuple(Form.of(pattern, str(template), letters=letters) for pattern, template in moves.items()))

    def written(self, move: str) -> str:
        """Write a move for people; a move that fits no form stays as it is."""
        if not self.forms:
            return move
        term = parse_term(move)
        written = (form.written(term) for form in self.forms if isinstance(term, Term))
        return next((text for text in written if text is not None), move)

    def read(self, text: str) -> str | None:
        """Read what people wrote as a term; None if it fits no form."""
        read = (form.read(text.strip()) for form in self.forms)
        return next((term for term in read if term is not None), None)
