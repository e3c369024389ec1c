"""The command `show`: how a game begins, its rules, its code, its traits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludarium import catalog
from ludarium.core import BadParameter, Game, State
from ludarium.core.files import write_file
from ludarium.terminal.arguments import Choices, GameName, with_choices


def show(
    game: GameName,
    *,
    option: Choices = None,
    moves: Annotated[str, typer.Option(help="Show it after these moves.", show_default="none")] = "",
    options: Annotated[
        bool, typer.Option("--options", help="Of a game in Ludii's language: what may be chosen; * marks what is.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it into a file, [bold].svg[/].", show_default="none")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Its rules, in words or in the language they are in.")] = False,
    code: Annotated[
        bool, typer.Option("--code", help="What is compiled and run: its source, or what its rules became.")
    ] = False,
    traits: Annotated[bool, typer.Option("--traits", help="What it promises.")] = False,
    cost: Annotated[
        bool, typer.Option("--cost", help="Of a game in GDL: the rules that cost most in random playouts.")
    ] = False,
) -> None:
    """Show a game: how it begins and what it promises; or its rules, its code, its traits, what its rules cost."""
    from ludarium.arena.position import after
    from ludarium.terminal.screen import Screen
    from ludarium.terminal.tables import console, traits_table

    made, screen = catalog.game(with_choices(game, option)), console()
    if options:
        _print_options(made)
        return
    if cost:
        _print_costs(made)
        return
    state = after(made, moves, seed=0).state
    if svg is not None:
        _write_svg(made, state, svg)
        return
    everything = not (rules or code or traits)
    if everything:
        Screen(screen, made, [])(state, {})
        screen.print(f"roles: {', '.join(made.roles)}; at most {made.max_moves} moves to choose from")
    if rules:
        text = made.offers.rules or f"{made.name} comes without a text of its rules."
        screen.print(text, markup=False, soft_wrap=True)
    if traits or everything:
        screen.print(traits_table(made.traits, catalog.meanings(type(made.traits))))
    if code:
        _print_code(made)


def _print_options(game: Game) -> None:
    from ludarium.ludii.game import LudGame, MatchGame
    from ludarium.terminal.tables import choices_table, console

    found = game.model.rules.description.options if isinstance(game, LudGame | MatchGame) else None
    if found is None or not found.categories:
        typer.echo(f"{game.name} has no options")
        return
    console().print(choices_table(found))


def _print_costs(game: Game) -> None:
    from ludarium.terminal.tables import console, costs_table

    if game.offers.costs is None:
        raise BadParameter(f"{game.name} has no rules whose cost could be told: that takes a game in GDL")
    console().print(costs_table(game.offers.costs()))


def _write_svg(game: Game, state: State, file: Path) -> None:
    if file.suffix.lower() != ".svg":
        raise BadParameter(f"--svg {file}: a drawing ends in .svg")
    from ludarium.drawing import picture_svg

    try:
        write_file(file, picture_svg(game, state) + "\n")
    except OSError as problem:
        raise BadParameter(f"cannot write '{file}': {problem.strerror}") from None
    typer.echo(f"drawn: {file}")


def _print_code(game: Game) -> None:
    from ludarium.terminal.listing import listing
    from ludarium.terminal.tables import console

    if (screen := console()).is_terminal:
        from rich.syntax import Syntax

        screen.print(Syntax(listing(game), "python", background_color="default"))
    else:
        typer.echo(listing(game))
