"""What several commands are given: a game, and counts in their answers."""

from __future__ import annotations

from typing import Annotated

import typer

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, with parameters if wanted: [bold]nim[/], [bold]'breakthrough(width=5, height=6)'[/]; "
        "[bold]gdl:nim[/] from its rules in the library; or a file of rules, [bold]my/game.kif[/].",
        show_default=False,
    ),
]


def count(number: int, what: str) -> str:
    """Write a number of things: no error, 1 error, 2 errors."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
