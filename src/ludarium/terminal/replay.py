"""The command `replay`: a match of a store, move by move, as it was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core import Decision, Game, LudariumError, Match, Role, State
from ludarium.terminal.arguments import StoreFile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ludarium.arena import Store


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
) -> None:
    """Play a match of a store again: boards, what the agents thought, faults and the result."""
    from ludarium.arena import Store
    from ludarium.arena.record import to_json, to_text

    with Store(store, readonly=True) as source:
        found = source.match(match)
        catalog = _catalog(source, found)
    if text or json:
        typer.echo((to_json(found) if json else to_text(found)).rstrip())
        return
    game = _game(found, catalog)
    if ggp:
        from json import dumps

        from ludarium.arena.ggp import to_ggp

        typer.echo(dumps(to_ggp(found, game)))
    else:
        _show(found, game)


def _show(match: Match, game: Game) -> None:
    from ludarium.arena import replay as play_again
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
    if any(abs(now - then) > 1e-9 for now, then in zip(utilities, match.utilities, strict=True)):
        ended = ", ".join(f"{each:.3g}" for each in utilities)
        raise LudariumError(f"the match does not end as it did: now {ended}. Have the rules of {game.name} changed?")


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


def _game(match: Match, catalog: str) -> Game:
    from ludarium.arena.plan import names

    return names(catalog).game(match.game)


def _catalog(store: Store, match: Match) -> str:
    """Find the module that knows the names of the match: the plan says so."""
    from ludarium.arena.plan import CATALOG

    pairings = (pairing for plan in store.plans() for pairing in plan.pairings)
    return next((each.catalog for each in pairings if each.game == match.game), CATALOG)
