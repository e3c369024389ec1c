"""Beliefs for people: tables, boards in colours, and figures."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from ludarium.arena.extras import needs
from ludarium.core import BadParameter, LudariumError
from ludarium.core.files import whole
from ludarium.hidden.belief import Belief, grid
from ludarium.terminal.screen import bar

_COLD, _WARM, _HOT = (24, 32, 72), (224, 160, 32), (224, 32, 32)


def beliefs_table(held: Belief, *, most: int) -> Table:
    """List places, those of which least is known first, and how likely each content is."""
    table = Table.grid(padding=(0, 2))
    if not held.shares:
        table.add_row("nothing that is hidden can differ")
        return table
    order = sorted(held.shares, key=lambda place: max(held.shares[place].values()))
    contents = held.contents
    table.add_row("", *(Text(content, "bold", justify="right") for content in contents))
    for place in order[:most]:
        shares = held.shares[place]
        cells = [Text(_percent(shares.get(content, 0.0)), justify="right") for content in contents]
        likeliest = bar(max(shares.values()))
        table.add_row(Text(f" {place}", "bold"), *cells, likeliest)
    if len(order) > most:
        table.add_row(Text(f" and {len(order) - most} more", "dim"))
    return table


def _percent(share: float) -> str:
    """Write a share in per cent; what is certain or impossible looks so.

    >>> _percent(0.25), _percent(0.0), _percent(0.0004), _percent(1.0)
    ('25.0%', '-', '<0.1%', '100%')
    """
    if share in (0.0, 1.0):
        return "100%" if share else "-"
    return "<0.1%" if share < 0.0005 else f"{100 * share:.1f}%"


def heatmap(held: Belief, content: str) -> Table | None:
    """Draw a board in which warm cells are likely to hold a content; None if the places are no board."""
    laid = grid(held.heat(content))
    if laid is None:
        return None
    columns, rows, values = laid
    hottest = max(values.values(), default=0.0) or 1.0
    table = Table.grid(padding=(0, 0))
    for y, row in enumerate(rows):
        cells = []
        for x in range(len(columns)):
            share = values.get((x, y))
            if share is None:
                cells.append(Text("  · ", "dim"))
            else:
                red, green, blue = colour(share / hottest)
                cells.append(Text(f"{round(100 * share):3} ", f"bold white on rgb({red},{green},{blue})"))
        table.add_row(Text(f"{row:>3} ", "dim"), *cells)
    table.add_row("", *(Text(f"{column:>3} ", "dim") for column in columns))
    return table


def colour(share: float) -> tuple[int, int, int]:
    """Mix a colour: cold for 0, warm for a half, hot for 1.

    >>> colour(0.0), colour(0.5), colour(1.0)
    ((24, 32, 72), (224, 160, 32), (224, 32, 32))
    """
    low, high, part = (_COLD, _WARM, 2 * share) if share < 0.5 else (_WARM, _HOT, 2 * share - 1)
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(low, high, strict=True))
    return red, green, blue


def draw(held: Belief, content: str, path: Path, title: str) -> None:
    """Draw the heatmap of a content into a file."""
    laid = grid(held.heat(content)) if content else None
    if laid is None:
        raise BadParameter("a figure shows hidden cells of a board: say of which content by --of, or use the table")
    with needs("report"):
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.figure import Figure
    columns, rows, values = laid
    shades = [tuple(part / 255 for part in each) for each in (_COLD, _WARM, _HOT)]
    cells = [[values.get((x, y), float("nan")) for x in range(len(columns))] for y in range(len(rows))]
    drawn = Figure(figsize=(1.5 + 0.45 * len(columns), 1 + 0.45 * len(rows)), layout="constrained")
    axes = drawn.add_subplot()
    colours = LinearSegmentedColormap.from_list("heat", shades).with_extremes(bad="#e8e8e8")
    image = axes.imshow(cells, cmap=colours, vmin=0)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_title(title, fontsize=10)
    for (x, y), share in values.items():
        axes.text(x, y, f"{round(100 * share)}", ha="center", va="center", color="white", fontsize=7)
    drawn.colorbar(image, label="probability")
    try:
        with whole(path) as part:
            drawn.savefig(part, dpi=150)
    except OSError as problem:
        raise LudariumError(f"cannot write '{path}': {problem.strerror}") from problem
