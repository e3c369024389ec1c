"""The commands `ggp-player` and `ggp-host`."""

from __future__ import annotations

import contextlib
import json
import re
import signal
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludarium.core import BadParameter, LudariumError
from ludarium.core.agent import ELSEWHERE
from ludarium.core.files import write_file
from ludarium.terminal.arguments import GameName, typed

if TYPE_CHECKING:
    from ludarium.arena import Plan
    from ludarium.core import Game, Match

PORT = 9147
LOOPBACK = "127.0.0.1"

_ADDRESS = re.compile(r"[^\s/()]+:[0-9]+")
_LATE = 1.0  # seconds after the play clock that an answer may take on its way, as other hosts allow, too


def ggp_player(
    *,
    agent: Annotated[str, typer.Option(help="Who plays: [bold]uct[/], [bold]'uct(c=1.0)'[/] ...")] = "uct",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 for any free port.")] = PORT,
    host: Annotated[
        str,
        typer.Option(help="The address to listen on: [bold]0.0.0.0[/] lets other machines in, without any password."),
    ] = LOOPBACK,
    name: Annotated[str, typer.Option(help="What it calls itself.")] = "ludarium",
    margin: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Seconds before the clock runs out at which answers leave.",
            show_default="0.25 to 1.5, by the clock",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing about matches.")] = False,
) -> None:
    """Be a player that hosts of general game playing can ask: send it any rules in GDL, and it plays by them."""
    from ludarium.server.ggp.player import GgpPlayer
    from ludarium.server.ggp.wire import Server

    if not re.fullmatch(r"[!-'*-~]+", name):
        raise BadParameter(f"the name {name!r} is no word: letters, digits and signs, without blanks and parentheses")
    player = GgpPlayer(agent, name=name, margin=margin, tell=(lambda _: None) if quiet else typer.echo)
    try:
        server = Server(host, port, player.answer)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with server:
            typer.echo(f"{agent} listens on {host}:{server.port}; Ctrl-C ends it")
            server.serve_forever()
    finally:
        player.close()


def ggp_host(
    ctx: typer.Context,
    game: GameName,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER",
            help="One for each role, in order: [bold]localhost:9147[/], or an agent that plays here, [bold]random[/].",
            show_default=False,
        ),
    ],
    *,
    start_clock: Annotated[int, typer.Option(min=1, help="Seconds to get ready.")] = 30,
    play_clock: Annotated[int, typer.Option(min=1, help="Seconds for each move.")] = 15,
    matches: Annotated[int, typer.Option(min=1, help="How many matches; with --rotate, of every group.")] = 1,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Let everybody play every role; there may be more players than roles.")
    ] = False,
    scramble: Annotated[bool, typer.Option("--scramble", help="Send other words for the names in the rules.")] = False,
    move_limit: Annotated[int, typer.Option(min=0, help="Steps after which a match is a draw; 0 for none.")] = 2000,
    store: Annotated[
        Path | None,
        typer.Option(
            help="The file for the results. Matches in it are not played again.",
            show_default="a name made from what is played",
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="After each match, write a record as GGP servers do, in JSON.",
            show_default="none",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Matches at the same time; a player is in one at a time.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the table.")] = False,
) -> None:
    """Host matches between players of the GGP protocol, ours or others; stop whenever you like, and resume with the same command.

    For a player that answers too late, or with an illegal move, a random move is made, and the fault is recorded.
    """
    from ludarium.terminal.commands.tournament import run_plan

    named = [_named(each, scramble=scramble) for each in players]
    plan = _plan(game, named, matches, rotate=rotate, start=start_clock, play=play_clock, move_limit=move_limit)
    _check_there(named)
    if records is not None and records.exists() and not records.is_dir():
        raise BadParameter(f"--records {records} is a file; expected a folder")
    kept = _Records(plan, records) if records is not None else None
    path = store or Path(f"ggp-{plan.id[:8]}.db")
    again = " ".join(["ludarium ggp-host", *map(quote, typed(ctx))])
    how: dict[str, Any] = {"workers": workers, "on": "processes", "page": False, "quiet": quiet, "conclude": not quiet}
    try:
        run_plan(plan, path, again=again, **how, stored=kept.add if kept else lambda _: None)
    finally:
        if kept and path.exists():
            kept.complete(path)


def _named(player: str, *, scramble: bool) -> str:
    """Write the name of the agent that a player is."""
    if not _ADDRESS.fullmatch(player.removeprefix(ELSEWHERE)):
        return player
    return f"{ELSEWHERE}{player.removeprefix(ELSEWHERE)}" + ("(scramble=True)" if scramble else "")


def _plan(game: str, players: list[str], matches: int, *, rotate: bool, start: int, play: int, move_limit: int) -> Plan:
    from ludarium import catalog
    from ludarium.arena import free_for_all
    from ludarium.arena.plan.plan import Pairing, Plan
    from ludarium.core import Limit, Rng, describe
    from ludarium.core.match import Terms

    clocks: dict[str, Any] = {"start_seconds": start, "tolerance_seconds": _LATE}
    if rotate:
        return free_for_all([game], players, matches=matches, seconds=play, move_limit=move_limit, **clocks)
    made, agents = catalog.game(game), [catalog.agent(each) for each in players]
    if len(agents) != len(made.roles):
        roles = f"{len(made.roles)} roles ({', '.join(made.roles)})"
        more = ", or let them take turns with --rotate" if len(agents) > len(made.roles) else ""
        raise BadParameter(f"{game} has {roles}, not {len(agents)}: give a player for each{more}")
    for each in {each for each in players if players.count(each) > 1 and each.startswith(ELSEWHERE)}:
        raise BadParameter(f"{each.removeprefix(ELSEWHERE)} plays one role at a time, and is named twice")
    for role, agent in enumerate(agents):
        agent.seat(made, role, Rng(0))
    terms = Terms(limit=Limit(seconds=play), move_limit=move_limit or None, **clocks)
    seated = tuple(describe(agent) for agent in agents)
    pairing = Pairing(game=game, agents=seated, terms=terms, matches=matches, seed=None, rules=made.fingerprint)
    return Plan((pairing,), {"games": [game], "agents": list(seated), "matches": matches})


def _check_there(players: list[str]) -> None:
    """Ask all players how they are, so that nobody waits for one that is not there."""
    from ludarium import catalog
    from ludarium.server.ggp import wire
    from ludarium.server.ggp.remote import Remote

    for player in dict.fromkeys(players):
        agent = catalog.agent(player)
        if isinstance(agent, Remote):
            try:
                wire.send(wire.address(agent.address), "( INFO )", 5.0)
            except wire.Late:
                pass  # older players do not know the word, and will answer others
            except wire.NoReply as problem:
                raise LudariumError(f"no player at {agent.address}: {problem}") from None


class _Records:
    """A folder with a record, as GGP servers write it, of every match of a plan."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.folder = folder
        self._games = {fixture.id: fixture.game for fixture in plan}
        self._loaded: dict[str, Game] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BadParameter(f"cannot write to '{folder}': {problem.strerror}") from None

    def add(self, match: Match) -> None:
        """Write a match down; what cannot be written now is tried again at the end, so that play goes on."""
        with contextlib.suppress(OSError, LudariumError):
            self._write(match)

    def complete(self, path: Path) -> None:
        """Write down whatever a store has and the folder has not."""
        from ludarium.arena import Store

        try:
            with Store(path, readonly=True) as store:
                for match in store.matches():
                    self._write(match)
        except OSError as problem:
            raise BadParameter(f"cannot write to '{self.folder}': {problem.strerror}") from None

    def _write(self, match: Match) -> None:
        from ludarium import catalog
        from ludarium.arena.ggp import to_ggp

        file = self.folder / f"{match.id}.json"
        if match.id not in self._games or file.exists():
            return
        name = self._games[match.id]
        if name not in self._loaded:
            self._loaded[name] = catalog.game(name)
        record = to_ggp(match, self._loaded[name])
        record["scrambled"] = any("scramble=True" in each for each in match.agents)
        write_file(file, json.dumps(record, indent=1) + "\n")
