"""The command `compare`: whether two descriptions are the same game, as far as was looked."""

from __future__ import annotations

import tomllib
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core import TOGETHER, BadParameter, IllegalMove, Rng
from ludarium.terminal.arguments import GameName

if TYPE_CHECKING:
    from ludarium.core import Game, State

_PLIES = 200  # of a random match that are looked at


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
    for place, game in enumerate(games if found.difference is not None or found.unclear else ()):
        entries = {pair[place]: pair[0] for pair in pairs.items()}
        for move in _never(game, entries, positions=positions, matches=matches, seed=seed):
            told = f"'{move}' is no move of {game.name} in what was looked at, which may be why"
            typer.echo(f"  {mapping}: the entry '{entries[move]}': {told}")
    if found.difference is not None:
        for name, state in zip(found.names, found.difference.states, strict=True):
            if state is not None:
                typer.echo(f"\n{name}:\n{state}")
        raise typer.Exit(1)


def _mapping(file: Path | None, games: tuple[Game, Game]) -> dict[str, str]:
    """Read which moves correspond, as the games write them."""
    if file is None:
        return {}
    from ludarium.ludii.text.source import decoded

    try:
        read = tomllib.loads(decoded(file.read_bytes(), str(file)).replace("\r\n", "\n"))
    except OSError as problem:
        raise BadParameter(f"cannot read '{file}': {problem.strerror or problem}") from None
    except tomllib.TOMLDecodeError as problem:
        raise BadParameter(f"{file}: {problem}") from None
    for move, other in read.items():
        if not isinstance(other, str):
            raise BadParameter(f"{file}: '{move}' is {other!r}; expected a move of the second game, in quotes")
    made = {}
    for move, other in read.items():
        try:
            made[_written(games[0], move)] = _written(games[1], other)
        except IllegalMove as problem:
            raise BadParameter(f"{file}: the entry '{move}': {problem}") from None
    return made


def _written(game: Game, text: str) -> str:
    """Write a move, or moves at once, as the game does."""
    return TOGETHER.join(game.text(game.parse(each)) for each in text.split(TOGETHER))


def _never(game: Game, moves: Iterable[str], *, positions: int, matches: int, seed: int) -> list[str]:
    """Name the moves that are legal nowhere, in so many positions from the start and in random matches."""
    left = list(moves)
    for state in _positions(game, positions, matches, seed):
        if not left:
            break
        legal = [{game.text(move) for move in state.legal(role)} for role in state.movers]
        left = [move for move in left if not _fits(move.split(TOGETHER), legal)]
    return left


def _fits(parts: list[str], legal: list[set[str]]) -> bool:
    return len(parts) == len(legal) and all(part in moves for part, moves in zip(parts, legal, strict=True))


def _positions(game: Game, most: int, matches: int, seed: int) -> Iterator[State]:
    """Give positions nearest to the start first, then those of random matches."""
    ahead, known = deque([game.initial()]), {game.initial()}
    while ahead:
        state = ahead.popleft()
        yield state
        for moves in product(*(state.legal(role) for role in state.movers)) if state.movers else ():
            if len(known) >= most:
                break
            child = state.after(dict(zip(state.movers, moves, strict=True)))
            if child not in known:
                known.add(child)
                ahead.append(child)
    rng = Rng.keyed(seed, "compare")
    for _ in range(matches):
        state = game.initial()
        for _ in range(_PLIES):
            if not state.movers:
                break
            state = state.after({role: rng.choice(state.legal(role)) for role in state.movers})
            yield state
