"""The rule files that come with Ludarium; every game of theirs goes by the name of its file."""

from importlib import resources
from pathlib import Path
from typing import NamedTuple

from ludarium.core.errors import UnknownName

__all__ = ["Header", "header", "names", "path"]

_FOLDER = Path(str(resources.files(__name__)))


class Header(NamedTuple):
    """What the comment at the head of a rule file tells."""

    title: str
    roles: str
    about: str
    """The first sentence about the game."""


def names() -> list[str]:
    """Name all GDL games of the library.

    >>> "hnefatafl" in names()
    True
    """
    return sorted(file.stem for file in _FOLDER.glob("*.kif"))


def path(name: str) -> Path:
    """Find the rule file of a game.

    >>> path("tic-tac-toe").name
    'tic-tac-toe.kif'
    """
    if name not in names():
        raise UnknownName("game", name, names())
    return _FOLDER / f"{name}.kif"


def header(name: str) -> Header:
    """Read the head of a rule file: the first line is the title, the second names the players.

    >>> header("monty-hall").title, header("monty-hall").roles
    ('Monty Hall', 'candidate')
    """
    comment = []
    with path(name).open(encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("; "):
                break
            comment.append(line[2:].strip())
    title, players, *text = comment
    roles = players.partition(": ")[2].partition(";")[0].removesuffix(".")
    return Header(title, roles, f"{' '.join(text).partition('. ')[0].removesuffix('.')}.")
