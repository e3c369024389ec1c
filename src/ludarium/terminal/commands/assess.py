"""The command `assess`: what a game is like, for whoever designs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ludarium import catalog
from ludarium.core import BadParameter
from ludarium.core.files import write_file
from ludarium.core.syntax import is_place
from ludarium.terminal.arguments import GameName, check_writable

if TYPE_CHECKING:
    from ludarium.arena.assess import Assessment

_RANDOM = 20  # matches at random, which come first
_LOOK = 0.3  # seconds between two looks at a file


def assess(
    game: GameName,
    *,
    matches: Annotated[int, typer.Option(min=0, help="How many matches the agent plays against itself.")] = 30,
    agent: Annotated[str, typer.Option(help="Who plays.", show_default="uct, or ismcts if something is hidden")] = "",
    iterations: Annotated[int, typer.Option(min=1, help="How much the agent thinks about a move.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The seed of all matches.")] = 0,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with figures too, .html.", show_default="none")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Begin anew whenever the file is saved, until Ctrl-C.")
    ] = False,
) -> None:
    """Play a game again and again, and tell its designer how long, how fair and how dramatic it is, and what is never used.

    Intervals narrow as it goes on; Ctrl-C keeps what was found so far. A file with mistakes is not played: they are listed.
    """
    if watch:
        words = [game, f"--matches={matches}", f"--iterations={iterations}", f"--seed={seed}"]
        words += [f"--agent={agent}"] if agent else []
        _watch(_file_of(game), [*words, *([f"--report={report}"] if report is not None else [])])
    if report is not None and report.suffix.lower() != ".html":
        raise BadParameter(f"--report is '{report}'; expected a file that ends in .html")
    if report is not None:
        check_writable(report)
    if Path(game).suffix.lower() in catalog.LANGUAGES:
        from ludarium.terminal.commands.check import check_rules

        if check_rules(Path(game), play=False, strict=False):
            raise typer.Exit(2)
    from ludarium.arena.assess import Assessment

    found = Assessment(catalog.game(game), agent=agent, iterations=iterations, seed=seed)
    stopped = _play(found, matches)
    _tell(found)
    if report is not None:
        _write(found, report)
    if stopped:
        typer.echo(f"stopped after {len(found.random) + len(found.matches)} matches", err=True)
        raise typer.Exit(130)


def _play(found: Assessment, matches: int) -> bool:
    """Play all matches, and show how the numbers settle meanwhile; whether somebody stopped it."""
    from rich.live import Live

    from ludarium.arena.assess import sheets
    from ludarium.terminal.sheets import sheets_view
    from ludarium.terminal.tables import console

    screen = console()
    with Live(console=screen, transient=True, auto_refresh=False) as live:
        try:
            for number in range(_RANDOM + matches):
                found.play_random() if number < _RANDOM else found.play_match()
                if screen.is_terminal:
                    live.update(sheets_view(sheets(found)[:1], screen.width), refresh=True)
        except KeyboardInterrupt:
            return True
    return False


def _tell(found: Assessment) -> None:
    from ludarium.arena.assess import findings, sheets
    from ludarium.terminal.sheets import findings_view, sheets_view
    from ludarium.terminal.tables import console

    screen = console()
    screen.print(sheets_view(sheets(found), screen.width))
    screen.print(findings_view(findings(found)))


def _write(found: Assessment, report: Path) -> None:
    from ludarium.arena.assess import assessment_page

    try:
        write_file(report, assessment_page(found))
    except OSError as problem:
        raise BadParameter(f"cannot write '{report}': {problem.strerror}") from None
    typer.echo(f"the page is {report}")


def _file_of(game: str) -> Path:
    """The file that a game is in."""
    name = game.partition("(")[0]
    path = Path(name.rpartition(":")[0] if is_place(name) else name)
    if not path.is_file():
        raise BadParameter(f"'{game}' is no file that could be watched; expected one such as my/game.lud")
    return path


def _watch(file: Path, words: list[str]) -> NoReturn:
    """Run this command, and again whenever the file has changed."""
    command = [sys.executable, "-m", "ludarium", "assess", *words]
    apart = {"process_group": 0} if os.name == "posix" else {}  # Ctrl-C is told to it once, and by us
    while True:
        seen = _read(file)
        typer.echo(f"--- {file}; Ctrl-C ends", err=True)
        running = subprocess.Popen(command, **apart)  # type: ignore[call-overload]  # noqa: S603
        try:
            while _read(file) in (seen, b""):  # a file that is being written may be empty, or not there
                time.sleep(_LOOK)
        except KeyboardInterrupt:
            if running.poll() is None:
                running.send_signal(signal.SIGINT)
            running.wait()
            raise typer.Exit(130) from None
        running.terminate()
        running.wait()


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""
