"""A kernel that is being written, and the small expressions that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ludarium.gdl.joins.code.steps import Query
from ludarium.gdl.joins.code.store import Value
from ludarium.gdl.joins.rules.columns import Column
from ludarium.gdl.joins.rules.flat import FlatRule
from ludarium.gdl.text.syntax import Variable

Sink = Callable[[Sequence[Value]], str]
"""What is written for a row that is found."""


@dataclass
class Body:
    """A kernel that is being written: its lines, and what its locals are known to be."""

    name: str
    test: bool
    """Whether it answers yes or no; else it takes rows into a set."""

    locals: dict[Variable, str] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    loops: int = 0
    count: int = 0
    nothing: str = ""
    """What is answered where there is neither yes nor no and a condition does not hold."""

    def know(self, variable: Variable, local: str, column: Column) -> None:
        """Take note of a local that stands for a variable."""
        self.locals[variable] = local
        self.ranges[local] = column.low, column.low + column.width
        self.kinds[local] = column.kind

    def inner(self, name: str, given: Sequence[Variable], *, test: bool) -> Body:
        """Begin a kernel that is told what some variables are."""
        body = Body(name, test)
        for place, variable in enumerate(given):
            mine, local = self.locals[variable], f"a{place}"
            body.locals[variable] = local
            body.ranges[local], body.kinds[local] = self.ranges[mine], self.kinds[mine]
        return body

    def line(self, text: str) -> None:
        """Write a line at the present depth."""
        self.lines.append("    " * self.depth + text)

    def fresh(self, letter: str = "v") -> str:
        """Make a new local name."""
        self.count += 1
        return f"{letter}{self.count}"

    def fail(self) -> str:
        """Say how to go on when a condition does not hold."""
        return "continue" if self.loops else "return False" if self.test else f"return {self.nothing}".rstrip()

    def require(self, condition: str) -> None:
        """Go on only if a condition holds."""
        if condition == "False":
            raise Never
        if condition != "True":
            self.line(f"if not ({condition}):")
            self.lines.append("    " * (self.depth + 1) + self.fail())

    def loop(self, head: str) -> None:
        """Begin a loop."""
        self.line(head)
        self.depth += 1
        self.loops += 1


class Never(Exception):
    """A rule turns out to hold for nothing at all."""


@dataclass
class Context:
    """What a kernel is written for."""

    rule: FlatRule
    query: Query
    sink: Sink
    group: int | None
    words: bool = False
    """Whether all rows of a word can be taken in at once."""


def plus(text: str, number: int) -> str:
    """An expression plus a number."""
    if text.lstrip("-").isdecimal():
        return str(int(text) + number)
    return text if number == 0 else f"{text} + {number}"


def unpacked(code: str, columns: Sequence[Column]) -> list[str]:
    """The values of columns, from the number of a row, as expressions."""
    texts: list[str] = []
    below = 1
    for place in range(len(columns) - 1, -1, -1):
        column = columns[place]
        text = code if below == 1 else f"{code} // {below}"
        if column.width == 1:
            text = "0"
        elif place > 0 and any(c.width > 1 for c in columns[:place]):
            text = f"({text}) % {column.width}"
        texts.insert(0, plus(text, column.low))
        below *= column.width
    return texts
