"""Flat Monte Carlo: try every move equally often and play the best average.

The baseline without a tree, as Ludii's Flat MC; but moves take turns instead of being drawn, and a playout is cut where
UCT's is. Others that move at once choose at random.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from ludarium.agents.pacing import spend
from ludarium.agents.support import blaming, require, single_move
from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.core.parameters import check, number
from ludarium.kernel import (
    Record,
    Stream,
    Table,
    below,
    bridge,
    buffer,
    copy,
    f64,
    i64,
    kernel,
    u8,
    u64,
    view,
)


class Work(Record):
    """How far a search is, and how far it may go."""

    tries: i64
    calls: i64
    call_limit: i64
    playout_limit: i64


@kernel
def try_moves(
    table: Table,
    root: view[u8],
    state: view[u8],
    role: i64,
    moves: view[u64],
    totals: view[f64],
    visits: view[i64],
    others: buffer[u64],
    joint: view[u64],
    values: view[f64],
    work: Work,
    rng: Stream,
    iterations: i64,
) -> i64:
    """Play random games that begin with each move in turn; other movers choose at random."""
    done = 0
    acting = table.movers(root) if iterations > 0 else 0
    while done < iterations and work.calls < work.call_limit:
        copy(state, root)
        place = work.tries % len(moves)
        for other in range(table.roles):
            joint[other] = 0
            if other != role and (acting >> other) & 1 == 1:
                count = table.legal(root, other, others)
                assert count > 0, "a mover has no legal move"
                joint[other] = others[below(rng, count)]
        joint[role] = moves[place]
        table.apply(state, joint, rng)
        work.calls += 1
        work.calls += table.playout(state, rng, min(work.playout_limit, work.call_limit - work.calls))
        table.utilities(state, values)
        totals[place] += values[role]
        visits[place] += 1
        work.tries += 1
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
        self.game, self.role, self.rng = game, role, rng
        self.bridge = bridge(game)
        self.work = Work()
        self.work.playout_limit = agent.playout_limit
        none, block = array("Q"), bytearray(self.bridge.table.state_size)
        try_moves(  # nothing: what is compiled now is not on the clock of the first move
            self.bridge.table, block, block, role, none, array("d"), array("q"), none, none, array("d"),
            self.work, rng, 0,
        )  # fmt: skip

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Try every move, and play the one that did best."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        assert info.state is not None
        table, work = self.bridge.table, self.work
        root = self.bridge.block(info.state)
        state, moves, joint = bytearray(root), array("Q", info.legal), array("Q", bytes(8 * table.roles))
        totals, visits = array("d", bytes(8 * len(moves))), array("q", bytes(8 * len(moves)))
        others, values = array("Q", bytes(8 * table.max_moves)), array("d", bytes(8 * table.roles))
        work.tries = work.calls = 0

        def search(iterations: int, calls: int) -> tuple[int, int]:
            before = work.calls
            work.call_limit = before + calls
            with blaming(self.game):
                done = try_moves(
                    table, root, state, self.role, moves, totals, visits, others, joint, values,
                    work, self.rng, iterations,
                )  # fmt: skip
            return done, work.calls - before

        iterations, calls = spend(budget, search)
        tried = {m: total / n for m, total, n in zip(moves, totals, visits, strict=True) if n}
        best = max(tried.values())
        return Decision(
            self.rng.choice([move for move, value in tried.items() if value == best]),
            values={move: tried.get(move, 0.5) for move in moves},
            visits=dict(zip(moves, visits, strict=True)),
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
        )
