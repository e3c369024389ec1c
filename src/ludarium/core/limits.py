"""What a game may cost to load and to play: one set of limits, which no game that is meant to be played comes near.

Counts decide wherever a result depends on it, so that every machine decides alike. Time and memory are a safety net: what
exceeds them is an error, and never another way to play.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from typing import Any

from ludarium.core.errors import BadParameter, LudariumError

VARIABLE = "LUDARIUM_LIMITS"
"""The environment variable that raises limits, for a process and all that it starts: `seconds=600 megabytes=8000`."""


@dataclass(frozen=True)
class Limits:
    """The most that a game may take.

    >>> Limits().raised("seconds=600, literals=5000").literals
    5000
    """

    seconds: float = 120.0
    """Processor time to load a game, or to check it."""
    megabytes: int = 4000
    """Memory that loading a game may add to the process."""
    file_megabytes: float = 4.0
    """The text of a file of rules."""
    literals: int = 1000
    """Conditions of a rule."""
    instances: int = 3_000_000
    """Ground rules, and rows of a relation that is worked out."""
    moves: int = 2000
    """Moves of a match, before `play` and `bench` cut it."""

    def raised(self, text: str) -> Limits:
        """Take other limits from a text, `name=number` with blanks or commas between."""
        known = {field.name: float if field.type == "float" else int for field in fields(self)}
        given: dict[str, Any] = {}
        for part in text.replace(",", " ").split():
            name, _, number = part.partition("=")
            if name not in known:
                raise BadParameter(f"there is no limit {name!r}; limits are {', '.join(known)}")
            try:
                given[name] = known[name](number)
            except ValueError:
                raise BadParameter(f"the limit {name} is a number, not {number!r}") from None
            if not given[name] > 0:
                raise BadParameter(f"the limit {name} has to be positive, not {number}")
        return replace(self, **given)


class LimitExceeded(LudariumError):
    """A game costs more than it may; says where, what, and how to raise the limit."""

    def __init__(self, limit: str, what: str, where: object = "") -> None:
        self.limit, self.what, self.where = limit, what, str(where)
        super().__init__(limit, what, self.where)  # the arguments, so that the error survives pickling

    def __str__(self) -> str:
        start = f"{self.where}: " if self.where else ""
        more = f"simplify the rules, or raise the limit: ludarium --limit {self.limit}=NUMBER ..."
        return f"{start}{self.what}\n  {more}"


_GIVEN: ContextVar[Limits | None] = ContextVar("limits", default=None)


def limits() -> Limits:
    """The limits that hold now: those of a `with limited(...)`, of the environment, or the usual ones."""
    return _GIVEN.get() or Limits().raised(os.environ.get(VARIABLE, ""))


@contextmanager
def limited(**given: Any) -> Iterator[Limits]:
    """Let other limits hold for a while.

    >>> with limited(moves=10):
    ...     limits().moves
    10
    """
    token = _GIVEN.set(replace(limits(), **given))
    try:
        yield limits()
    finally:
        _GIVEN.reset(token)
