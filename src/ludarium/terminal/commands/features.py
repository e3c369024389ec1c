"""The command `features`: what can be told of a game before it is played."""

from __future__ import annotations

from typing import Annotated

import typer

from ludarium import catalog
from ludarium.terminal.arguments import Choices, GameName, with_choices


def features(
    game: GameName,
    *,
    option: Choices = None,
    everything: Annotated[
        bool, typer.Option("--all", help="What is absent and what is unknown, too, not only what is found.")
    ] = False,
    ludemes: Annotated[
        bool, typer.Option("--ludemes", help="Of a game in Ludii's language: the ludemes that it uses.")
    ] = False,
) -> None:
    """List the concepts of a game, each with where it comes from; hyper-agents choose by them."""
    from ludarium.hyper.features import features as told
    from ludarium.hyper.features.taxonomy import concepts
    from ludarium.terminal.tables import console, features_table

    made = catalog.game(with_choices(game, option))
    found = told(made)
    names = found.ludemes if ludemes else [each for each in concepts() if everything or found[each].value]
    screen = console()
    if ludemes and not names:
        typer.echo(f"{made.name} is not written in Ludii's language")
        return
    screen.print(features_table((name, found[name]) for name in names))
    counts = ", ".join(f"{found.count(status)} {status}" for status in ("found", "absent", "unknown"))
    screen.print(f"{made.name}: {len(concepts())} concepts, {counts}", markup=False)
