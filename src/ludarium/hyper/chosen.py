"""What a model says of the agents of a list, in a game: who is expected to do how well, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludarium.core import Agent, BadParameter, Game, describe
from ludarium.hyper.features import Features, features
from ludarium.hyper.models.model import Forecast, Model, Prediction
from ludarium.hyper.models.published import NAMES
from ludarium.hyper.models.store import kept
from ludarium.hyper.models.words import why
from ludarium.hyper.shipped import MODEL, folder


@dataclass(frozen=True)
class Ranking:
    """Agents by what is expected of them, the best first."""

    order: tuple[tuple[Agent, Forecast], ...]
    prediction: Prediction
    """Of the agents of the list only."""

    model: Model
    features: Features
    scored: bool
    """Whether scores are expected of them; a classifier only says how likely each is the best."""

    errors: NDArray[np.float64]
    """How forecasts err together, as a covariance of points, in the same order."""

    def because(self, sent: Agent | None = None) -> str:
        """Why an agent is sent, the best if none is named, and what is expected of all on the list."""
        chosen = next((found.candidate for each, found in self.order if each is sent), "")
        return f"{why(self.model, self.features, self.prediction, sent=chosen)}; {_sure(self.prediction)}"


def rank(name: str, file: str, agents: Sequence[Agent], game: Game) -> Ranking:
    """Ask the model of a file which agents will do well in a game."""
    path = Path(file) if file else None
    model = model_of(path)
    known = {called: each for each in agents if (called := _candidate(each, model)) is not None}
    strangers = [describe(each) for each in agents if _candidate(each, model) is None]
    if strangers:
        called = f"the model {path}" if path else "the model that ships with Ludarium"
        raise BadParameter(
            f"{name}: {called} knows nothing of {', '.join(strangers)}; it knows {', '.join(model.candidates)}"
        )
    sheet = _features(game)
    found = model.predict(sheet)
    order = tuple((known[each.candidate], each) for each in found.forecasts if each.candidate in known)
    places = [model.candidates.index(forecast.candidate) for _, forecast in order]
    listed = replace(found, forecasts=tuple(forecast for _, forecast in order))
    return Ranking(order, listed, model, sheet, not model.way.classifies, model.errors[np.ix_(places, places)])


def model_of(path: Path | None, *, heuristics: bool = False) -> Model:
    """The model of a file, or one that comes along, of agents or of heuristics; it is read once."""
    return kept(path or folder(heuristics=heuristics) / MODEL)


def _sure(found: Prediction) -> str:
    told = f"expected: {', '.join(map(str, found.forecasts))}; nearest game {found.nearest} (likeness {found.likeness:.2f})"
    told += f", choosing cost {found.regret:.1f} points in games as far"
    return told + (f"; {found.unknown} features unknown" if found.unknown else "")


def _candidate(agent: Agent, model: Model) -> str | None:
    """What the model calls an agent: its text, its name, or what the published tables call it."""
    published = {ours: theirs for theirs, ours in NAMES.items()}
    names = (describe(agent), agent.name, published.get(agent.name, ""))
    return next((each for each in names if each in model.candidates), None)


_KNOWN: dict[str, Features] = {}
_MOST = 64


def _features(game: Game) -> Features:
    """The features of a game, which do not change."""
    if game.fingerprint not in _KNOWN:
        if len(_KNOWN) >= _MOST:
            _KNOWN.clear()
        _KNOWN[game.fingerprint] = features(game)
    return _KNOWN[game.fingerprint]
