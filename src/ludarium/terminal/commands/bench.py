"""The command `bench`: how fast a game is on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from ludarium import catalog
from ludarium.core import LudariumError
from ludarium.core.limits import limits
from ludarium.terminal.arguments import Choices, GameName, with_choices


def bench(
    game: GameName,
    *,
    option: Choices = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU time for each measurement.")] = 1.0,
) -> None:
    """Measure a game on this machine: load time, random playouts and UCT iterations per second."""
    from ludarium.terminal.tables import console, speeds_table

    game = with_choices(game, option)
    console().print(speeds_table(game, _measured(game, seconds)))


def _measured(spec: str, seconds: float) -> Iterator[tuple[str, str, str]]:
    from ludarium.arena.speed import load_seconds, playout_speed, search_speed

    loaded, compiled = load_seconds(lambda: catalog.game(spec))
    yield "load", f"{1000 * loaded:,.0f} ms", "name to first state, code from the cache if there"
    game = catalog.game(spec)
    if hasattr(game, "kernels"):
        yield "compile", f"{1000 * compiled:,.0f} ms", "the same with an empty cache"
    speed = playout_speed(game, seconds=seconds)
    cut = ", cut there" if not game.traits.max_plies and speed.plies / speed.count >= limits().moves else ""
    yield "random playouts", f"{speed.rate:,.0f} /s", f"{speed.plies / speed.count:.1f} plies each{cut}"
    yield "states", f"{speed.plies_rate:,.0f} /s", "on the way"
    try:
        search = search_speed(game, catalog.agent("uct"), seconds=seconds)
        yield "UCT iterations", f"{search.rate:,.0f} /s", "in one growing tree from the first state"
    except LudariumError as problem:
        yield "UCT iterations", "-", str(problem)
