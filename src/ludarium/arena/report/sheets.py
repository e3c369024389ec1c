"""A table of a report, whatever it is shown on: in the terminal, on a page, or as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from math import isinf, isnan
from typing import Any

import numpy as np

from ludarium.arena.prove.intervals import wilson
from ludarium.arena.prove.words import written_p

_FORMATS = {
    "percent": "{:.2%}",
    "points": "{:.0f}",
    "number": "{:.2f}",
    "seconds": "{:.3g}",
    "count": "{:,}",
}
"""How the kinds of numbers are written; texts, cells, flags, alarms (flags that stand out) and p are seen to apart."""


@dataclass(frozen=True)
class Column:
    """A heading, and what kind of thing stands below it."""

    name: str
    kind: str = "text"

    @property
    def numeric(self) -> bool:
        """Whether it is read from the right."""
        return self.kind not in ("text", "cell", "flag", "alarm", "share")


@dataclass(frozen=True)
class Cell:
    """A text that may stand out."""

    text: str
    strong: bool = False


@dataclass(frozen=True)
class Share:
    """A part of so many, with the interval in which it lies with 95 % confidence, after Wilson.

    >>> written(Share(0.45, 200), "share").text
    '45.0% (38.3 to 51.9, n 200)'
    """

    mean: float
    count: int
    strong: bool = False

    @property
    def interval(self) -> tuple[float, float]:
        """Where it lies."""
        low, high = wilson(np.array([self.mean]), np.array([self.count]))
        return float(low[0]), float(high[0])

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.mean:.1%} ({100 * low:.1f} to {100 * high:.1f}, n {self.count:,})"


@dataclass(frozen=True)
class Sheet:
    """A table with a name for files, a title and a line that says how to read it."""

    name: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    for_page: bool = True
    """Whether it is short or telling enough to be shown on the page; the CSV has it in any case."""

    for_terminal: bool = True

    def shown(self) -> list[list[Cell]]:
        """Write all values as they are read by people."""
        return [
            [written(value, column.kind) for value, column in zip(row, self.columns, strict=True)] for row in self.rows
        ]

    def csv(self) -> str:
        """Write all values as they are read by programs: in full, and nothing where nothing is known."""
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(column.name for column in self.columns)
        writer.writerows([_plain(value) for value in row] for row in self.rows)
        return text.getvalue()


def written(value: Any, kind: str) -> Cell:
    """Write a value for people.

    >>> written(0.60276, "percent").text, written(0.00002, "p").text, written(float("nan"), "number").text
    ('60.28%', '2.0e-05', '-')
    """
    if isinstance(value, Cell):
        return value
    if isinstance(value, Share):
        return Cell(str(value), value.strong)
    if value is None or (isinstance(value, float) and isnan(value)):
        return Cell("-")
    if kind in ("flag", "alarm"):
        return Cell("yes" if value else "no", strong=kind == "alarm" and bool(value))
    if kind == "p":
        return Cell(written_p(value))
    if isinstance(value, float) and isinf(value):
        return Cell("∞" if value > 0 else "-∞")
    return Cell(_FORMATS[kind].format(value) if kind in _FORMATS else str(value))


def columns(*kinds: tuple[str, str] | str) -> tuple[Column, ...]:
    """Make columns of names, each with its kind unless it is a text."""
    return tuple(Column(kind) if isinstance(kind, str) else Column(*kind) for kind in kinds)


def matrix(first: str, names: Sequence[str], kind: str) -> tuple[Column, ...]:
    """Make the columns of a table with a column of names, and one for each of these."""
    return (Column(first), *(Column(name, kind) for name in names))


def _plain(value: Any) -> Any:
    if isinstance(value, Cell):
        return value.text
    if isinstance(value, Share):
        return str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None or (isinstance(value, float) and isnan(value)) else value
