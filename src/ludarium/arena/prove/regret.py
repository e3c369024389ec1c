"""What it costs to play one agent everywhere: how far it is behind the best one, game by game.

The best agent of a game is the one that did best in the plays at hand, so part of the regret is luck: it is above 0 even
among agents that are equally strong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from ludarium.arena.prove.comparisons import game_means
from ludarium.arena.results import Results
from ludarium.core import UnknownName


@dataclass(frozen=True)
class Regret:
    """How far an agent is behind the best, on average over games."""

    agent: str
    mean: float
    error: float
    """The standard error, with the game as the unit; nan for a single game."""

    best: int
    """Games in which no other was better."""

    games: int
    """Games that all agents have played: only these count."""


def regrets(results: Results, agents: Sequence[str] | None = None) -> list[Regret]:
    """Compare every agent, or those named, with the best of them; the smallest regret comes first."""
    names = list(results.agent.names if agents is None else agents)
    if unknown := [name for name in names if name not in results.agent.names]:
        raise UnknownName("agent", unknown[0], results.agent.names)
    means = game_means(results)[:, [results.agent.names.index(name) for name in names]]
    means = means[~np.isnan(means).any(axis=1)]
    games = len(means)
    behind = np.round(means.max(axis=1, keepdims=True, initial=0) - means, 12)
    found = []
    for column, name in enumerate(names):
        mean = float(behind[:, column].mean()) if games else nan
        error = float(behind[:, column].std(ddof=1)) / sqrt(games) if games > 1 else nan
        found.append(Regret(name, mean, error, int(np.sum(behind[:, column] == 0)), games))
    return sorted(found, key=lambda regret: regret.mean)
