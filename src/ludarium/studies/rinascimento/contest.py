"""Whole games of Rinascimento in machine code: a planner against three others that look one step ahead, or draw at random.

A match of the arena calls each player from Python, which takes longer than its thousand forward calls. Grids and tuning
need thousands of games, so here the same search kernels are called from one loop. What the planner cannot know is dealt anew
before each of its moves; the others judge by their own points, which nothing hidden can change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ludarium import catalog
from ludarium.agents.bmrh import BMRH
from ludarium.agents.osla import OSLA
from ludarium.agents.rolling.widening_kernels import RECOMMENDATIONS, Leaf
from ludarium.agents.search.actions import actions_of
from ludarium.agents.srh import SRH
from ludarium.agents.widening import WideningMCTS
from ludarium.core import Rng
from ludarium.evaluate import evaluator
from ludarium.games.rinascimento.game import Rinascimento
from ludarium.hidden import revealed
from ludarium.kernel import Kernel, Stream, f64, i64, kernel, mode, u8, u64, view, zeros
from ludarium.studies.rinascimento.contest_kernels import PLANS, STEP, TREE, Round, contest_kernel

Planner = BMRH | SRH | WideningMCTS | OSLA


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
        self.calls = calls
        plans = planner if isinstance(planner, BMRH | SRH) else BMRH(evaluator=planner.evaluator)
        tree = planner if isinstance(planner, WideningMCTS) else WideningMCTS()
        step = planner if isinstance(planner, OSLA) else OSLA()
        climbing: Any = plans.seat(twin, 0, Rng(0))
        growing: Any = tree.seat(twin, 0, Rng(0))
        stepping: Any = step.seat(twin, 0, Rng(0))
        kind = STEP if isinstance(planner, OSLA) else TREE if tree is planner else PLANS
        self.scene: Any = (growing if kind == TREE else climbing).scene
        table, judge = self.scene.bridge.table, evaluator("auto").judge(twin)
        root = zeros(u8, table.state_size)
        self.scene.planning.fill(root=root)
        stepping.step.trial.fill(
            root=root,
            moves=zeros(u64, table.max_moves),
            worth=zeros(f64, table.max_moves),
            visits=zeros(i64, table.max_moves),
        )
        growing.tree.fill(nodes=zeros(Leaf, 256 + calls * tree.samples if kind == TREE else 1))
        self.stepping, self.kernel = stepping, contest_kernel(_dealer(made), stepping.kernel)
        self.round = Round(
            game=zeros(u8, table.state_size),
            seen=zeros(u8, table.state_size),
            root=root,
            planning=self.scene.planning,
            rows=climbing.plans.rows,
            openings=climbing.openings,
            climb=climbing.settings,
            tree=growing.tree,
            step=stepping.step,
            judge=judge.kernel,
            judging=judge.judging,
            calls=calls,
            kind=kind,
            final=RECOMMENDATIONS.index(tree.final),
            looking=looking,
            shift=plans.shift_buffer,
        )

    def play(self, games: int, rng: Rng, seat: int = 0) -> Won:
        """Play games; the planner begins in `seat`, and moves on by one from game to game."""
        scene, round_ = self.scene, self.round
        for bundle in (scene.stage, self.stepping.step):
            bundle.fill(actions=actions_of(scene.game))
        scene.planning.opponent_calls = int(self.calls * scene.agent.opponent_share)
        round_.fill(games=games, seat=seat, wins=0, stale=0, plies=0)
        self.kernel(scene.bridge.table, round_, rng)
        return Won(games, round_.wins, round_.stale, round_.plies)


@cache
def _game(rules: str, _mode: str) -> Rinascimento:
    made = catalog.game(rules)
    assert isinstance(made, Rinascimento)
    return made


@cache
def _dealer(made: Rinascimento) -> Kernel[int]:
    State: Any = made.state_record  # noqa: N806
    redeal = made.offers.redeal

    @kernel
    def deal(seen: view[u8], role: i64, state: view[u8], rng: Stream) -> i64:
        """Make a state from what a role was shown."""
        found: i64 = redeal(seen, role, State(state), rng)
        return found

    return deal
