"""The commands for recorded trials of Ludii: `trial check` compares them with our games, `trial show` tells them in words."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core import LudariumError
from ludarium.terminal.arguments import count

if TYPE_CHECKING:
    from ludarium.ludii.trial.record import Trial


def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Trials, or folders of them: .txt, .trl, also .xz.", show_default=False),
    ],
    *,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Files to replay at once.")] = 1,
) -> None:
    """Replay trials that Ludii recorded in the games of the library that LUDARIUM_LUDII names.

    A line for each file: it [bold]agrees[/], or [bold]differs[/] (level, ply, both sides), or the game is
    [bold]unsupported[/] (what, where). Exit code 0 only if all agree; 2 if a file is not a trial.
    """
    from json import dumps

    from rich.console import Console
    from rich.progress import Progress

    from ludarium.ludii.trial.check import AGREES, UNREADABLE, check_all

    found = [inner for file in files for inner in _trials(file)]
    outcomes: dict[str, int] = {}
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("trials", total=len(found))
        for verdict in check_all(found, workers=workers):
            outcomes[verdict.outcome] = outcomes.get(verdict.outcome, 0) + 1
            progress.advance(task)
            if json:
                typer.echo(dumps(asdict(verdict)))
            else:
                typer.echo(str(verdict), err=verdict.outcome == UNREADABLE)
    if len(found) > 1 and not json:
        typer.echo(", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items())), err=True)
    raise typer.Exit(2 if UNREADABLE in outcomes else 0 if set(outcomes) <= {AGREES} else 1)


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A trial.", show_default=False)],
    *,
    ply: Annotated[
        int | None, typer.Option(min=0, help="What is where after this many moves, instead of the moves.")
    ] = None,
) -> None:
    """Describe a trial in words: the game, the moves, the end; or what is on the board after a move."""
    from ludarium.ludii.trial.interpreter import guess
    from ludarium.ludii.trial.reader import read
    from ludarium.ludii.trial.words import told

    trial = read(file)
    facts = guess(trial)
    if ply is not None:
        _show_state(trial, ply)
        return
    typer.echo(f"game:     {trial.name}")
    for option in trial.options:
        typer.echo(f"option:   {option}")
    typer.echo(f"moves:    {len(trial.played)}, after {count(trial.placed, 'placement')}")
    typer.echo(f"end:      {_end(trial)}")
    typer.echo(f"written:  {f'by Ludii {trial.version}' if trial.version else 'by an unknown version of Ludii'}")
    for number, move in enumerate(trial.moves, 1 - trial.placed):
        size = trial.sizes[number - 1] if 0 < number <= len(trial.sizes) else None
        among = f"  [1 of {size}]" if size is not None else ""
        typer.echo(f"{number if number > 0 else '':>5}  {told(move, facts)}{among}")


def _show_state(trial: Trial, ply: int) -> None:
    from itertools import islice

    from ludarium.ludii.trial.interpreter import guess, states
    from ludarium.ludii.trial.words import contents

    if ply > len(trial.played):
        raise LudariumError(f"{trial.file}: there are {count(len(trial.played), 'move')}, none after ply {ply}")
    position = next(islice(states(trial, guess(trial)), ply, None))
    typer.echo(f"{trial.name} after {count(ply, 'move')}")
    for line in contents(position):
        typer.echo(line)


def _end(trial: Trial) -> str:
    if trial.winner is None:
        return "not recorded"
    ranks = ", ".join(f"{rank:g}" for rank in trial.ranks[1:])
    return f"{f'player {trial.winner} wins' if trial.winner else 'nobody wins'} ({trial.end_type or 'solved'}), ranks {ranks}"


def _trials(place: Path) -> list[Path]:
    from ludarium.ludii.trial.reader import ENDINGS

    if not place.is_dir():
        return [place]
    patterns = [f"*{ending}{packed}" for ending in ENDINGS for packed in ("", ".xz")]
    found = sorted(file for pattern in patterns for file in place.rglob(pattern))
    if not found:
        raise LudariumError(f"{place}: there are no trials in this folder")
    return found
