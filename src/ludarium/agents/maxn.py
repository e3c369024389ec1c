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
from ludarium.agents.deepening import Settings
from ludarium.agents.frames import LEAST, Frame, Root, Search, open_frame
from ludarium.agents.leaves import Leaves
from ludarium.agents.transpositions import NO_MOVE, Entry
from ludarium.agents.turns import require_turns
from ludarium.core import Game, Rng, Role
from ludarium.core.parameters import check, number, part
from ludarium.kernel import Kernel, Stream, Table, copy, ctz, f64, i64, kernel, u8, u32, u64, view


@kernel
def take_values(
    frames: view[Frame],
    moves: view[u64],
    lines: view[u64],
    roots: view[Root],
    search: Search,
    ply: i64,
    width: i64,
    best: view[f64],
    values: view[f64],
    horizon: i64,
    deeper: i64,
) -> None:
    """Give a node the values of the move it has tried; `deeper` is the length of the line that follows."""
    frame = frames[ply]
    place = frame.next - 1
    value = values[frame.role]
    if ply == 0:
        roots[place].value = value
        roots[place].nodes += search.nodes - search.mark
        search.mark = search.nodes
    frame.horizon |= horizon
    if value > frame.best:
        frame.best = value
        frame.move = moves[ply * width + place]
        copy(best, values)
        room = search.room
        lines[ply * room] = frame.move
        frame.line = 1 + min(deeper, room - 1)
        for k in range(frame.line - 1):
            lines[ply * room + k + 1] = lines[(ply + 1) * room + k]
        if value >= 1.0:
            frame.next = frame.count
            frame.horizon = horizon


@cache
def maxn_search(judge: Kernel[int]) -> Kernel[int]:
    """Make the search kernel for a way to judge states; it takes the memory of the alpha-beta search."""

    @kernel
    def search_all(
        table: Table,
        states: view[u8],
        frames: view[Frame],
        moves: view[u64],
        lines: view[u64],
        entries: view[Entry],
        tags: view[u32],
        killers: view[u64],
        history: view[i64],
        roots: view[Root],
        search: Search,
        joint: view[u64],
        values: view[f64],
        memory: view[u8],
        leaves: Leaves,
        rng: Stream,
        iterations: i64,
    ) -> i64:
        """Visit nodes until their count or the forward calls run out, or the depth is finished."""
        done = 0
        size = table.state_size
        width = table.max_moves + 1
        roles = table.roles
        leaf = values[0:roles]
        while iterations > 0:
            ply = search.ply
            frame = frames[ply]
            best = values[(ply + 1) * roles : (ply + 2) * roles]
            if frame.next >= frame.count:
                if ply == 0:
                    search.finished = 1
                    break
                search.ply = ply - 1
                above = values[ply * roles : (ply + 1) * roles]
                take_values(frames, moves, lines, roots, search, ply - 1, width, above, best, frame.horizon, frame.line)
                continue
            if done >= iterations or search.calls >= search.call_limit:
                break
            role = i64(frame.role)
            state = states[(ply + 1) * size : (ply + 2) * size]
            copy(state, states[ply * size : (ply + 1) * size])
            joint[role] = moves[ply * width + frame.next]
            table.apply(state, joint, rng)
            joint[role] = 0
            frame.next += 1
            search.calls += 1
            search.nodes += 1
            done += 1
            acting = table.movers(state)
            assert acting & (acting - 1) == 0, "it says turn_taking, but several roles move at once"
            horizon = 0
            if acting == 0:
                table.utilities(state, leaf)
            elif frame.depth > 1:
                child = frames[ply + 1]
                child.depth = frame.depth - 1
                open_frame(table, state, frames, moves, killers, history, search, ply + 1, ctz(acting), NO_MOVE)
                child.best = -1.0
                search.ply = ply + 1
                continue
            else:
                horizon = 1
                if search.calls + search.judging <= search.call_limit:
                    search.calls += judge(table, state, leaf, memory, rng)
                else:
                    table.utilities(state, leaf)
                for k in range(roles):
                    leaf[k] = min(max(leaf[k], LEAST), 1.0 - LEAST)
            take_values(frames, moves, lines, roots, search, ply, width, best, leaf, horizon, 0)
        return done

    return search_all


@dataclass(frozen=True)
class MaxN:
    """Iterative deepening in which every role goes for its own value."""

    name: ClassVar[str] = "maxn"

    evaluator: str = part("auto", "evaluator")
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
