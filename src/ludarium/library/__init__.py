"""The rule files that come with Ludarium; every game of theirs goes by the name of its file."""

from importlib import resources
from pathlib import Path

from ludarium.core.errors import UnknownName

__all__ = ["names", "path"]

_FOLDER = Path(str(resources.files(__name__)))


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
