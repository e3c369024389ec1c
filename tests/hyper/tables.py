"""Small tables to learn from: who plays best depends on two concepts."""

import csv

import numpy as np

from ludarium.hyper.features.taxonomy import concepts
from ludarium.hyper.models.tables import Table

COLUMNS = tuple(concepts())[:40]
CANDIDATES = ("uct", "grave", "alphabeta")


def table(games=80, seed=3):
    chance = np.random.default_rng(seed)
    features = (chance.random((games, len(COLUMNS))) < 0.5).astype(float)
    line, large = features[:, 5], features[:, 7]
    scores = np.column_stack([50 + 0 * line, 30 + 40 * line, 40 + 30 * large - 20 * line])
    scores += chance.normal(0, 3, scores.shape)
    return Table(tuple(f"game {k}" for k in range(games)), COLUMNS, features, CANDIDATES, scores.clip(0, 100))


def write(folder, made=None):
    """Files of features and of scores."""
    made = made or table()
    for name, heads, values in (("features", made.columns, made.features), ("scores", made.candidates, made.scores)):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["GameName", *heads])
            out.writerows([game, *row] for game, row in zip(made.games, values, strict=True))
    return folder / "features.csv", folder / "scores.csv"
