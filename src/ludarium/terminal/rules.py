"""The commands for files of rules: `check` tells what is wrong with them, `convert` writes them in the other form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludarium.core import LudariumError
from ludarium.terminal.arguments import count


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of rules.", show_default=False)],
    *,
    play: Annotated[bool, typer.Option(help="Play the game at random, too.")] = True,
) -> None:
    """Check files of rules: all that is wrong (exit code 2) or odd, each with line, column and a hint."""
    from ludarium.gdl import checker

    mistakes = 0
    for file in files:
        try:
            found = checker.check_file(file, play=play)
        except LudariumError as problem:  # no file, or none that can be played
            mistakes += 1
            typer.echo(problem)
            continue
        errors = sum(not problem.warning for problem in found)
        mistakes += errors
        for line in checker.lines(found):
            typer.echo(line)
        counted = [count(errors, "error"), *([count(w, "warning")] if (w := len(found) - errors) else [])]
        typer.echo(f"{file}: {' and '.join(counted)}")
    raise typer.Exit(2 if mistakes else 0)


def convert(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A file of rules.", show_default=False)],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="The file to write.", show_default=False)],
) -> None:
    """Write rules in the other form: .kif or .gdl for prefix, .hrf for infix; nothing is lost."""
    from ludarium.gdl.convert import convert as convert_file

    convert_file(source, target)
