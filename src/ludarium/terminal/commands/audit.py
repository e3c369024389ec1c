"""The command `audit`: whether agents, or the game itself, know what the rules hide; with the position that proves it."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium import catalog, registry
from ludarium.core import Agent, Game, Rng, UnsupportedGame
from ludarium.terminal.arguments import GameName, count

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from ludarium.arena.leaks.shown import Exposure
    from ludarium.arena.leaks.verdicts import Leak, Verdict

_LEGEND = (
    "others: positions with another world that looks the same to the role; whole: those in which it was another one from "
    "the role's first decision on; none: positions without one (?: none was found); compared: decisions, with those on "
    "the way"
)


def audit(
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", help="The agents to audit.", show_default="all that can play it"),
    ] = None,
    *,
    positions: Annotated[
        int, typer.Option(min=1, help="Positions for each agent, half of them from its own play.")
    ] = 20,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Iterations for each move.", show_default="100, if no limit is given")
    ] = None,
    forward_calls: Annotated[int | None, typer.Option(min=1, help="Calls of the forward model for each move.")] = None,
    plies: Annotated[int, typer.Option(min=1, help="Look at positions after fewer plies than this.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the matches, and of the agents.")] = 0,
) -> None:
    """Check that no decision depends on what is hidden: put agents into other worlds that they cannot tell apart.

    Exit code 1 if something leaks: the position that proves it is shown.
    """
    from rich.padding import Padding
    from rich.progress import Progress, SpinnerColumn, TextColumn
    from rich.text import Text

    from ludarium.arena.leaks.audit import audit as audited
    from ludarium.terminal.tables import console

    made = catalog.game(game)
    seated = [catalog.agent(name) for name in agents] if agents else _able(made)
    screen = console()
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False)
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("")
        found = audited(
            made,
            seated,
            positions=positions,
            iterations=iterations,
            forward_calls=forward_calls,
            plies=plies,
            seed=seed,
            watch=lambda name: progress.update(task, description=name or made.name),
        )
    screen.print(verdicts_table(found.verdicts))
    for exposure in found.exposures:
        screen.print(exposed(exposure))
    for verdict in found.verdicts:
        for proof in (verdict.leaks or verdict.unrepeatable)[:1]:
            screen.print(proved(proof, repeatable=bool(verdict.leaks)))
        if verdict.guesses.proved:
            screen.print(Padding(Text(_guessed(verdict), "red"), (0, 1)))
        if verdict.failure:
            screen.print(Padding(Text(f"{verdict.agent} failed: {verdict.failure}", "red"), (0, 1)))
    screen.print(Padding(Text(_LEGEND, "dim"), (0, 1)))
    shows = "shows a role what it hides" if found.exposures else "shows no role what it hides, as far as was seen"
    screen.print(f" {made.name} {shows}", style="dim")
    raise typer.Exit(0 if found.clean else 1)


def _able(game: Game) -> list[Agent]:
    """List the agents of the catalog that can play a game that hides something."""
    from ludarium.arena.seating import sit_down

    able = []
    for name in registry.listed("agent") if not game.traits.perfect_information else ():
        made = catalog.agent(name)
        try:
            sit_down(made, game, 0, Rng(0))
        except UnsupportedGame:
            continue
        able.append(made)
    return able


def verdicts_table(verdicts: list[Verdict]) -> Table:
    """List agents, the positions that they were audited at, and what was found out."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=True)
    table.add_column("agent", overflow="fold")
    for name in ("positions", "others", "whole", "none", "compared"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for each in verdicts:
        unknown = each.positions - each.others - each.alone
        none = f"{each.alone}" + (f" + {unknown}?" if unknown else "")
        numbers = (f"{each.positions:,}", f"{each.others:,}", f"{each.whole:,}", none, f"{each.decisions:,}")
        table.add_row(Text(each.agent, "bold"), *numbers, Text(*_verdict(each)))
    return table


def _verdict(verdict: Verdict) -> tuple[str, str]:
    """Say in words what was found out, and in which colour."""
    if verdict.leaks:
        return f"{count(len(verdict.leaks), 'leak')}", "bold red"
    if verdict.guesses.proved:
        return "guesses the seed", "bold red"
    if verdict.failure:
        return "failed", "bold red"
    if verdict.unrepeatable:
        return "not repeatable", "bold red"
    if not verdict.others:
        return "nothing to compare", "yellow"
    return "no leak", "green"


def _guessed(verdict: Verdict) -> str:
    """Say why an agent must know the seed."""
    told = f"{verdict.agent} decides otherwise when what it draws from belongs to the seed of the match"
    chance = f"at {verdict.guesses.baits} choices, by chance {verdict.guesses.likelihood:.1g} of the time"
    return f"{told} ({chance}): it works out the seed, and knows how chance falls"


def proved(leak: Leak, *, repeatable: bool) -> RenderableType:
    """Show the position in which an agent decided otherwise."""
    why = (
        f"{leak.agent} knows what it was not told"
        if repeatable
        else f"{leak.agent} decides otherwise with the same seed in the same world, so nothing can be said of it"
    )
    where = f"{leak.role} to move {_when(leak.moves)}, seed {leak.seed}; other: {', '.join(leak.differing)}"
    return _scene(why, where, leak.worlds, ("it decides", *leak.decisions))


def exposed(exposure: Exposure) -> RenderableType:
    """Show the position in which a game shows what it hides."""
    why = f"{exposure.game} shows what it hides by {exposure.what}"
    where = f"{exposure.role} {_when(exposure.moves)}, seed {exposure.seed}"
    return _scene(why, where, exposure.worlds, (f"{exposure.role} is shown", *exposure.shown))


def _when(moves: str) -> str:
    return f"after {moves}" if moves else "at the beginning"


def _scene(why: str, where: str, worlds: tuple[str, str], told: tuple[str, str, str]) -> RenderableType:
    """Put two worlds that a role cannot tell apart side by side, and below what differs."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    from ludarium.terminal.tables import console

    wide = sum(max(map(len, world.split("\n"))) for world in worlds) + 12 > console().width
    here, there = worlds
    states = Table.grid(padding=(0, 6))
    if wide:  # the other one line by line, as far as it is another
        pairs = zip_longest(here.split("\n"), there.split("\n"), fillvalue="")
        others = "\n".join(theirs for ours, theirs in pairs if ours != theirs)
        for title, world in (
            ("the world as it is", here),
            ("another one that looks the same, where it differs", others),
        ):
            states.add_row(Text(title, "dim"))
            states.add_row(Text(world))
    else:
        states.add_row(Text("the world as it is", "dim"), Text("another one that looks the same", "dim"))
        states.add_row(Text(here, no_wrap=True), Text(there, no_wrap=True))
    what, ours, theirs = told
    answers = Table.grid(padding=(0, 2))
    answers.add_row(Text(f"here {what}", "dim"), Text(ours))
    answers.add_row(Text(f"there {what}", "dim"), Text(theirs))
    inside = Padding(Group(Text(where), "", states, "", answers), (0, 1))
    return Panel(inside, title=Text(why, "bold red"), title_align="left", border_style="red")
