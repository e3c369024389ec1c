"""The command `tune`: searches for better parameters, shows how it goes, and ends with the best and a picture."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ludarium.core import BadParameter, LudariumError
from ludarium.core.files import write_file
from ludarium.terminal.arguments import count, typed

if TYPE_CHECKING:
    from rich.console import Console

    from ludarium.tune import Order, Tuned

_WHAT, _PLAYED, _DONE = "What is tuned", "How it is played", "How it is done"


def tune(
    ctx: typer.Context,
    agent: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT",
            help="The agent to tune; what is in its brackets stays fixed: [bold]uct[/], [bold]'uct(reuse=False)'[/]. "
            "Without one, the game is tuned. Or a file ending in .toml that says all of this.",
            show_default=False,
        ),
    ] = None,
    *,
    game: Annotated[str | None, typer.Option(help="The game.", rich_help_panel=_WHAT)] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT...", help="Its opponents; a single one takes all other seats.", rich_help_panel=_WHAT
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT...", help="When a game is tuned: who plays it.", rich_help_panel=_WHAT),
    ] = None,
    space: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="A parameter and the values to try; a name alone takes the values that are worth "
            "trying, and [bold]all[/] does so for every other parameter.",
            show_default="all that are worth trying",
            rich_help_panel=_WHAT,
        ),
    ] = None,
    fitness: Annotated[
        str | None,
        typer.Option(
            metavar="score|utility|balance|length",
            help="What to maximise.",
            show_default="score",
            rich_help_panel=_WHAT,
        ),
    ] = None,
    target: Annotated[
        float | None, typer.Option(help="For length: how many plies a match should have.", rich_help_panel=_WHAT)
    ] = None,
    role: Annotated[
        str | None,
        typer.Option(help="The seat of the agent.", show_default="all in turn", rich_help_panel=_PLAYED),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(help="Matches per evaluation.", show_default="1; 10 for balance", rich_help_panel=_PLAYED),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Thinking time for each move.", rich_help_panel=_PLAYED)] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            help="Iterations for each move.", show_default="1000, if no limit is given", rich_help_panel=_PLAYED
        ),
    ] = None,
    forward_calls: Annotated[
        int | None, typer.Option(help="Calls of the forward model for each move.", rich_help_panel=_PLAYED)
    ] = None,
    move_limit: Annotated[
        int | None,
        typer.Option(
            help="Plies after which a match is a draw.", show_default="2000; 0 for none", rich_help_panel=_PLAYED
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="ntbea|grid|random|optuna",
            help="How to search, with optional parameters: [bold]'ntbea(k=2, epsilon=0.5)'[/].",
            show_default="ntbea",
            rich_help_panel=_DONE,
        ),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(help="Evaluations of the search.", show_default="200", rich_help_panel=_DONE)
    ] = None,
    check: Annotated[
        int | None,
        typer.Option(
            help="Evaluations to measure the best again, and what there was before.",
            show_default="200",
            rich_help_panel=_DONE,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Another seed gives another search.", show_default="0", rich_help_panel=_DONE)
    ] = None,
    ahead: Annotated[
        int | None,
        typer.Option(
            help="Evaluations in progress at once; the results depend on it, but not on the workers.",
            show_default="8",
            rich_help_panel=_DONE,
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            help="The file for the evaluations. What is in it is not evaluated again.",
            show_default="a name made from what is tuned",
            rich_help_panel=_DONE,
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="The file for the picture of the landscape, .svg or .png.",
            show_default="that of the store, with .svg",
            rich_help_panel=_DONE,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="Matches to play at the same time.", show_default="one per processor", rich_help_panel=_DONE
        ),
    ] = None,
    on: Annotated[
        str,
        typer.Option(
            metavar="processes|threads|ray|ADDRESS",
            help="Where to play: ADDRESS is that of a Ray cluster.",
            rich_help_panel=_DONE,
        ),
    ] = "processes",
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, only the result.", rich_help_panel=_DONE)
    ] = False,
) -> None:
    """Find better parameters for an agent, or for a game; stop whenever you like, and resume with the same command.

    Every evaluation is stored as soon as it is finished. Ctrl-C stops after those in progress;
    a second one abandons them.
    """
    if picture is not None and picture.suffix not in (".svg", ".png"):
        raise BadParameter(f"--picture {picture}: a picture ends in .svg or .png")
    given: dict[str, Any] = {"game": game, "against": against or None, "agents": agents or None, "space": space or None}
    given |= {"fitness": fitness, "target": target, "role": role, "matches": matches, "seconds": seconds}
    given |= {"iterations": iterations, "forward_calls": forward_calls, "move_limit": move_limit, "method": method}
    given |= {"budget": budget, "check": check, "seed": seed, "ahead": ahead}
    made, path = _order(agent, given, store)
    again = " ".join(["ludarium tune", *map(quote, typed(ctx))])
    _run(made, path, picture or path.with_suffix(".svg"), again=again, workers=workers, on=on, quiet=quiet)


def _order(agent: str | None, given: dict[str, Any], store: Path | None) -> tuple[Order, Path]:
    """Read what is to be tuned, and find the file for it."""
    from ludarium.tune import load, order
    from ludarium.tune.tuning import digest

    if agent is not None and agent.endswith(".toml"):
        made = load(agent, **given)
        return made, store or Path(agent).with_suffix(".db")
    made = order(agent=agent, **given)
    return made, store or Path(f"tune-{digest(made.problem, made.method, made.ahead)}.db")


def _run(made: Order, path: Path, picture: Path, *, again: str, workers: int | None, on: str, quiet: bool) -> None:
    from ludarium.arena.tournament.workers import processors
    from ludarium.terminal.tables import console
    from ludarium.terminal.tuning import Watch, result_table
    from ludarium.tune import tune as search

    screen = console()
    problem = made.problem
    if not quiet:
        size = count(problem.space.size, "configuration")
        subject = f"{problem.named({})}: {size}, {count(made.budget, 'evaluation')} by {made.method.name}"
        for line in (f"{subject}; they go to {path}", *problem.notes):
            screen.print(line, style="dim", markup=False, soft_wrap=True)
    hands = min(made.ahead, workers or processors())
    try:
        with Watch(screen, problem, quiet=quiet) as watch:
            tuned = search(
                problem, made.method, budget=made.budget, check=made.check, ahead=made.ahead, store=path, workers=hands,
                on=on, progress=watch,
            )  # fmt: skip
    except KeyboardInterrupt:
        _stopped(screen, "What was evaluated before is stored.", again)
    if tuned.interrupted and (len(tuned.evaluated) < made.budget or (made.check and tuned.measured is None)):
        if tuned.ranking:
            screen.print(result_table(tuned))
        _stopped(screen, f"{len(tuned.evaluated):,} of {count(made.budget, 'evaluation')} are made and stored.", again)
    screen.print(result_table(tuned))
    _conclude(screen, tuned, picture)


def _stopped(screen: Console, told: str, again: str) -> NoReturn:
    screen.print(f"Stopped: {told} To go on:", soft_wrap=True)
    screen.print(f"  {again}", style="bold", markup=False, soft_wrap=True)
    raise typer.Exit(130)


def _conclude(screen: Console, tuned: Tuned, picture: Path) -> None:
    """Name the best, and draw the landscape."""
    screen.print(f"\nbest: {tuned.name}", markup=False, soft_wrap=True)
    if tuned.faults:
        screen.print(f"{count(tuned.faults, 'evaluation')} with faults of agents", style="yellow")
    try:
        from ludarium.tune.picture import landscape

        drawing = landscape(tuned)
        write_file(picture, drawing.png() if picture.suffix == ".png" else drawing.svg())
    except LudariumError as problem:
        screen.print(f"no picture: {problem}", markup=False, soft_wrap=True)
    except OSError as problem:
        raise BadParameter(f"{picture} cannot be written: {problem.strerror}") from None
    else:
        screen.print(f"picture: {picture}", markup=False, soft_wrap=True)
