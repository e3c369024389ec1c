"""Questions about relations, and the steps that answer them.

A question is a relation with a mode per column: `b` the value is given, `f` all values are wanted, `x` any will do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from ludarium.gdl.joins.rules.flat import Atom, FlatRule
from ludarium.gdl.text.syntax import Variable


class Source(Enum):
    """Where the rows of a relation come from."""

    COMPARISON = "distinct"
    FIXED = "fixed"
    STATE = "true"
    MOVES = "does"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Query:
    """A question about a relation."""

    relation: int
    modes: str

    @property
    def test(self) -> bool:
        """Whether the answer is yes or no."""
        return "f" not in self.modes


@dataclass(frozen=True, slots=True)
class JoinStep:
    """A condition: a test, or a loop that binds variables; `inner` is a number of conditions tested on their own."""

    atom: Atom | None
    modes: str = ""
    asked: str = ""
    """The modes of the query that answers it, which may ask for more; only for relations with rules."""

    inner: tuple[JoinStep, ...] = ()
    given: tuple[Variable, ...] = ()
    """What `inner` is told."""

    block: tuple[Variable, ...] = ()
    """Variables of a loop that are looked at together, as bits of a word; they come last among its open columns."""

    @property
    def test(self) -> bool:
        """Whether it binds nothing."""
        return "f" not in self.modes


@dataclass
class QueryPlan:
    """Everything there is to ask: the steps of each rule of each query, and which queries lead back to themselves."""

    queries: dict[Query, list[tuple[FlatRule, tuple[JoinStep, ...]]]] = field(default_factory=dict)
    groups: dict[Query, int] = field(default_factory=dict)
    """Queries that depend on each other have the same number; those that do not are not in it."""

    order: list[Query] = field(default_factory=list)
    """All queries, each after those that it needs."""

    used: set[Query] = field(default_factory=set)
    """Those that another one asks."""

    walks: dict[Query, list[tuple[FlatRule, Atom, tuple[JoinStep, ...]]]] = field(default_factory=dict)
    """Queries that lead back to themselves only: per rule that does, its condition that does, and the other steps."""

    moving: dict[Query, tuple[int, ...]] = field(default_factory=dict)
    """For these, the given columns that change on the way; none where rows lead to rows of the same answer."""
