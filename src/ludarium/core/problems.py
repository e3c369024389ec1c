"""What is wrong with a text: every problem of a file at once, each with its place and a hint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ludarium.core.errors import LudariumError

_SHOWN = 20  # more problems than this are counted, not listed


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file, lines and columns counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Problem(NamedTuple):
    """One thing that is wrong, or for a warning only odd, and what to do about it."""

    place: Place
    message: str
    hint: str = ""
    warning: bool = False

    def __str__(self) -> str:
        text = f"{self.place}: {'warning: ' if self.warning else ''}{self.message}"
        return f"{text}\n  {self.hint}" if self.hint else text


class RulesError(LudariumError):
    """A description that cannot be used, with all problems that were found in it.

    >>> print(RulesError([Problem(Place("nim.kif", 3, 1), "this ')' closes nothing", "remove it")]))
    nim.kif:3:1: this ')' closes nothing
      remove it
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__(self.problems)  # the arguments, so that the error survives pickling

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:_SHOWN]]
        if more := len(self.problems) - _SHOWN:
            lines += [f"and {more} more"] if more > 0 else []
        return "\n".join(lines)
