"""Max^n: every role maximises what it gets itself, and takes it that all others do the same.

Luckhardt and Irani, "An algorithmic solution of n-person games" (1986). A node has a value per role. Nothing is pruned
but what comes after a move that gives its role the most there is: evaluations of unfinished games do not add up to a
constant, which is what other ways to prune need. Of equal moves the first one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from ludarium.agents.alphabeta import AlphaBetaPlayer
from ludarium.agents.lookahead.deepening import Settings
from ludarium.agents.lookahead.frames import LEAST, Lookahead, note_root, open_frame, write_line
from ludarium.agents.lookahead.leaves import Leaves
from ludarium.agents.lookahead.transpositions import NO_MOVE
from ludarium.agents.lookahead.turns import require_turns
from ludarium.core import Game, Rng, Role
from ludarium.core.parameters import check, number, part
from ludarium.evaluate import Evaluator
from ludarium.kernel import Kernel, Stream, Table, copy, ctz, f64, i64, kernel, u64, view


@kernel
def take_values(ahead: Lookahead, ply: i64, values: view[f64], horizon: bool, deeper: i64) -> None:
    """Give a node the values of the move it has tried; `deeper` is the length of the line that follows."""
    frame = ahead.frames[ply]
    place = frame.next - 1
    value = values[frame.role]
    if ply == 0:
        note_root(ahead, place, value)
    frame.horizon = frame.horizon or horizon
    if value > frame.best:
        frame.best = value
        frame.move = ahead.moves[ply * ahead.width + place]
        copy(ahead.values[(ply + 1) * len(values) : (ply + 2) * len(values)], values)
        write_line(ahead, ply, deeper)
        if value >= 1.0:
            frame.next = frame.count
            frame.horizon = horizon


@cache
def maxn_search(judge: Kernel[int]) -> Kernel[int]:
    """Make the search kernel for a way to judge states; it takes what the alpha-beta search takes."""

    @kernel
    def search_all(table: Table, ahead: Lookahead, leaves: Leaves, rng: Stream, iterations: i64) -> i64:
        """Visit nodes until their count or the forward calls run out, or the depth is finished."""
        done = 0
        size = table.state_size
        roles = table.roles
        states = ahead.states
        joint = ahead.joint
        leaf = ahead.values[0:roles]
        while iterations > 0:
            ply = ahead.ply
            frame = ahead.frames[ply]
            if frame.next >= frame.count:
                if ply == 0:
                    ahead.finished = True
                    break
                ahead.ply = ply - 1
                best = ahead.values[(ply + 1) * roles : (ply + 2) * roles]
                take_values(ahead, ply - 1, best, frame.horizon, i64(frame.line))
                continue
            if done >= iterations or ahead.calls >= ahead.call_limit:
                break
            role = i64(frame.role)
            state = states[(ply + 1) * size : (ply + 2) * size]
            copy(state, states[ply * size : (ply + 1) * size])
            joint[role] = ahead.moves[ply * ahead.width + frame.next]
            table.apply(state, joint, rng)
            joint[role] = 0
            frame.next += 1
            ahead.calls += 1
            ahead.nodes += 1
            done += 1
            acting = table.movers(state)
            assert acting & (acting - 1) == 0, "it says turn_taking, but several roles move at once"
            horizon = False
            if acting == 0:
                table.utilities(state, leaf)
            elif frame.depth > 1:
                child = ahead.frames[ply + 1]
                child.depth = frame.depth - 1
                open_frame(table, ahead, ply + 1, ctz(acting), u64(NO_MOVE))
                child.best = -1.0
                ahead.ply = ply + 1
                continue
            else:
                horizon = True
                if ahead.calls + ahead.reserve <= ahead.call_limit:
                    ahead.calls += judge(table, state, leaf, ahead.judging, rng)
                else:
                    table.utilities(state, leaf)
                for k in range(roles):
                    leaf[k] = min(max(leaf[k], LEAST), 1.0 - LEAST)
            take_values(ahead, ply, leaf, horizon, 0)
        return done

    return search_all


@dataclass(frozen=True)
class MaxN:
    """Iterative deepening in which every role goes for its own value."""

    name: ClassVar[str] = "maxn"

    evaluator: str | Evaluator = part("auto", "evaluator")
    """How to judge a state where the search stops looking."""

    depth: int = number(1000, 1, 10_000, tries=(1, 2, 3, 4, 6, 8))
    """How many plies to look ahead at most."""

    def __post_init__(self) -> None:
        check(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> AlphaBetaPlayer:
        """Make a player for one match."""
        require_turns(game, self, roles=2)
        # What the others want is known only where it is the opposite.
        certain = len(game.roles) == 2 and game.traits.constant_sum
        return AlphaBetaPlayer(
            game, role, rng, maxn_search, self.evaluator, Settings(depth=self.depth), certain=certain, wins=False
        )
