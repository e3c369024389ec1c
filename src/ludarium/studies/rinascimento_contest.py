"""Whole games of Rinascimento in machine code: a planner against three others that look one step ahead, or draw at random.

A match of the arena calls each player from Python, which takes longer than its thousand forward calls. Grids and tuning
need thousands of games, so here the same search kernels are called from one loop. What the planner cannot know is dealt anew
before each of its moves; the others judge by their own points, which nothing hidden can change.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache
from typing import Any

from ludarium import catalog
from ludarium.agents.actions import address, wire
from ludarium.agents.bmrh import BMRH
from ludarium.agents.osla import OSLA
from ludarium.agents.rolling import Judging
from ludarium.agents.srh import SRH
from ludarium.agents.widening import RECOMMENDATIONS, WideningMCTS
from ludarium.agents.widening_search import Leaf
from ludarium.core import Rng
from ludarium.evaluate import evaluator
from ludarium.games.rinascimento import Rinascimento
from ludarium.hidden import revealed
from ludarium.kernel import Kernel, Stream, i64, kernel, mode, u8, view
from ludarium.studies.rinascimento_loop import PLANS, STEP, TREE, Round, contest_kernel

Planner = BMRH | SRH | WideningMCTS | OSLA
_ROOT = 4  # the place of the root among the arguments of a search


@dataclass(frozen=True)
class Won:
    """What came of some games."""

    games: int
    wins: int
    stale: int
    plies: int

    @property
    def share(self) -> float:
        """The share of games won, alone or with others."""
        return self.wins / self.games


class Contest:
    """An agent of the paper (`bmrh`, `srh`, `widening` or `osla`) against others of one kind, in all seats in turn."""

    def __init__(
        self, planner: Planner, *, rules: str = "rinascimento", calls: int = 1000, looking: bool = True
    ) -> None:
        made = _game(rules, mode())
        twin: Any = revealed(made)
        self.planner, self.calls, self.looking = planner, calls, looking
        plans = planner if isinstance(planner, BMRH | SRH) else BMRH(evaluator=planner.evaluator)
        tree = planner if isinstance(planner, WideningMCTS) else WideningMCTS()
        self.climbing: Any = plans.seat(twin, 0, Rng(0))
        self.growing: Any = tree.seat(twin, 0, Rng(0))
        self.kind = STEP if isinstance(planner, OSLA) else TREE if tree is planner else PLANS
        self.judge = evaluator("auto").judge(twin)
        step = planner if isinstance(planner, OSLA) else OSLA()
        self.stepping: Any = step.seat(twin, 0, Rng(0))
        self.kernel = contest_kernel(_dealer(made), self.stepping.kernel)

    def play(self, games: int, rng: Rng, seat: int = 0) -> Won:
        """Play games; the planner begins in `seat`, and moves on by one from game to game."""
        scene, plans = (self.growing if self.kind == TREE else self.climbing).scene, self.climbing.plans
        scene.wire()
        others, round_ = Judging(), Round()
        wire(others, judge=address(self.judge.kernel))
        round_.games, round_.seat, round_.calls, round_.looking = games, seat, self.calls, int(self.looking)
        round_.kind, round_.shift = self.kind, int(self.climbing.agent.shift_buffer)
        round_.final = RECOMMENDATIONS.index(self.growing.agent.final)
        scene.work.opponent_calls = int(self.calls * scene.agent.opponent_share)
        root, game, seen = (bytearray(scene.bridge.table.state_size) for _ in range(3))
        arguments = list(scene.arguments())
        arguments[_ROOT] = root
        room = 8 * scene.bridge.table.max_moves
        leaves = 256 + self.calls * self.growing.agent.samples if self.kind == TREE else 1
        self.kernel(
            *arguments, game, seen, others, self.judge.memory, plans.genes, plans.fresh, plans.traces, plans.traced,
            plans.fitness, plans.tries, self.climbing.settings, bytearray(Leaf.size * leaves), self.growing.path,
            self.growing.widening, array("Q", bytes(room)), array("d", bytes(room)), array("q", bytes(room)),
            self.stepping.work, scene.work, round_, rng,
        )  # fmt: skip
        return Won(games, round_.wins, round_.stale, round_.plies)


@cache
def _game(rules: str, _mode: str) -> Rinascimento:
    made = catalog.game(rules)
    assert isinstance(made, Rinascimento)
    return made


@cache
def _dealer(made: Rinascimento) -> Kernel[int]:
    State: Any = made.state_record  # noqa: N806
    redeal = made.redeal

    @kernel
    def deal(seen: view[u8], role: i64, state: view[u8], rng: Stream) -> i64:
        """Make a state from what a role was shown."""
        found: i64 = redeal(seen, role, State(state), rng)
        return found

    return deal
