"""The command `belief`: what a role can know of hidden places, as a table, and as a heatmap if they are a board."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium import catalog
from ludarium.core import BadParameter, Game, Rng, State, UnknownName
from ludarium.terminal.arguments import GameName, check_writable, count

if TYPE_CHECKING:
    from ludarium.hidden.belief import Belief

_FIGURES = (".png", ".svg", ".pdf")
_FEW = 4  # contents that are worth a heatmap each, unless one is asked for


def belief(
    game: GameName,
    *,
    moves: Annotated[
        str, typer.Option(help="How the match went so far: [bold]'raise raise call'[/].", show_default="none")
    ] = "",
    role: Annotated[str | None, typer.Option(help="Whose belief.", show_default="all that are to move")] = None,
    of: Annotated[
        str | None,
        typer.Option(
            help="Draw the heatmap of this content: [bold]ship[/], [bold]flag[/].",
            show_default="the rarest, if there are few",
        ),
    ] = None,
    determinizer: Annotated[
        str, typer.Option(help="How to imagine states: [bold]enumeration[/] is exact, in small games.")
    ] = "auto",
    samples: Annotated[int, typer.Option(min=1, help="States to draw.")] = 2000,
    seed: Annotated[int, typer.Option(help="Seed of the chance in the game, and of the states drawn.")] = 0,
    top: Annotated[int, typer.Option(min=1, help="Show at most this many places in the table.")] = 20,
    figure: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the heatmap into a file, [bold].png[/] or [bold].svg[/].", show_default="none"
        ),
    ] = None,
) -> None:
    """Show how likely each content of each hidden place is, as far as a role can know."""
    from ludarium.arena.position import after
    from ludarium.hidden import determinizer as named
    from ludarium.hidden import sampling
    from ludarium.hidden.belief import believe
    from ludarium.terminal.heatmap import beliefs_table, draw, heatmap
    from ludarium.terminal.screen import Screen
    from ludarium.terminal.tables import console
    from ludarium.terminal.thoughts import title

    if figure is not None:
        if figure.suffix.lower() not in _FIGURES:
            raise BadParameter(f"a figure is a .png, .svg or .pdf file, not '{figure}'")
        check_writable(figure)
    made, how = catalog.game(game), named(determinizer)
    position = after(made, moves, seed=seed)
    screen = Screen(console(), made, [""] * len(made.roles))
    believing = _believing(made, position.state, role)
    if figure is not None and len(believing) > 1:
        raise BadParameter("a figure is drawn for one role: say which by --role")
    for each in believing:
        info = position.information_set(each)
        held = believe(sampling(how, made, each), info, Rng.keyed(seed, "belief", each), samples=samples)
        content = _content_of_heatmap(held, of)
        screen.board(position.state, title(made, position.plies, [each]), each)
        board = heatmap(held, content) if content else None
        if board is not None:
            screen.console.print(f" probability of {content}, in per cent")
            screen.console.print(board)
        else:
            screen.console.print(beliefs_table(held, most=top))
        states = "all states there can be" if held.exact else "states drawn at random"
        screen.console.print(
            f" {made.roles[each]}: {count(held.states, 'state')}, {states}, by {determinizer}", style="dim"
        )
        if figure is not None:
            draw(held, content, figure, f"{made.name}, after {count(position.plies, 'move')}: {content}")


def _content_of_heatmap(held: Belief, of: str | None) -> str:
    """Say which content a heatmap is drawn of: the rarest, unless there are many."""
    if of is not None:
        held.heat(of)  # says what there is otherwise
        return of
    few = held.contents if len(held.contents) <= _FEW else []
    return min(few, key=lambda content: fsum(held.heat(content).values()), default="")


def _believing(game: Game, state: State, name: str | None) -> Sequence[int]:
    """Find out whose belief is asked for: all movers, or the one that was named."""
    if state.over:
        raise BadParameter(f"{game.name} is over: all is known")
    if name is None:
        return state.movers
    if name not in game.roles:
        raise UnknownName("role", name, game.roles)
    if (role := game.roles.index(name)) not in state.movers:
        movers = " and ".join(game.roles[each] for each in state.movers)
        raise BadParameter(f"a belief is worked out for whoever is to move, which is not {name} now; to move: {movers}")
    return [role]
