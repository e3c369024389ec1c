"""A handicap: another agent, which may do less for a move than the match allows.

So matches are between unequal budgets, too: an agent with a thousand forward calls against one that has five thousand. CPU time
is that of the thread which is asked to move: a busy machine takes nothing away from it, and what other threads do is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time
from typing import ClassVar

from ludarium.agents.uct import UCT
from ludarium.arena.seating import sit_down
from ludarium.core import Agent, BadParameter, Budget, Decision, Game, InformationSet, Limit, Player, Rng, Role
from ludarium.core.parameters import check, number, part

_UCT = UCT()


@dataclass(frozen=True)
class Limited:
    """Let an agent play with a smaller budget."""

    name: ClassVar[str] = "limited"

    inner: Agent = part(_UCT, "agent")
    """Who plays."""

    seconds: float = number(0.0, 0.0, 1e6)
    """For a move; 0 sets no such limit."""

    cpu_seconds: float = number(0.0, 0.0, 1e6)
    """For a move, of CPU time instead of time; 0 sets no such limit."""

    iterations: int = number(0, 0, 1 << 53)
    """For a move; 0 sets no such limit."""

    forward_calls: int = number(0, 0, 1 << 53)
    """States to look at for a move; 0 sets no such limit. Without any limit it is half of what the match allows."""

    def __post_init__(self) -> None:
        check(self)
        if self.cpu_seconds and (self.seconds or self.iterations or self.forward_calls):
            raise BadParameter(f"{self.name}: cpu_seconds is a limit by itself")
        if not hasattr(self.inner, "seat"):
            raise BadParameter(f"{self.name}: inner is {self.inner!r}; expected an agent")

    def seat(self, game: Game, role: Role, rng: Rng) -> LimitedPlayer:
        """Make a player for one match; an `UnsupportedGame` if the agent cannot play it."""
        return LimitedPlayer(self, sit_down(self.inner, game, role, rng))


class LimitedPlayer:
    """An agent in its seat, with less than it might have."""

    def __init__(self, agent: Limited, player: Player) -> None:
        self.agent, self.player = agent, player

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Choose as the agent does, with the smaller budget."""
        own = self.agent
        if own.cpu_seconds:
            return self._clocked(info, budget)
        if not (own.seconds or own.iterations or own.forward_calls):
            return self.player.choose(info, budget.split(0.5))
        limit = Limit(
            seconds=own.seconds or None,
            iterations=own.iterations or None,
            forward_calls=own.forward_calls or None,
        )
        return self.player.choose(info, budget.child(limit))

    def _clocked(self, info: InformationSet, budget: Budget) -> Decision:
        """Choose by another clock than that of the match, which is told of the work afterwards; its counts are kept."""
        left = {"iterations": budget.iterations_left, "forward_calls": budget.forward_calls_left}
        inner = Limit(seconds=self.agent.cpu_seconds, **left).start(clock=thread_time)
        made = self.player.choose(info, inner)
        budget.charge(
            iterations=inner.spent.iterations, forward_calls=inner.spent.forward_calls, seconds=budget.spent.seconds
        )
        return made
