"""What several commands are given: a game, a store, lists of names; and counts in their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ludarium.core import BadParameter

_WORDS = "ludarium.words"

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, with parameters if wanted: [bold]nim[/], [bold]'breakthrough(width=5, height=6)'[/]; "
        "[bold]gdl:nim[/] from its rules in the library; or a file of rules, [bold]my/game.kif[/].",
        show_default=False,
    ),
]

StoreFile = Annotated[
    Path, typer.Argument(metavar="STORE", help="The file that holds the results.", show_default=False)
]


class Lists(TyperCommand):
    """A command whose options may take several values at once: `--games nim hex --agents uct random`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the name of such an option before each of its values, as it is read; keep what was typed."""
        ctx.meta[_WORDS] = list(args)
        lists = {name for option in self.params if getattr(option, "multiple", False) for name in option.opts}
        return super().parse_args(ctx, spread(args, lists))


def spread(args: list[str], lists: set[str]) -> list[str]:
    """Write every value of a list option with its name.

    >>> spread(["--games", "nim", "hex", "--seed", "3"], {"--games"})
    ['--games', 'nim', '--games', 'hex', '--seed', '3']
    """
    words: list[str] = []
    option, empty = "", False
    for word in [*args, "--"]:
        if not word.startswith("-"):
            words += [option, word] if option else [word]
            empty = False
            continue
        if empty:
            raise BadParameter(f"{option} needs one name, or several")
        name, _, value = word.partition("=")
        option = name if name in lists else ""
        empty = bool(option) and word == name
        if not empty:
            words += [name, value] if option else [word]
    return words[:-1]


def typed(ctx: typer.Context) -> list[str]:
    """Give the words that were typed after the name of the command."""
    words: list[str] = ctx.meta.get(_WORDS, [])
    return words


def count(number: int, what: str, many: str = "") -> str:
    """Write a number of things: no error, 1 error, 2 errors."""
    return f"{f'{number:,}' if number else 'no'} {what if number == 1 else many or what + 's'}"
