"""The commands `games` and `agents`: what there is to play, and who plays."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium import catalog, registry
from ludarium.core import BadParameter, LudariumError, UnknownName
from ludarium.core.agent import HUMAN
from ludarium.core.syntax import is_place

if TYPE_CHECKING:
    from ludarium.terminal.tables import Listed

NARROW = 70  # columns: a terminal that is narrower gets two lines for each game

_HUMAN = """you, at the prompt

A seat for a person, where an agent is asked for: ludarium play connect-four human uct
It has no parameters, and no limit hurries it. Type a move, its number, or a part of it; type help to see what else \
there is: moves, board, history, hint, undo, save, rules, quit. It plays one match at a time, in the command play."""


class Language(StrEnum):
    """What a game is written in."""

    PYTHON = "python"
    GDL = "gdl"
    LUDII = "ludii"


def games(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORD", help="Only games whose name or description has all of these words.", show_default="all"
        ),
    ] = None,
    *,
    players: Annotated[int | None, typer.Option(min=1, help="Only games for this many players.")] = None,
    hidden: Annotated[
        bool | None, typer.Option("--hidden/--open", help="Only games that hide something, or that hide nothing.")
    ] = None,
    chance: Annotated[
        bool | None, typer.Option("--chance/--no-chance", help="Only games with chance, or without.")
    ] = None,
    language: Annotated[Language | None, typer.Option(help="Only games written in this language.")] = None,
    ludii: Annotated[
        bool, typer.Option("--ludii", help="Those of Ludii's library, wherever LUDARIUM_LUDII says that it is.")
    ] = False,
    search: Annotated[
        str,
        typer.Option(help="Only games that have all of these words; of Ludii's library also in what their files say."),
    ] = "",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the names of the roles, and more about each game.")
    ] = False,
) -> None:
    """List the games, one per line: how many play, whether anything is hidden or left to chance, and what it is."""
    from ludarium.terminal.tables import console, games_table

    words = [*(words or []), *search.split()]
    if ludii:
        if players is not None or hidden is not None or chance is not None or language is not None:
            raise BadParameter(
                "games of Ludii's library are found by words only: ludarium games --ludii --search mancala"
            )
        _print_ludii(words)
        return
    screen = console()
    listed, broken = _listed_games()
    wanted = {"players": players, "hidden": hidden, "chance": chance, "language": language}
    chosen = [
        each
        for each in listed
        if all(value is None or getattr(each, key) == value for key, value in wanted.items())
        and all(word.lower() in f"{each.name} {each.about} {each.more}".lower() for word in words)
    ]
    if not chosen:
        raise BadParameter(f"no game is like that: ludarium games lists all {len(listed)}")
    screen.print(games_table(chosen, verbose=verbose, narrow=screen.width < NARROW))
    if len(chosen) < len(listed):
        screen.print(f"{len(chosen)} of {len(listed)} games", style="dim")
    for line in broken:
        screen.print(line, style="yellow", soft_wrap=True)


def _print_ludii(words: list[str]) -> None:
    """List games of the user's library, each with the folder that says of which kind it is."""
    from ludarium.ludii.library import needed_library
    from ludarium.terminal.tables import console, paths_table

    library, screen = needed_library("ludarium games --ludii"), console()
    found = list(library.search(" ".join(words)))
    if not found:
        raise BadParameter(f"no game of {library.name} has {' and '.join(map(repr, words))}")
    shared = Counter(_parts(path)[1] for path in found)
    names = [(f"lud:{path if shared[name] > 1 else name}", folder) for path in found for folder, name in [_parts(path)]]
    screen.print(paths_table(names))
    screen.print(
        f"{len(found):,} of {len(list(library.search())):,} games of {library.name}", style="dim", soft_wrap=True
    )


def _parts(path: str) -> tuple[str, str]:
    folder, _, file = path.rpartition("/")
    return folder, file.removesuffix(".lud")


def _listed_games() -> tuple[list[Listed], list[str]]:
    """List all games, and what is wrong with those that cannot be loaded."""
    from ludarium.terminal.tables import Listed, promises

    listed, broken = [], []
    for name, entry in registry.listed("game").items():
        try:
            made, about = catalog.game(name), registry.about(entry)
        except LudariumError as problem:  # in a package of others
            broken.append(f"{name} cannot be loaded: {problem}")
            continue
        hidden, chance = not made.traits.perfect_information, not made.traits.deterministic
        more = promises(made.traits)
        listed.append(Listed(name, made.roles, about, more, hidden, chance, Language.PYTHON))
    for name, head in catalog.rule_files().items():
        roles = tuple(head.roles.split(", "))
        listed.append(Listed(name, roles, head.title, head.about, head.hidden, head.chance, head.language))
    return listed, broken


def agents(
    named: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT", help="Only these.", show_default="all of them")
    ] = None,
    *,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Show where each comes from, and every parameter: default, range, meaning."
        ),
    ] = False,
) -> None:
    """List the agents and their parameters."""
    from rich.text import Text

    from ludarium.terminal.tables import agents_table, console

    known = registry.listed("agent")
    if HUMAN in (named or []):
        named = [name for name in named or [] if name != HUMAN]
        console().print(Text(f"{HUMAN}  ", "bold").append(_HUMAN, "not bold"))
        if not named:
            return
    for name in named or []:
        if name not in known and not is_place(name):
            raise UnknownName("agent", name, known)
    listed = {name: known.get(name) or registry.entry("agent", name) for name in named or known}
    if not verbose:
        lines = [(name, _about(entry)) for name, entry in listed.items()]
        console().print(agents_table(lines if named else [*lines, (HUMAN, "you, at the prompt")]))
    for name, entry in listed.items() if verbose else ():
        _print_agent(name, entry)


def _about(entry: registry.Entry) -> str:
    try:
        return registry.about(entry)
    except LudariumError as problem:  # in a package of others
        return f"cannot be loaded: {problem}"


def _print_agent(name: str, entry: registry.Entry) -> None:
    from rich.text import Text

    from ludarium.terminal.tables import console

    screen = console()
    screen.print(Text(name, "bold").append(f"  {_about(entry)}", "not bold"))
    with suppress(LudariumError):
        _print_parameters(entry)


def _print_parameters(entry: registry.Entry) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from ludarium.terminal.tables import console, parameters_table

    screen = console()
    if told := catalog.source(entry):
        screen.print(Padding(Text(told, "dim"), (0, 0, 0, 2)))
    if known := registry.parameters(entry):
        table = parameters_table(known, registry.ranges(entry), catalog.meanings(entry.make))
        screen.print(Padding(table, (0, 0, 0, 1)))
    else:
        screen.print(Padding(Text("no parameters"), (1, 0, 1, 2)))
