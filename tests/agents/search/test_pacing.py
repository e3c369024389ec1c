from importlib import import_module

import pytest

from ludarium import agent, game
from ludarium.agents.search.pacing import spend
from ludarium.core import BudgetExceeded, Limit, Rng
from tests.agents.positions import facing


class Clock:
    """A clock that goes as far as work takes."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr("ludarium.agents.search.pacing.perf_counter", made)
    return made


class Search:
    """A search whose iterations take fixed time and forward calls; it remembers its slices."""

    def __init__(self, clock, *, seconds=0.001, calls=10):
        self.clock, self.seconds, self.calls = clock, seconds, calls
        self.slices = []

    def __call__(self, iterations, calls):
        done = min(iterations, -(-calls // self.calls))
        used = min(done * self.calls, calls)
        self.clock.now += done * self.seconds
        self.slices.append(done)
        return done, used


@pytest.mark.parametrize("iterations", [1, 7, 8, 9, 1000, 100_000])
def test_iterations_are_used_up_exactly(clock, iterations):
    budget = Limit(iterations=iterations).start(clock=clock)
    assert spend(budget, Search(clock))[0] == iterations
    assert budget.iterations_left == 0


@pytest.mark.parametrize("calls", [1, 9, 10, 11, 12_345])
def test_forward_calls_are_used_up_exactly(clock, calls):
    budget = Limit(forward_calls=calls).start(clock=clock)
    assert spend(budget, Search(clock))[1] == calls
    assert budget.forward_calls_left == 0


@pytest.mark.parametrize("each", [1e-6, 1e-4, 1e-2])
@pytest.mark.parametrize("seconds", [0.01, 1.0])
def test_time_is_used_up_and_overrun_by_an_iteration_at_most(clock, each, seconds):
    budget = Limit(seconds=seconds).start(clock=clock)
    search = Search(clock, seconds=each)
    spend(budget, search)
    first = 8 * each  # the first slice is a guess
    assert seconds <= clock.now <= seconds + max(first, each) + 1e-9


def test_slices_are_short_enough_for_ctrl_c(clock):
    search = Search(clock, calls=10)
    spend(Limit(iterations=100_000).start(clock=clock), search)
    assert max(search.slices) * 10 <= 1 << 15
    assert len(search.slices) < 100_000 / 1000


def test_without_a_clock_in_the_budget_slices_do_not_depend_on_time(clock):
    slices = []
    for seconds in (0.0, 1e-6, 10.0):
        search = Search(clock, seconds=seconds)
        spend(Limit(iterations=10_000).start(clock=clock), search)
        slices.append(search.slices)
    assert slices[0] == slices[1] == slices[2]


def test_slices_grow_gently(clock):
    search = Search(clock, seconds=1e-9)
    spend(Limit(iterations=1_000_000).start(clock=clock), search)
    assert all(after <= 4 * before for before, after in zip(search.slices, search.slices[1:], strict=False))


def test_a_slow_search_gets_one_iteration_at_a_time(clock):
    search = Search(clock, calls=40_000)
    spend(Limit(iterations=68).start(clock=clock), search)
    assert search.slices == [64, 1, 1, 1, 1]


def test_work_that_began_in_time_counts_however_late_it_is_charged(clock):
    def slow_clock():
        """Pass time at every look, as on a busy machine."""
        clock.now += 1e-4
        return clock.now

    for end in range(150):
        budget = Limit(seconds=0.02 + 1e-5 * end).start(clock=slow_clock)
        assert spend(budget, Search(clock, seconds=1e-3))[0] > 0


def test_what_ends_first_ends_it(clock):
    budget = Limit(iterations=50, forward_calls=10_000, seconds=100).start(clock=clock)
    assert spend(budget, Search(clock)) == (50, 500)


def test_a_search_that_has_nothing_to_do_ends(clock):
    assert spend(Limit(iterations=50).start(clock=clock), lambda *_: (0, 0)) == (0, 0)


def test_a_budget_that_is_used_up_is_an_error(clock):
    budget = Limit(seconds=1).start(clock=clock)
    clock.now = 2.0
    with pytest.raises(BudgetExceeded, match="the budget of 1 s is used up"):
        spend(budget, Search(clock))


def test_a_child_is_charged_to_its_parent(clock):
    whole = Limit(iterations=100).start(clock=clock)
    assert spend(whole.split(0.25), Search(clock))[0] == 25
    assert whole.iterations_left == 75


def test_what_the_search_raises_comes_through(clock):
    def search(iterations, calls):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        spend(Limit(iterations=5).start(clock=clock), search)


@pytest.mark.parametrize("name", ["uct", "flat"])
def test_a_search_is_compiled_before_the_clock_runs(name, monkeypatch):
    made = game("connect-four")
    player = agent(name).seat(made, 0, Rng(0))
    monkeypatch.setattr(import_module("ludarium.kernel.kernel"), "Unit", None)  # no more compiling
    assert player.choose(facing(made.initial()), Limit(iterations=10).start()).iterations == 10


def test_a_budget_that_runs_out_on_the_way_still_buys_one_iteration():
    ticks = iter([0.0, 0.0, *[5.0] * 50])
    budget = Limit(seconds=1.0).start(clock=lambda: next(ticks))
    assert spend(budget, lambda iterations, calls: (iterations, 3))[0] == 1
