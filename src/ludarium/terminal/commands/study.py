"""The command `study`: the experiment of a paper, run again; its page is brought up to date with what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from ludarium.core import BadParameter
from ludarium.terminal.arguments import typed


def study(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="STUDY", help="Which one.", show_default="list them")] = None,
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="All parts of the study at a small size: a few minutes of CPU time at most.")
    ] = False,
    games: Annotated[
        list[str] | None, typer.Option("--games", metavar="GAME...", help="Only these games.", show_default="all")
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agents", metavar="AGENT...", help="These players.", show_default="those of the study"),
    ] = None,
    matches: Annotated[int | None, typer.Option(min=1, help="How often everybody meets everybody else.")] = None,
    random_matches: Annotated[int | None, typer.Option(min=1, help="Matches among random players.")] = None,
    seconds: Annotated[float | None, typer.Option(help="The play clock.")] = None,
    start_seconds: Annotated[float | None, typer.Option(help="The start clock.")] = None,
    forward_calls: Annotated[
        int | None,
        typer.Option(min=1, help="States that a player may look at in a turn, in addition to the play clock."),
    ] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="How often an evolution is repeated.")] = None,
    generations: Annotated[int | None, typer.Option(min=1, help="How long it is.")] = None,
    population: Annotated[int | None, typer.Option(min=2, help="How many evolve for each role.")] = None,
    bouts: Annotated[int | None, typer.Option(min=1, help="Matches of each of them with random opponents.")] = None,
    trials: Annotated[int | None, typer.Option(min=2, help="Matches of what was evolved with random players.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="The farthest that these look ahead.")] = None,
    mendings: Annotated[
        list[str] | None, typer.Option("--mendings", metavar="NAME...", help="What is changed.", show_default="all")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Published tables to learn from.", show_default="none")
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Play matches of ours to learn from, instead of learning.")
    ] = False,
    heuristics: Annotated[
        bool, typer.Option("--heuristics", help="With --measure: alpha-beta with each heuristic, instead of agents.")
    ] = False,
    cpu_seconds: Annotated[
        float | None,
        typer.Option(
            min=1e-4, help="With --measure: CPU time for a move, instead of forward calls.", show_default="none"
        ),
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="The file for the results.", show_default="STUDY.db, or STUDY-quick.db")
    ] = None,
    page: Annotated[Path | None, typer.Option(help="The page to update or to create.", show_default="STORE.md")] = None,
    play: Annotated[
        bool, typer.Option(help="Play what is not in the store yet; otherwise only write the page.")
    ] = True,
    extend: Annotated[bool, typer.Option("--extend", help="Add to a store with other games or clocks.")] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Matches to play at the same time.", show_default="one per processor")
    ] = None,
    on: Annotated[str, typer.Option(metavar="processes|threads|ray|ADDRESS", help="Where.")] = "processes",
) -> None:
    """Repeat the experiment of a paper, and write down the results beside the published ones."""
    from ludarium.studies import study as find
    from ludarium.terminal.commands.tournament import run_plan

    if name is None:
        _list()
        return
    module = find(name)
    scale = module.QUICK if quick else module.FULL_SCALE
    given: dict[str, Any] = {"matches": matches, "random_matches": random_matches}
    given |= {"seconds": seconds, "start_seconds": start_seconds}
    given |= {"forward_calls": forward_calls, "runs": runs, "generations": generations, "population": population}
    given |= {"bouts": bouts, "trials": trials, "depths": None if depth is None else tuple(range(1, depth + 1))}
    given |= {"mendings": tuple(mendings) if mendings else None, "data": data}
    given |= {"heuristics": heuristics or None, "cpu_seconds": cpu_seconds}
    given = {key: value for key, value in given.items() if value is not None}
    if strange := [key for key in given if not hasattr(scale, key)]:
        raise BadParameter(f"study {name} takes no --{strange[0].replace('_', '-')}")
    scale = replace(scale, **given)
    path = store or Path(f"{name}{'-heuristics' if heuristics else ''}{'-quick' if quick else ''}.db")
    page = page or path.with_suffix(".md")
    _take_kept(module, path, page)
    again = " ".join(["ludarium study", *map(quote, typed(ctx))])
    _check_measure(ctx, name, module, measure=measure)
    if play and measure:
        _work(lambda say: module.measure(scale, path, say, games, agents), again)
    elif play and hasattr(module, "play_alone"):
        if agents:
            raise BadParameter(f"study {name} takes no --agents")
        _work(lambda say: module.play_alone(scale, path, say, games, mendings), again)
    elif play:
        made = module.plan(scale, games, agents)
        run_plan(made, path, again=again, workers=workers, on=on, extend=extend, conclude=False)
        if hasattr(module, "play_more") and not (games or agents):
            _work(lambda say: module.play_more(scale, path, say), again)
    elif not path.exists():
        raise BadParameter(f"there is no store {path}: nothing was played yet")
    _conclude(module, path, page)


def _take_kept(module: Any, path: Path, page: Path) -> None:
    """Let a study go on from what is kept beside its page."""
    if hasattr(module, "take_kept"):
        module.take_kept(path, page.with_suffix(""))


_PLANNED = ("workers", "on", "extend")
"""Options of the arena, which plays plans; measuring makes them up as it goes."""


_MEASURED = ("heuristics", "cpu_seconds")


def _check_measure(ctx: typer.Context, name: str, module: Any, *, measure: bool) -> None:
    """Refuse to measure where nothing is measured, and options that would not be heeded."""
    if not measure:
        if any(ctx.params.get(option) for option in _MEASURED):
            raise BadParameter(f"study {name} takes --heuristics and --cpu-seconds only with --measure")
        return
    if not hasattr(module, "measure"):
        raise BadParameter(f"study {name} takes no --measure")
    for option in _PLANNED:
        source = ctx.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            raise BadParameter(
                f"study {name} --measure plays one match after the other, and takes no --{option}: to use more processors, "
                "start it again with other --games and another --store"
            )


def _work(task: Callable[[Callable[[str], None]], None], again: str) -> None:
    """Let a study do what is no match of the arena, and say how far it is."""
    from ludarium.terminal.tables import console

    screen = console()
    try:
        with screen.status("…") as status:
            task(status.update)
    except KeyboardInterrupt:
        screen.print(f"Stopped; what was played is stored. To continue:\n  {again}", markup=False, soft_wrap=True)
        raise typer.Exit(130) from None


def _conclude(module: Any, path: Path, page: Path) -> None:
    """Show what was found, and write the page."""
    from ludarium.studies.page import write
    from ludarium.terminal.commands.results import opened
    from ludarium.terminal.sheets import findings_view, print_sheets
    from ludarium.terminal.tables import console

    screen = console()
    screen.print("measuring and writing …", style="dim")
    if hasattr(module, "findings_in"):
        found = module.findings_in(path)
    else:
        with opened(path) as store:
            found = module.findings(store)
    print_sheets(screen, found.sheets)
    screen.print(findings_view(found.answer))
    written = write(found, page)
    screen.print(f"\npage: {written[0]}, with {len(written) - 1} files of figures and tables beside it", soft_wrap=True)


def _list() -> None:
    from ludarium.studies import STUDIES
    from ludarium.terminal.tables import agents_table, console

    table = agents_table((name, entry.about) for name, entry in STUDIES.items())
    table.columns[0].header = "study"
    console().print(table)
