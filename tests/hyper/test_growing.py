"""Forests of our own beside those of scikit-learn."""

import numpy as np
import pytest

from ludarium.hyper.models.grove import Grove
from ludarium.hyper.models.growing import Forest


def data(games=300, seed=1):
    chance = np.random.default_rng(seed)
    flags = (chance.random((games, 30)) < 0.2).astype(float)
    numbers = chance.integers(1, 200, (games, 3)).astype(float)
    features = np.hstack([flags, numbers])
    scores = 30 * flags[:, 0] + 20 * flags[:, 1] * flags[:, 2] + 0.2 * numbers[:, 0] + chance.normal(0, 3, games)
    return features, scores


def test_it_learns_about_as_well_as_scikit_learns():
    ensemble = pytest.importorskip("sklearn.ensemble")
    features, scores = data()
    ours = Forest(trees=50).fit(features[:200], scores[:200])
    theirs = ensemble.RandomForestRegressor(n_estimators=50, random_state=0, oob_score=True).fit(
        features[:200], scores[:200]
    )
    errors = [np.mean((each.predict(features[200:]) - scores[200:]) ** 2) for each in (ours, theirs)]
    assert errors[0] < 1.15 * errors[1]
    assert np.corrcoef(ours.predict(features[200:]), theirs.predict(features[200:]))[0, 1] > 0.98
    assert np.mean((ours.oob_prediction_ - theirs.oob_prediction_) ** 2) < 0.2 * scores.var()
    sizes = [np.mean([each.tree_.node_count for each in forest.estimators_]) for forest in (ours, theirs)]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.05)


def test_trees_ask_the_best_question_first():
    features = np.array([[0, 5], [0, 7], [1, 5], [1, 7], [1, 9], [0, 9]] * 4, dtype=float)
    scores = 10 * features[:, 1] + features[:, 0]
    tree = Forest(trees=1).fit(features, scores).estimators_[0]
    assert tree.feature[0] == 1
    assert tree.threshold[0] in (6.0, 8.0)
    leaves = tree.feature < 0
    assert set(tree.value[leaves, 0, 0]) <= set(scores)


def test_the_same_seed_gives_the_same_trees_and_a_grove_says_the_same():
    features, scores = data(80)
    one, two, other = (Forest(trees=5, seed=seed).fit(features, scores) for seed in (3, 3, 4))
    assert all(np.array_equal(a.threshold, b.threshold) for a, b in zip(one.estimators_, two.estimators_, strict=True))
    assert not np.array_equal(one.predict(features), other.predict(features))
    grove = Grove.of_forests([one])
    for row in features[:10]:
        assert grove.predict(row, row == row)[0] == pytest.approx(one.predict(row[None])[0])


def test_one_game_and_equal_scores_make_a_single_leaf():
    tree = Forest(trees=1).fit(np.ones((5, 2)), np.full(5, 7.0)).estimators_[0]
    assert tree.node_count == 1
    assert tree.value[0, 0, 0] == 7.0
