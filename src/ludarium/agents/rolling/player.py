"""What the rolling-horizon agents share when they are seated: the memory of their plans, and how a budget is spent."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Any

from ludarium.agents.rolling.opponents import Opponents, check_opponent, opponents
from ludarium.agents.rolling.opponents_kernels import Stage
from ludarium.agents.rolling.plans import Openings, Planning, Rows
from ludarium.agents.search.actions import actions_of
from ludarium.agents.search.pacing import spend
from ludarium.agents.search.support import blaming, require, single_move
from ludarium.core import Budget, Decision, Game, InformationSet, Move, Rng, Role
from ludarium.evaluate import Judge, judging
from ludarium.kernel import bridge, f64, i64, u8, u64, zeros

PATIENCE = 100
"""Plies after which a plan ends whose role never gets to move again."""

UNLIMITED = 1 << 60
_TRACED = 64  # entries of the line that a plan leaves behind


class Scene:
    """A game as a search with opponent models sees it: the bundles that its kernels take."""

    def __init__(self, agent: Any, game: Game, role: Role, rng: Rng) -> None:
        require(game, agent, perfect_information=True)
        check_opponent(agent, game)
        self.agent, self.game = agent, game
        self.bridge = bridge(game)
        judge: Judge = judging(agent.evaluator, game)
        self.opponents: Opponents = opponents(
            agent.opponent, game, self.bridge, role, rng, judge=judge, share=agent.opponent_share
        )
        table = self.bridge.table
        self.stage = Stage(
            actions=actions_of(game),
            state=zeros(u8, table.state_size),
            spare=zeros(u8, table.state_size),
            moves=zeros(u64, 2 * max(1, table.max_moves)),
            joint=zeros(u64, table.roles),
            tried=zeros(u64, table.roles),
            values=zeros(f64, table.roles),
            modelling=self.opponents.modelling,
            reserve=self.opponents.reserve,
        )
        self.planning = Planning(
            stage=self.stage,
            model=self.opponents.model(self.stage),
            judge=judge.kernel,
            judging=judge.judging,
            root=bytes(table.state_size),
            role=role,
            patience=PATIENCE,
            reserve=judge.calls,
            idle=self.opponents.idle,
        )

    def begin(self, info: InformationSet, budget: Budget) -> None:
        """Start a search from what a role knows."""
        assert info.state is not None
        self.stage.fill(actions=actions_of(self.game))
        self.planning.fill(root=self.bridge.block(info.state), calls=0, depth=0, opponent_calls=UNLIMITED)
        calls = budget.forward_calls_left
        if calls is not None and self.opponents.thinking is None:
            self.planning.opponent_calls = int(calls * self.agent.opponent_share)

    def spend(self, budget: Budget, search: Callable[[int], int], more: Callable[[], bool]) -> tuple[int, int]:
        """Search until the budget is used up or there is no more to do; answers the iterations and calls charged."""
        planning, thinking = self.planning, self.opponents.thinking

        def run(iterations: int, calls: int) -> tuple[int, int]:
            before = planning.calls
            planning.call_limit = before + calls
            with blaming(self.game):
                done = search(iterations)
            return done, planning.calls - before

        if thinking is None:
            return spend(budget, run)
        budget.charge()
        thinking.start(budget)
        before = budget.spent
        while more() and (budget.spent.iterations == before.iterations or not budget.exhausted):
            left = budget.forward_calls_left
            calls = UNLIMITED if left is None else left
            if calls <= planning.reserve:
                break
            thinking.begin(calls - planning.reserve)
            _, used = run(1, calls)
            budget.charge(iterations=1, forward_calls=used - thinking.charged, seconds=inf)
        spent = budget.spent
        return spent.iterations - before.iterations, spent.forward_calls - before.forward_calls


class Plans:
    """Rows of genes with what came of each: fitness and the line that was played."""

    def __init__(self, count: int, length: int) -> None:
        self.count, self.length = count, length
        self.genes, self.fresh = array("Q", bytes(8 * count * length)), bytearray(b"\1" * count * length)
        self.traces, self.traced = array("Q", bytes(16 * _TRACED * count)), array("q", bytes(8 * count))
        self.fitness = array("d", bytes(8 * count))
        self.rows = Rows(
            genes=self.genes,
            fresh=self.fresh,
            traces=self.traces,
            traced=self.traced,
            fitness=self.fitness,
            tries=zeros(i64, count),
            length=length,
            room=2 * _TRACED,
        )
        """The same memory, as kernels see it."""

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
        self.scene.planning.length = agent.length
        self.openings = Openings(moves=zeros(u64, 0), totals=zeros(f64, 0), visits=zeros(i64, 0))
        self.moves = 0
        """Own moves before the one that the plans begin with."""

        self._run(0)  # what is compiled now is not on the clock of the first move

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Improve plans for the present state, and play the first move of the best."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        self._go_on(len(info.played))
        totals, counts = self._begin(info, budget)
        iterations, calls = self.scene.spend(budget, self._run, self._more)
        visits = {move: n for move, n in zip(info.legal, counts, strict=True) if n}
        values = {move: total / n for move, total, n in zip(info.legal, totals, counts, strict=True) if n}
        line = self.plans.line(self.settings.best) if visits else ()
        mine = [move for role, move in line if role == self.role]
        made = Decision(
            mine[0] if mine else max(visits, key=visits.__getitem__, default=self.rng.choice(info.legal)),
            values=values,
            visits=visits,
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=line,
            depth=self.scene.planning.depth,
        )
        self.plans.put_first(self.settings.best)
        self.settings.best = 0
        return made

    def _begin(self, info: InformationSet, budget: Budget) -> tuple[memoryview, memoryview]:
        """Start a search; gives what will be known of the first moves: the sums of what came of them, and their tries."""
        totals, visits = zeros(f64, len(info.legal)), zeros(i64, len(info.legal))
        self.openings.fill(moves=array("Q", info.legal), totals=totals, visits=visits)
        self.settings.tried = self.settings.best = 0
        self.scene.begin(info, budget)
        return totals, visits

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
        return self.search(
            self.scene.bridge.table,
            self.scene.planning,
            self.plans.rows,
            self.openings,
            self.settings,
            self.rng,
            iterations,
        )
