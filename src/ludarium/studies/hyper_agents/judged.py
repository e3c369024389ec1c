"""What alpha-beta wins by the heuristic that a model chooses, in games that the model has not seen, and by its own.

All scores are those of the tables that come along: matches against UCT with the same forward calls. A heuristic that cannot judge
a game is never chosen for it.
"""

from __future__ import annotations

import numpy as np

from ludarium.hyper.models.methods import method
from ludarium.hyper.models.regret import grouped_folds, left_out
from ludarium.hyper.models.tables import join, read
from ludarium.hyper.shipped import WAYS, absent, paths
from ludarium.studies.hyper_agents.foreign import BEST, Choices

CHOSEN, USUAL, OWN = "predicted", "the best on average", "its own"
_OWN = "alphabeta"


def judged(repeats: int = 2) -> Choices:
    """Choose in every game that both tables have, by models that saw neither the game nor those that are alike."""
    table, away = join(*paths(heuristics=True)).distinct(), absent(heuristics=True)
    able = np.array([[name not in away[game] for name in table.candidates] for game in table.games])
    everything = np.arange(len(table.games))
    won = {}
    for label, way in ((CHOSEN, WAYS[True]), (USUAL, "mean")):
        found = []
        for seed in range(repeats):
            expected = left_out(table, method(way), grouped_folds(table, seed=seed), seed)
            picked = np.where(able, expected, -1.0).argmax(axis=1)
            found.append(table.scores[everything, picked])
        won[label] = np.mean(found, axis=0)
    agents, scores = read(paths()[1])
    place = agents.index(_OWN)
    won[OWN] = np.array([scores[name][place] if name in scores else np.nan for name in table.games])
    made = Choices(table.games, won | {BEST: table.scores.max(axis=1)})
    return made.of(~np.isnan(won[OWN]))
