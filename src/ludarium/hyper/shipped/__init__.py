"""What comes along: scores of agents and of heuristics in games that were played here, features of these games, and two models.

One says which agent plays a game best, the other, in `heuristics`, by which heuristic alpha-beta does. `ludarium hyper gather`
makes all files of a folder from a store of matches; `ludarium hyper train` makes the model again from the tables, with
`--heuristics` the other one, byte by byte with the same release of scikit-learn.
"""

from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path

SCORES, FEATURES, GAMES, MODEL = "scores.csv", "features.csv.xz", "games.csv", "model.zip"

LEAST = 5
"""Matches of each agent; a game with fewer is not in the tables."""

WAYS = {False: "forest", True: "joint-forest"}
"""How the models have learned: of agents, and of heuristics."""


def folder(*, heuristics: bool = False) -> Path:
    """Where the files are."""
    path = Path(str(files(__package__)))
    return path / "heuristics" if heuristics else path


def paths(*, heuristics: bool = False) -> tuple[list[Path], Path]:
    """The table of features, as a list of one, and that of scores."""
    here = folder(heuristics=heuristics)
    return [here / FEATURES], here / SCORES


def absent(*, heuristics: bool = False) -> dict[str, tuple[str, ...]]:
    """Per game those that cannot play it, or judge it."""
    with (folder(heuristics=heuristics) / GAMES).open(encoding="utf-8", newline="") as file:
        return {row["GameName"]: tuple(row["absent"].split()) for row in csv.DictReader(file)}
