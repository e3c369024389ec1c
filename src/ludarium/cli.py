"""The command line: `ludarium play connect-four uct random`, and what else `ludarium --help` lists.

Exit codes: 0 done, 1 a mistake of ours (or an audit that found a leak, or games that differ), 2 a mistake in what was asked,
130 interrupted by Ctrl-C. What is heavy is imported by the command that needs it, so that every command starts at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import fields
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from ludarium import __version__
from ludarium.core import LudariumError, UnknownName
from ludarium.core.limits import VARIABLE, Limits, limits
from ludarium.outside import blame
from ludarium.server.command import serve
from ludarium.server.ggp.commands import ggp_host, ggp_player
from ludarium.terminal import plain
from ludarium.terminal.arguments import Lists, blaming_the_store
from ludarium.terminal.commands import hyper as hyper_commands
from ludarium.terminal.commands.assess import assess
from ludarium.terminal.commands.audit import audit
from ludarium.terminal.commands.belief import belief
from ludarium.terminal.commands.bench import bench
from ludarium.terminal.commands.check import check
from ludarium.terminal.commands.compare import compare
from ludarium.terminal.commands.evolve import evolve
from ludarium.terminal.commands.features import features
from ludarium.terminal.commands.lists import agents, games
from ludarium.terminal.commands.play import play
from ludarium.terminal.commands.replay import replay
from ludarium.terminal.commands.results import export, report, results
from ludarium.terminal.commands.rules import convert
from ludarium.terminal.commands.show import show
from ludarium.terminal.commands.study import study
from ludarium.terminal.commands.think import think
from ludarium.terminal.commands.tournament import tournament
from ludarium.terminal.commands.trial import check as check_trial
from ludarium.terminal.commands.trial import show as show_trial
from ludarium.terminal.commands.tune import tune


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
        except Exception as problem:
            if told := blame(problem):  # code that is the user's own
                _leave(2, f"ludarium: {told}")
            raise
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
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a stream that somebody put in the place of the real one
            stream.reconfigure(errors=plain.NAME)  # type: ignore[union-attr]
    app()


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"ludarium {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    *,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER",
            help=f"Let games cost more or less: [bold]{', '.join(each.name for each in fields(Limits))}[/].",
        ),
    ] = None,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Describe a game, play it, study it: a laboratory for general game playing."""
    if limit:
        before = os.environ.get(VARIABLE)
        context.call_on_close(lambda: _set_limits(before))
        _set_limits(" ".join([before or "", *limit]))  # for the processes that a command starts, too
        limits()


def _set_limits(text: str | None) -> None:
    os.environ.pop(VARIABLE, None)
    if text is not None:
        os.environ[VARIABLE] = text


app.command(
    epilog="Examples:\n\n[bold]ludarium games --players 2 --hidden[/]\n\n[bold]ludarium games poker --verbose[/]\n\n"
    "[bold]ludarium games --ludii --search mancala[/]"
)(games)
app.command(
    epilog="Examples:\n\n[bold]ludarium agents uct --verbose[/]\n\n"
    "[bold]ludarium play tic-tac-toe 'uct(c=1.0, final=value)' flat[/]"
)(agents)
app.command(
    epilog="Examples:\n\n[bold]ludarium play connect-four uct random[/]\n\n"
    "[bold]ludarium play breakthrough human 'uct(c=1.0)' --seconds 2[/]\n\n"
    "[bold]ludarium play tic-tac-toe uct flat --games 100 --iterations 500 --seed 7[/]"
)(play)
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
    cls=Lists,
    epilog="Examples:\n\n[bold]ludarium evolve connect-four --generations 50 --out champions.json[/]\n\n"
    "[bold]ludarium play connect-four 'alphabeta(evaluator=evolved(champions.json), depth=3)' uct[/]",
)(evolve)
app.command(
    epilog="Examples:\n\n[bold]ludarium audit leduc-poker ismcts 'determinized(inner=uct)'[/]\n\n"
    "[bold]ludarium audit kuhn-poker omniscient[/]  (which cheats)"
)(audit)
app.command(epilog="Example:\n\n[bold]ludarium belief battleship --moves 'a1-e1 a1-e1'[/]")(belief)
app.command(
    cls=Lists,
    epilog="Examples:\n\n[bold]ludarium results plan.db[/]\n\n[bold]ludarium results plan.db --tables roles[/]",
)(blaming_the_store(results))
app.command(cls=Lists, epilog="Example: [bold]ludarium report plan.db plan.html[/]")(blaming_the_store(report))
app.command(epilog="Example: [bold]ludarium replay plan.db 3f2a[/]")(blaming_the_store(replay))
app.command(epilog="Example: [bold]ludarium export plan.db plan.csv[/]")(blaming_the_store(export))
app.command("ggp-player", epilog="Example: [bold]ludarium ggp-player --agent 'uct(c=1.0)' --port 9147[/]")(ggp_player)
app.command(
    "ggp-host",
    cls=Lists,
    epilog="Examples:\n\n[bold]ludarium ggp-host gdl:tic-tac-toe localhost:9147 random --start-clock 30 --play-clock 15[/]\n\n"
    "[bold]ludarium ggp-host my/game.kif host-a:9147 host-b:9147 --rotate --matches 100 --records records[/]",
)(ggp_host)
app.command(cls=Lists, epilog="Example: [bold]ludarium study balanced-asymmetry --quick[/]")(study)
app.command(
    epilog="Examples:\n\n[bold]ludarium show breakthrough --rules[/]\n\n[bold]ludarium show connect-four --code[/]\n\n"
    "[bold]ludarium show lud:Hex --options[/]\n\n[bold]ludarium show my/game.lud --svg board.svg[/]"
)(show)
app.command(
    epilog="Examples:\n\n[bold]ludarium features breakthrough[/]\n\n[bold]ludarium features lud:hex --ludemes[/]"
)(features)
app.command(
    epilog="Examples:\n\n[bold]ludarium assess my/game.lud --watch[/]\n\n"
    "[bold]ludarium assess three-mens-morris --matches 20 --report page.html[/]"
)(assess)
app.command(
    cls=Lists,
    epilog="Examples:\n\n[bold]ludarium check my/game.kif[/]\n\n[bold]ludarium check my/game.py:Race[/]\n\n"
    "[bold]ludarium check my/bots.py:Bold --games nim kuhn-poker[/]",
)(check)
app.command(
    epilog="Examples:\n\n[bold]ludarium compare tic-tac-toe gdl:tic-tac-toe[/]\n\n"
    "[bold]ludarium compare my/game.kif my/game.lud --mapping moves.toml[/]"
)(compare)
app.command(epilog="Example: [bold]ludarium convert my/game.hrf my/new.kif[/]")(convert)
app.command(epilog="Example: [bold]ludarium bench breakthrough --seconds 3[/]")(bench)

app.command(
    epilog="Examples:\n\n[bold]ludarium serve[/]\n\n[bold]ludarium serve my/rules --port 9000[/]\n\n"
    "[bold]ludarium serve --host 0.0.0.0[/], for others, who need the token"
)(serve)

hyper = typer.Typer(
    no_args_is_help=True, help="Models that say which agent plays a game best, from features of the game."
)
hyper.command("train", epilog="Example: [bold]ludarium hyper train scores.csv --out model.zip[/]")(hyper_commands.train)
hyper.command("compare", epilog="Example: [bold]ludarium hyper compare scores.csv --method forest --repeats 3[/]")(
    hyper_commands.compare
)
hyper.command("predict", epilog="Example: [bold]ludarium hyper predict lud:hex[/]")(hyper_commands.predict)
hyper.command("gather", epilog="Example: [bold]ludarium hyper gather hyper-agents.db tables[/]")(hyper_commands.gather)
app.add_typer(hyper, name="hyper")

trial = typer.Typer(
    no_args_is_help=True, help="Trials that Ludii recorded: replay them in our games, or describe them in words."
)
trial.command("check", epilog="Example: [bold]ludarium trial check trials/Gomoku --workers 2[/]")(check_trial)
trial.command("show", epilog="Example: [bold]ludarium trial show RandomTrial_0.txt --ply 20[/]")(show_trial)
app.add_typer(trial, name="trial")


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
