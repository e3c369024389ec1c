"""Spending a budget: searches run in slices, short enough to stop in time and to answer Ctrl-C."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter

from ludarium.core import Budget

_SLICE_SECONDS = 0.02  # without a clock, how long Ctrl-C may have to wait
_FINE_SECONDS = 0.004  # against a clock
_FIRST_SLICE = 64  # iterations, before anything is known of their length
_UNLIMITED = 1 << 62


def spend(budget: Budget, search: Callable[[int, int], tuple[int, int]]) -> tuple[int, int]:
    """Search until the budget is used up; `search(iterations, forward_calls)` answers what it used of both.

    It may use less than it was allowed. A search that uses nothing has nothing left to do, and ends. A budget that had
    something left when it came here buys at least one iteration, however slow the machine.
    """
    budget.charge()  # an expired budget is an error
    total_iterations = total_calls = 0
    allowed = _FIRST_SLICE if budget.seconds_left is None else 1
    while total_iterations == 0 or not budget.exhausted:
        iterations_left, calls_left = budget.iterations_left, budget.forward_calls_left
        wanted = allowed if iterations_left is None else min(allowed, iterations_left)
        started = perf_counter()
        iterations, calls = search(wanted, _UNLIMITED if calls_left is None else calls_left)
        elapsed = perf_counter() - started
        if iterations == 0 and calls == 0:
            break
        # The loop has judged the time. To judge it again, a moment later than it was measured here, would
        # refuse work that began just before the end.
        budget.charge(iterations=iterations, forward_calls=calls, seconds=math.inf)
        total_iterations += iterations
        total_calls += calls
        allowed = _next_slice(iterations, elapsed, budget.seconds_left)
    return total_iterations, total_calls


def _next_slice(iterations: int, elapsed: float, seconds_left: float | None) -> int:
    """Aim at a slice of fixed length, shorter towards the end, and never much longer than the last one."""
    goal = _SLICE_SECONDS if seconds_left is None else min(_FINE_SECONDS, seconds_left * 0.5)
    each = elapsed / max(1, iterations)
    return max(1, min(int(goal / max(each, 1e-9)), 4 * max(1, iterations)))
