"""The rule files that come with Ludarium; every game of theirs goes by the name of its file."""

from functools import cache
from importlib import resources
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from ludarium.core.errors import UnknownName

__all__ = ["GDL", "LUDII", "Header", "header", "names", "path"]

GDL, LUDII = ".kif", ".lud"

_CHANCE = ("(dice", "(deck", "Random")
_COMMENT = {GDL: "; ", LUDII: "// "}
_FOLDER = Path(str(resources.files(__name__)))


class Header(NamedTuple):
    """What the comment at the head of a rule file tells."""

    title: str
    roles: str
    about: str
    """The first sentence about the game."""

    hidden: bool
    chance: bool

    language: str
    """What the file is written in: gdl or ludii."""


def names(ending: str = GDL) -> list[str]:
    """Name all games of the library in a language: in GDL, or in Ludii's, which end in `.lud`.

    >>> "hnefatafl" in names(), "hex" in names(LUDII)
    (True, True)
    """
    return list(_files(ending))


def path(name: str, ending: str = GDL) -> Path:
    """Find the rule file of a game.

    >>> path("tic-tac-toe").name
    'tic-tac-toe.kif'
    """
    files = _files(ending)
    if name not in files:
        raise UnknownName("game", name, list(files))
    return files[name]


@cache
def _files(ending: str) -> dict[str, Path]:
    """All rule files of a language by the names of their games: those in Ludii's lie in a folder for each kind of game."""
    return {file.stem: file for file in sorted(_FOLDER.rglob(f"*{ending}"), key=lambda file: file.stem)}


def header(name: str, ending: str = GDL) -> Header:
    """Read the head of a rule file: the first line is the title, the second names the players.

    >>> header("monty-hall").title, header("monty-hall").roles
    ('Monty Hall', 'candidate')
    """
    rules = path(name, ending).read_text(encoding="utf-8")
    mark = _COMMENT[ending]
    comment = [line[2:].strip() for line in takewhile(lambda line: line.startswith(mark), rules.splitlines())]
    title, players, *text = comment
    roles = players.partition(": ")[2].partition(";")[0].removesuffix(".")
    about = f"{' '.join(text).partition('. ')[0].removesuffix('.')}."
    if ending == LUDII:
        return Header(title, roles, about, "(set Hidden" in rules, any(word in rules for word in _CHANCE), "ludii")
    return Header(title, roles, about, "(sees " in rules, "(role random)" in rules, "gdl")
