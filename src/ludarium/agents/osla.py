"""One-step look-ahead: try every move, judge the state it leads to, and play the best one; ties at random.

Ludii's One-Ply with `evaluator=result`. Where the next state depends on chance, or on others who move at once, moves are tried
again and again until the budget is gone, and their values averaged (Bravi et al., "Rinascimento: optimising statistical
forward planning agents for playing Splendor", 2019); others choose at random. The paper's agent knows no list of moves: where
a game of chance has a random action generator, or with `moves=sample` in every game, they come from it until the budget is gone.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import ClassVar

from ludarium.agents.actions import HOOKS, Actions, actions_of, sampled
from ludarium.agents.pacing import spend
from ludarium.agents.support import blaming, require, single_move
from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.core.parameters import check, choice, part
from ludarium.evaluate import Judge, evaluator
from ludarium.kernel import (
    Kernel,
    Record,
    Stream,
    Table,
    below,
    bridge,
    copy,
    f64,
    i64,
    kernel,
    u8,
    u64,
    view,
)

_REPLIES = 64  # plies of others that are played at most before a state is judged


class Work(Record):
    """How far a search is, and how far it may go."""

    tries: i64
    calls: i64
    call_limit: i64
    judging: i64
    replies: i64
    once: i64
    sampling: i64


@kernel
def move_at_random(
    table: Table, state: view[u8], acting: i64, role: i64, moves: view[u64], joint: view[u64], rng: Stream
) -> None:
    """Draw a move for everybody who moves, other than one role."""
    for other in range(table.roles):
        joint[other] = 0
        if other != role and (acting >> other) & 1 == 1:
            count = table.legal(state, other, moves)
            assert count > 0, "a mover has no legal move"
            joint[other] = moves[below(rng, count)]


@kernel
def place_of(moves: view[u64], move: u64) -> i64:
    """Find a move in the list of legal ones."""
    place = 0
    while place < len(moves) and moves[place] != move:
        place += 1
    assert place < len(moves), "a move was drawn that is not legal"
    return place


@kernel
def best_place(means: view[f64], visits: view[i64], sampling: bool, rng: Stream) -> i64:
    """Find the move with the best average; of equals, any, or if they were sampled each draw counts the same; -1 if none."""
    best = 0.0
    weights = 0
    chosen = -1
    for place in range(len(means)):
        if visits[place] > 0:
            if weights == 0 or means[place] > best:
                best = means[place]
                weights = 0
            if means[place] == best:
                weight = visits[place] if sampling else 1
                weights += weight
                if below(rng, weights) < weight:
                    chosen = place
    return chosen


@cache
def look_one_step(judge: Kernel[int]) -> Kernel[int]:
    """Make the search kernel from the one that judges states."""

    @kernel
    def try_and_judge(
        table: Table,
        actions: Actions,
        root: view[u8],
        state: view[u8],
        role: i64,
        moves: view[u64],
        means: view[f64],
        visits: view[i64],
        others: view[u64],
        joint: view[u64],
        values: view[f64],
        memory: view[u8],
        work: Work,
        rng: Stream,
        iterations: i64,
    ) -> i64:
        """Try moves in turn; as many as are wanted, or as there are forward calls for."""
        done = 0
        acting = table.movers(root) if iterations > 0 else 0
        while done < iterations and work.calls + 1 + work.judging <= work.call_limit:
            if work.once == 1 and work.tries >= len(moves):
                break
            place = work.tries % len(moves)
            if work.sampling == 1:
                place = place_of(moves, sampled(table, actions, root, role, others, rng))
            copy(state, root)
            move_at_random(table, root, acting, role, others, joint, rng)
            joint[role] = moves[place]
            table.apply(state, joint, rng)
            work.calls += 1
            for _ in range(work.replies):
                next_acting = table.movers(state)
                ready = next_acting == 0 or (next_acting >> role) & 1 == 1
                if ready or work.calls + 1 + work.judging > work.call_limit:
                    break
                move_at_random(table, state, next_acting, -1, others, joint, rng)
                table.apply(state, joint, rng)
                work.calls += 1
            work.calls += judge(table, state, values, memory, rng)
            visits[place] += 1
            # Not a sum that is divided in the end: rounding would tell apart what is equally good.
            means[place] += (values[role] - means[place]) / f64(visits[place])
            work.tries += 1
            done += 1
        return done

    return try_and_judge


@dataclass(frozen=True)
class OSLA:
    """Look one step ahead."""

    name: ClassVar[str] = "osla"

    evaluator: str = part("auto", "evaluator", tries=("auto", "mobility", "result"))
    """How to judge the state after a move."""

    reply: str = choice("none", ("none", "random"))
    """Judge the state right after the move, or let others answer at random until it is one's turn again."""

    moves: str = choice("auto", ("auto", "list", "sample"))
    """Try the moves of the `list` in turn, or `sample` them; `auto` samples games of chance that say how to draw a move.

    Of sampled moves that are equally good, those that were drawn more often are played more often.
    """

    def __post_init__(self) -> None:
        check(self)
        evaluator(self.evaluator)

    def seat(self, game: Game, role: Role, rng: Rng) -> OSLAPlayer:
        """Make a player for one match."""
        require(game, self, perfect_information=True)
        judge = evaluator(self.evaluator).judge(game)
        drawn = getattr(game, HOOKS["sample"], None) is not None and not game.traits.deterministic
        sample = self.moves == "sample" or (self.moves == "auto" and drawn)
        return OSLAPlayer(game, role, judge, rng, reply=self.reply == "random", sample=sample)


class OSLAPlayer:
    """One-step look-ahead in its seat."""

    def __init__(
        self, game: Game, role: Role, judge: Judge, rng: Rng, *, reply: bool = False, sample: bool = False
    ) -> None:
        self.game, self.role, self.judge, self.rng = game, role, judge, rng
        self.bridge, self.work = bridge(game), Work()
        self.kernel = look_one_step(judge.kernel)
        self.work.judging, self.work.replies = judge.calls, _REPLIES if reply else 0
        self.work.sampling = int(sample)
        none, block = array("Q"), bytearray(self.bridge.table.state_size)
        self.kernel(  # nothing: what is compiled now is not on the clock of the first move
            self.bridge.table, actions_of(game), block, block, role, none, array("d"), array("q"), none, none, array("d"),
            judge.memory, self.work, rng, 0,
        )  # fmt: skip
        best_place(array("d"), array("q"), sample, rng)

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Try every move, and play the one that leads to the best state."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        assert info.state is not None
        table, work = self.bridge.table, self.work
        root = self.bridge.block(info.state)
        order = list(info.legal)
        self.rng.shuffle(order)  # a budget that is not enough for all moves must not favour the first ones
        state, moves, joint = bytearray(root), array("Q", order), array("Q", bytes(8 * table.roles))
        means, visits = array("d", bytes(8 * len(moves))), array("q", bytes(8 * len(moves)))
        others, values = array("Q", bytes(8 * table.max_moves)), array("d", bytes(8 * table.roles))
        sure = self.game.traits.deterministic and info.state.movers == (self.role,) and not work.replies
        actions = actions_of(self.game)
        work.tries = work.calls = 0
        work.once = int(sure and not work.sampling)

        def search(iterations: int, calls: int) -> tuple[int, int]:
            before = work.calls
            work.call_limit = before + calls
            with blaming(self.game):
                done = self.kernel(
                    table, actions, root, state, self.role, moves, means, visits, others, joint, values,
                    self.judge.memory, work, self.rng, iterations,
                )  # fmt: skip
            return done, work.calls - before

        iterations, calls = spend(budget, search)
        tried = {move: mean for move, mean, n in zip(moves, means, visits, strict=True) if n}
        place = best_place(means, visits, bool(work.sampling), self.rng)
        chosen = moves[place] if place >= 0 else self.rng.choice(order)
        return Decision(
            chosen,
            values={move: tried.get(move, 0.5) for move in info.legal} if tried else {},
            visits=dict(zip(moves, visits, strict=True)) if tried else {},
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=((self.role, chosen),),
            depth=1 if tried else 0,
            note="" if tried else "too few forward calls to judge a move",
        )
