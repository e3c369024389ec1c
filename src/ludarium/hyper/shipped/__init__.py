"""What comes along: scores of our agents in games that were played here, features of these games, and what was learned from them.

`ludarium hyper gather` makes all files of this folder from a store of matches; `ludarium hyper train` makes the model again from
the tables, byte by byte with the same release of scikit-learn.
"""

from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path

SCORES, FEATURES, GAMES, MODEL = "scores.csv", "features.csv.xz", "games.csv", "model.zip"

LEAST = 5
"""Matches of each agent; a game with fewer is not in the tables."""


def folder() -> Path:
    """Where the files are."""
    return Path(str(files(__package__)))


def paths() -> tuple[list[Path], Path]:
    """The table of features, as a list of one, and that of scores."""
    return [folder() / FEATURES], folder() / SCORES


def absent() -> dict[str, tuple[str, ...]]:
    """Per game the agents that cannot play it."""
    with (folder() / GAMES).open(encoding="utf-8", newline="") as file:
        return {row["GameName"]: tuple(row["absent"].split()) for row in csv.DictReader(file)}
