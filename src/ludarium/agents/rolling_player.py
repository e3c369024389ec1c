"""What the rolling-horizon agents share when they are seated: the memory of their plans, and how a budget is spent."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Any

from ludarium.agents.actions import Actions, actions_of, address, wire
from ludarium.agents.opponents import Opponents, check_opponent, opponents
from ludarium.agents.pacing import spend
from ludarium.agents.rolling import Judging, Work
from ludarium.agents.support import blaming, require, single_move
from ludarium.core import Budget, Decision, Game, InformationSet, Move, Rng, Role
from ludarium.evaluate import Judge, evaluator
from ludarium.kernel import bridge

PATIENCE = 100
"""Plies after which a plan ends whose role never gets to move again."""

UNLIMITED = 1 << 60
_TRACED = 64  # entries of the line that a plan leaves behind


class Scene:
    """A game as a search with opponent models sees it: the records and the scratch memory that its kernels take."""

    def __init__(self, agent: Any, game: Game, role: Role, rng: Rng) -> None:
        require(game, agent, perfect_information=True)
        check_opponent(agent, game)
        self.agent, self.game, self.role, self.rng = agent, game, role, rng
        self.bridge = bridge(game)
        self.judge: Judge = evaluator(agent.evaluator).judge(game)
        self.opponents: Opponents = opponents(
            agent.opponent, game, self.bridge, role, rng, judge=self.judge, share=agent.opponent_share
        )
        self.judging = Judging()
        self.actions: Actions = actions_of(game)
        self.work = Work()
        self.work.role = role
        self.work.patience = PATIENCE
        self.work.price = self.judge.calls
        self.work.opponent_price = self.opponents.price
        self.work.idle = int(self.opponents.idle)
        table = self.bridge.table
        size, roles = table.state_size, table.roles
        self.state, self.spare = bytearray(size), bytearray(size)
        self.moves = array("Q", bytes(16 * max(1, table.max_moves)))
        self.joint, self.values = array("Q", bytes(16 * roles)), array("d", bytes(8 * roles))
        self.root = bytes(size)

    def arguments(self) -> tuple[Any, ...]:
        """What every search kernel takes first."""
        return (
            self.bridge.table, self.actions, self.opponents.ready(), self.judging, self.root, self.state, self.spare,
            self.judge.memory, self.opponents.memory, self.moves, self.joint, self.values,
        )  # fmt: skip

    def begin(self, info: InformationSet, budget: Budget) -> None:
        """Start a search from what a role knows."""
        assert info.state is not None
        self.root = self.bridge.block(info.state)
        self.wire()
        self.work.calls = self.work.depth = 0
        calls = budget.forward_calls_left
        self.work.opponent_calls = UNLIMITED
        if calls is not None and self.opponents.thinking is None:
            self.work.opponent_calls = int(calls * self.agent.opponent_share)

    def wire(self) -> None:
        """Fill in the functions, as kernels run now."""
        self.actions = actions_of(self.game)
        wire(self.judging, judge=address(self.judge.kernel))
        self.opponents.ready()

    def spend(self, budget: Budget, search: Callable[[int], int], more: Callable[[], bool]) -> tuple[int, int]:
        """Search until the budget is used up or there is no more to do; answers the iterations and calls charged."""
        work, thinking = self.work, self.opponents.thinking

        def run(iterations: int, calls: int) -> tuple[int, int]:
            before = work.calls
            work.call_limit = before + calls
            with blaming(self.game):
                done = search(iterations)
            return done, work.calls - before

        if thinking is None:
            return spend(budget, run)
        budget.charge()
        thinking.start(budget)
        before = budget.spent
        while more() and (budget.spent.iterations == before.iterations or not budget.exhausted):
            left = budget.forward_calls_left
            calls = UNLIMITED if left is None else left
            if calls <= work.price:
                break
            thinking.begin(calls - work.price)
            _, used = run(1, calls)
            budget.charge(iterations=1, forward_calls=used - thinking.charged, seconds=inf)
        spent = budget.spent
        return spent.iterations - before.iterations, spent.forward_calls - before.forward_calls


class Plans:
    """Rows of genes with what came of each: fitness and the line that was played."""

    def __init__(self, count: int, length: int) -> None:
        self.count, self.length = count, length
        self.genes = array("Q", bytes(8 * count * length))
        self.fresh = bytearray(b"\1" * count * length)
        self.traces = array("Q", bytes(16 * _TRACED * count))
        self.traced, self.tries = array("q", bytes(8 * count)), array("q", bytes(8 * count))
        self.fitness = array("d", bytes(8 * count))

    def forget(self) -> None:
        """Draw all plans anew."""
        self.fresh[:] = b"\1" * len(self.fresh)

    def put_first(self, plan: int) -> None:
        """Exchange the genes of a plan and the first one's."""
        size, at = self.length, plan * self.length
        rows: tuple[Any, ...] = (self.genes, self.fresh)
        for row in rows:
            row[:size], row[at : at + size] = row[at : at + size], row[:size]

    def shift(self) -> None:
        """Drop the first gene of every plan, which has been played, and leave the last to be drawn."""
        for at in range(0, len(self.genes), self.length):
            end = at + self.length
            self.genes[at : end - 1] = self.genes[at + 1 : end]
            self.fresh[at : end - 1] = self.fresh[at + 1 : end]
            self.fresh[end - 1] = 1

    def line(self, plan: int) -> tuple[tuple[Role, Move], ...]:
        """Give the moves that were played when a plan was tried last."""
        at = 2 * _TRACED * plan
        pairs = self.traces[at : at + 2 * self.traced[plan]]
        return tuple(zip(pairs[::2], pairs[1::2], strict=True))


class RollingPlayer:
    """A rolling-horizon agent in its seat; `search` is its kernel, and `settings` the record that it takes."""

    def __init__(
        self, agent: Any, game: Game, role: Role, rng: Rng, search: Callable[..., int], settings: Any, count: int
    ) -> None:
        self.agent, self.role, self.rng = agent, role, rng
        self.scene = Scene(agent, game, role, rng)
        self.search, self.settings = search, settings
        self.plans = Plans(count, agent.length)
        self.scene.work.length = agent.length
        self.legal, self.totals, self.visits = array("Q"), array("d"), array("q")
        self.moves = 0
        """Own moves before the one that the plans begin with."""

        self.scene.wire()
        self._run(0)  # what is compiled now is not on the clock of the first move

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Improve plans for the present state, and play the first move of the best."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        self._go_on(len(info.played))
        self.legal = array("Q", info.legal)
        self.totals, self.visits = array("d", bytes(8 * len(self.legal))), array("q", bytes(8 * len(self.legal)))
        self.settings.tried = self.settings.best = self.settings.again = 0
        self.scene.begin(info, budget)
        iterations, calls = self.scene.spend(budget, self._run, self._more)
        visits = {move: n for move, n in zip(self.legal, self.visits, strict=True) if n}
        totals = dict(zip(self.legal, self.totals, strict=True))
        line = self.plans.line(self.settings.best) if visits else ()
        mine = [move for role, move in line if role == self.role]
        made = Decision(
            mine[0] if mine else max(visits, key=visits.__getitem__, default=self.rng.choice(info.legal)),
            values={move: totals[move] / n for move, n in visits.items()},
            visits=visits,
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=line,
            depth=self.scene.work.depth,
        )
        self.plans.put_first(self.settings.best)
        self.settings.best = 0
        return made

    def _go_on(self, moves: int) -> None:
        """Keep of the plans what is still to come after so many own moves; all if they are asked about the same one again."""
        made, self.moves = moves - self.moves, moves
        if not self.agent.shift_buffer or not 0 <= made < self.agent.length:
            self.plans.forget()
            return
        for _ in range(made):
            self.plans.shift()

    def _more(self) -> bool:
        return bool(self.settings.tried <= self.settings.evaluations)

    def _run(self, iterations: int) -> int:
        plans = self.plans
        return self.search(
            *self.scene.arguments(), plans.genes, plans.fresh, plans.traces, plans.traced, plans.fitness,
            plans.tries, self.legal, self.totals, self.visits, self.settings, self.scene.work, self.rng, iterations,
        )  # fmt: skip
