"""The rule files that come with Ludarium; every game of theirs goes by the name of its file."""

from importlib import resources
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from ludarium.core.errors import UnknownName

__all__ = ["GDL", "LUDII", "Header", "header", "names", "path"]

GDL, LUDII = ".kif", ".lud"

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

    >>> "hnefatafl" in names(), names(LUDII)[0]
    (True, 'breakthrough')
    """
    return sorted(file.stem for file in _FOLDER.glob(f"*{ending}"))


def path(name: str, ending: str = GDL) -> Path:
    """Find the rule file of a game.

    >>> path("tic-tac-toe").name
    'tic-tac-toe.kif'
    """
    if name not in names(ending):
        raise UnknownName("game", name, names(ending))
    return _FOLDER / f"{name}{ending}"


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
        return Header(title, roles, about, "(set Hidden" in rules, "(dice" in rules, "ludii")
    return Header(title, roles, about, "(sees " in rules, "(role random)" in rules, "gdl")
