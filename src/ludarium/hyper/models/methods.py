"""Ways to learn: all of tables II and III of Thompson and Stephenson, behind one interface.

A regressor learns the score of each candidate, a classifier which candidate is the best. Either way what comes out is a number
for each candidate, and the candidate with the largest is chosen.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.core import LudariumError, UnknownName
from ludarium.hyper.models.growing import Forest

Matrix = NDArray[np.float64]


class NoLearning(LudariumError):
    """Scikit-learn or skops is not there."""

    def __init__(self, name: str) -> None:
        super().__init__(f'{name} is not installed, and models of games need it: pip install "ludarium[hyper]"')


@dataclass(frozen=True)
class Method:
    """A way to learn."""

    name: str
    about: str
    make: Callable[[int], Any]
    """An estimator of scikit-learn, or like one, with a seed."""

    classifies: bool = False
    joint: bool = False
    """Whether one estimator learns all candidates at once."""

    def fit(self, features: Matrix, scores: Matrix, seed: int) -> list[Any]:
        """Learn: one estimator for each candidate, or one for all."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some do not converge, as in the paper
            if self.classifies:
                return [self.make(seed).fit(features, scores.argmax(axis=1))]
            if self.joint:
                return [self.make(seed).fit(features, scores)]
            # One seed for all: candidates are compared, and what they have by chance in common does not matter.
            return [self.make(seed).fit(features, scores[:, k]) for k in range(scores.shape[1])]

    def predict(self, fitted: list[Any], features: Matrix, candidates: int) -> Matrix:
        """What each candidate is worth, a row for each game."""
        if self.classifies:
            found = np.zeros((len(features), candidates))
            chances = fitted[0].predict_proba(features)
            found[:, fitted[0].classes_] = chances
            # What the classifier itself answers comes first, whatever it thinks of chances.
            found[np.arange(len(features)), fitted[0].predict(features)] += 1.0
            return found
        if self.joint:
            return np.asarray(fitted[0].predict(features)).reshape(len(features), candidates)
        return np.column_stack([each.predict(features) for each in fitted])


def _forest(seed: int) -> Any:
    return Forest(trees=100, seed=seed)


def _joint_forest(seed: int) -> Any:
    return _ensemble().RandomForestRegressor(n_estimators=500, max_features=0.1, random_state=seed, oob_score=True)


def _boosting(seed: int) -> Any:
    return _ensemble().GradientBoostingRegressor(random_state=seed)


def _support(seed: int) -> Any:  # noqa: ARG001
    return _part("svm").SVR(kernel="sigmoid")


def _linear(seed: int) -> Any:  # noqa: ARG001
    return _part("linear_model").LinearRegression()


def _mean(seed: int) -> Any:  # noqa: ARG001
    return _part("dummy").DummyRegressor(strategy="mean")


def _forest_classifier(seed: int) -> Any:
    return _ensemble().RandomForestClassifier(random_state=seed)


def _perceptron(seed: int) -> Any:
    return _part("neural_network").MLPClassifier(random_state=seed)


def _tree(seed: int) -> Any:
    return _part("tree").DecisionTreeClassifier(random_state=seed)


def _bayes(seed: int) -> Any:  # noqa: ARG001
    return _part("naive_bayes").GaussianNB()


def _most_frequent(seed: int) -> Any:
    return _part("dummy").DummyClassifier(strategy="most_frequent", random_state=seed)


METHODS: Mapping[str, Method] = {
    each.name: each
    for each in (
        Method("forest", "a random forest for each candidate", _forest),
        Method("joint-forest", "one random forest for all candidates", _joint_forest, joint=True),
        Method("boosting", "gradient boosting for each candidate", _boosting),
        Method("forest-classifier", "a random forest that names the best", _forest_classifier, classifies=True),
        Method("perceptron", "a multi-layer perceptron that names the best", _perceptron, classifies=True),
        Method("tree", "a decision tree that names the best", _tree, classifies=True),
        Method("support-vectors", "support vector regression (sigmoid) for each candidate", _support),
        Method("mean", "the mean of each candidate, whatever the game", _mean),
        Method("most-frequent", "the candidate that is the best most often", _most_frequent, classifies=True),
        Method("naive-bayes", "Gaussian naive Bayes that names the best", _bayes, classifies=True),
        Method("linear", "linear regression for each candidate", _linear),
    )
}
"""By name, in the order of table II."""


def method(name: str) -> Method:
    """Find a way to learn by its name."""
    if name not in METHODS:
        raise UnknownName("way to learn", name, METHODS)
    return METHODS[name]


def _ensemble() -> Any:
    return _part("ensemble")


def _part(name: str) -> Any:
    try:
        return import_module(f"sklearn.{name}")
    except ModuleNotFoundError:
        raise NoLearning("scikit-learn") from None
