"""Tables of a report in a terminal: of a table that is too wide, the columns that matter most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from ludarium.arena.sheets import Cell, Sheet

_ROWS = 60  # the page and the CSV have the rest
_NAME = 26  # characters that a name has at least, if it needs them

_FIRST = {
    "standings": "late illegal crashes agent plays rate 95%_from 95%_to standard_error error_over_games games",
    "ratings": "agent Elo 95%_from 95%_to meetings standard_error",
    "balance": "game role matches win_rate 95%_from 95%_to adjusted_p unfair seats_even decided",
    "measures": "game matches plies choices decisive comebacks lead_changes drama settled_at digits 5% 50% 95%",
}
"""The columns that a table keeps the longest, in the order of their weight; columns that tell of no fault are left out."""
_FAULTS = {"late", "illegal", "crashes"}


def sheets_view(sheets: Iterable[Sheet], width: int) -> Group:
    """Show tables one below the other, each with its note."""
    parts: list[Table | Text] = []
    for sheet in sheets:
        table, without = sheet_table(sheet, width)
        hidden = f"Not shown for want of room: {', '.join(without)}." if without else ""
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
    kept = _fitting(sheet, rows, telling, width)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number in kept:
        column = sheet.columns[number]
        table.add_column(
            Text(column.name, "bold"), justify="right" if column.numeric else "left", no_wrap=column.numeric
        )
    for row in rows[:_ROWS]:
        table.add_row(*(Text(row[number].text, "bold" if row[number].strong else "") for number in kept))
    if len(rows) > _ROWS:
        table.add_row(Text(f"… {len(rows) - _ROWS} more", "dim"))
    return table, [sheet.columns[number].name for number in telling if number not in kept]


def _fitting(sheet: Sheet, rows: Sequence[Sequence[Cell]], telling: Sequence[int], width: int) -> list[int]:
    """Take columns by their weight as long as there is room."""
    weights = [name.replace("_", " ") for name in _FIRST.get(sheet.name, "").split()]
    names = [sheet.columns[number].name for number in range(len(sheet.columns))]
    weights = [names[2] if name == "rate" else name for name in weights]  # the standings count wins, or utilities
    by_weight = sorted(telling, key=lambda number: weights.index(names[number]) if names[number] in weights else 99)
    room, kept = width - 1, []
    for number in by_weight:
        longest = max((len(row[number].text) for row in rows), default=0)
        if not sheet.columns[number].numeric:
            longest = min(longest, _NAME)
        needs = max(longest, *(len(word) for word in names[number].split())) + 2
        if needs <= room:
            room -= needs
            kept.append(number)
    return sorted(kept)


def print_sheets(console: Console, sheets: Iterable[Sheet]) -> None:
    """Print tables as wide as the terminal."""
    console.print(sheets_view(sheets, console.width))
