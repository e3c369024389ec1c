"""A report in the terminal."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from ludarium.arena.report import Report
from ludarium.arena.sheets import Sheet

_LONGEST = 60  # rows; the page and the CSV have the rest


def report_view(report: Report) -> Group:
    """Show the findings, and the tables that fit."""
    parts: list[Text | Table] = [Text(report.title, "bold"), *(Text(f"- {line}") for line in report.findings), Text()]
    for sheet in report.sheets:
        if sheet.for_terminal:
            parts += [sheet_table(sheet), Text(sheet.note, "dim"), Text()]
    return Group(*parts)


def sheet_table(sheet: Sheet) -> Table:
    """Show one table; columns of which nothing is known are left out."""
    rows = sheet.shown()
    kept = [number for number in range(len(sheet.columns)) if any(row[number].text != "-" for row in rows)]
    table = Table(title=Text(sheet.title, "bold"), title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for number in kept:
        column = sheet.columns[number]
        table.add_column(Text(column.name, "bold"), justify="right" if column.numeric else "left")
    for row in rows[:_LONGEST]:
        table.add_row(*(Text(row[number].text, "bold" if row[number].strong else "") for number in kept))
    if len(rows) > _LONGEST:
        table.add_row(Text(f"... {len(rows) - _LONGEST} more", "dim"))
    return table
