"""The command `replay`: a match of a store, move by move, as it was played."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core import BadParameter, Decision, Game, Match, Role, State
from ludarium.outside import search
from ludarium.registry.making import names_code
from ludarium.terminal.arguments import StoreFile, blaming_the_store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ludarium.arena import Store


@blaming_the_store
def replay(
    store: StoreFile,
    match: Annotated[
        str,
        typer.Argument(
            metavar="MATCH",
            help="The name of a match, or its beginning; [bold]ludarium results STORE --matches 20[/] lists them.",
            show_default=False,
        ),
    ],
    *,
    text: Annotated[bool, typer.Option("--text", help="Only the moves, with their numbers.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The whole record, as JSON.")] = False,
    ggp: Annotated[bool, typer.Option("--ggp", help="As the servers of general game playing write it.")] = False,
    trial: Annotated[bool, typer.Option("--trial", help="As a trial that Ludii opens, if the game is a .lud.")] = False,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game, if it is your own code: a store alone never runs code."),
    ] = None,
    catalog: Annotated[
        str | None,
        typer.Option(metavar="MODULE", help="The module that knows the games of the plan, if it is your own code."),
    ] = None,
) -> None:
    """Play a match of a store again: boards, what the agents thought, faults and the result."""
    from ludarium.arena import Store
    from ludarium.arena.record import to_json, to_text

    search(store.parent, code=bool(game or catalog))  # for rules that lie beside it, and code that was named
    with Store(store, readonly=True) as source:
        found = source.match(match)
        named = _catalog(source, found)
    if text or json:
        typer.echo((to_json(found) if json else to_text(found)).rstrip())
        return
    made = _game(found, named, game, catalog)
    if ggp:
        from json import dumps

        from ludarium.arena.ggp import to_ggp

        typer.echo(dumps(to_ggp(found, made)))
    elif trial:
        from ludarium.arena.own_record import to_own

        typer.echo(to_own(found, made), nl=False)
    else:
        _show(found, made)


def _show(match: Match, game: Game) -> None:
    from ludarium.arena import replay as play_again
    from ludarium.arena.replay import check_end
    from ludarium.terminal.screen import Screen
    from ludarium.terminal.tables import console

    screen = Screen(console(), game, match.agents)
    ply = -1

    def watch(state: State, _: Mapping[Role, Decision]) -> None:
        nonlocal ply
        screen(state, decisions(match, game, ply) if ply >= 0 else {})
        ply += 1

    utilities = play_again(match, game, watch=watch)
    screen.result(match, f"match {match.id}")
    for fault in match.faults:
        screen.console.print(f" fault: {fault}", style="red", markup=False)
    check_end(match, game, utilities)


def decisions(match: Match, game: Game, ply: int) -> dict[Role, Decision]:
    """Give what was decided at a ply, as far as the record tells."""
    found = {}
    for turn in match.turns:
        if turn.ply == ply:
            thought = {game.parse(each.move): each for each in turn.alternatives}
            values = {move: each.value for move, each in thought.items() if each.value is not None}
            visits = {move: each.visits for move, each in thought.items() if each.visits}
            found[turn.role] = Decision(game.parse(turn.move), values=values, visits=visits)
    return found


def _game(match: Match, named: str, game: str | None, catalog: str | None) -> Game:
    """Load the game of a match; of code, only what was named on the command line."""
    from ludarium.arena.plan.plan import CATALOG, names

    if game is None and catalog is None:
        if named != CATALOG:
            refused = f"the store names the module '{named}' for its games: it is not run unless you name it, too"
            raise BadParameter(f"{refused} (--catalog {named})")
        if names_code("game", match.game):
            refused = f"the store names code as its game, '{match.game}': it is not run unless you name it, too"
            raise BadParameter(f"{refused} (--game {quote(match.game)})")
    return names(catalog or CATALOG).game(game or match.game)


def _catalog(store: Store, match: Match) -> str:
    """Find the module that knows the names of the match: the plan says so."""
    from ludarium.arena.plan.plan import CATALOG

    pairings = (pairing for plan in store.plans() for pairing in plan.pairings)
    return next((each.catalog for each in pairings if each.game == match.game), CATALOG)
