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
from ludarium.terminal import plain
from ludarium.terminal.asked import SETTINGS, Asked, Command, Group

COMMANDS: dict[str, Command | Group] = {
    "games": Command(
        "ludarium.terminal.commands.lists:games",
        "ludarium games --players 2 --hidden",
        "ludarium games poker --verbose",
        "ludarium games --ludii --search mancala",
    ),
    "agents": Command(
        "ludarium.terminal.commands.lists:agents",
        "ludarium agents uct --verbose",
        "ludarium play tic-tac-toe 'uct(c=1.0, final=value)' flat",
    ),
    "play": Command(
        "ludarium.terminal.commands.play:play",
        "ludarium play connect-four uct random",
        "ludarium play breakthrough human 'uct(c=1.0)' --seconds 2",
        "ludarium play tic-tac-toe uct flat --games 100 --iterations 500 --seed 7",
    ),
    "think": Command(
        "ludarium.terminal.commands.think:think",
        "ludarium think connect-four --moves 'd d c' --seconds 2",
        "ludarium think goofspiel --moves '3 + 5, 1 + 2' --agent 'uct(c=1.0)' --role second",
    ),
    "tournament": Command(
        "ludarium.terminal.commands.tournament:tournament",
        "ludarium tournament --games nim connect-four --agents uct flat random --games-per-pair 20",
        "ludarium tournament plan.toml --workers 2",
        lists=True,
    ),
    "tune": Command(
        "ludarium.terminal.commands.tune:tune",
        "ludarium tune uct --game connect-four --against flat --space c=0.3,0.7,1 leaf",
        "ludarium tune --game breakthrough --agents uct --space width=5,6,7 height=5,6 --fitness balance",
        lists=True,
    ),
    "evolve": Command(
        "ludarium.terminal.commands.evolve:evolve",
        "ludarium evolve connect-four --generations 50 --out champions.json",
        "ludarium play connect-four 'alphabeta(evaluator=evolved(champions.json), depth=3)' uct",
        lists=True,
    ),
    "audit": Command(
        "ludarium.terminal.commands.audit:audit",
        "ludarium audit leduc-poker ismcts 'determinized(inner=uct)'",
        "[bold]ludarium audit kuhn-poker omniscient[/]  (which cheats)",
    ),
    "belief": Command("ludarium.terminal.commands.belief:belief", "ludarium belief battleship --moves 'a1-e1 a1-e1'"),
    "results": Command(
        "ludarium.terminal.commands.results:results",
        "ludarium results plan.db",
        "ludarium results plan.db --tables roles",
        lists=True,
    ),
    "report": Command("ludarium.terminal.commands.results:report", "ludarium report plan.db plan.html", lists=True),
    "replay": Command("ludarium.terminal.commands.replay:replay", "ludarium replay plan.db 3f2a"),
    "export": Command("ludarium.terminal.commands.results:export", "ludarium export plan.db plan.csv"),
    "ggp-player": Command(
        "ludarium.server.ggp.commands:ggp_player", "ludarium ggp-player --agent 'uct(c=1.0)' --port 9147"
    ),
    "ggp-host": Command(
        "ludarium.server.ggp.commands:ggp_host",
        "ludarium ggp-host gdl:tic-tac-toe localhost:9147 random --start-clock 30 --play-clock 15",
        "ludarium ggp-host my/game.kif host-a:9147 host-b:9147 --rotate --matches 100 --records records",
        lists=True,
    ),
    "study": Command("ludarium.terminal.commands.study:study", "ludarium study balanced-asymmetry --quick", lists=True),
    "show": Command(
        "ludarium.terminal.commands.show:show",
        "ludarium show breakthrough --rules",
        "ludarium show connect-four --code",
        "ludarium show lud:hex --options",
        "ludarium show my/game.lud --svg board.svg",
    ),
    "features": Command(
        "ludarium.terminal.commands.features:features",
        "ludarium features breakthrough",
        "ludarium features lud:hex --ludemes",
    ),
    "assess": Command(
        "ludarium.terminal.commands.assess:assess",
        "ludarium assess my/game.lud --watch",
        "ludarium assess three-mens-morris --matches 20 --report page.html",
    ),
    "check": Command(
        "ludarium.terminal.commands.check:check",
        "ludarium check my/game.kif",
        "ludarium check my/game.py:Race",
        "ludarium check my/bots.py:Bold --games nim kuhn-poker",
        lists=True,
    ),
    "compare": Command(
        "ludarium.terminal.commands.compare:compare",
        "ludarium compare tic-tac-toe gdl:tic-tac-toe",
        "ludarium compare my/game.kif my/game.lud --mapping moves.toml",
    ),
    "convert": Command("ludarium.terminal.commands.rules:convert", "ludarium convert my/game.hrf my/new.kif"),
    "bench": Command("ludarium.terminal.commands.bench:bench", "ludarium bench breakthrough --seconds 3"),
    "serve": Command(
        "ludarium.server.command:serve",
        "ludarium serve",
        "ludarium serve my/rules --port 9000",
        "[bold]ludarium serve --host 0.0.0.0[/], for others, who need the token",
    ),
    "hyper": Group(
        "Models that say which agent plays a game best, from features of the game.",
        {
            "train": Command(
                "ludarium.terminal.commands.hyper:train", "ludarium hyper train scores.csv --out model.zip"
            ),
            "compare": Command(
                "ludarium.terminal.commands.hyper:compare",
                "ludarium hyper compare scores.csv --method forest --repeats 3",
            ),
            "predict": Command("ludarium.terminal.commands.hyper:predict", "ludarium hyper predict lud:hex"),
            "gather": Command(
                "ludarium.terminal.commands.hyper:gather", "ludarium hyper gather hyper-agents.db tables"
            ),
        },
    ),
    "trial": Group(
        "Trials that Ludii recorded: replay them in our games, or describe them in words.",
        {
            "check": Command(
                "ludarium.terminal.commands.trial:check", "ludarium trial check trials/Gomoku --workers 2"
            ),
            "show": Command("ludarium.terminal.commands.trial:show", "ludarium trial show RandomTrial_0.txt --ply 20"),
        },
    ),
}


class _Commands(TyperGroup):
    """Knows all commands, and tells the user about mistakes in one line, whatever the command."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = Asked(COMMANDS)

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
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    **SETTINGS,
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
