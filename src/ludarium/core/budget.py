"""How much thinking is allowed: a limit, and the running budget that it starts.

Budgets form a tree: what a child uses is charged to all its ancestors, so no split can spend more than the
whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import perf_counter
from typing import NamedTuple

from ludarium.core.errors import BadParameter, BudgetExceeded

Clock = Callable[[], float]

_MOST = 10**15  # iterations or calls: years of them, and few enough that sums of them fit 64 bits


@dataclass(frozen=True, kw_only=True)
class Limit:
    """An allowance of time, iterations or forward-model calls; of several, the first to run out ends it.

    >>> print(Limit(seconds=0.5, iterations=1000))
    0.5 s or 1000 iterations
    """

    seconds: float | None = None
    iterations: int | None = None
    forward_calls: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is None and self.iterations is None and self.forward_calls is None:
            raise BadParameter("a limit needs seconds, iterations or forward calls")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise BadParameter(f"seconds must be a positive number, not {self.seconds}")
        _check_count("iterations", self.iterations)
        _check_count("forward_calls", self.forward_calls)

    def start(self, *, clock: Clock = perf_counter) -> Budget:
        """Start the clock."""
        return Budget(self, clock=clock)

    def __str__(self) -> str:
        parts = []
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s")
        if self.iterations is not None:
            parts.append(_counted(self.iterations, "iteration"))
        if self.forward_calls is not None:
            parts.append(_counted(self.forward_calls, "forward call"))
        return " or ".join(parts)


class Spent(NamedTuple):
    """What a budget has been used for so far."""

    iterations: int
    forward_calls: int
    seconds: float


class Budget:
    """A running limit: work is charged to it, and to the budgets that it was split from.

    >>> whole = Limit(iterations=100).start()
    >>> half = whole.split(0.5)
    >>> half.charge(iterations=20)
    >>> half.iterations_left, whole.iterations_left
    (30, 80)
    """

    def __init__(self, limit: Limit, *, parent: Budget | None = None, clock: Clock = perf_counter) -> None:
        self.limit = limit
        self._clock = clock
        self._started = clock()
        self._iterations = 0
        self._forward_calls = 0
        self._line: tuple[Budget, ...] = (
            self,
            *(parent._line if parent is not None else ()),
        )  # this budget and its ancestors
        self._counting = [(b, b.limit.iterations) for b in self._line if b.limit.iterations is not None]
        self._calling = [(b, b.limit.forward_calls) for b in self._line if b.limit.forward_calls is not None]
        self._ends = [b._started + b.limit.seconds for b in self._line if b.limit.seconds is not None]
        self._lock: Lock = parent._lock if parent is not None else Lock()  # one per tree: threads share budgets

    @property
    def seconds_left(self) -> float | None:
        """Time left here and in every ancestor, never below 0; None if unlimited."""
        return self._seconds_left(self._clock())

    @property
    def iterations_left(self) -> int | None:
        """Iterations left here and in every ancestor; None if unlimited."""
        return min([limit - b._iterations for b, limit in self._counting], default=None)

    @property
    def forward_calls_left(self) -> int | None:
        """Forward-model calls left here and in every ancestor; None if unlimited."""
        return min([limit - b._forward_calls for b, limit in self._calling], default=None)

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left of something that is limited."""
        return self._exhausted(self._clock())

    @property
    def spent(self) -> Spent:
        """The work charged here and the time since the start."""
        return Spent(self._iterations, self._forward_calls, self._clock() - self._started)

    def charge(self, *, iterations: int = 0, forward_calls: int = 0, seconds: float = 0.0) -> None:
        """Count work that took the last `seconds`; an error if the budget ran out before, or cannot cover it.

        Time is judged at the beginning of the work, because a search that thinks until the clock runs out can
        only count its iterations afterwards. Refused work is not counted.
        """
        if iterations < 0 or forward_calls < 0 or not seconds >= 0:
            raise ValueError("work is counted in numbers from 0 up")
        with self._lock:
            if self._exhausted(self._clock() - seconds):
                raise BudgetExceeded(f"the budget of {self.limit} is used up")
            _check_covered("iteration", iterations, self.iterations_left)
            _check_covered("forward call", forward_calls, self.forward_calls_left)
            for budget in self._line:
                budget._iterations += iterations
                budget._forward_calls += forward_calls

    def split(self, share: float) -> Budget:
        """Make a child with this share of what is left now, and at least one of what is counted."""
        if not 0 < share <= 1:
            raise BadParameter(f"a share is above 0 and at most 1, not {share}")
        with self._lock:
            now = self._clock()
            if self._exhausted(now):
                raise BudgetExceeded(f"the budget of {self.limit} is used up: nothing is left to split")
            seconds = self._seconds_left(now)
            part = Limit(
                # The share of almost nothing is still something: a limit of zero would be an error.
                seconds=None if seconds is None else max(seconds * share, math.ulp(0.0)),
                iterations=_part(self.iterations_left, share),
                forward_calls=_part(self.forward_calls_left, share),
            )
        return self.child(part)

    def child(self, limit: Limit) -> Budget:
        """Make a child with a limit of its own; it is charged to this one, and ends with it at the latest."""
        return Budget(limit, parent=self, clock=self._clock)

    def __repr__(self) -> str:
        iterations, forward_calls, seconds = self.spent
        return (
            f"<Budget of {self.limit}: spent {seconds:.3g} s, {_counted(iterations, 'iteration')}, "
            f"{_counted(forward_calls, 'forward call')}>"
        )

    def _seconds_left(self, now: float) -> float | None:
        return max(0.0, min(self._ends) - now) if self._ends else None

    def _exhausted(self, now: float) -> bool:
        left = (self._seconds_left(now), self.iterations_left, self.forward_calls_left)
        return any(amount is not None and amount <= 0 for amount in left)


def _check_count(name: str, count: int | None) -> None:
    if count is None:
        return
    # The annotation does not stop a float or a bool that comes from a configuration file.
    whole: object = count
    if not isinstance(whole, int) or isinstance(whole, bool) or whole <= 0:
        raise BadParameter(f"{name} must be a positive whole number, not {count}")
    if whole > _MOST:
        raise BadParameter(f"{name} is {count}; expected {_MOST:,} or fewer")


def _check_covered(unit: str, wanted: int, left: int | None) -> None:
    if left is not None and wanted > left:
        raise BudgetExceeded(f"{_counted(wanted, unit)} wanted, {left} left in the budget")


def _part(left: int | None, share: float) -> int | None:
    # The tiny addition keeps 29 % of 100 at 29, where floating point says 28.999999999999996.
    return None if left is None else max(1, min(left, int(left * share + 1e-9)))


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
