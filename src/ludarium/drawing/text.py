"""Boards found in pictures made of letters: rows above a line of columns a b c ..., one or several side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from string import ascii_lowercase

from ludarium.drawing.grid import Grid

_FIRST_COLUMN = re.compile(r"(?<!\S)a(?= +b(?!\S))")


def grids_in(text: str) -> tuple[list[Grid], list[str]]:
    r"""Find the boards of a picture, and the lines that belong to none.

    >>> grids, lines = grids_in("2 X .\n1 . O\n  a b\nX moves")
    >>> grids[0].cells["a", "2"], grids[0].rows, lines
    ('X', ['2', '1'], ['X moves'])
    """
    lines = text.split("\n")
    grids: list[Grid] = []
    used: set[int] = set()
    for foot, line in enumerate(lines):
        found = [at for each in _FIRST_COLUMN.finditer(line) if (at := _columns(line, each.start()))]
        for place, columns in enumerate(found):
            end = found[place + 1][0] - 3 if place + 1 < len(found) else None
            begin = found[place - 1][-1] + 2 if place else 0
            if grid := _grid(lines, foot, columns, begin, end):
                grids.append(grid[0])
                used |= grid[1]
        if found and used:
            used.add(foot)
    if len({grid.title for grid in grids}) < len(grids):  # what nobody can tell apart
        return [], lines
    return grids, [line for number, line in enumerate(lines) if number not in used]


def _columns(line: str, start: int) -> list[int]:
    """Where the columns a, b, c and so on stand."""
    places, at = [start], start + 1
    for letter in ascii_lowercase[1:]:
        while at < len(line) and line[at] == " ":
            at += 1
        if at >= len(line) or line[at] != letter or line[at + 1 : at + 2].strip():
            break
        places.append(at)
        at += 1
    return places if len(places) > 1 else []


def _grid(
    lines: Sequence[str], foot: int, columns: Sequence[int], begin: int, end: int | None
) -> tuple[Grid, set[int]] | None:
    """Read the rows above a line of columns; None if there are none."""
    letters = ascii_lowercase[: len(columns)]
    rows: list[tuple[str, dict[str, str]]] = []
    number = foot - 1
    while number >= 0 and (row := _row(lines[number], columns, begin)) is not None:
        label, symbols = row
        rows.insert(0, (label or str(foot - number), dict(zip(letters, symbols, strict=True))))
        number -= 1
    if not rows or len({label for label, _ in rows}) < len(rows):
        return None
    labelled = bool(lines[foot - 1][begin : columns[0]].strip())
    title = lines[number][begin:end].strip() if number >= 0 else ""
    used = set(range(number if title else number + 1, foot))
    cells = {(column, label): symbol for label, row in rows for column, symbol in row.items() if symbol.strip()}
    return Grid(list(letters), [label for label, _ in rows], cells, title=title, labelled=labelled), used


def _row(line: str, columns: Sequence[int], begin: int) -> tuple[str, list[str]] | None:
    """Take a row apart: its label, and a symbol for each column."""
    symbols = [line[at : at + 1] or " " for at in columns]
    label = line[begin : columns[0]].strip()
    between = "".join(line[a + 1 : b] for a, b in pairwise(columns))
    beyond = line[columns[-1] + 1 : columns[-1] + 3]
    if between.strip() or beyond.strip() or (label and not label.isdecimal()) or not "".join(symbols).strip():
        return None
    return label, symbols
