"""Boards of games in GDL as SVG: the same boards that are drawn with letters, with sites called as moves call them."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.drawing import Grid, draw_grids
from ludarium.gdl.notation import letter
from ludarium.gdl.text.syntax import Term
from ludarium.gdl.view import BLANKS, Cells, View, arranged, span


def draw(facts: Sequence[Term], view: View | None, roles: Sequence[str], title: str) -> str:
    """Draw the board, or the boards, and list the other facts below."""
    used, boards, below = arranged(facts, view)
    grids = [_grid(used, cells, name, roles) for name, cells in boards.items()]
    return draw_grids(grids, below, roles, symbols={}, title=title)


def _grid(view: View, contents: Cells, title: str, roles: Sequence[str]) -> Grid:
    columns, rows = span(x for x, _ in contents), span(y for _, y in contents)
    heads = {x: letter(x) if view.letters else x for x in columns}
    turned = _turned(view)
    cells, names, owners = {}, {}, {}
    known = set(contents.values())
    everywhere = not known & set(BLANKS)  # nothing says that a square is empty: all are squares
    for y in rows:
        for x in columns:
            content = contents.get((x, y), "" if everywhere else None)
            if content is None:
                continue
            symbol = view.symbols.get(content, "" if content in BLANKS else content)
            if content in BLANKS or not content:
                symbol = view.marks.get(f"{x} {y}", "")
            elif (owner := _owner(content, roles)) is not None:
                owners[symbol] = owner
            cells[heads[x], y] = symbol
            names[heads[x], y] = f"{heads[x]}{y}" if view.letters else f"{y} {x}" if turned else f"{x} {y}"
    shown = rows if view.shape == "hex" or not view.up else rows[::-1]
    return Grid(
        [heads[x] for x in columns], shown, cells, names, title=title, hexagons=view.shape == "hex", owners=owners
    )


def _turned(view: View) -> bool:
    """Whether the facts of the board name the row first, as moves will do, too."""
    return 0 <= view.board.find("?y") < view.board.find("?x")


def _owner(content: str, roles: Sequence[str]) -> int | None:
    """Guess whose piece it is: that of the role which it is called after."""
    for role, name in enumerate(roles):
        if content == name or content.startswith(f"{name}-"):
            return role
    initials = [name[:1] for name in roles]
    alone = len(content) <= 2 and initials.count(content[0]) == 1
    return initials.index(content[0]) if alone else None
