"""Boards of squares or hexagons with symbols on them, drawn as SVG: whose a symbol is, its colour tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludarium.drawing.colours import FAINT, FIELDS, INK, LINE, NOBODY, PLAYERS, is_dark, of_roles
from ludarium.drawing.svg import Image

CELL = 48.0
_SMALLEST = 26.0  # of a cell, where a board is large
_LARGEST = 620.0  # the longer side of a board
_MARGIN = 26.0
_EMPTY = ("", ".", "·", "+")
_DISCS = {"●": PLAYERS[1], "○": PLAYERS[0], "⬤": PLAYERS[1], "◯": PLAYERS[0]}
_GLYPHS = "DejaVu Sans, Segoe UI Symbol, sans-serif"
_WHITE, _BLACK = "♔♕♖♗♘♙", "♚♛♜♝♞♟"
_UNKNOWN = ("?", "!")  # pieces of others, at rest or moved
_BLOCKS = {"#": "#5b6670", "=": "#b8a27a", "~": "#8fb3c9"}


@dataclass(frozen=True)
class Grid:
    """A board: what stands in each cell, by column and row as they are labelled, and what a cell is called in moves."""

    columns: Sequence[str]
    rows: Sequence[str]
    """From the top."""

    cells: Mapping[tuple[str, str], str]
    """Symbols by column and row; what is missing is no cell."""

    names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What moves call the cells; by default the column and the row, as in b3."""

    title: str = ""
    hexagons: bool = False
    labelled: bool = True
    """Whether the rows have labels that people know."""

    owners: Mapping[str, int] = field(default_factory=dict)
    """The role whose piece a symbol is."""

    def name(self, column: str, row: str) -> str:
        """What a site is called: of several boards, with the title of its own."""
        called = self.names.get((column, row), f"{column}{row}")
        return f"{self.title} {called}".strip()


def draw_grids(
    grids: Sequence[Grid],
    lines: Sequence[str],
    roles: Sequence[str],
    *,
    symbols: Mapping[str, int] | None = None,
    title: str = "",
) -> str:
    """Draw boards side by side, and lines of text below."""
    image = Image(title)
    left = 0.0
    for grid in grids:
        left = _Board(image, grid, roles, symbols, left).draw() + 12
    top = image.height + (8 if grids else 10)
    shown = [line for line in lines if line.strip()]
    size = 15.0 if grids else 17.0
    for line in shown:
        top += 1.5 * size
        image.words(
            14, top, line, size, font_family="ui-monospace, monospace", text_anchor="start", style="white-space:pre"
        )
    return image.finished()


class _Board:
    """One board of an image."""

    def __init__(
        self, image: Image, grid: Grid, roles: Sequence[str], symbols: Mapping[str, int] | None, left: float
    ) -> None:
        self.image, self.grid, self.left = image, grid, left
        self.colours, self.roles = of_roles(roles), roles
        self.symbols = {**(_by_case(grid) if symbols is None else symbols), **grid.owners}
        letters = {symbol for symbol in grid.cells.values() if symbol.isalpha()}
        self.plain = letters if letters <= {"X", "O"} else set()  # a colour says as much
        across = len(grid.columns) + (len(grid.rows) / 2 if grid.hexagons else 0)
        self.cell = max(_SMALLEST, min(CELL, _LARGEST / max(across, len(grid.rows), 1)))
        self.top = 28.0 if grid.title else 12.0

    def draw(self) -> float:
        """Draw it; tells where it ends."""
        grid, cell, image = self.grid, self.cell, self.image
        if grid.title:
            wide = len(grid.columns) * cell
            image.words(self.left + _MARGIN + wide / 2, 20, grid.title, 14, INK)
        for j, row in enumerate(grid.rows):
            for i, column in enumerate(grid.columns):
                if (column, row) in grid.cells:
                    self._cell(i, j, column, row)
            if grid.labelled:
                x, y = self._middle(0, j)
                image.words(x - 0.5 * cell - 11, y + 4.5, row, 12, FAINT)
        bottom = self._middle(0, len(grid.rows) - 1)[1] + cell / 2
        for i, column in enumerate(grid.columns):
            x, y = self._middle(i, 0) if grid.hexagons else (self._middle(i, 0)[0], bottom + 16)
            image.words(x, y - (0.62 * cell if grid.hexagons else 0), column, 12, FAINT)
        image.reach(image.width, bottom + 18)
        return image.width

    def _middle(self, i: int, j: int) -> tuple[float, float]:
        """Where the middle of a cell is."""
        if self.grid.hexagons:
            x = self.left + _MARGIN + (i + 0.5 + j / 2) * self.cell
            return x, self.top + 16 + (0.5 + 0.87 * j) * self.cell
        return self.left + _MARGIN + (i + 0.5) * self.cell, self.top + (j + 0.5) * self.cell

    def _cell(self, i: int, j: int, column: str, row: str) -> None:
        x, y = self._middle(i, j)
        half = self.cell / 2
        if self.grid.hexagons:
            long = half / 0.87
            turns = ((0, -long), (half, -long / 2), (half, long / 2), (0, long), (-half, long / 2), (-half, -long / 2))
            points = " ".join(f"{x + dx:.5g},{y + dy:.5g}" for dx, dy in turns)
            shape, fill = f'<polygon points="{points}"', FIELDS[0]
        else:
            place = f'x="{x - half:.5g}" y="{y - half:.5g}" width="{self.cell:.5g}" height="{self.cell:.5g}"'
            shape, fill = f"<rect {place}", FIELDS[(i + j) % 2]
        self.image.add(f'{shape} fill="{fill}" stroke="{LINE}" stroke-width="0.6"/>')
        self.image.reach(x + half, y + half)
        self._symbol(x, y, self.grid.cells[column, row])
        self.image.site(self.grid.name(column, row), shape, x, y, half)

    def _symbol(self, x: float, y: float, symbol: str) -> None:
        """Draw what stands in a cell."""
        symbol, radius = symbol.strip(), 0.38 * self.cell
        if symbol in _EMPTY:
            if symbol == "+":
                self.image.words(x, y + 0.35 * radius, "✕", 1.1 * radius, FAINT)
            return
        owner = self.symbols.get(symbol)
        colour = self.colours[owner] if owner is not None and owner < len(self.colours) else NOBODY
        if symbol.lower() in ("x", "o") and {"x", "o"} <= {role.lower() for role in self.roles}:
            self._noughts_and_crosses(x, y, symbol.lower(), radius)
        elif symbol in _DISCS:
            self.image.disc(x, y, radius, _DISCS[symbol], stroke=LINE, stroke_width=1.5)
        elif symbol in _WHITE or symbol in _BLACK:
            white = symbol in _WHITE
            drawn = _BLACK[_WHITE.index(symbol)] if white else symbol  # the filled form, in white and with an edge
            fill, stroke = ("#fff", "#222") if white else ("#222", "#eee")
            look: dict[str, str | float] = {
                "font_family": _GLYPHS,
                "stroke": stroke,
                "stroke_width": 1.1,
                "paint_order": "stroke",
            }
            self.image.words(x, y + 0.72 * radius, f"{drawn}\N{VARIATION SELECTOR-15}", 2.1 * radius, fill, **look)
        elif symbol in _BLOCKS:
            self.image.rect(x - radius, y - radius, 2 * radius, 2 * radius, _BLOCKS[symbol], rx=4)
        elif owner is not None or symbol in _UNKNOWN or (symbol.isalpha() and len(symbol) <= 2):
            self._piece(x, y, symbol, colour, radius, plain=symbol in self.plain)
        else:
            self.image.words(x, y + 0.4 * radius, symbol, min(1.5, 3.2 / len(symbol)) * radius, INK)

    def _piece(self, x: float, y: float, symbol: str, colour: str, radius: float, *, plain: bool) -> None:
        self.image.disc(x, y, radius, colour, stroke=LINE, stroke_width=1.5)
        if not plain:
            size = 1.05 * radius / max(1, len(symbol) - 0.6)
            self.image.words(
                x, y + 0.36 * size, symbol, size, "#fff" if is_dark(colour) else "#222", font_weight="bold"
            )

    def _noughts_and_crosses(self, x: float, y: float, symbol: str, radius: float) -> None:
        roles = [role.lower() for role in self.roles]
        colour, width = self.colours[roles.index(symbol)], 0.3 * radius
        if symbol == "o":
            self.image.disc(x, y, 0.85 * radius, "none", stroke=colour, stroke_width=width)
            return
        r = 0.8 * radius
        path = f"M{x - r:.5g} {y - r:.5g}L{x + r:.5g} {y + r:.5g}M{x + r:.5g} {y - r:.5g}L{x - r:.5g} {y + r:.5g}"
        self.image.add(f'<path d="{path}" stroke="{colour}" stroke-width="{width:.3g}" stroke-linecap="round"/>')


def _by_case(grid: Grid) -> dict[str, int]:
    """Whose a symbol is where nobody says it: X and O, or else capitals and small letters, belong to the first two roles."""
    letters = {symbol for symbol in grid.cells.values() if symbol.isalpha()}
    if letters <= {"X", "O"}:
        return {"X": 0, "O": 1}
    return {letter: 0 if letter.isupper() else 1 for letter in letters}
