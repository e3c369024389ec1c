"""The command `tournament`: plays a plan, shows how it goes, and ends with a table and a report."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ludarium.core import BadParameter, LudariumError
from ludarium.core.match import MOST_MATCHES
from ludarium.terminal.arguments import Choices, count, typed, with_choices

if TYPE_CHECKING:
    from rich.console import Console

    from ludarium.arena import Outcome, Plan, Store
    from ludarium.core import Match

_PLAYED, _DONE = "What is played", "How it is done"
_SAFE = 1 << 48  # a seed that takes too long to guess
_MOST_MEGABYTES = 1 << 30
_REASONS = 5  # that are told of matches that could not be played


def tournament(
    ctx: typer.Context,
    plan: Annotated[
        Path | None,
        typer.Argument(
            metavar="PLAN",
            help="A file that says what to play: any kind of tournament, several limits, and more than fits on a "
            "line. docs/arena.md explains it.",
            show_default=False,
        ),
    ] = None,
    *,
    games: Annotated[
        list[str] | None, typer.Option(metavar="GAME...", help="The games.", rich_help_panel=_PLAYED)
    ] = None,
    agents: Annotated[
        list[str] | None, typer.Option(metavar="AGENT...", help="The agents.", rich_help_panel=_PLAYED)
    ] = None,
    option: Choices = None,
    games_per_pair: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_MATCHES,
            help="Matches of every pair of agents in every game, spread evenly over the seats.",
            show_default="10",
            rich_help_panel=_PLAYED,
        ),
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
    start_seconds: Annotated[
        float | None, typer.Option(help="Time to get ready before the match.", rich_help_panel=_PLAYED)
    ] = None,
    move_limit: Annotated[
        int | None,
        typer.Option(
            help="Plies after which a match is a draw.", show_default="2000; 0 for none", rich_help_panel=_PLAYED
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Another seed gives other matches; agents can guess a seed that you choose.",
            show_default="drawn for the store",
            rich_help_panel=_PLAYED,
        ),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="full|moves|result",
            help="How much of a match to keep.",
            show_default="full",
            rich_help_panel=_PLAYED,
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            help="The file for the results. Matches in it are not played again.",
            show_default="PLAN.db, or a name made from what is played",
            rich_help_panel=_DONE,
        ),
    ] = None,
    extend: Annotated[
        bool,
        typer.Option("--extend", help="Add to a store that was started with another plan.", rich_help_panel=_DONE),
    ] = False,
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
    patience: Annotated[
        float, typer.Option(help="Seconds past the clock after which an agent is taken to hang.", rich_help_panel=_DONE)
    ] = 300.0,
    memory: Annotated[
        int | None,
        typer.Option(
            min=1, max=_MOST_MEGABYTES, help="Megabytes per worker.", show_default="a fair share", rich_help_panel=_DONE
        ),
    ] = None,
    apart: Annotated[
        bool,
        typer.Option(
            "--apart",
            help="Run every agent in its own process, out of reach of what is hidden: for agents that you do not trust.",
            rich_help_panel=_DONE,
        ),
    ] = False,
    report: Annotated[
        bool, typer.Option(help="Write a page about the results at the end.", rich_help_panel=_DONE)
    ] = True,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, only the table.", rich_help_panel=_DONE)
    ] = False,
) -> None:
    """Play agents against each other; stop whenever you like, and resume with the same command.

    Every match is stored as soon as it is finished. Ctrl-C stops after the matches in progress; a second one abandons them.
    """
    if option and not games:
        raise BadParameter(
            "--option chooses a variant of the games of --games: in a plan, write it behind the game, in brackets"
        )
    games = [with_choices(game, option) for game in games] if games else games
    given: dict[str, Any] = {"games": games, "agents": agents, "matches": games_per_pair, "seconds": seconds}
    given |= {"iterations": iterations, "forward_calls": forward_calls, "start_seconds": start_seconds}
    given |= {"move_limit": move_limit, "seed": seed, "record": record}
    made = _plan(plan, {key: value for key, value in given.items() if value is not None}, apart=apart)
    run_plan(
        made,
        store or _store(plan, made),
        again=" ".join(["ludarium tournament", *map(quote, typed(ctx))]),
        workers=workers,
        on=on,
        extend=extend,
        patience=patience,
        memory=None if memory is None else memory << 20,
        apart=apart,
        page=report,
        quiet=quiet,
    )


def run_plan(
    plan: Plan,
    path: Path,
    *,
    again: str,
    workers: int | None,
    on: str,
    extend: bool = False,
    patience: float = 300.0,
    memory: int | None = None,
    apart: bool = False,
    page: bool = True,
    quiet: bool = False,
    conclude: bool = True,
    stored: Callable[[Match], None] = lambda _: None,
) -> None:
    """Play a plan and show how it goes, and at the end what came out; leave if it was not played to its end.

    Every match is handed to `stored` as soon as it is.
    """
    from ludarium.arena import Store, run
    from ludarium.arena.tournament.workers import THREADS
    from ludarium.terminal.standings import NARROW, Standings, Watch
    from ludarium.terminal.tables import console

    screen = console()
    standings = Standings(budgets=len({str(pairing.terms.limit) for pairing in plan.pairings}) > 1)
    for note in () if quiet else plan.notes:
        screen.print(note, style="dim", markup=False, soft_wrap=True)
    if apart and any(pairing.seed is not None and pairing.seed < _SAFE for pairing in plan.pairings):
        screen.print("The plan has a small seed, which agents can guess: leave it out.", style="yellow")
    options: dict[str, Any] = {"on": on, "extend": extend, "patience": patience, "memory": memory, "command": again}
    options["apart"] = apart
    with Store(path) as store:
        if other := _count_stored(store, plan, standings, extend=extend):
            told = (
                f"{path} also holds {count(other, 'match', 'matches')} by other rules of these games: not counted here"
            )
            screen.print(told, style="yellow", markup=False, soft_wrap=True)
        try:
            title = f"{_describe_plan(plan)}; results go to {path}"
            with Watch(screen, standings, title, quiet=quiet, stored=stored) as watch:
                outcome = run(plan, store, workers, progress=watch, **options)
        except KeyboardInterrupt:
            known = store.ids()
            _stopped(screen, len(plan), sum(fixture.id in known for fixture in plan), again, now=on == THREADS)
        if outcome.interrupted and outcome.left:
            screen.print(standings.table(narrow=screen.width < NARROW))
            _stopped(screen, outcome.total, outcome.total - outcome.left, again)
    if not quiet:
        screen.print(_summary(outcome), style="dim", soft_wrap=True)
    if conclude:
        _conclude(screen, path, plan, standings.table(narrow=screen.width < NARROW), page=page)
    if outcome.failed:
        raise LudariumError(_failures(outcome.failed))
    if outcome.left:
        missing = f"{outcome.left:,} of {count(outcome.total, 'match', 'matches')}"
        raise LudariumError(f"{missing} that were planned are not stored; the same command plays them")


def _plan(file: Path | None, given: dict[str, Any], *, apart: bool = False) -> Plan:
    from ludarium.arena import free_for_all, load
    from ludarium.arena.plan.elsewhere import make_elsewhere

    if file is None:
        if missing := [f"--{key}" for key in ("games", "agents") if key not in given]:
            example = "--games nim connect-four --agents uct flat random"
            raise BadParameter(f"what should be played? Give a plan, or {' and '.join(missing)}, such as: {example}")
        return make_elsewhere(None, given) if apart else free_for_all(given.pop("games"), given.pop("agents"), **given)
    if given:
        names = {"matches": "games_per_pair"}
        said = ", ".join(f"--{names.get(key, key).replace('_', '-')}" for key in given)
        raise BadParameter(f"{file} already says what is played, so {said} cannot be given as well")
    return make_elsewhere(file, {}) if apart else load(file)


def _store(file: Path | None, plan: Plan) -> Path:
    return file.with_suffix(".db") if file is not None else Path(f"tournament-{plan.id[:8]}.db")


def _describe_plan(plan: Plan) -> str:
    games = {pairing.game for pairing in plan.pairings}
    agents = {agent for pairing in plan.pairings for agent in pairing.agents}
    named = f"{plan.name}: " if plan.name else ""
    return f"{named}{count(len(plan), 'match', 'matches')}, {count(len(games), 'game')}, {count(len(agents), 'agent')}"


def _count_stored(store: Store, plan: Plan, standings: Any, *, extend: bool) -> int:
    """Count what was played before, unless the plan is refused; how many matches by other rules do not count."""
    if not extend:
        store.check(plan)
    if not len(store):
        return 0
    import numpy as np

    from ludarium.arena.results import Results

    columns = store.table(brief=True, coded=True)
    if not standings.budgets:
        columns.pop("budget")
    results, other = Results.of(columns).as_scores(), store.by_other_rules(plan)
    results = results.where(~np.isin(results.match, other))
    names = results.agent.names
    scores, won, drawn = (
        np.bincount(results.agent.codes, counted, len(names)) for counted in (results.utility, *results.outcomes())
    )
    plays = np.bincount(results.agent.codes, minlength=len(names))
    for code, name in enumerate(names):
        standings.count(name, float(scores[code]), won=int(won[code]), drawn=int(drawn[code]), plays=int(plays[code]))
    return len(other)


def _stopped(screen: Console, total: int, done: int, again: str, *, now: bool = False) -> NoReturn:
    """Say how to go on, and leave."""
    screen.print(f"Stopped: {done:,} of {count(total, 'match', 'matches')} have been played and stored. To continue:")
    screen.print(f"  {again}", style="bold", markup=False, soft_wrap=True)
    if now:  # threads cannot be ended, and Python would wait for the matches that they play
        sys.stdout.flush()
        os._exit(130)
    raise typer.Exit(130)


def _summary(outcome: Outcome) -> str:
    from ludarium.terminal.standings import in_words, per_second

    parts = []
    if outcome.played:
        rate = per_second(outcome.played / max(1e-9, outcome.seconds))
        parts.append(f"{count(outcome.played, 'match', 'matches')} in {in_words(outcome.seconds)}, {rate}")
    if outcome.before:
        parts.append(f"{count(outcome.before, 'match was', 'matches were')} already stored")
    if outcome.elsewhere:
        parts.append(f"{count(outcome.elsewhere, 'match', 'matches')} by other processes")
    return "; ".join(parts)


def _conclude(screen: Console, path: Path, plan: Plan, table: Any, *, page: bool) -> None:
    """Show what came out, with all that statistics say if they are installed."""
    from ludarium.terminal.commands.results import page_beside, read_report, show_findings

    screen.print(table)
    try:
        made = read_report(path, plan=plan, every=None if page else False)
        show_findings(screen, made)
        written = made.write(page_beside(path))[0] if page else None
    except LudariumError as problem:
        screen.print(f"no report: {problem}", soft_wrap=True, markup=False)
        return
    screen.print(f"\nmore: ludarium results {quote(str(path))}", markup=False, soft_wrap=True)
    if written is not None:
        screen.print(f"page: {written}", markup=False, soft_wrap=True)


def _failures(failed: dict[str, str]) -> str:
    reasons = list(dict.fromkeys(failed.values()))
    more = [f"  and {len(reasons) - _REASONS} more reasons"] if len(reasons) > _REASONS else []
    head = f"{count(len(failed), 'match', 'matches')} could not be played; the same command tries again:"
    return "\n".join([head, *(f"  {reason}" for reason in reasons[:_REASONS]), *more])
