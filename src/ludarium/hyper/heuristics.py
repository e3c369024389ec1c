"""Heuristics that a model chooses: which one, or how much each counts, by the features of a game.

Thompson and Stephenson, "General game playing hyper-agents for Ludii": their alpha-beta takes the heuristic of which most is
expected. To search a sum of several once, instead of letting agents vote, is what they leave for the future.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from ludarium.core import BadParameter, Game, Rng, State, UnsupportedGame
from ludarium.core.parameters import check, number
from ludarium.evaluate import Evaluator, Judge, evaluator, values
from ludarium.evaluate.layout import NOTHING
from ludarium.evaluate.sums import Sum, in_spreads
from ludarium.evaluate.terms import Term
from ludarium.hyper.chosen import model_of
from ludarium.hyper.features import features
from ludarium.hyper.models.model import Model, Prediction

_SLIGHT = 0.1
"""Of the greatest weight: less is not worth its time."""

_known: WeakKeyDictionary[Game, dict[Model, Prediction]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Predicted:
    """Judge a state by the heuristic of which a model expects most in this game, of those that can judge it."""

    name: ClassVar[str] = "predicted"

    model: str = ""
    """The file of a model of heuristics, as `ludarium hyper train` writes it; by default the one that comes along."""

    def __post_init__(self) -> None:
        _check_file(self.name, self.model)

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        refused: list[str] = []
        for forecast in _prediction(self.model, game).forecasts:
            try:
                judge = _heuristic(self.model, forecast.candidate).judge(game)
            except UnsupportedGame:
                refused.append(forecast.candidate)
            else:
                left_out = f"; left out: {', '.join(refused)}" if refused else ""
                return replace(judge, note=f"judged by {forecast}{left_out}")
        raise UnsupportedGame(f"{self.name} cannot judge {game.name}: none of its heuristics can")

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)


@dataclass(frozen=True)
class Blended:
    """Judge a state by a sum of heuristics: each counts what a model expects of it, less what it expects of its opposite.

    Weights are in units of what a heuristic differs in random games, so that none drowns the others by its scale.
    """

    name: ClassVar[str] = "blended"

    model: str = ""
    """The file of a model of heuristics, as `ludarium hyper train` writes it; by default the one that comes along."""

    most: int = number(4, 1, 100)
    """How many heuristics are summed, those with the greatest weights."""

    def __post_init__(self) -> None:
        check(self)
        _check_file(self.name, self.model)

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        chosen = self.chosen(game)
        return replace(chosen.judge(game), note=f"judged by {chosen.name}")

    def chosen(self, game: Game) -> Sum:
        """The sum for a game."""
        weights = term_weights(self.model, _prediction(self.model, game))
        able: list[Any] = []
        for term, weight in sorted(weights.items(), key=lambda each: -abs(each[1])):
            try:
                kind = term.feature(game).kind
            except UnsupportedGame:
                continue
            if kind != NOTHING:  # it has no opposite, so its whole score would be its weight
                able.append(_weighted(term, weight))
        least = _SLIGHT * max((abs(each.weight) for each in able), default=0.0)
        made = in_spreads(game, [each for each in able[: self.most] if abs(each.weight) > least])
        if not made.terms:
            raise UnsupportedGame(f"{self.name} cannot judge {game.name}: none of its heuristics tells anything there")
        return made

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)


def term_weights(file: str, prediction: Prediction) -> Mapping[Term, float]:
    """What each term counts: the expected scores of its heuristics with their signs, in shares of 100."""
    found: dict[Term, float] = {}
    for forecast in prediction.forecasts:
        made = _heuristic(file, forecast.candidate)
        if not isinstance(made, Sum) or len(made.terms) != 1:
            raise BadParameter(f"blended: {forecast.candidate} of {file} is no single term, so it has no opposite")
        (term,) = made.terms
        sign = 1.0 if term.weight > 0 else -1.0
        plain = _weighted(term, 1.0)
        found[plain] = found.get(plain, 0.0) + sign * forecast.score / 100.0
    return found


def _weighted(term: Term, weight: float) -> Term:
    changeable: Any = term
    made: Term = replace(changeable, weight=weight)
    return made


def _prediction(file: str, game: Game) -> Prediction:
    model, known = model_of(Path(file) if file else None, heuristics=True), _known.setdefault(game, {})
    if model not in known:
        known[model] = model.predict(features(game))
    return known[model]


def _heuristic(file: str, name: str) -> Evaluator:
    if ":" in name:  # a place, as in my/terms.py:Term; a file of numbers does not say what is run
        raise BadParameter(f"{file} names code as a heuristic, {name!r}: it is not run")
    try:
        return evaluator(name)
    except BadParameter as problem:
        raise BadParameter(f"{file} is no model of heuristics: {problem}") from None


def _check_file(name: str, file: object) -> None:
    if not isinstance(file, str):
        raise BadParameter(f"{name}: model is {file!r}; expected the name of a file, such as heuristics.zip")
