from collections import Counter

import pytest

from ludarium import game
from ludarium.agents.random import Random
from ludarium.core import BudgetExceeded, Limit, Rng
from tests.agents.positions import decide, facing


@pytest.mark.statistical
def test_all_legal_moves_are_equally_likely():
    """A chi-square test with 6 degrees of freedom; fails by chance once in 100,000, for one fixed seed."""
    state = game("connect-four").initial()
    info, limit = facing(state), Limit(iterations=1)
    player = Random().seat(info.game, 0, Rng(2024))
    draws = 14_000
    counts = Counter(player.choose(info, limit.start()).move for _ in range(draws))
    expected = draws / len(info.legal)
    assert set(counts) == set(info.legal)
    assert sum((counts[move] - expected) ** 2 / expected for move in info.legal) < 32.4


def test_it_plays_where_something_is_hidden():
    made = game("kuhn-poker")
    assert Random().seat(made, 0, Rng(0))


def test_it_uses_no_budget():
    chosen = decide(Random(), game("nim").initial(), iterations=1)
    assert (chosen.iterations, chosen.forward_calls) == (0, 0)


def test_an_expired_budget_is_an_error():
    info = facing(game("nim").initial())
    budget = Limit(iterations=1).start()
    budget.charge(iterations=1)
    with pytest.raises(BudgetExceeded):
        Random().seat(info.game, 0, Rng(0)).choose(info, budget)
