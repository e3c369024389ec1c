"""The command `evolve`: coevolves networks for all roles of a game, and ends with a file to play with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core import BadParameter
from ludarium.terminal.arguments import typed

if TYPE_CHECKING:
    from ludarium.evaluate.evolved.network import Network

_HOW, _SEES, _PLAYS, _DONE = "How it evolves", "What networks see", "How they play", "How it is done"


def evolve(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Any game for two or more; a file, too.")],
    *,
    generations: Annotated[int, typer.Option(help="Generations.", rich_help_panel=_HOW)] = 300,
    population: Annotated[int, typer.Option(help="Networks for each role.", rich_help_panel=_HOW)] = 100,
    seed: Annotated[int, typer.Option(help="Another seed gives another evolution.", rich_help_panel=_HOW)] = 1,
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="cca|managed|balanced|pareto|nash|maxsolve",
            help="What is kept, and who is fit.",
            rich_help_panel=_HOW,
        ),
    ] = "cca",
    bouts: Annotated[
        int, typer.Option(help="Matches of everybody with random opponents, per generation.", rich_help_panel=_HOW)
    ] = 50,
    basis: Annotated[
        Path | None,
        typer.Option(
            help="Champions of another game, or of this one, to begin with.",
            show_default="random",
            rich_help_panel=_HOW,
        ),
    ] = None,
    basis_games: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME...",
            help="Evolve in these games first, all at once, and begin with that.",
            show_default="none",
            rich_help_panel=_HOW,
        ),
    ] = None,
    inputs: Annotated[
        str,
        typer.Option(metavar="projection|groups|features", help="How states become inputs.", rich_help_panel=_SEES),
    ] = "projection",
    input_count: Annotated[int, typer.Option(help="Inputs of a projection.", rich_help_panel=_SEES)] = 40,
    counters: Annotated[bool, typer.Option(help="Whether counters of turns are seen.", rich_help_panel=_SEES)] = True,
    depth: Annotated[int, typer.Option(help="Plies that players look ahead.", rich_help_panel=_PLAYS)] = 1,
    samples: Annotated[
        int, typer.Option(help="How often a move is tried where several roles move at once.", rich_help_panel=_PLAYS)
    ] = 4,
    avoid_cycles: Annotated[
        bool, typer.Option(help="Avoid states that have been there, not looking at counters.", rich_help_panel=_PLAYS)
    ] = False,
    move_limit: Annotated[int, typer.Option(help="Plies after which a match is a draw.", rich_help_panel=_PLAYS)] = 400,
    out: Annotated[Path, typer.Option(help="The file for the champions.", rich_help_panel=_DONE)] = Path(
        "champions.json"
    ),
    workers: Annotated[
        int | None, typer.Option(min=1, help="Threads.", show_default="one per processor", rich_help_panel=_DONE)
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, only the result.", rich_help_panel=_DONE)
    ] = False,
) -> None:
    """Evolve players for all roles of a game; stop whenever you like, and resume with the same command.

    Every generation is written down as soon as it has lived, in a file beside that of the champions.
    """
    from ludarium.catalog import game as make
    from ludarium.evaluate.evolved.champions import Champions
    from ludarium.evaluate.evolved.inputs import Mapping
    from ludarium.evolve.basis import basis_of
    from ludarium.evolve.bouts import Terms
    from ludarium.evolve.page import write_page
    from ludarium.evolve.run import evolve as run
    from ludarium.evolve.settings import Settings
    from ludarium.terminal.evolving import Watch
    from ludarium.terminal.tables import console

    if out.is_dir() or not out.parent.is_dir():
        raise BadParameter(f"--out {out}: expected a file in a folder that exists")
    settings = Settings(
        generations=generations, population=population, seed=seed, algorithm=algorithm, bouts=bouts,
        inputs=Mapping(inputs, input_count, seed, counters),
        terms=Terms(depth=depth, samples=samples, avoid=avoid_cycles, limit=move_limit),
    )  # fmt: skip
    screen = console()
    checkpoint = out.with_name(out.name + ".generations")
    made = make(game)
    if basis and basis_games:
        raise BadParameter("--basis and --basis-games: expected only one of them")
    known: Sequence[Sequence[Network]] = Champions.load(basis).teachers if basis else ()
    others = [make(each) for each in basis_games or ()]
    for name, roles in (
        [(f"--basis {basis}", len(known))] if basis else [(each.name, len(each.roles)) for each in others]
    ):
        if roles != len(made.roles):
            raise BadParameter(f"{name} is for {roles} roles, and {made.name} has {len(made.roles)}")
    kept = "the basis is not written down, and will evolve from its beginning"
    try:
        if others:
            with Watch(screen, quiet=quiet, what="basis, ") as watch:
                known = basis_of(others, settings, beginner=made, threads=workers, progress=watch)
        kept = "what has lived is written down"
        with Watch(screen, quiet=quiet) as watch:
            evolution = run(made, settings, checkpoint=checkpoint, threads=workers, basis=known, progress=watch)
    except KeyboardInterrupt:
        again = " ".join(["ludarium evolve", *map(quote, typed(ctx))])
        screen.print(f"Stopped: {kept}. To go on:\n  {again}", markup=False, soft_wrap=True)
        raise typer.Exit(130) from None
    champions = evolution.champions()
    champions.save(out)
    page = out.with_suffix(".html")
    write_page(evolution, champions, out, page)
    counts = ", ".join(f"{name} {len(each)}" for name, each in zip(champions.roles, champions.teachers, strict=True))
    screen.print(f"teachers: {counts}", markup=False, soft_wrap=True)
    judge = quote(f"osla(evaluator=evolved({out}))")
    screen.print(f"champions: {out}; page: {page}", markup=False, soft_wrap=True)
    screen.print(f"to play:   ludarium play {quote(game)} {judge} uct", markup=False, soft_wrap=True)
