"""What several commands are given: a game, a store, lists of names; and counts in their answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ludarium.core import BadParameter
from ludarium.core.syntax import parse_call

_WORDS = "ludarium.words"

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, with optional parameters: [bold]nim[/], [bold]'breakthrough(width=5, height=6)'[/]; "
        "[bold]gdl:nim[/] from its rules in the library; [bold]lud:Amazons[/] from Ludii's library; a file of rules, "
        "[bold]my/game.kif[/], [bold]my/game.lud[/]; or a game of your own, [bold]my/game.py:Race[/].",
        show_default=False,
    ),
]

Choices = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="CHOICE",
        help="Of a game in Ludii's language: choose a variant, [bold]'Board Size/9x9'[/], as often as wanted; "
        "[bold]ludarium show GAME --options[/] lists them.",
        show_default="those of the file",
    ),
]

StoreFile = Annotated[
    Path, typer.Argument(metavar="STORE", help="The file that holds the results.", show_default=False)
]


def check_writable(file: Path) -> None:
    """Refuse a file that nothing can be written to, before work is done that would be lost."""
    if file.is_dir():
        raise BadParameter(f"cannot write '{file}': it is a folder")
    folder = Path(os.path.realpath(file)).parent  # where a link that points at nothing yet would be written
    if not folder.is_dir():
        shown = folder if file.is_symlink() else file.parent
        raise BadParameter(f"cannot write '{file}': there is no folder '{shown}'")
    if not os.access(file if file.exists() else folder, os.W_OK):
        raise BadParameter(f"cannot write '{file}': you may not write there")


def blaming_the_store(command: Callable[..., None]) -> Callable[..., None]:
    """Have a command that reads a store say so where the store is damaged."""

    @wraps(command)
    def reporting(**given: Any) -> None:
        from ludarium.arena.store.damage import reading

        asked: BaseException | None = None
        with reading(given["store"]):
            try:
                command(**given)
            except (typer.Exit, typer.Abort) as leave:  # nothing went wrong
                asked = leave
        if asked is not None:
            raise asked

    return reporting


def with_choices(game: str, choices: Sequence[str] | None) -> str:
    """Write a game with the options that were chosen for it.

    >>> with_choices("lud:Hex", ["Board Size/9x9"])
    "lud:Hex(options=['Board Size/9x9'])"
    """
    if not choices:
        return game
    name, given = parse_call(game) or (game, {})
    if "options" in given:
        raise BadParameter(f"{game} has its options in brackets: leave out --option")
    if "(" in name and not name.lower().endswith(".lud"):
        name += ".lud"  # where a name ends that has brackets of its own
    values = ", ".join(f"{key}={value}" for key, value in {**given, "options": repr(list(choices))}.items())
    return f"{name}({values})"


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
