"""An agent that breaks a promise fails the check: one broken agent per promise."""

from dataclasses import dataclass
from functools import partial
from itertools import count
from time import process_time, sleep
from typing import ClassVar

import pytest

from ludarium import catalog
from ludarium.agents.random import Random
from ludarium.core import BudgetExceeded, Decision, UnsupportedGame
from ludarium.testing import CheckFailed, check_agent
from ludarium.testing.agent import LATE, THOROUGH

CALLS = count()
DELAYS = count()
CONNECT_FOUR = partial(catalog.game, "connect-four")


@dataclass(frozen=True)
class First:
    """Plays the first legal move, and keeps every promise."""

    name: ClassVar[str] = "first"

    def seat(self, game, role, rng):
        self.refuse(game, role)
        return self

    def refuse(self, game, role):
        pass

    def choose(self, info, budget):
        budget.charge(iterations=1, forward_calls=1)
        return self.decide(info, budget)

    def decide(self, info, budget):
        return Decision(info.legal[0], iterations=1, forward_calls=1)


class Illegal(First):
    def decide(self, info, budget):
        return Decision(2**40, iterations=1, forward_calls=1)


class Overspends(First):
    def decide(self, info, budget):
        return Decision(info.legal[0], iterations=1000, forward_calls=1)


class Hides(First):
    def decide(self, info, budget):
        return Decision(info.legal[0])


class NeverLooks(First):
    def choose(self, info, budget):
        return Decision(info.legal[0])


class Moody(First):
    def decide(self, info, budget):
        return Decision(info.legal[next(CALLS) % len(info.legal)], iterations=1, forward_calls=1)


class Late(First):
    def decide(self, info, budget):
        if budget.limit.seconds is not None:
            sleep(THOROUGH.seconds + LATE + 0.1)
        return Decision(info.legal[0], iterations=1, forward_calls=1)


class LateOnce(First):
    def decide(self, info, budget):
        if budget.limit.seconds is not None and not next(DELAYS):
            sleep(THOROUGH.seconds + LATE + 0.1)  # as on a machine that is busy with other things
        return Decision(info.legal[0], iterations=1, forward_calls=1)


class Ponders(First):
    def decide(self, info, budget):
        if (seconds := budget.limit.seconds) is not None:
            end = process_time() + seconds
            while process_time() < end:
                pass
            raise BudgetExceeded("there was so much to prepare")
        return Decision(info.legal[0], iterations=1, forward_calls=1)


class HeldUp(First):
    def decide(self, info, budget):
        if budget.limit.seconds == THOROUGH.seconds:
            sleep(THOROUGH.seconds)
            raise BudgetExceeded("something else kept the machine busy")
        return Decision(info.legal[0], iterations=1, forward_calls=1)


class Boasts(First):
    def decide(self, info, budget):
        return Decision(info.legal[0], values={info.legal[0]: 2.0}, iterations=1, forward_calls=1)


class CountsTwice(First):
    def decide(self, info, budget):
        return Decision(info.legal[0], visits=dict.fromkeys(info.legal, 1), iterations=1, forward_calls=1)


class Untried(First):
    def decide(self, info, budget):
        tried = {info.legal[-1]: 1} if len(info.legal) > 1 else {}
        return Decision(info.legal[0], visits=tried, iterations=1, forward_calls=1)


class Breaks(First):
    def decide(self, info, budget):
        raise ZeroDivisionError


class Mumbles(First):
    def refuse(self, game, role):
        raise UnsupportedGame("no")


class Choosy(First):
    def refuse(self, game, role):
        if role:
            raise UnsupportedGame(f"first cannot play {game.name} in any but the first role")


@dataclass
class Soft:
    name: ClassVar[str] = "soft"

    strength: int = 1


@dataclass(frozen=True)
class Misnamed(Random):
    strength: int = 1


@pytest.mark.parametrize("agent", [First(), HeldUp(), LateOnce()])
def test_an_agent_without_fault_passes(agent):
    (checked,) = check_agent(agent, [CONNECT_FOUR])
    assert checked.supported


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        (Illegal(), "is not legal"),
        (Overspends(), "used 1000 iterations"),
        (Hides(), "tells of"),
        (NeverLooks(), "a budget that is used up"),
        (Moody(), "with the same seed"),
        (Late(), "s late"),
        (Ponders(), "BudgetExceeded"),
        (Boasts(), "values go from 0 to 1"),
        (CountsTwice(), "more visits than iterations"),
        (Untried(), "never tried"),
        (Breaks(), "ZeroDivisionError"),
        (Mumbles(), "does not say"),
        (Choosy(), "refuses others"),
        (Soft(), "not frozen"),
        (Misnamed(strength=2), "its name 'random' is that of another agent"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, First) else None,
)
def test_a_broken_agent_is_caught(agent, complaint):
    with pytest.raises(CheckFailed, match=complaint):
        check_agent(agent, [CONNECT_FOUR])
