"""Tables of a report in a terminal: of a table that is too wide, the columns that matter most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from textwrap import wrap

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from ludarium.arena.report.sheets import Cell, Column, Sheet

_ROWS = 60  # the page and the CSV have the rest
_NAME = 16  # characters that a name has at least, if it needs them
_APART = 3  # characters between two columns

_FIRST = {
    "standings": "late illegal crashes agent plays rate 95%_from 95%_to won drawn lost standard_error error_over_games games",
    "ratings": "agent Elo 95%_from 95%_to meetings standard_error",
    "balance": "game role matches score 95%_from 95%_to won drawn lost unfair adjusted_p seats_even decided",
    "measures": "game matches plies choices decisive comebacks lead_changes drama settled_at digits 5% 50% 95%",
}
"""The columns that a table keeps the longest, in the order of their weight; columns that tell of no fault are left out."""
_FAULTS = {"late", "illegal", "crashes"}


def sheets_view(sheets: Iterable[Sheet], width: int) -> Group:
    """Show tables one below the other, each with its note."""
    parts: list[Table | Text] = []
    for sheet in sheets:
        table, without = sheet_table(sheet, width)
        hidden = f"Not shown for lack of space: {', '.join(without)}." if without else ""
        parts += [Text(sheet.title, "bold"), table]
        parts += [Text(" ".join(filter(None, (sheet.note, hidden))) + "\n", "dim")]
    return Group(*parts)


def findings_view(lines: Iterable[str]) -> Table:
    """List sentences."""
    listed = Table.grid(padding=(0, 1, 0, 0))
    for line in lines:
        listed.add_row("-", Text(line))
    return listed


def sheet_table(sheet: Sheet, width: int) -> tuple[Table, list[str]]:
    """Show the columns of a table that there is room for, and name those that are left out."""
    rows = sheet.shown()
    telling = [
        number
        for number, column in enumerate(sheet.columns)
        if any(row[number].text not in (("-", "0") if column.name in _FAULTS else ("-",)) for row in rows)
    ]
    needs = {number: _needs(sheet.columns[number], [row[number] for row in rows]) for number in telling}
    kept = _fitting(sheet, telling, needs, width)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number in kept:
        column = sheet.columns[number]
        if column.numeric:
            heading = Text("\n".join(wrap(column.name, needs[number], break_long_words=False)), "bold")
            table.add_column(heading, justify="right", no_wrap=True, min_width=needs[number])
        else:
            table.add_column(Text(column.name, "bold"))
    for row in rows[:_ROWS]:
        table.add_row(*(Text(row[number].text, "bold" if row[number].strong else "") for number in kept))
    if len(rows) > _ROWS:
        table.add_row(Text(f"… {len(rows) - _ROWS} more", "dim"))
    return table, [sheet.columns[number].name for number in telling if number not in kept]


def _needs(column: Column, cells: Sequence[Cell]) -> int:
    """Say how many characters a column needs: numbers stay whole, cells are broken between words, names anywhere."""
    if column.kind == "cell":
        cells = [Cell(word) for cell in cells for word in cell.text.split()]
    longest = max((len(cell.text) for cell in cells), default=0)
    return max(longest if column.kind != "text" else min(longest, _NAME), *map(len, column.name.split()))


def _fitting(sheet: Sheet, telling: Sequence[int], needs: Mapping[int, int], width: int) -> list[int]:
    """Take columns by their weight as long as there is room."""
    names = [column.name for column in sheet.columns]
    weights = [name.replace("_", " ") for name in _FIRST.get(sheet.name, "").split()]
    weights = [names[2] if name == "rate" else name for name in weights]  # the standings average scores, or utilities
    by_weight = sorted(telling, key=lambda number: weights.index(names[number]) if names[number] in weights else 99)
    ends = list(accumulate(needs[number] + _APART for number in by_weight))
    return sorted(number for number, end in zip(by_weight, ends, strict=True) if end < width)


def print_sheets(console: Console, sheets: Iterable[Sheet]) -> None:
    """Print tables as wide as the terminal."""
    console.print(sheets_view(sheets, console.width))
