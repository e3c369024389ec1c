"""Rolling horizons: plan a few own moves ahead, judge where the plan ends, play its first move, and plan again.

A plan is a row of genes, one for each own move. A gene is a move, which is replaced by a random one where it is not
legal (repaired); or it is a seed, from which the move is drawn where it is needed. Chance is rolled anew each time a plan is
played, and the other roles move as their model says. A plan is judged when the role would have to move once more, so the
answers to its last move count; or when the game is over.
"""

from __future__ import annotations

from ludarium.agents.actions import Actions, sampled
from ludarium.agents.opponent_models import STOP, Model
from ludarium.kernel import Record, Stream, Table, buffer, copy, ctz, draw, f64, fn, i64, kernel, u8, u64, view


class Judging(Record):
    """How states are judged: the kernel of a `Judge`."""

    judge: fn[[Table, view[u8], view[f64], view[u8], Stream], i64]


class Work(Record):
    """How a plan is played, how far the search is, and how far it may go."""

    role: i64
    length: i64
    seeds: i64
    """Whether genes are seeds."""
    discount: f64
    """How much less each later state counts in the average over the plan; 0 judges the end alone."""
    idle: i64
    """Whether opponents do nothing where the game knows how to."""
    patience: i64
    """Plies after which a plan ends that never gets to its next move."""
    opponent_calls: i64
    """Forward calls that an opponent model may use for a move."""
    opponent_price: i64
    """The most forward calls that an opponent model takes to judge a state."""
    price: i64
    """The most forward calls that judging a state takes: so many are kept back for the end of the plan."""
    calls: i64
    call_limit: i64
    plies: i64
    depth: i64
    traced: i64
    cut: i64
    """Whether the budget ended the plan."""


@kernel
def seeded(rng: Stream, seed: u64) -> None:
    """Start a stream from a seed, as `Rng` does."""
    for k in range(4):
        seed += 0x9E3779B97F4A7C15
        word = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB
        rng.words[k] = word ^ (word >> 31)


@kernel
def next_move(
    table: Table,
    actions: Actions,
    state: view[u8],
    moves: buffer[u64],
    genes: view[u64],
    fresh: view[u8],
    place: i64,
    work: Work,
    rng: Stream,
) -> u64:
    """Read the own move from a gene, which is drawn if it is fresh and repaired if it is not legal."""
    if work.seeds == 1:
        if fresh[place] == 1:
            genes[place] = draw(rng)
            fresh[place] = 0
        own = Stream()
        seeded(own, genes[place])
        return sampled(table, actions, state, work.role, moves, own)
    keep = fresh[place] == 0 and actions.fits(table, state, work.role, genes[place], moves) != 0
    if not keep:
        genes[place] = sampled(table, actions, state, work.role, moves, rng)
        fresh[place] = 0
    return genes[place]


@kernel
def play_turn(
    table: Table,
    actions: Actions,
    model: Model,
    state: view[u8],
    spare: view[u8],
    opponent_memory: view[u8],
    moves: buffer[u64],
    joint: view[u64],
    values: view[f64],
    trace: view[u64],
    work: Work,
    acting: i64,
    own: u64,
    rng: Stream,
) -> bool:
    """Play a ply: the own move if the role moves now, the model's moves for others; False if the budget ended before."""
    alone = acting & (acting - 1) == 0
    if work.idle == 1 and alone and acting != 1 << work.role:
        if actions.idle(table, state, ctz(acting), rng) != 0:
            work.plies += 1
            return True
    if work.calls + work.price >= work.call_limit:
        return False
    roles = table.roles
    for role in range(roles):
        joint[role] = 0
        if role == work.role:
            joint[role] = own if (acting >> role) & 1 == 1 else 0
        elif (acting >> role) & 1 == 1:
            allowed = min(work.opponent_calls, work.call_limit - work.calls - work.price - 1)
            inner = joint[roles : 2 * roles]
            price = work.opponent_price
            used = model.choose(
                table, actions, state, role, allowed, price, opponent_memory, spare, values, inner, moves, rng
            )
            if used < 0:
                work.calls += STOP - used
                return False
            work.calls += used
            joint[role] = moves[0]
        if (acting >> role) & 1 == 1 and 2 * work.traced + 1 < len(trace):
            trace[2 * work.traced] = u64(role)
            trace[2 * work.traced + 1] = joint[role]
            work.traced += 1
    table.apply(state, joint, rng)
    work.calls += 1
    work.plies += 1
    return True


@kernel
def judged(
    table: Table,
    judging: Judging,
    state: view[u8],
    spare: view[u8],
    memory: view[u8],
    values: view[f64],
    work: Work,
    rng: Stream,
) -> f64:
    """Say what a state is worth to the role, and leave the state as it is."""
    copy(spare, state)
    work.calls += judging.judge(table, spare, values, memory, rng)
    return values[work.role]


@kernel
def play_plan(
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
    genes: view[u64],
    fresh: view[u8],
    trace: view[u64],
    work: Work,
    rng: Stream,
) -> f64:
    """Play a plan from the root and judge it; its genes are repaired on the way."""
    copy(state, root)
    own = 0
    waited = 0
    total = 0.0
    weight = 1.0
    weights = 0.0
    value = 0.0
    work.cut = 0
    work.plies = 0
    work.traced = 0
    while True:
        acting = table.movers(state)
        mine = (acting >> work.role) & 1 == 1
        if acting == 0 or (mine and own == work.length) or waited >= work.patience:
            break
        move = u64(0)
        if mine:
            if own > 0 and work.discount > 0.0:
                if work.calls + 2 * work.price >= work.call_limit:
                    work.cut = 1
                    break
                total += weight * judged(table, judging, state, spare, memory, values, work, rng)
                weights += weight
                weight *= work.discount
            move = next_move(table, actions, state, moves, genes, fresh, own, work, rng)
        going = play_turn(
            table, actions, model, state, spare, opponent_memory, moves, joint, values, trace, work, acting, move, rng
        )
        if not going:
            work.cut = 1
            break
        own += 1 if mine else 0
        waited = 0 if mine else waited + 1
    value = judged(table, judging, state, spare, memory, values, work, rng)
    if work.discount > 0.0:
        # A game that is over stays what it is worth for the rest of the plan.
        for _ in range(max(1, work.length - own + 1)):
            total += weight * value
            weights += weight
            weight *= work.discount
        value = total / weights
    work.depth = max(work.depth, work.plies)
    return value
