"""The commands for a store of results: `results` shows them, `report` writes a page, `export` files for other programs."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from shlex import quote
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludarium.core import BadParameter, UnknownName
from ludarium.core.match import MOST_MATCHES
from ludarium.terminal.arguments import StoreFile, blaming_the_store, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from rich.console import Console
    from rich.table import Table

    from ludarium.arena import Plan, Store
    from ludarium.arena.report.report import Report
    from ludarium.core import Match

Games = Annotated[
    list[str] | None, typer.Option("--games", metavar="GAME...", help="Only these games.", show_default="all")
]
Utilities = Annotated[
    bool, typer.Option("--utilities", help="Average the utilities that the games give, instead of counting wins.")
]
Every = Annotated[
    bool | None,
    typer.Option(
        "--moves/--no-moves",
        help="Also look at every move: thinking times, choices, who led.",
        show_default="if there are fewer than a million",
    ),
]
_MANY = 1_000_000  # moves; reading them takes about a quarter of a minute


@blaming_the_store
def results(
    store: StoreFile,
    *,
    tables: Annotated[
        list[str] | None,
        typer.Option("--tables", metavar="TABLE...", help="Only these tables.", show_default="those that fit"),
    ] = None,
    games: Games = None,
    utilities: Utilities = False,
    moves: Every = None,
    matches: Annotated[
        int | None,
        typer.Option("--matches", min=1, max=MOST_MATCHES, metavar="N", help="List the last N matches instead."),
    ] = None,
) -> None:
    """Show what a tournament proves: findings in words, and tables."""
    from ludarium.terminal.sheets import print_sheets
    from ludarium.terminal.tables import console

    screen = console()
    if matches is not None:
        listed = _last(store, matches, games)
        screen.print(_matches_table(listed, narrow=screen.width < 70))
        return
    if tables is not None and "measures" not in tables:
        moves = False  # no other table is made from them
    made = read_report(store, games=games, utilities=utilities, every=moves)
    by_name = {sheet.name: sheet for sheet in made.sheets}
    for name in tables or []:
        if name not in by_name:
            raise BadParameter(f"there is no table '{name}': there are {', '.join(by_name)}")
    if not tables:
        show_findings(screen, made)
        screen.print()
    for remark in made.remarks if tables else ():
        screen.print(remark, style="yellow", markup=False, soft_wrap=True)
    print_sheets(
        screen, [by_name[name] for name in tables or by_name if tables is not None or by_name[name].for_terminal]
    )
    if rest := [name for name, sheet in by_name.items() if not sheet.for_terminal and not tables]:
        screen.print(f"more with --tables: {', '.join(rest)}", style="dim")


@blaming_the_store
def report(
    store: StoreFile,
    page: Annotated[
        Path | None,
        typer.Argument(metavar="PAGE", help="The file to write.", show_default="STORE-report/report.html"),
    ] = None,
    *,
    title: Annotated[str | None, typer.Option(help="The heading.", show_default="the name of the plan")] = None,
    games: Games = None,
    utilities: Utilities = False,
    moves: Every = None,
) -> None:
    """Write a page about a tournament: findings, tables and figures in one file, and a CSV per table beside it."""
    made = read_report(store, games=games, utilities=utilities, title=title, every=moves, page=True)
    page = page or page_beside(store)
    written = made.write(page)
    typer.echo(f"page: {written[0]}, and {count(len(written) - 1, 'table')} as CSV beside it")


@blaming_the_store
def export(
    store: StoreFile,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="What to write: [bold].csv[/] or [bold].parquet[/] with a row per role of a match, or "
            "[bold].jsonl[/] with a match per line, moves and all.",
            show_default=False,
        ),
    ],
) -> None:
    """Write all results as CSV, Parquet or JSON lines."""
    from ludarium.arena import export as write

    with opened(store) as source:
        number = write(source, file)
    what = count(number, "match", "matches") if file.suffix == ".jsonl" else count(number, "row")
    typer.echo(f"{file}: {what}")


def read_report(
    path: Path,
    *,
    plan: Plan | None = None,
    games: Sequence[str] | None = None,
    utilities: bool = False,
    every: bool | None = None,
    title: str | None = None,
    page: bool = False,
) -> Report:
    """Analyse a store, and every move in it unless there are too many, or none is wanted.

    Of a game that was played by several rules one version counts: that of the plan, or the current one, or the one named.
    """
    import numpy as np

    from ludarium.arena.results import Moves, Results

    needed = ("ludarium.arena.report.report", *(["ludarium.arena.report.page"] if page else []))
    with opened(path) as store, fetching(*needed):
        columns = store.table(brief=True, coded=True)
        kept, remarks = _counted(store, columns, plan, games)
        found = Results.of({name: column[kept] for name, column in columns.items()})
        if every is None:
            recorded = store.connection.execute("SELECT count(*) FROM records").fetchone()[0]
            every = len(found) > 0 and recorded * float(found.plies.mean()) < _MANY
        moves = Moves.of(store.moves(coded=True)) if every else None
        names = [plan.name for plan in store.plans() if plan.name]
        from ludarium.arena.report.run import run_sheet

        run = run_sheet(store)
    if moves is not None and not kept.all():
        moves = moves.where(np.isin(moves.match, found.match))
    from ludarium.arena.report.report import report as analyse

    heading = title if title is not None else names[-1] if names else "Tournament report"
    return analyse(
        found,
        moves if moves is not None and len(moves) else None,
        title=heading,
        utilities=utilities,
        run=run,
        remarks=remarks,
    )


def _counted(
    store: Store, columns: Mapping[str, Any], plan: Plan | None, games: Sequence[str] | None
) -> tuple[NDArray[np.bool_], list[str]]:
    """Say which rows count, and in words of which games only one version does."""
    import numpy as np

    from ludarium.arena.store.versions import versioned

    versions, column = store.versions(), columns["game"]
    counted = {name: versioned(name, rules[-1]) for name, rules in versions.items()}
    counted |= {name: versioned(name, plan.rules[name]) for name in versions if plan and plan.rules.get(name)}
    whole = {versioned(name, each): name for name, rules in versions.items() for each in rules}
    if games:
        _check_names(games, [*column.names, *versions])
        wanted = list(dict.fromkeys(counted.get(name, name) for name in games))
        named = {whole[name]: name for name in wanted if name in whole}
        if len(named) < sum(name in whole for name in wanted):
            raise BadParameter("these are versions of one game: they are not counted together, so name one of them")
        counted |= named
    else:
        wanted = [name for name in column.names if counted.get(whole.get(name, ""), name) == name]
    remarks = []
    for name, rules in versions.items():
        if counted[name] in wanted:
            others = " or ".join(quote(other) for each in rules if (other := versioned(name, each)) != counted[name])
            remarks.append(
                f"{name} was played by {len(rules)} versions of its rules: only the matches of {counted[name]} count "
                f"here. For others: ludarium results {quote(str(store.path))} --games {others}"
            )
    codes = [code for code, name in enumerate(column.names) if name in wanted]
    kept = np.isin(column.codes, codes)
    if plan is not None:  # whose rules nothing may have been played by
        kept &= ~np.isin(columns["match"], store.by_other_rules(plan))
    return kept, remarks


def _check_names(games: Sequence[str], known: Sequence[str]) -> None:
    for name in games:
        if name not in known:
            raise UnknownName("game of the store", name, known)


@contextmanager
def fetching(*modules: str) -> Iterator[None]:
    """Import what is needed after a long read; what goes wrong is told where it is imported in earnest."""

    def work() -> None:
        with suppress(Exception):
            for module in modules:
                import_module(module)

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def show_findings(screen: Console, made: Report) -> None:
    """Print what was found, in words."""
    from ludarium.terminal.sheets import findings_view

    screen.print(findings_view(made.findings))


def page_beside(store: Path) -> Path:
    """Name the page about a store: in a folder beside it, as there are tables with it."""
    return store.with_name(f"{store.stem}-report") / "report.html"


def opened(path: Path) -> Store:
    """Open a store to read it, if there is anything in it."""
    from ludarium.arena import Store, StoreError

    try:
        store = Store(path, readonly=True)
    except StoreError as problem:
        if "earlier version" not in str(problem):
            raise
        Store(path).close()  # brings it up to date
        store = Store(path, readonly=True)
    if not len(store):
        store.close()
        raise BadParameter(f"{path} holds no matches yet")
    return store


def _last(path: Path, most: int, games: Sequence[str] | None) -> list[Match]:
    from collections import deque
    from dataclasses import replace

    from ludarium.arena.store.columns import game_names
    from ludarium.arena.store.versions import versioned

    with opened(path) as store:
        versions = store.versions()
        _check_names(games or (), [*game_names(store.connection).values(), *versions])
        named = (
            replace(match, game=versioned(match.game, match.rules)) if match.game in versions else match
            for match in store.matches()
            if not games or {match.game, versioned(match.game, match.rules)} & {*games}
        )
        return list(deque(named, most))


def _matches_table(matches: Sequence[Match], *, narrow: bool) -> Table:
    """List matches; in a narrow terminal what was played stands below the name."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    heads = ("match",) if narrow else ("match", "game", "agents and results")
    table = Table(*heads, box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    table.columns[0].no_wrap = not narrow
    for head in () if narrow else ("plies", "faults"):
        table.add_column(head, justify="right")
    for match in matches:
        told: list[Any] = [
            f"{agent} {utility:.3g}" for agent, utility in zip(match.agents, match.utilities, strict=True)
        ]
        faults = Text(f"{len(match.faults)}", "bold red") if match.faults else Text("-", "dim")
        length = f"{match.plies}{' (cut)' if match.cut else ''}"
        if narrow:
            lines = [match.game, *told, f"{length} plies, {len(match.faults)} faults"]
            table.add_row(Text(match.id, "bold").append("".join(f"\n  {line}" for line in lines), "not bold"))
            continue
        table.add_row(Text(match.id, "bold"), Text(match.game, overflow="fold"), Text(", ".join(told)), length, faults)
    return table
