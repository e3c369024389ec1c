"""Flat Monte Carlo: try every move equally often and play the best average.

The baseline without a tree, as Ludii's Flat MC; but moves take turns instead of being drawn, and a playout is cut where
UCT's is. Others that move at once choose at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from ludarium.agents.search.pacing import spend
from ludarium.agents.search.support import blaming, require, single_move
from ludarium.agents.search.trial import Trial, begin, trial
from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.core.parameters import check, number
from ludarium.kernel import Stream, Table, bridge, i64, kernel


@kernel
def try_moves(table: Table, trial: Trial, playout_limit: i64, rng: Stream, iterations: i64) -> i64:
    """Play random games that begin with each move in turn."""
    done = 0
    acting = table.movers(trial.root) if iterations > 0 else 0
    while done < iterations and trial.calls < trial.call_limit:
        place = trial.tries % trial.count
        trial.make(table, acting, place, rng)
        trial.calls += table.playout(trial.state, rng, min(playout_limit, trial.call_limit - trial.calls))
        table.utilities(trial.state, trial.values)
        trial.worth[place] += trial.values[trial.role]
        trial.visits[place] += 1
        trial.tries += 1
        done += 1
    return done


@dataclass(frozen=True)
class Flat:
    """Spread the budget evenly over the legal moves."""

    name: ClassVar[str] = "flat"

    playout_limit: int = number(200, 0, (1 << 62) - 1)
    """Plies after which a playout is cut and judged as it stands."""

    def __post_init__(self) -> None:
        check(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> FlatPlayer:
        """Make a player for one match."""
        require(game, self, perfect_information=True)
        return FlatPlayer(self, game, role, rng)


class FlatPlayer:
    """Flat Monte Carlo in its seat."""

    def __init__(self, agent: Flat, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.game, self.rng = agent, game, rng
        self.bridge = bridge(game)
        self.trial = trial(self.bridge.table, role)
        self._slice(0)  # what is compiled now is not on the clock of the first move

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Try every move, and play the one that did best."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        assert info.state is not None
        trial, moves = self.trial, info.legal
        worth, counts = begin(trial, self.bridge.block(info.state), moves)

        def search(iterations: int, calls: int) -> tuple[int, int]:
            before = trial.calls
            trial.call_limit = before + calls
            return self._slice(iterations), trial.calls - before

        iterations, calls = spend(budget, search)
        visits = dict(zip(moves, counts, strict=True))
        tried = {m: total / visits[m] for m, total in zip(moves, worth, strict=True) if visits[m]}
        best = max(tried.values())
        return Decision(
            self.rng.choice([move for move, value in tried.items() if value == best]),
            values={move: tried.get(move, 0.5) for move in moves},
            visits=visits,
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
        )

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            return try_moves(self.bridge.table, self.trial, self.agent.playout_limit, self.rng, iterations)
