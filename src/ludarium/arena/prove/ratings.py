"""How strong agents are on one scale: Bradley-Terry strengths, told as Elo ratings.

The model says that the one beats the other with odds of exp(strength - strength); 400 points are odds of 10 to 1. It is
fitted by maximum likelihood (choix); a draw is half a win each, and in a match of many, each pair is one meeting. Some
virtual draws of each agent against all others keep ratings finite where an agent has won or lost everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, nan
from statistics import NormalDist

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.comparisons import shared_squares
from ludarium.arena.prove.intervals import CONFIDENCE, check_share
from ludarium.arena.prove.meetings import encounters, meetings
from ludarium.arena.results import Integers, Numbers, Results
from ludarium.core import BadParameter, LudariumError

with needs("report"):
    from choix import ilsr_pairwise_dense
    from scipy.sparse.csgraph import connected_components

ELO = 400 / log(10)
"""Elo points to one unit of strength."""

AVERAGE = 1500.0
"""What the ratings of a table average to."""


@dataclass(frozen=True)
class Rating:
    """An agent on the scale of Elo."""

    agent: str
    elo: float
    error: float
    """The standard error, in points, of the distance from the average of all."""

    low: float
    high: float
    game_error: float
    """The same with the game as the unit; nan for a single game."""

    meetings: int
    games: int


def ratings(results: Results, *, prior: float = 1.0, confidence: float = CONFIDENCE) -> list[Rating]:
    """Rate all agents, the strongest first; `prior` is the number of virtual draws of each."""
    check_share(confidence, "confidence")
    if not 0 <= prior < inf:
        raise BadParameter(f"the prior is a number of draws, not {prior}")
    names, size = results.agent.names, len(results.agent.names)
    if size < 2:
        return [Rating(name, AVERAGE, nan, nan, nan, nan, 0, len(results.game.names)) for name in names]
    results = results.by_match()
    ones, others, ahead = encounters(results)
    met = meetings(results)
    wins = met.wins + prior / (size - 1) / 2 * (1 - np.eye(size))
    strength = _strengths(wins)
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    information = (wins + wins.T) * expected * (1 - expected)
    spread = np.linalg.pinv(np.diag(information.sum(axis=1)) - information, hermitian=True)

    agent = np.concatenate([results.agent.codes[ones], results.agent.codes[others]])
    surprise = ahead - expected[results.agent.codes[ones], results.agent.codes[others]]
    surprise = np.concatenate([surprise, -surprise])

    def clustered(cluster: Integers) -> Numbers:
        squares = shared_squares(np.concatenate([cluster[ones], cluster[others]]), agent, surprise, size)
        return np.asarray(np.diag(spread @ squares @ spread), np.float64)

    # Neither estimate of the error may flatter: pairs within a match go together, and perfect records show no spread.
    games = len(results.game.names)
    variance = np.maximum(np.diag(spread), clustered(results.match))
    by_game = clustered(results.game.codes.astype(np.int64)) * games / max(1, games - 1)
    game_errors = ELO * np.sqrt(np.maximum(variance, by_game)) if games > 1 else np.full(size, nan)
    elos, errors = AVERAGE + ELO * strength, ELO * np.sqrt(variance)
    reach = errors * NormalDist().inv_cdf(0.5 + confidence / 2)
    met_by = np.rint(met.counts.sum(axis=1)).astype(int)
    columns = (elos, errors, elos - reach, elos + reach, game_errors, met_by, np.full(size, games))
    rows = zip(names, *(column.tolist() for column in columns), strict=True)
    return sorted((Rating(*row) for row in rows), key=lambda rating: -rating.elo)


def _strengths(wins: Numbers) -> Numbers:
    """Fit the model; there is a finite fit if everyone is linked to everyone by wins."""
    parts, _ = connected_components(wins > 0, connection="strong")
    if parts > 1:
        raise LudariumError("there are no finite ratings: some agents never lost, or never met; a prior helps")
    strength = ilsr_pairwise_dense(wins, max_iter=10_000)
    return np.asarray(strength - strength.mean(), np.float64)
