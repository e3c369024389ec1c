"""The loop of the contests of Rinascimento: kernels that play whole games, with the searches of the agents inside."""

from __future__ import annotations

from functools import cache

from ludarium.agents.actions import Actions, sampled
from ludarium.agents.opponent_models import Model
from ludarium.agents.osla import Work as Looking
from ludarium.agents.osla import best_place
from ludarium.agents.rolling import Judging, Work
from ludarium.agents.rolling_climb import Climb, climb_plans
from ludarium.agents.widening_search import Leaf, Widening, grow_wider, recommended
from ludarium.kernel import (
    Kernel,
    Record,
    Stream,
    Table,
    below,
    buffer,
    copy,
    ctz,
    f64,
    i64,
    kernel,
    u8,
    u64,
    view,
)

PLANS, TREE, STEP = range(3)
_ALL = 1 << 60


class Round(Record):
    """What is played, and what came of it."""

    games: i64
    seat: i64
    """Of the planner in the first game; it moves on by one from game to game."""
    calls: i64
    """Forward calls for each move."""
    looking: i64
    """Whether the others look one step ahead; else they draw one action."""
    kind: i64
    """How the planner searches: it changes `PLANS`, grows a `TREE`, or looks one `STEP` ahead."""
    shift: i64
    """Whether plans are kept for the next move."""
    final: i64
    """The rule by which a tree says what to play."""
    wins: i64
    stale: i64
    plies: i64


@kernel
def look_ahead(
    table: Table,
    actions: Actions,
    judging: Judging,
    state: view[u8],
    spare: view[u8],
    memory: view[u8],
    moves: buffer[u64],
    joint: view[u64],
    values: view[f64],
    role: i64,
    calls: i64,
    rng: Stream,
) -> u64:
    """Draw actions as long as there are calls, and give the best; of equals, each draw counts the same.

    This is `osla(moves=sample)` without a list of moves: it keeps the best draw instead of averages, which is the same where
    a move has the same value each time, as with points.
    """
    best = -1.0
    ties = 0
    chosen = u64(0)
    for _ in range(calls):
        move = sampled(table, actions, state, role, moves, rng)
        copy(spare, state)
        joint[role] = move
        table.apply(spare, joint, rng)
        judging.judge(table, spare, values, memory, rng)
        if values[role] > best:
            best = values[role]
            ties = 0
        if values[role] == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = move
    return chosen


@kernel
def prepare(listed: view[u64], means: view[f64], visits: view[i64], rng: Stream) -> None:
    """Put moves into random order, as `Rng.shuffle` does, and forget what they were worth."""
    for last in range(len(listed) - 1, 0, -1):
        other = below(rng, last + 1)
        move = listed[last]
        listed[last] = listed[other]
        listed[other] = move
    for place in range(len(listed)):
        means[place] = 0.0
        visits[place] = 0


@kernel
def first_own(trace: view[u64], traced: i64, role: i64) -> u64:
    """Find the first own move of what was played when a plan was tried; 0 if there is none."""
    for k in range(traced):
        if i64(trace[2 * k]) == role:
            return trace[2 * k + 1]
    return 0


@kernel
def go_on(genes: view[u64], fresh: view[u8], best: i64, size: i64, keep: bool) -> None:
    """Keep the best plan but its first gene, which has been played; or forget all."""
    for place in range(len(fresh)):
        if place >= size - 1 or not keep:
            fresh[place] = 1
        else:
            genes[place] = genes[best * size + place + 1]
            fresh[place] = fresh[best * size + place + 1]


@cache
def contest_kernel(deal: Kernel[int], look: Kernel[int]) -> Kernel[None]:
    """Make the loop over games from the kernels that deal anew what a role cannot know, and that look one step ahead."""

    @kernel
    def contest(
        table: Table,
        actions: Actions,
        model: Model,
        judging: Judging,
        root: view[u8],
        state: view[u8],
        spare: view[u8],
        memory: view[u8],
        opponent_memory: view[u8],
        moves: buffer[u64],
        joint: view[u64],
        values: view[f64],
        game: view[u8],
        seen: buffer[u8],
        others: Judging,
        other_memory: view[u8],
        genes: view[u64],
        fresh: view[u8],
        traces: view[u64],
        traced: view[i64],
        fitness: view[f64],
        tries: view[i64],
        climb: Climb,
        nodes: view[Leaf],
        path: view[i64],
        widening: Widening,
        listed: buffer[u64],
        means: view[f64],
        visits: view[i64],
        looking: Looking,
        work: Work,
        round_: Round,
        rng: Stream,
    ) -> None:
        """Play games, and count what the planner wins, alone or with others."""
        room = len(traces) // 2
        for number in range(round_.games):
            table.init(game, rng)
            work.role = (round_.seat + number) % table.roles
            for place in range(len(fresh)):
                fresh[place] = 1
            climb.best = 0
            acting = table.movers(game)
            while acting != 0:
                role = ctz(acting)
                move = u64(0)
                count: i64 = table.legal(game, role, moves)
                if count == 1:
                    move = moves[0]
                elif role == work.role:
                    table.observe(game, role, seen)
                    deal(seen[0 : len(root)], role, root, rng)
                    work.calls = 0
                    work.call_limit = round_.calls
                    if round_.kind == STEP:
                        count = table.legal(root, role, listed)
                        prepare(listed[0:count], means[0:count], visits[0:count], rng)
                        looking.tries = 0
                        looking.calls = 0
                        looking.call_limit = round_.calls
                        look(
                            table, actions, root, state, role, listed[0:count], means[0:count], visits[0:count], moves,
                            joint, values, memory, looking, rng, _ALL,
                        )  # fmt: skip
                        sampling = looking.sampling == 1
                        move = listed[best_place(means[0:count], visits[0:count], sampling, rng)]
                    elif round_.kind == TREE:
                        nodes[0].child = -1
                        nodes[0].children = 0
                        nodes[0].visits = 0
                        nodes[0].total = 0.0
                        widening.nodes = 1
                        grow_wider(
                            table, actions, model, judging, root, state, spare, memory, opponent_memory, moves,
                            joint, values, nodes, path, traces[0:0], widening, work, rng, _ALL,
                        )  # fmt: skip
                        move = nodes[recommended(nodes, widening, round_.final, rng)].move
                    else:
                        climb.tried = 0
                        climb.best = 0
                        climb.again = 0
                        climb_plans(
                            table, actions, model, judging, root, state, spare, memory, opponent_memory, moves,
                            joint, values, genes, fresh, traces, traced, fitness, tries, moves[0:0], fitness[0:0],
                            tries[0:0], climb, work, rng, _ALL,
                        )  # fmt: skip
                        best = climb.best
                        move = first_own(traces[best * room : best * room + room], traced[best], role)
                elif round_.looking == 1:
                    move = look_ahead(
                        table, actions, others, game, spare, other_memory, moves, joint, values, role, round_.calls, rng
                    )
                else:
                    move = sampled(table, actions, game, role, moves, rng)
                if role == work.role and round_.kind == PLANS:
                    go_on(genes, fresh, climb.best, work.length, round_.shift == 1)
                    climb.best = 0
                joint[role] = move
                table.apply(game, joint, rng)
                round_.plies += 1
                acting = table.movers(game)
            table.utilities(game, values)
            top = 0.0
            for role in range(table.roles):
                top = max(top, values[role])
            round_.wins += 1 if values[work.role] == 1.0 else 0
            round_.stale += 1 if top < 1.0 else 0

    return contest
