"""The command `compare`: whether two descriptions are the same game, as far as was looked."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from ludarium.core import BadParameter
from ludarium.terminal.arguments import GameName


def compare(
    first: GameName,
    second: GameName,
    *,
    positions: Annotated[
        int, typer.Option(min=1, help="Look at trees from the start with so many positions.")
    ] = 20_000,
    matches: Annotated[int, typer.Option(min=0, help="Then walk along so many random matches.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random matches.")] = 0,
    mapping: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Which moves correspond, in a TOML file: [bold]"a1" = "(mark 1 1)"[/], a line each.',
            show_default="those that do the same",
        ),
    ] = None,
) -> None:
    """Walk two descriptions of a game side by side, and say whether they are the same game, as far as was looked.

    Exit code 1 if they differ, or part by the names of their moves: the first difference is shown.
    """
    from ludarium.testing.same_game import compare as compared

    found = compared(first, second, positions=positions, matches=matches, seed=seed, mapping=_mapping(mapping))
    typer.echo(str(found))
    if found.difference is not None:
        for name, state in zip(found.names, found.difference.states, strict=True):
            if state is not None:
                typer.echo(f"\n{name}:\n{state}")
        raise typer.Exit(1)


def _mapping(file: Path | None) -> dict[str, str]:
    if file is None:
        return {}
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise BadParameter(f"cannot read '{file}': {getattr(problem, 'strerror', None) or problem}") from None
    except tomllib.TOMLDecodeError as problem:
        raise BadParameter(f"{file}: {problem}") from None
    for move, other in read.items():
        if not isinstance(other, str):
            raise BadParameter(f"{file}: '{move}' is {other!r}; expected a move of the second game, in quotes")
    return read
