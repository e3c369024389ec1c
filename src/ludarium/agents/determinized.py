"""Determinized search: imagine states that agree with what was seen, search each as if nothing were hidden, and add up.

Also known as perfect-information Monte Carlo (Levy 1989; Ginsberg, "GIB", 2001). It lends any agent that searches from
a state to any game. Its known weakness: each search thinks that all is known from the next move on, so it neither
gathers nor hides information ("strategy fusion": Frank and Basin 1998). A state per iteration instead of a few per
decision is what `ismcts` does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import fsum, inf
from time import perf_counter
from typing import ClassVar

from ludarium.agents.search.support import forgetful, single_move
from ludarium.agents.search.worlds import UNSEARCHED, Worlds, check_determinizer
from ludarium.agents.uct import UCT
from ludarium.core import Agent, BadParameter, Budget, BudgetExceeded, Decision, Game, InformationSet, Move, Rng, Role
from ludarium.core.parameters import check, choice, number, part
from ludarium.hidden import UNLIMITED, Determinizer, revealed, shown

_UCT = UCT()


@dataclass(frozen=True)
class Determinized:
    """Let an agent search states that the role may be in, and play what is best on the whole."""

    name: ClassVar[str] = "determinized"

    inner: Agent = part(_UCT, "agent")
    """Who searches the states."""

    determinizer: str | Determinizer = part("auto", "determinizer", tries=("auto", "replay", "enumeration"))
    """How to imagine states: `auto`, `constraint`, `heatmap`, `replay`, `redeal` or `enumeration`."""

    samples: int = number(10, 1, 1 << 20, tries=(1, 5, 10, 20, 50))
    """States to search, each with an equal share of the budget; fewer if drawing them takes half of it."""

    final: str = choice("value", ("value", "visits", "votes"))
    """Which move to play: the best average `value`, the most `visits` in all, or the one chosen most often (`votes`).

    Where the inner agent tells of no values, or of no visits, votes are counted.
    """

    bias: float = number(0.0, 0.0, 1e6, tries=(0.0, 0.02, 1.0))
    """How much a heatmap says in the choice, too: what a move is aimed at has a heat from 0 to 1, which is added times this.

    It is added to the value of the move, or to its share of the visits or votes; moves that nobody tried have the least.
    Only with a determinizer that draws a heatmap, such as `heatmap`, and where moves aim at hidden places.
    """

    def __post_init__(self) -> None:
        check(self)
        if not hasattr(self.inner, "seat"):
            raise BadParameter(f"{self.name}: inner is {self.inner!r}; expected an agent")
        check_determinizer(self.name, self.determinizer)

    def seat(self, game: Game, role: Role, rng: Rng) -> DeterminizedPlayer:
        """Make a player for one match; an `UnsupportedGame` if the inner agent cannot play it, even with nothing hidden."""
        return DeterminizedPlayer(self, game, role, rng)


class DeterminizedPlayer:
    """Determinized search in its seat."""

    def __init__(self, agent: Determinized, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.role, self.rng = agent, role, rng
        self.twin = revealed(game)
        self.worlds = Worlds(agent.determinizer, game, role, rng.split(), owner=agent.name, bias=agent.bias)
        self.inner = forgetful(agent.inner, plans=False).seat(self.twin, role, rng.split())

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Draw states, search them one after the other, and play what is best on the whole."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        budget.charge()  # an expired budget is an error
        before = budget.spent
        self.worlds.begin(info, budget)
        self._draw(budget)
        made = self._searched(info, budget)
        iterations, calls = (
            budget.spent.iterations - before.iterations,
            budget.spent.forward_calls - before.forward_calls,
        )
        spent = perf_counter() - started
        if not made:
            return Decision(self.rng.choice(info.legal), forward_calls=calls, seconds=spent, note=UNSEARCHED)
        tally = _Tally(made)
        move = tally.best(self.agent.final, self.rng, self.worlds)
        return Decision(
            move,
            values=tally.values,
            visits=tally.visits,
            iterations=iterations,
            forward_calls=calls,
            seconds=spent,
            line=((self.role, move),),
            depth=max(each.depth for each in made),
            note=f"{len(made)} states, chosen in {tally.votes[move]} of them",
        )

    def _searched(self, info: InformationSet, budget: Budget) -> list[Decision]:
        """Search the states one after the other, as far as the budget goes."""
        made: list[Decision] = []
        states = self.worlds.states
        for place, state in enumerate(states):
            imagined = shown(self.twin, state)
            known = InformationSet(game=self.twin, role=self.role, legal=info.legal, played=info.played, state=imagined)
            try:
                made.append(self.inner.choose(known, budget.split(1 / (len(states) - place))))
            except BudgetExceeded:  # the clock ran out
                break
        return made

    def _draw(self, budget: Budget) -> None:
        """Draw states until there are enough, or one at least and half of the budget is gone."""
        worlds = self.worlds
        wanted = min(self.agent.samples, budget.iterations_left or self.agent.samples)
        seconds, calls = budget.seconds_left, budget.forward_calls_left
        while worlds.more and len(worlds.states) < wanted and not budget.exhausted:
            left = budget.forward_calls_left
            if worlds.states and left is not None and calls is not None:
                left -= calls // 2
            if (left is not None and left <= 0) or (worlds.states and seconds and _left(budget) < seconds / 2):
                break
            used = worlds.draw(wanted if worlds.states else 1, UNLIMITED if left is None else left)
            budget.charge(forward_calls=used, seconds=inf)  # the loop has judged the time


def _left(budget: Budget) -> float:
    return budget.seconds_left or 0.0


class _Tally:
    """What was found in all states together."""

    def __init__(self, made: list[Decision]) -> None:
        self.votes = Counter(each.move for each in made)
        visits: Counter[Move] = Counter()
        values: dict[Move, list[float]] = {}
        for each in made:
            visits.update(each.visits)
            for move, value in each.values.items():
                tried = not each.visits or each.visits.get(move, 0) > 0
                values.setdefault(move, []).extend([value] if tried else [])  # all states count the same
        self.values = {move: fsum(found) / len(found) if found else 0.5 for move, found in values.items()}
        self.visits = +visits and visits  # all zero: the inner agent knew without trying

    def best(self, rule: str, rng: Rng, worlds: Worlds) -> Move:
        """Choose the move to play, ties at random; without a bias, a move that was never tried is no choice."""
        merits: dict[Move, float] = dict(self.votes)
        if rule == "visits" and self.visits:
            merits = dict(self.visits)
        elif rule == "value" and self.values:
            merits = {move: value for move, value in self.values.items() if self.visits[move] or not self.visits}
        elif self.visits:
            merits = {move: votes for move, votes in self.votes.items() if self.visits[move]} or dict(self.visits)
        merits = worlds.warmed(merits, shares=rule != "value" or not self.values)
        best = max(merits.values())
        return rng.choice([move for move, merit in merits.items() if merit == best])
