"""Omniscient: an agent that cheats. It is shown the state itself, whatever the game hides, and searches that.

Only for studies of what seeing all is worth, and for audits that must catch it: the catalog does not list it, and no
match shows it anything unless its terms allow cheating. A plan says so by `cheating = true`, a call by `cheating=True`:

>>> from ludarium import agent, game
>>> from ludarium.arena import play, round_robin
>>> cheat = agent("omniscient(inner=osla)")
>>> play(game("kuhn-poker"), [cheat, agent("random")], iterations=10)
Traceback (most recent call last):
...
ludarium.core.errors.BadParameter: omniscient(inner=osla) sees what kuhn-poker hides: only a match with cheating=True admits it
>>> play(game("kuhn-poker"), [cheat, agent("random")], iterations=10, cheating=True).agents
('omniscient(inner=osla)', 'random')
>>> round_robin(["kuhn-poker"], ["omniscient(inner=uct)", "ismcts"], cheating=True, iterations=100)
Plan(20 matches, 1 games, 2 agents)

A `Pairing` has `terms=Terms(limit=..., cheating=True)`. Every match that is stored keeps its terms, so results of
cheats are marked by their terms and by the name of the agent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ludarium.agents.uct import UCT
from ludarium.core import Agent, BadParameter, Budget, Decision, Game, InformationSet, Rng, Role, State, describe
from ludarium.core.parameters import check, part
from ludarium.hidden import revealed, shown

_UCT = UCT()


@dataclass(frozen=True)
class Omniscient:
    """Cheat: let an agent search the true state as if nothing were hidden."""

    name: ClassVar[str] = "omniscient"
    cheats: ClassVar[bool] = True
    """A match asks for this before it seats anybody."""

    inner: Agent = part(_UCT, "agent")
    """Who searches the state."""

    def __post_init__(self) -> None:
        check(self)
        if not hasattr(self.inner, "seat"):
            raise BadParameter(f"{self.name}: inner is {self.inner!r}; expected an agent")

    def seat(self, game: Game, role: Role, rng: Rng) -> OmniscientPlayer:
        """Make a player for one match; an `UnsupportedGame` if the inner agent cannot play it, even with nothing hidden."""
        return OmniscientPlayer(self, game, role, rng)


class OmniscientPlayer:
    """Omniscient in its seat."""

    def __init__(self, agent: Omniscient, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.role = agent, role
        self.twin = revealed(game)
        self.inner = agent.inner.seat(self.twin, role, rng)
        self._truth: State | None = None

    def peek(self, state: State) -> None:
        """Look at the state before a decision; whoever holds the match calls this, if cheating is allowed."""
        self._truth = shown(self.twin, state)

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Let the inner agent search the state that it was shown."""
        truth, self._truth = self._truth or info.state, None  # one look is good for one decision
        if truth is None:
            raise BadParameter(
                f"{describe(self.agent)} was not shown what {info.game.name} hides: only a match with cheating=True shows it"
            )
        known = replace(info, game=self.twin, state=truth)
        made = self.inner.choose(known, budget)
        return replace(made, note=f"cheating; {made.note}" if made.note else "cheating")
