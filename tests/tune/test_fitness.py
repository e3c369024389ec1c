import pytest

from ludarium.core import BadParameter, Match, Rng, UnknownName
from ludarium.tune.fitness import fitness, wins


def match(*utilities, plies=10):
    return Match(game="g", agents=("a",) * len(utilities), seed=0, moves=(), utilities=utilities, length=plies)


def test_wins_are_shared():
    assert wins(match(1.0, 0.0)) == [1, 0]
    assert wins(match(0.3, 0.3, 0.1)) == [0.5, 0.5, 0]
    assert wins(match(0.4)) == [0.4]


def test_score_and_utility_look_at_the_role_in_question():
    matches = [match(0.8, 0.2), match(0.5, 0.5), match(0.1, 0.6)]
    assert fitness("score").measure(matches, [0, 1, 1]) == pytest.approx((1 + 0.5 + 1) / 3)
    assert fitness("utility").measure(matches, [0, 1, 1]) == pytest.approx((0.8 + 0.5 + 0.6) / 3)


def test_length_falls_with_the_distance_from_the_target():
    nearness = fitness("length", 20).measure
    assert nearness([match(1, 0, plies=20)], [0]) == 1.0
    assert nearness([match(1, 0, plies=10), match(1, 0, plies=25)], [0, 0]) == pytest.approx((0.5 + 0.75) / 2)
    assert nearness([match(1, 0, plies=100)], [0]) == 0.0


def test_balance_is_0_if_one_role_always_wins():
    balance = fitness("balance").measure
    assert balance([match(1, 0)] * 5, [0] * 5) == pytest.approx(0.0)
    assert balance([match(0, 0, 1)] * 5, [0] * 5) == pytest.approx(0.0)
    assert balance([match(0.5, 0.5)] * 5, [0] * 5) == 1.0
    assert balance([match(1.0)] * 2, [0] * 2) == 1.0


@pytest.mark.statistical
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_balance_is_right_on_average_with_few_matches(share):
    rng = Rng(3)
    balance = fitness("balance").measure
    values = []
    for _ in range(4000):
        matches = [match(1, 0) if rng.uniform() < share else match(0, 1) for _ in range(3)]
        values.append(balance(matches, [0] * 3))
    truth = 1 - 2 * 2 * (share - 0.5) ** 2
    # The sd of one value is at most 0.9: four standard errors are 0.057; a false alarm comes once in 10,000 seeds.
    assert sum(values) / len(values) == pytest.approx(truth, abs=0.057)


def test_bad_names_and_targets_are_refused():
    with pytest.raises(UnknownName, match="unknown fitness 'scor': did you mean 'score'"):
        fitness("scor")
    for target in (None, 0, -3, float("nan"), float("inf")):
        with pytest.raises(BadParameter, match="'length' needs a target"):
            fitness("length", target)
    with pytest.raises(BadParameter, match="'balance' has no target"):
        fitness("balance", 3)
