"""A model: from the features of a game to what each candidate will score in it, how sure that is, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.core import UnsupportedGame
from ludarium.hyper.features import Features
from ludarium.hyper.models.grove import Grove
from ludarium.hyper.models.likeness import Likeness
from ludarium.hyper.models.methods import Matrix, Method, method
from ludarium.hyper.models.regret import folds, left_out, regrets
from ludarium.hyper.models.tables import Table

COVERS = 0.8
"""The share of games whose scores lie within the intervals."""

_NEIGHBOURS = 50
_PARTS = 5
_DIGITS = 6
"""Of errors: those behind depend on the processor, and on how many threads multiply."""

_FOREST = ("forest", "joint-forest")


@dataclass(frozen=True)
class Forecast:
    """What a candidate is expected to score, and between which limits most games lie that were left out."""

    candidate: str
    score: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.candidate} {self.score:.0f} % ({self.low:.0f} to {self.high:.0f})"


@dataclass(frozen=True)
class Prediction:
    """What is expected of all candidates in a game, the best first."""

    game: str
    forecasts: tuple[Forecast, ...]
    nearest: str
    """The game that was learned from and is most alike."""

    likeness: float
    """How much alike: 1 is the same features, 0 nothing in common."""

    regret: float
    """What choosing cost on average in games that were about as far from the others."""

    unknown: int
    """How many features nothing is known about."""

    @property
    def best(self) -> str:
        """The candidate to send."""
        return self.forecasts[0].candidate

    @property
    def weights(self) -> dict[str, float]:
        """What each candidate is expected to score, never below 0."""
        return {each.candidate: max(0.0, each.score) for each in self.forecasts}

    def __str__(self) -> str:
        listed = ", ".join(map(str, self.forecasts))
        near = f"the nearest game learned from is {self.nearest} (likeness {self.likeness:.2f})"
        cost = f"in games as far from all others, choosing cost {self.regret:.1f} points"
        missing = f"; {self.unknown} features are unknown" if self.unknown else ""
        return f"{listed}; {near}; {cost}{missing}"


@dataclass(frozen=True)
class Reason:
    """What a feature adds to the forecast of a candidate, in points."""

    feature: str
    value: float
    points: float


@dataclass(frozen=True, eq=False)
class Model:
    """What was learned."""

    way: Method
    candidates: tuple[str, ...]
    columns: tuple[str, ...]
    learner: Grove | list[Any]
    """Forests as arrays; of other ways to learn the estimators of scikit-learn."""

    likeness: Likeness
    margins: NDArray[np.float64]
    """Per candidate how far forecasts of games that were left out were off, at most, in most of them."""

    errors: NDArray[np.float64]
    """How forecasts of games that were left out erred together, as a covariance of points, less the luck of the matches."""

    learned: NDArray[np.float64]
    """Per game that was learned from: how alike the nearest other is, and what choosing costs when it is left out."""

    digest: str
    seed: int

    def scores(self, row: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The forecasts for one game; all but forests take what is unknown as absent."""
        if isinstance(self.learner, Grove):
            return self.learner.predict(row, known)
        return np.asarray(self.way.predict(self.learner, row[None], len(self.candidates))[0])

    def predict(self, features: Features) -> Prediction:
        """Say what is expected of a game."""
        row, known = self._row(features)
        scores = self.scores(row, known)
        order = np.argsort(-scores, kind="stable")
        nearest, alike = self.likeness.nearest(row, known)
        near = np.argsort(np.abs(self.learned[:, 0] - alike), kind="stable")[:_NEIGHBOURS]
        forecasts = tuple(
            Forecast(self.candidates[k], float(scores[k]), *_interval(float(scores[k]), float(self.margins[k])))
            for k in order
        )
        unknown = int((~known).sum())
        return Prediction(features.game, forecasts, nearest, alike, float(self.learned[near, 1].mean()), unknown)

    def _row(self, features: Features) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        row, known = features.cells(self.columns)
        if not known.any():
            raise UnsupportedGame(f"nothing is known of {features.game} that the model could go by")
        return row, known

    def reasons(self, features: Features, candidate: str, most: int = 6) -> tuple[float, Sequence[Reason]]:
        """What a candidate scores in all games, and what speaks for and against it in this one, the strongest first."""
        row, known = self._row(features)
        at = self.candidates.index(candidate)
        if isinstance(self.learner, Grove):
            start, points = self.learner.contributions(row, known, at)
        else:
            start, points = self._occluded(self.learner, row, at)
            points = np.where(known, points, 0.0)  # what is unknown is no reason
        order = np.argsort(-np.abs(points), kind="stable")[:most]
        found = [Reason(self.columns[k], float(row[k]), float(points[k])) for k in order if abs(points[k]) > 1e-9]
        return start, found

    def _occluded(self, fitted: list[Any], row: NDArray[np.float64], at: int) -> tuple[float, NDArray[np.float64]]:
        """What the forecast loses when a feature is what it is in the usual game."""
        usual = np.sign(self.likeness.means) * (2.0 ** np.abs(self.likeness.means) - 1.0)
        others = np.tile(row, (len(row), 1))
        np.fill_diagonal(others, usual)
        rows = np.vstack([row, usual, others])
        said = self.way.predict(fitted, rows, len(self.candidates))[:, at]
        return float(said[1]), np.asarray(said[0] - said[2:])


def train(table: Table, *, learns: str = "forest", seed: int = 0, matches: int = 0) -> Model:
    """Learn from a table; the same table and seed give the same model, bit by bit.

    If it is known of how many matches a score is the mean, the luck of these is not taken for errors of forecasts.
    """
    way = method(learns)
    small = table.distinct()
    fitted = way.fit(small.features, small.scores, seed)
    honest = _left_out(small, way, fitted, seed)
    likeness = Likeness.of(small)
    alike = likeness.matrix()
    np.fill_diagonal(alike, -1.0)
    learned = np.column_stack([alike.max(axis=1), regrets(honest, small.scores)])
    margins = np.quantile(np.abs(honest - small.scores), COVERS, axis=0)
    learner = Grove.of_forests(fitted) if way.name in _FOREST else fitted
    errors = _errors(honest - small.scores, small.scores, matches)
    return Model(way, small.candidates, small.columns, learner, likeness, margins, errors, learned, table.digest, seed)


def _errors(off: Matrix, scores: Matrix, matches: int) -> Matrix:
    """How errors vary together; what is left of them when luck is taken away is never below a point."""
    found = off.T @ off / len(off)
    if matches > 1:
        found -= np.diag((scores * (100.0 - scores)).mean(axis=0) / (matches - 1))
    values, directions = np.linalg.eigh(found)
    found = (directions * np.maximum(values, 1.0)) @ directions.T
    return np.asarray(np.round((found + found.T) / 2, _DIGITS) + 0.0)  # a zero has no sign, whichever side it came from


def _left_out(table: Table, way: Method, fitted: list[Any], seed: int) -> Matrix:
    """What is predicted of games that were not learned from: trees leave some out on their own."""
    if way.name in _FOREST:
        return np.column_stack([each.oob_prediction_ for each in fitted])
    return left_out(table, way, folds(len(table.games), min(_PARTS, len(table.games)), seed), seed)


def _interval(score: float, margin: float) -> tuple[float, float]:
    return max(0.0, score - margin), min(100.0, score + margin)
