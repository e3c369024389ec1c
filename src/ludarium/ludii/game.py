"""Descriptions in Ludii's language as games: of one description, or matches of several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.library import library_of_user, needed_library
from ludarium.ludii.lud_game import LudGame
from ludarium.ludii.matches.finding import Finder, Found, anywhere, beside, in_library
from ludarium.ludii.matches.game import MatchGame
from ludarium.ludii.model import Unsupported
from ludarium.ludii.text.defines import NO_LIBRARY, Library
from ludarium.ludii.text.expander import expand
from ludarium.ludii.text.options import selections
from ludarium.ludii.text.source import load as load_text


def load(path: Path, *, options: str | Sequence[str] | None = None, name: str = "") -> LudGame | MatchGame:
    """Read a game from a file; `options` are choices such as "Board Size/9x9", or the name of a ruleset."""
    library = library_of_user()
    defines = library.defines if library else NO_LIBRARY
    games = beside(path.parent, defines, in_library(library) if library else anywhere)
    return from_text(load_text(path), str(path), options, defines, name, games=games)


def find(title: str, *, options: str | Sequence[str] | None = None, name: str = "") -> LudGame | MatchGame:
    """Find a game in the user's library of Ludii's games, by its name or the end of its path."""
    library = needed_library(f"lud:{title}")
    text, file = library.read(title)
    return from_text(text, f"{library.name}/{file}", options, library.defines, name, games=in_library(library))


def from_text(
    text: str,
    file: str = "<text>",
    options: str | Sequence[str] | None = None,
    library: Library = NO_LIBRARY,
    name: str = "",
    *,
    games: Finder = anywhere,
) -> LudGame | MatchGame:
    """Make a game of a description; the games of a match are looked for with `games`."""
    rules = bind(expand(text, file, selections(options), library))
    try:
        if rules.root.family == "match":
            return MatchGame(rules, games, name=name, source=text)
        return LudGame(rules, name=name, source=text)
    except RecursionError:
        raise Unsupported(rules.place(rules.root), "game", "its rules are nested too deeply") from None


__all__ = ["Found", "LudGame", "MatchGame", "find", "from_text", "load"]
