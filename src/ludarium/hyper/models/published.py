"""The tables of Thompson and Stephenson, wherever the user has them.

A folder is expected with the files of `Models/data/input` of their repository.
"""

from __future__ import annotations

from pathlib import Path

from ludarium.core import BadParameter
from ludarium.hyper.models.tables import Table, join, read

CONCEPTS, LUDEMES = "gameConceptsCompilation.csv", "gameLudemes.csv"
AGENTS, HEURISTICS = "gameAgents.csv", "gameHeuristics.csv"

NAMES = {
    "UCT": "uct",
    "MC-GRAVE": "grave",
    "Alpha-Beta": "alphabeta",
    "Progressive History": "progressive-history",
    "MAST": "mast",
}
"""The sub-agents as the tables call them, in the order of their columns, and as we do."""


def agents(folder: Path) -> Table:
    """What the five sub-agents scored against UCT."""
    return join([_file(folder, CONCEPTS), _file(folder, LUDEMES)], _file(folder, AGENTS), list(NAMES))


def heuristics(folder: Path) -> Table:
    """What alpha-beta scored with each of 33 heuristics."""
    path = _file(folder, HEURISTICS)
    return join([_file(folder, CONCEPTS), _file(folder, LUDEMES)], path, read(path)[0])


def _file(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        raise BadParameter(f"{folder} has no {name}: expected the tables of the paper, from its repository")
    return path
