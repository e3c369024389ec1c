"""The command `think`: an agent, a position, and what the agent thinks of every move there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ludarium import catalog
from ludarium.arena.seating import decided, seating_note, sit_down
from ludarium.core import BadParameter, Game, Limit, State, UnknownName
from ludarium.terminal.arguments import Choices, GameName, count, with_choices

_NARROW = 60  # columns: a terminal that is narrower has no room for bars


def think(
    game: GameName,
    *,
    option: Choices = None,
    moves: Annotated[
        str,
        typer.Option(
            help="How the match went so far: [bold]'d d c'[/], [bold]'2 from a, 1 from b'[/]; "
            "moves made at once are joined by a [bold]+[/].",
            show_default="none",
        ),
    ] = "",
    agent: Annotated[str, typer.Option(help="Who thinks.")] = "uct",
    role: Annotated[str | None, typer.Option(help="For which role.", show_default="all that are to move")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Thinking time.", show_default="1, if no limit is given")
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="Iterations.")] = None,
    forward_calls: Annotated[int | None, typer.Option(help="Calls of the forward model.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the chance in the game, and of the agent.")] = 0,
    top: Annotated[int, typer.Option(min=1, help="Show at most this many moves.")] = 20,
) -> None:
    """Let an agent think about a position, and show what it thinks of every move."""
    from rich.text import Text

    from ludarium.arena import streams
    from ludarium.arena.position import after
    from ludarium.terminal.screen import Screen
    from ludarium.terminal.tables import console
    from ludarium.terminal.thoughts import thoughts, title

    made, thinker = catalog.game(with_choices(game, option)), catalog.agent(agent)
    if seconds is None and iterations is None and forward_calls is None:
        seconds = 1.0
    limit = Limit(seconds=seconds, iterations=iterations, forward_calls=forward_calls)
    position = after(made, moves, seed=seed)
    deciding = _deciding(made, position.state, role, position.plies)
    screen = Screen(console(), made, [agent] * len(made.roles))
    if note := seating_note(thinker, made):
        screen.console.print(note, style="dim", markup=False, soft_wrap=True)
    hidden = not made.traits.perfect_information
    for number, each in enumerate(deciding):
        player = sit_down(thinker, made, each, streams.player(seed, each))
        if hidden or number == 0:
            viewer = each if hidden else None
            screen.board(position.state, title(made, position.plies, [each] if hidden else deciding), viewer)
        decision = decided(thinker, player, position.information_set(each), limit.start())
        named = Text(" ").append(made.roles[each], f"bold {screen.colour(each)}")
        screen.console.print(named.append(f" {agent}, {limit}"))
        narrow = screen.console.width < _NARROW
        told = thoughts(made, each, decision, most=top, colour=screen.colour(each), narrow=narrow)
        screen.console.print(told)


def _deciding(game: Game, state: State, name: str | None, plies: int) -> Sequence[int]:
    """Find out who has to decide: all movers, or the one that was named."""
    if state.over:
        worth = ", ".join(f"{role} {value:.3g}" for role, value in zip(game.roles, state.utilities(), strict=True))
        raise BadParameter(
            f"there is nothing to think about: {game.name} is over after {count(plies, 'move')} ({worth})"
        )
    if name is None:
        return state.movers
    if name not in game.roles:
        raise UnknownName("role", name, game.roles)
    if (role := game.roles.index(name)) not in state.movers:
        movers = " and ".join(game.roles[each] for each in state.movers)
        when = f"after {count(plies, 'move')}" if plies else "at the beginning"
        raise BadParameter(f"{name} is not to move {when}; to move: {movers}")
    return [role]
