"""The command line: `ludarium play connect-four uct random`, and what else `ludarium --help` lists.

Exit codes: 0 done, 1 a mistake of ours, 2 a mistake in what was asked, 130 interrupted by Ctrl-C. What is heavy is
imported by the command that needs it, so that every command starts at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludarium import __version__, catalog
from ludarium.core import Agent, BadParameter, Game, LudariumError, UnknownName

if TYPE_CHECKING:
    from rich.console import Console

_HUMAN = "human"


class _Commands(TyperGroup):
    """Tells the user about mistakes in one line, whatever the command."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except LudariumError as problem:
            _leave(2, f"ludarium: {problem}")
        except KeyboardInterrupt:
            _leave(130, "\nludarium: interrupted")
        except BrokenPipeError:
            # Nobody reads any more; what is still buffered must not complain at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            _leave(141)
        return result


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: [bold]ludarium play connect-four uct random[/]",
)

_GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game by name, parameters in brackets: [bold]nim[/], [bold]'breakthrough(width=5)'[/].",
        show_default=False,
    ),
]


def main() -> None:
    """Run the command line."""
    with contextlib.suppress(AttributeError):  # a stream that somebody put in the place of the real one
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    app()


@app.callback()
def _options(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    """A laboratory for general game playing: describe a game, play it, study it."""
    if version:
        typer.echo(f"ludarium {__version__}")
        raise typer.Exit


if True:
    _options = app.callback(invoke_without_command=True)(_options)


@app.command(epilog="Example: [bold]ludarium games[/]")
def games() -> None:
    """List the games: roles, traits, and a line about each."""
    table = _table("game", "roles", "traits", "about")
    for name, entry in catalog.GAMES.items():
        made = catalog.game(name)
        table.add_row(f"[bold]{name}[/]", ", ".join(made.roles), _traits(made), entry.about)
    _console().print(table)


@app.command(epilog="Example: [bold]ludarium agents --verbose[/]")
def agents(
    *,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Every parameter, its default and its meaning.")
    ] = False,
) -> None:
    """List the agents, and what can be set: [bold]ludarium play nim 'uct(c=1.0, final=value)' random[/]."""
    console = _console()
    if not verbose:
        table = _table("agent", "parameters", "about")
        for name, entry in catalog.AGENTS.items():
            table.add_row(f"[bold]{name}[/]", ", ".join(catalog.parameters(entry)), entry.about)
        table.add_row(f"[bold]{_HUMAN}[/]", "", "you, at the keyboard")
        console.print(table)
        return
    for name, entry in catalog.AGENTS.items():
        console.print(f"[bold]{name}[/]  {entry.about}")
        table = _table("parameter", "default", "meaning")
        meanings = catalog.meanings(entry.make)
        for key, parameter in catalog.parameters(entry).items():
            table.add_row(f"  {key}", f"{parameter.default!r}", meanings.get(key, ""))
        if table.row_count:
            console.print(table)
        console.print()
    console.print(f"[bold]{_HUMAN}[/]  you, at the keyboard")
