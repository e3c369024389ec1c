"""Spending a budget: searches run in slices, short enough to stop in time and to answer Ctrl-C.

Without a clock in the budget slices are counted in forward calls: how fast the machine is changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter

from ludarium.core import Budget

_SLICE_CALLS = 1 << 15  # without a clock: as long as Ctrl-C may have to wait
_SLICE_SECONDS = 0.004  # against a clock
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
        seconds_left = budget.seconds_left
        if seconds_left is None:
            allowed = _next_slice(iterations, _SLICE_CALLS, max(iterations, calls))
        else:
            allowed = _next_slice(iterations, min(_SLICE_SECONDS, seconds_left * 0.5), elapsed)
    return total_iterations, total_calls


def _next_slice(iterations: int, goal: float, cost: float) -> int:
    """Aim at a slice that costs so much, by what the last one did; never much longer than that one."""
    each = cost / max(1, iterations)
    return max(1, min(int(goal / max(each, 1e-9)), 4 * max(1, iterations)))
