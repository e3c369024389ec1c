"""The command line: `ludarium play connect-four uct random`, and what else `ludarium --help` lists.

Exit codes: 0 done, 1 a mistake of ours (or an audit that found a leak), 2 a mistake in what was asked, 130 interrupted
by Ctrl-C. What is heavy is imported by the command that needs it, so that every command starts at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from ludarium import __version__, catalog
from ludarium.core import Agent, BadParameter, Game, LudariumError, UnknownName
from ludarium.terminal.arguments import GameName, Lists
from ludarium.terminal.audit import audit
from ludarium.terminal.belief import belief
from ludarium.terminal.replay import replay
from ludarium.terminal.results import export, report, results
from ludarium.terminal.rules import check, convert
from ludarium.terminal.study import study
from ludarium.terminal.think import think
from ludarium.terminal.tournament import tournament
from ludarium.terminal.tune import tune

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from ludarium.terminal.screen import Screen

HUMAN = "human"


class _Commands(TyperGroup):
    """Tells the user about mistakes in one line, whatever the command."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except LudariumError as problem:
            _leave(2, f"ludarium: {problem}{_hint(problem)}")
        except KeyboardInterrupt:
            _leave(130, "\nludarium: interrupted")
        except BrokenPipeError:
            # Nobody reads on; what is still buffered must not complain at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            _leave(141)
        return result


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try [bold]ludarium play connect-four uct random[/], or [bold]ludarium play --help[/].",
)


def main() -> None:
    """Run the command line."""
    with contextlib.suppress(AttributeError):  # a stream that somebody put in the place of the real one
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    app()


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"ludarium {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Describe a game, play it, study it: a laboratory for general game playing."""


@app.command()
def games() -> None:
    """List the games: their roles, their traits, and a line about each."""
    from ludarium.terminal.tables import console, games_table, rule_files_table

    listed = ((catalog.game(name), entry.about) for name, entry in catalog.GAMES.items())
    console().print(games_table(listed))
    console().print(rule_files_table(catalog.rule_files().items()))


@app.command(
    epilog="Examples:\n\n[bold]ludarium agents uct --verbose[/]\n\n"
    "[bold]ludarium play tic-tac-toe 'uct(c=1.0, final=value)' flat[/]"
)
def agents(
    named: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT", help="Only these.", show_default="all of them")
    ] = None,
    *,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Show where each comes from, and every parameter: default, range, meaning."
        ),
    ] = False,
) -> None:
    """List the agents and their parameters."""
    from ludarium.terminal.tables import agents_table, console

    for name in named or []:
        if name not in catalog.AGENTS:
            raise UnknownName("agent", name, catalog.AGENTS)
    listed = {name: entry for name, entry in catalog.AGENTS.items() if not named or name in named}
    if not verbose:
        lines = [(name, entry.about) for name, entry in listed.items()]
        console().print(agents_table(lines if named else [*lines, (HUMAN, "you, at the prompt")]))
    for name, entry in listed.items() if verbose else ():
        _print_agent(name, entry)


def _print_agent(name: str, entry: catalog.Entry) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from ludarium.terminal.tables import console, parameters_table

    screen = console()
    screen.print(Text(name, "bold").append(f"  {entry.about}", "not bold"))
    if told := catalog.source(entry):
        screen.print(Padding(Text(told, "dim"), (0, 0, 0, 2)))
    if known := catalog.parameters(entry):
        table = parameters_table(known, catalog.ranges(entry), catalog.meanings(entry.make))
        screen.print(Padding(table, (0, 0, 0, 1)))
    else:
        screen.print(Padding(Text("no parameters"), (1, 0, 1, 2)))


@app.command(
    epilog="Examples:\n\n[bold]ludarium play connect-four uct random[/]\n\n"
    "[bold]ludarium play breakthrough human 'uct(c=1.0)' --seconds 2[/]\n\n"
    "[bold]ludarium play tic-tac-toe uct flat --games 100 --iterations 500 --seed 7[/]"
)
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
    seed: Annotated[
        int | None, typer.Option(help="Repeat a match exactly.", show_default="a new one each time")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Thinking time for each move.")] = None,
    iterations: Annotated[
        int | None,
        typer.Option(help="Iterations for each move.", show_default="1000, unless --seconds is given"),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Play this many, with rotating seats, and show the score.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only, in one line.")] = False,
) -> None:
    """Play a match, board by board; or many, with the score and how sure it is."""
    made, named = catalog.game(game), agents or []
    _check_seats(made, named)
    if HUMAN in named and (games > 1 or quiet):
        raise BadParameter("a human plays one match, and looks at the board: no --games and no --quiet")
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    if seconds is None and iterations is None:
        iterations = 1000
    limits: dict[str, Any] = {"seconds": seconds, "iterations": iterations}
    if games > 1:
        _play_series(made, named, matches=games, seed=seed, quiet=quiet, **limits)
    elif quiet:
        from ludarium.arena import play as play_match

        typer.echo(repr(play_match(made, [_agent(name) for name in named], seed=seed, **limits)))
    else:
        _play_match(made, game, named, seed=seed, **limits)


def _play_match(game: Game, spec: str, named: list[str], *, seed: int, **limits: Any) -> None:
    from shlex import quote

    from ludarium.arena import play as play_match
    from ludarium.terminal.screen import Screen
    from ludarium.terminal.tables import console

    screen = Screen(console(), game, named)
    seated = [_agent(name, screen) for name in named]
    _tell_seats(screen.console, game, seated)
    match = play_match(game, seated, seed=seed, watch=screen, **limits)
    given = [f"--{name} {value:g}" for name, value in limits.items() if value is not None]
    again = ["ludarium play", *map(quote, [spec, *named]), *given, f"--seed {seed}"]
    screen.result(match, " ".join(again))


def _play_series(game: Game, named: list[str], *, matches: int, seed: int, quiet: bool, **limits: Any) -> None:
    from rich.progress import Progress

    from ludarium.arena import Score, series
    from ludarium.terminal.tables import console, scores_table

    screen = console()
    plies = 0
    scores: list[Score] = []
    with Progress(console=screen, transient=True, disable=quiet or not screen.is_terminal) as progress:
        task = progress.add_task(f"{game.name}: {' against '.join(named)}", total=matches)
        seated = [_agent(name) for name in named]
        if not quiet:
            _tell_seats(screen, game, seated)
        played = series(game, seated, matches=matches, seed=seed, **limits)
        for match, scores in played:  # noqa: B007
            plies += len(match.moves)
            progress.advance(task)
    if quiet:
        typer.echo(", ".join(f"{name} {score.mean:.3f}" for name, score in zip(named, scores, strict=True)))
        return
    screen.print(scores_table(game.roles, named, scores))
    seeds = f"seeds {seed} to {seed + matches - 1}"
    screen.print(f"{matches} matches of {game.name}, {plies / matches:.1f} plies each, {seeds}", style="dim")


app.command(
    epilog="Examples:\n\n[bold]ludarium think connect-four --moves 'd d c' --seconds 2[/]\n\n"
    "[bold]ludarium think goofspiel --moves '3 + 5, 1 + 2' --agent 'uct(c=1.0)' --role second[/]"
)(think)


app.command(
    cls=Lists,
    epilog="Examples:\n\n[bold]ludarium tournament --games nim connect-four --agents uct flat random "
    "--games-per-pair 20[/]\n\n[bold]ludarium tournament plan.toml --workers 2[/]",
)(tournament)
app.command(
    cls=Lists,
    epilog="Examples:\n\n[bold]ludarium tune uct --game connect-four --against flat --space c=0.3,0.7,1 leaf[/]\n\n"
    "[bold]ludarium tune --game breakthrough --agents uct --space width=5,6,7 height=5,6 --fitness balance[/]",
)(tune)
app.command(
    epilog="Examples:\n\n[bold]ludarium audit leduc-poker ismcts 'determinized(inner=uct)'[/]\n\n"
    "[bold]ludarium audit kuhn-poker omniscient[/], which cheats"
)(audit)
app.command(epilog="Example:\n\n[bold]ludarium belief battleship --moves 'a1-e1 a1-e1'[/]")(belief)
app.command(
    cls=Lists,
    epilog="Examples:\n\n[bold]ludarium results plan.db[/]\n\n[bold]ludarium results plan.db --tables roles[/]",
)(results)
app.command(cls=Lists, epilog="Example: [bold]ludarium report plan.db plan.html[/]")(report)
app.command(epilog="Example: [bold]ludarium replay plan.db 3f2a[/]")(replay)
app.command(epilog="Example: [bold]ludarium export plan.db plan.csv[/]")(export)
app.command(cls=Lists, epilog="Example: [bold]ludarium study balanced-asymmetry --quick[/]")(study)


@app.command(
    epilog="Examples:\n\n[bold]ludarium show breakthrough --rules[/]\n\n[bold]ludarium show connect-four --code[/]"
)
def show(
    game: GameName,
    *,
    rules: Annotated[bool, typer.Option("--rules", help="Its rules, in words or in GDL.")] = False,
    code: Annotated[
        bool, typer.Option("--code", help="What is compiled and run: its source, or what its rules became.")
    ] = False,
    traits: Annotated[bool, typer.Option("--traits", help="What it promises.")] = False,
) -> None:
    """Show a game: how it begins and what it promises; or its rules, its code, its traits."""
    from ludarium.core import Rng
    from ludarium.terminal.screen import Screen
    from ludarium.terminal.tables import console, traits_table

    made, screen = catalog.game(game), console()
    everything = not (rules or code or traits)
    if everything:
        Screen(screen, made, [])(made.initial(Rng(0)), {})
        screen.print(f"roles: {', '.join(made.roles)}; at most {made.max_moves} moves to choose from")
    if rules:
        text = getattr(made, "rules", "") or f"{made.name} comes without a text of its rules."
        screen.print(text, markup=False, soft_wrap=True)
    if traits or everything:
        screen.print(traits_table(made.traits, catalog.meanings(type(made.traits))))
    if code:
        _print_code(made)


def _print_code(game: Game) -> None:
    from ludarium.terminal.listing import listing
    from ludarium.terminal.tables import console

    if (screen := console()).is_terminal:
        from rich.syntax import Syntax

        screen.print(Syntax(listing(game), "python", background_color="default"))
    else:
        typer.echo(listing(game))


app.command(epilog="Example: [bold]ludarium check my/game.kif[/]")(check)
app.command(epilog="Example: [bold]ludarium convert my/game.hrf my/game.kif[/]")(convert)


@app.command(epilog="Example: [bold]ludarium bench breakthrough --seconds 3[/]")
def bench(
    game: GameName,
    *,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU time for each measurement.")] = 1.0,
) -> None:
    """Measure a game on this machine: load time, random playouts and UCT iterations per second."""
    from ludarium.terminal.tables import console, speeds_table

    console().print(speeds_table(game, _measured(game, seconds)))


def _measured(spec: str, seconds: float) -> Iterator[tuple[str, str, str]]:
    from ludarium.arena.speed import load_seconds, playout_speed, search_speed

    loaded, compiled = load_seconds(lambda: catalog.game(spec))
    yield "load", f"{1000 * loaded:,.0f} ms", "name to first state, code from the cache if there"
    game = catalog.game(spec)
    if hasattr(game, "kernels"):
        yield "compile", f"{1000 * compiled:,.0f} ms", "the same with an empty cache"
    speed = playout_speed(game, seconds=seconds)
    yield "random playouts", f"{speed.rate:,.0f} /s", f"{speed.plies / speed.count:.1f} plies each"
    yield "states", f"{speed.plies_rate:,.0f} /s", "on the way"
    try:
        search = search_speed(game, catalog.agent("uct"), seconds=seconds)
        yield "UCT iterations", f"{search.rate:,.0f} /s", "in one growing tree from the first state"
    except LudariumError as problem:
        yield "UCT iterations", "-", str(problem)


def _agent(spec: str, screen: Screen | None = None) -> Agent:
    if spec == HUMAN and screen is not None:
        from ludarium.terminal.human import Human

        return Human(screen)
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


def _hint(problem: LudariumError) -> str:
    """Say where to look for a name that is like no other."""
    lists = {"agent": "agents", "game": "games"}
    if isinstance(problem, UnknownName) and problem.suggestion is None and problem.kind in lists:
        return f" (see: ludarium {lists[problem.kind]})"
    return ""


def _leave(code: int, message: str = "") -> NoReturn:
    if message:
        sys.stderr.write(f"{message}\n")
    raise SystemExit(code)
