"""The command `play`: one match, board by board; or many, and their score."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludarium import catalog
from ludarium.arena.own_record import own_form, to_own
from ludarium.arena.position import after
from ludarium.arena.streams import fresh_seed
from ludarium.core import Agent, BadParameter, Game, Match, UnknownName
from ludarium.core.agent import HUMAN
from ludarium.core.files import write_file
from ludarium.terminal.arguments import Choices, GameName, check_writable, with_choices

if TYPE_CHECKING:
    from rich.console import Console

    from ludarium.terminal.screen import Screen

_KEPT = (".json", ".txt", ".db", ".trl")


def play(
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help=f"One for each role, in order: [bold]uct[/], [bold]'uct(c=1.0)'[/], [bold]{HUMAN}[/] ...",
            show_default=False,
        ),
    ] = None,
    *,
    option: Choices = None,
    seed: Annotated[
        int | None, typer.Option(help="Repeat a match exactly.", show_default="a new one each time")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Thinking time for each move.")] = None,
    iterations: Annotated[
        int | None,
        typer.Option(help="Iterations for each move.", show_default="1000, unless --seconds is given"),
    ] = None,
    move_limit: Annotated[
        int | None, typer.Option(min=0, help="Plies after which a match is a draw.", show_default="2000; 0 for none")
    ] = None,
    moves: Annotated[
        str,
        typer.Option(
            help="Start after these moves: [bold]'d d c'[/], [bold]'2 from a, 1 from b'[/]; "
            "moves made at once are joined by a [bold]+[/].",
            show_default="none",
        ),
    ] = "",
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the match as [bold].json[/] or [bold].txt[/], add it to a store, [bold].db[/], or write "
            "a trial that Ludii opens, [bold].trl[/].",
            show_default="nowhere",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Play this many, with rotating seats, and show the score.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only, in one line.")] = False,
) -> None:
    """Play one match, board by board; or many, with the score and how certain it is."""
    game = with_choices(game, option)
    made, named = catalog.game(game), agents or []
    _check_seats(made, named)
    if HUMAN in named and (games > 1 or quiet):
        raise BadParameter("a human plays one match and needs to see the board: leave out --games and --quiet")
    if games > 1 and (moves or save is not None):
        raise BadParameter("--moves and --save are for one match: no --games")
    if save is not None:
        _check_place(save)
        if save.suffix == ".trl":
            own_form(made)
    if seed is None:
        seed = fresh_seed()
    if seconds is None and iterations is None:
        iterations = 1000
    limits: dict[str, Any] = {"seconds": seconds, "iterations": iterations, "move_limit": move_limit}
    after(made, moves, seed=seed)  # says what is wrong before anything is shown
    if games > 1:
        _play_series(made, named, matches=games, seed=seed, quiet=quiet, **limits)
    elif quiet:
        from ludarium.arena import play as play_match

        match = play_match(made, [_agent(name) for name in named], seed=seed, moves=moves, **limits)
        typer.echo(repr(match))
        _keep(match, made, save)
    else:
        _keep(_play_match(made, game, named, seed=seed, moves=moves, **limits), made, save)


def _play_match(game: Game, spec: str, named: list[str], *, seed: int, moves: str, **limits: Any) -> Match:
    """Play a match board by board, and again from an earlier point whenever a human takes moves back."""
    from shlex import quote

    from ludarium.arena import play as play_match
    from ludarium.terminal.human import TakenBack
    from ludarium.terminal.screen import Screen
    from ludarium.terminal.tables import console

    screen = Screen(console(), game, named)
    given = [f"--{name.replace('_', '-')} {value:g}" for name, value in limits.items() if value is not None]
    again = " ".join(["ludarium play", *map(quote, [spec, *named]), *given, f"--seed {seed}"])
    seated = [_agent(name, screen, again) for name in named]
    _tell_seats(screen.console, game, seated)
    screen.begin(after(game, moves, seed=seed).plies)
    while True:
        try:
            match = play_match(game, seated, seed=seed, watch=screen, moves=moves, **limits)
        except TakenBack as back:
            moves = "; ".join(screen.texts()[: back.plies])
            screen.begin(back.plies)
            continue
        # A human's moves are no matter of seeds: what was played is what repeats it.
        made_by_hand = moves or screen.humans
        said = f" --moves {quote('; '.join(match.moves))}" if made_by_hand else ""
        screen.result(match, again + said)
        return match


def _check_place(file: Path) -> None:
    """Refuse a file that nothing can be saved in, before a match is played that would be lost."""
    if file.suffix not in _KEPT:
        raise BadParameter(f"a match is saved as {', '.join(_KEPT)}, not '{file}'")
    check_writable(file)
    if file.suffix == ".db" and file.exists():
        from ludarium.arena import Store

        with Store(file):
            pass


def _keep(match: Match, game: Game, file: Path | None) -> None:
    """Save a match, in the form that the ending of the file says, and say what was written."""
    if file is None:
        return
    from ludarium.arena import Store
    from ludarium.arena.record import to_json, to_text

    if file.suffix == ".db":
        with Store(file) as store:
            store.add(match)
            kept = list(store.matches())[-1].id
        typer.echo(f"saved: ludarium replay {file} {kept}")
        return
    forms: dict[str, Callable[[], str]] = {
        ".json": lambda: to_json(match) + "\n",
        ".txt": lambda: to_text(match) + "\n",
        ".trl": lambda: to_own(match, game),
    }
    try:
        write_file(file, forms[file.suffix]())
    except OSError as problem:
        said = "it is a folder" if file.is_dir() else problem.strerror
        raise BadParameter(f"cannot write '{file}': {said}") from None
    typer.echo(f"saved: {file}")


def _play_series(game: Game, named: list[str], *, matches: int, seed: int, quiet: bool, **limits: Any) -> None:
    from rich.markup import escape
    from rich.progress import Progress

    from ludarium.arena import Score, series
    from ludarium.terminal.tables import console, scores_table

    screen = console()
    plies = cut = 0
    scores: list[Score] = []
    with Progress(console=screen, transient=True, disable=quiet or not screen.is_terminal) as progress:
        task = progress.add_task(escape(f"{game.name}: {' against '.join(named)}"), total=matches)
        seated = [_agent(name) for name in named]
        if not quiet:
            _tell_seats(screen, game, seated)
        played = series(game, seated, matches=matches, seed=seed, **limits)
        for match, scores in played:  # noqa: B007
            plies += len(match.moves)
            cut += match.cut
            progress.advance(task)
    if quiet:
        typer.echo(", ".join(f"{name} {score.mean:.3f}" for name, score in zip(named, scores, strict=True)))
        return
    screen.print(scores_table(game.roles, named, scores, narrow=screen.width < 80))
    seeds = f"seeds {seed} to {seed + matches - 1}"
    told = f", {cut} cut at the move limit" if cut else ""
    screen.print(f"{matches} matches of {game.name}, {plies / matches:.1f} plies each{told}, {seeds}", style="dim")


def _agent(spec: str, screen: Screen | None = None, again: str = "") -> Agent:
    if spec == HUMAN and screen is not None:
        from ludarium.terminal.human import Human

        return Human(screen, catalog.agent("uct"), again)
    try:
        return catalog.agent(spec)
    except UnknownName as unknown:
        raise UnknownName(unknown.kind, unknown.name, [*unknown.known, HUMAN]) from None


def _tell_seats(screen: Console, game: Game, seated: list[Agent]) -> None:
    """Say which agents play in imagined states, because the game hides its own."""
    from ludarium.arena.seating import seating_note

    for note in dict.fromkeys(seating_note(agent, game) for agent in seated):
        if note:
            screen.print(note, style="dim", markup=False, soft_wrap=True)


def _check_seats(game: Game, named: list[str]) -> None:
    for name in named:
        if name != HUMAN:
            _agent(name)  # a name that is wrong matters more than one that is missing
    roles = f"{game.name} has {len(game.roles)} roles ({', '.join(game.roles)})"
    if missing := ", ".join(game.roles[len(named) :]):
        raise BadParameter(f"{roles}: name an agent for {missing} too, such as uct, random or {HUMAN}")
    if extra := " ".join(named[len(game.roles) :]):
        raise BadParameter(f"{roles}: there is no seat for {extra}")
