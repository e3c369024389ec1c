"""The command `compare`: whether two descriptions are the same game, as far as was looked."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core import TOGETHER, BadParameter, IllegalMove
from ludarium.terminal.arguments import GameName

if TYPE_CHECKING:
    from ludarium.core import Game


def compare(
    first: GameName,
    second: GameName,
    *,
    positions: Annotated[
        int, typer.Option(min=1, help="Look at trees from the start with so many positions.")
    ] = 20_000,
    matches: Annotated[int, typer.Option(min=0, help="Then walk along so many random matches.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random matches.")] = 0,
    mapping: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Which moves correspond, in a TOML file: [bold]"a1" = "(mark 1 1)"[/], a line each.',
            show_default="those that do the same",
        ),
    ] = None,
) -> None:
    """Walk two descriptions of a game side by side, and say whether they are the same game, as far as was looked.

    Exit code 1 if they differ, or part by the names of their moves: the first difference is shown.
    """
    from ludarium.registry import make
    from ludarium.testing.same_game import compare as compared

    games: tuple[Game, Game] = make("game", first), make("game", second)
    pairs = _mapping(mapping, games)
    found = compared(*games, positions=positions, matches=matches, seed=seed, mapping=pairs)
    typer.echo(str(found))
    for place, (game, unmet) in enumerate(zip(games, found.unmet, strict=True)):
        for pair in pairs.items():
            if pair[place] in unmet:
                told = f"'{pair[place]}' is no move of {game.name} in what was looked at, which may be why"
                typer.echo(f"  {mapping}: the entry '{pair[0]}': {told}")
    if found.difference is not None:
        for name, state in zip(found.names, found.difference.states, strict=True):
            if state is not None:
                typer.echo(f"\n{name}:\n{state}")
        raise typer.Exit(1)


def _mapping(file: Path | None, games: tuple[Game, Game]) -> dict[str, str]:
    """Read which moves correspond, as the games write them."""
    if file is None:
        return {}
    from ludarium.ludii.text.source import data, decoded

    try:
        text = decoded(data(file), str(file)).replace("\r\n", "\n")
        read = tomllib.loads(text)
    except ValueError as problem:  # a TOMLDecodeError, or a number with thousands of digits
        raise BadParameter(f"{file}: this is not TOML: {problem}") from None
    except RecursionError:
        raise BadParameter(f"{file}: it is nested too deep") from None
    for move, other in read.items():
        if not isinstance(other, str):
            raise BadParameter(f"{file}: '{move}' is {other!r}; expected a move of the second game, in quotes")
    made: dict[str, str] = {}
    keys: dict[str, str] = {}
    for move, other in read.items():
        try:
            first, second = _written(games[0], move), _written(games[1], other)
        except IllegalMove as problem:
            raise BadParameter(f"{file}: the entry '{move}': {problem}") from None
        if first in keys:
            place = f"{file}:{_line(text, move)}" if _line(text, move) else str(file)
            told = f"'{move}' is the same move as '{keys[first]}', which stands above; expected one line for each move"
            raise BadParameter(f"{place}: {told}")
        made[first], keys[first] = second, move
    return made


def _line(text: str, key: str) -> int:
    """The line that begins with a key, as far as it is written plainly; 0 if none does."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith((f'"{key}"', f"'{key}'", f"{key} ", f"{key}=")):
            return number
    return 0


def _written(game: Game, text: str) -> str:
    """Write a move, or moves at once, as the game does."""
    return TOGETHER.join(game.text(game.parse(each)) for each in text.split(TOGETHER))
