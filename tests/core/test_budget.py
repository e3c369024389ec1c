import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.core import BadParameter, BudgetExceeded, Limit, Spent


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_limit_needs_something_to_limit():
    with pytest.raises(BadParameter, match="needs seconds, iterations or forward calls"):
        Limit()


@pytest.mark.parametrize("seconds", [0, -1, -0.5, math.nan, math.inf])
def test_seconds_must_be_positive_and_finite(seconds):
    with pytest.raises(BadParameter, match="seconds must be a positive number"):
        Limit(seconds=seconds)


@pytest.mark.parametrize("name", ["iterations", "forward_calls"])
@pytest.mark.parametrize("count", [0, -1, 1.5, 10.0, math.nan, True])
def test_counts_must_be_positive_whole_numbers(name, count):
    with pytest.raises(BadParameter, match=f"{name} must be a positive whole number"):
        Limit(**{name: count})


@pytest.mark.parametrize("name", ["iterations", "forward_calls"])
def test_counts_fit_the_numbers_of_machine_code(name):
    Limit(**{name: 10**15})
    with pytest.raises(BadParameter, match=rf"{name} is 10+1; expected 1,000,000,000,000,000 or fewer"):
        Limit(**{name: 10**15 + 1})


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (Limit(iterations=1000), "1000 iterations"),
        (Limit(iterations=1), "1 iteration"),
        (Limit(seconds=0.5), "0.5 s"),
        (Limit(seconds=2), "2 s"),
        (Limit(forward_calls=20), "20 forward calls"),
        (Limit(seconds=1, iterations=5, forward_calls=9), "1 s or 5 iterations or 9 forward calls"),
    ],
)
def test_a_limit_reads_as_english(limit, text):
    assert str(limit) == text


def test_what_is_unlimited_is_none(clock):
    budget = Limit(iterations=5).start(clock=clock)
    assert (budget.seconds_left, budget.iterations_left, budget.forward_calls_left) == (None, 5, None)


def test_the_real_clock_runs_by_default():
    budget = Limit(seconds=1e-9).start()
    while not budget.exhausted:
        pass
    assert budget.seconds_left == 0.0
    assert budget.spent.seconds > 0


def test_charges_add_up(clock):
    budget = Limit(iterations=10, forward_calls=100).start(clock=clock)
    budget.charge(iterations=3, forward_calls=40)
    clock.now += 2.5
    budget.charge(iterations=1)
    assert (budget.iterations_left, budget.forward_calls_left) == (6, 60)
    assert budget.spent == Spent(iterations=4, forward_calls=40, seconds=2.5)


def test_a_charge_of_all_that_is_left_is_fine_and_the_next_is_not(clock):
    budget = Limit(iterations=2).start(clock=clock)
    budget.charge(iterations=2)
    assert budget.exhausted
    with pytest.raises(BudgetExceeded, match="budget of 2 iterations is used up"):
        budget.charge(iterations=1)


def test_refused_work_is_counted_nowhere(clock):
    whole = Limit(iterations=10, forward_calls=10).start(clock=clock)
    child = whole.split(0.5)
    with pytest.raises(BudgetExceeded, match="6 forward calls wanted, 5 left"):
        child.charge(iterations=1, forward_calls=6)
    assert child.spent[:2] == whole.spent[:2] == (0, 0)


@pytest.mark.parametrize("work", [{"iterations": -1}, {"forward_calls": -1}, {"seconds": -1}, {"seconds": math.nan}])
def test_work_cannot_be_given_back(work, clock):
    with pytest.raises(ValueError, match="from 0 up"):
        Limit(iterations=5).start(clock=clock).charge(**work)


def test_an_expired_budget_cannot_be_used(clock):
    budget = Limit(seconds=1).start(clock=clock)
    clock.now += 0.75
    assert not budget.exhausted
    assert budget.seconds_left == 0.25
    clock.now += 0.25
    assert budget.exhausted
    with pytest.raises(BudgetExceeded, match="budget of 1 s is used up"):
        budget.charge(iterations=1)
    with pytest.raises(BudgetExceeded, match="nothing is left to split"):
        budget.split(0.5)


def test_seconds_left_never_go_below_zero(clock):
    budget = Limit(seconds=1).start(clock=clock)
    clock.now += 5
    assert budget.seconds_left == 0.0


def test_a_search_that_thought_until_the_clock_ran_out_can_still_count_its_work(clock):
    budget = Limit(seconds=1).start(clock=clock)
    clock.now += 1.01
    budget.charge(iterations=500, seconds=1.0)
    assert budget.spent == Spent(500, 0, pytest.approx(1.01))


def test_work_begun_after_the_end_is_refused(clock):
    budget = Limit(seconds=1).start(clock=clock)
    clock.now += 2.0
    with pytest.raises(BudgetExceeded):
        budget.charge(iterations=500, seconds=0.5)


@pytest.mark.parametrize("share", [0, -0.1, 1.0001, math.nan, math.inf])
def test_a_share_is_above_0_and_at_most_1(share, clock):
    with pytest.raises(BadParameter, match="a share is above 0"):
        Limit(iterations=5).start(clock=clock).split(share)


def test_a_child_gets_its_share_of_what_is_left_now(clock):
    whole = Limit(seconds=8, iterations=100, forward_calls=1000).start(clock=clock)
    whole.charge(iterations=20, forward_calls=200)
    clock.now += 4
    child = whole.split(0.25)
    assert (child.seconds_left, child.iterations_left, child.forward_calls_left) == (1.0, 20, 200)
    assert child.spent == Spent(0, 0, 0.0)


def test_a_share_of_what_is_unlimited_is_unlimited(clock):
    child = Limit(iterations=100).start(clock=clock).split(0.5)
    assert child.seconds_left is None
    assert child.forward_calls_left is None


@pytest.mark.parametrize("percent", range(1, 101))
def test_a_percentage_of_100_is_exact(percent, clock):
    assert Limit(iterations=100).start(clock=clock).split(percent / 100).iterations_left == percent


def test_a_share_of_little_is_at_least_one(clock):
    child = Limit(iterations=1).start(clock=clock).split(0.01)
    assert child.iterations_left == 1


def test_a_child_is_charged_to_all_its_ancestors(clock):
    whole = Limit(iterations=100).start(clock=clock)
    half = whole.split(0.5)
    quarter = half.split(0.5)
    quarter.charge(iterations=5)
    assert [b.iterations_left for b in (whole, half, quarter)] == [95, 45, 20]


def test_a_child_has_no_more_than_its_ancestors_have_left(clock):
    whole = Limit(iterations=100, seconds=10).start(clock=clock)
    first, second = whole.split(1), whole.split(1)
    first.charge(iterations=90)
    assert second.iterations_left == 10
    with pytest.raises(BudgetExceeded, match="11 iterations wanted, 10 left"):
        second.charge(iterations=11)
    second.charge(iterations=10)
    assert first.exhausted
    assert second.exhausted
    assert whole.exhausted


def test_a_child_ends_with_its_parent(clock):
    whole = Limit(seconds=10).start(clock=clock)
    child = whole.split(1)
    clock.now += 9
    assert child.seconds_left == 1
    clock.now += 1
    assert child.exhausted


def test_a_used_up_child_does_not_use_up_its_parent(clock):
    whole = Limit(iterations=10).start(clock=clock)
    child = whole.split(0.5)
    child.charge(iterations=5)
    assert child.exhausted
    assert not whole.exhausted


actions = st.lists(
    st.one_of(
        st.tuples(st.just("charge"), st.integers(0, 20), st.integers(0, 8), st.integers(0, 8)),
        st.tuples(st.just("split"), st.integers(0, 20), st.floats(0.01, 1.0), st.just(0)),
        st.tuples(st.just("wait"), st.integers(0, 20), st.floats(0.0, 1.0), st.just(0)),
    ),
    max_size=40,
)


@given(st.integers(1, 50), st.integers(1, 50), actions)
def test_no_tree_of_budgets_ever_spends_more_than_the_whole(iterations, forward_calls, actions):
    clock = Clock()
    budgets = [Limit(seconds=5, iterations=iterations, forward_calls=forward_calls).start(clock=clock)]
    parents = {}
    granted = {id(budgets[0]): [0, 0]}
    for kind, at, x, y in actions:
        budget = budgets[at % len(budgets)]
        if kind == "wait":
            clock.now += x
            continue
        expired = budget.exhausted
        try:
            if kind == "split":
                child = budget.split(x)
                budgets.append(child)
                parents[id(child)] = budget
                granted[id(child)] = [0, 0]
            else:
                short = x > budget.iterations_left or y > budget.forward_calls_left
                budget.charge(iterations=x, forward_calls=y)
                assert not short
                while budget is not None:
                    granted[id(budget)][0] += x
                    granted[id(budget)][1] += y
                    budget = parents.get(id(budget))
        except BudgetExceeded:
            assert expired or (kind == "charge" and short)
        else:
            assert not expired
    for budget in budgets:
        assert list(budget.spent[:2]) == granted[id(budget)]
        assert 0 <= budget.spent.iterations <= budget.limit.iterations
        assert 0 <= budget.spent.forward_calls <= budget.limit.forward_calls
        assert budget.iterations_left >= 0
        parent = parents.get(id(budget))
        if parent is not None:
            assert budget.iterations_left <= parent.iterations_left
            assert budget.forward_calls_left <= parent.forward_calls_left
            assert budget.seconds_left <= parent.seconds_left


def test_threads_that_share_a_budget_lose_no_charge():
    whole = Limit(iterations=10**6).start()

    def work():
        child = whole.split(1)
        for _ in range(2000):
            child.charge(iterations=1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert whole.spent.iterations == 8000


def test_a_budget_shows_what_it_has_spent(clock):
    budget = Limit(iterations=10).start(clock=clock)
    budget.charge(iterations=1)
    assert repr(budget) == "<Budget of 10 iterations: spent 0 s, 1 iteration, 0 forward calls>"
