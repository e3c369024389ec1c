"""The command `convert`: rules written in the other form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludarium.core import BadParameter
from ludarium.terminal.arguments import count


def convert(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A file of rules.", show_default=False)],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="The file to write.", show_default=False)],
    *,
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite the target without asking.")] = False,
) -> None:
    """Write rules in the other form: .kif or .gdl for prefix, .hrf for infix; nothing is lost."""
    from ludarium.gdl.text.convert import convert as convert_file

    if target.is_file() and not force and not _may_overwrite(target):
        raise BadParameter(f"{target} already exists and was left alone (--force overwrites it)")
    convert_file(source, target)
    lines = len(target.read_text(encoding="utf-8").splitlines())
    typer.echo(f"{target}: {count(lines, 'line')} in {'infix' if target.suffix.lower() == '.hrf' else 'prefix'} form")


def _may_overwrite(target: Path) -> bool:
    """Ask, if there is somebody to ask."""
    try:
        return typer.confirm(f"{target} already exists. Overwrite it?")
    except typer.Abort:  # nobody is there
        return False
