"""Hill climbing over one plan: change it somewhere, and keep what is not worse (a (1+1) evolution strategy)."""

from __future__ import annotations

from ludarium.agents.actions import Actions
from ludarium.agents.opponent_models import Model
from ludarium.agents.rolling import Judging, Work, play_plan
from ludarium.kernel import (
    Record,
    Stream,
    Table,
    below,
    buffer,
    copy,
    cos,
    f64,
    floor,
    i64,
    kernel,
    log,
    sqrt,
    u8,
    u64,
    uniform,
    view,
)

MUTATIONS = ("none", "fresh", "uniform", "decay", "gaussian", "gene", "rate")
"""Ways to change a plan; from `uniform` to `gaussian` they draw a point from which on everything is sampled anew."""


class Climb(Record):
    """How plans change, and how far the search is."""

    mutation: i64
    at_least_one: i64
    rate: f64
    """The probability of a change: of each gene, or with `decay` of a branch at the first gene."""
    mean: f64
    deviation: f64
    rescore: i64
    """Whether the best plan is tried again after each other one, and its tries are averaged."""
    evaluations: i64
    """Changed plans to try, at most."""
    tried: i64
    best: i64
    again: i64


@kernel
def mutation_point(reach: i64, climb: Climb, rng: Stream) -> i64:
    """Draw the gene from which on a plan of `reach` genes is sampled anew; `reach` itself for none."""
    if climb.mutation == 1:
        return 0
    if climb.mutation == 2:
        return below(rng, reach)
    if climb.mutation == 3:
        chance = climb.rate
        for place in range(reach):
            if uniform(rng) < chance:
                return place
            chance *= climb.rate
        return reach
    if climb.mutation == 4:
        spread = sqrt(-2.0 * log(1.0 - uniform(rng))) * cos(6.283185307179586 * uniform(rng))
        place = i64(floor(spread * climb.deviation + climb.mean * f64(reach) + 0.5))
        return max(0, min(reach - 1, place))
    return reach


@kernel
def mutate(fresh: view[u8], climb: Climb, rng: Stream) -> None:
    """Mark the genes of a plan that are to be drawn anew; those that were not needed last time are marked already."""
    reach = 0
    while reach < len(fresh) and fresh[reach] == 0:
        reach += 1
    reach = max(1, reach)
    point = mutation_point(reach, climb, rng)
    changed = point < reach
    for place in range(point, reach):
        fresh[place] = 1
    if climb.mutation == 5:
        fresh[below(rng, reach)] = 1
        changed = True
    if climb.mutation == 6:
        for place in range(reach):
            if uniform(rng) < climb.rate:
                fresh[place] = 1
                changed = True
    if climb.at_least_one == 1 and not changed and climb.mutation != 0:
        fresh[reach - 1 if climb.mutation == 3 else below(rng, reach)] = 1


@kernel
def note_first(
    legal: view[u64], totals: view[f64], visits: view[i64], trace: view[u64], work: Work, value: f64
) -> None:
    """Count what came of the first own move of a plan."""
    for k in range(work.traced):
        if i64(trace[2 * k]) == work.role:
            for place in range(len(legal)):
                if legal[place] == trace[2 * k + 1]:
                    totals[place] += value
                    visits[place] += 1
            return


@kernel
def score(fitness: view[f64], tries: view[i64], plan: i64, value: f64, again: bool) -> None:
    """Enter what came of a plan: the average of all tries, if it was tried before."""
    tries[plan] = tries[plan] + 1 if again else 1
    if not again:
        fitness[plan] = 0.0
    fitness[plan] += (value - fitness[plan]) / f64(tries[plan])


@kernel
def climb_plans(
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
    traces: view[u64],
    traced: view[i64],
    fitness: view[f64],
    tries: view[i64],
    legal: view[u64],
    totals: view[f64],
    visits: view[i64],
    climb: Climb,
    work: Work,
    rng: Stream,
    iterations: i64,
) -> i64:
    """Try plans until the count or the forward calls run out; say how many were tried."""
    done = 0
    size = work.length
    room = len(traces) // 2
    while done < iterations and work.calls + work.price < work.call_limit and climb.tried <= climb.evaluations:
        best = climb.best
        changed = climb.tried > 0 and climb.again == 0
        plan = best
        if changed:
            plan = 1 - best
            copy(genes[plan * size : plan * size + size], genes[best * size : best * size + size])
            copy(fresh[plan * size : plan * size + size], fresh[best * size : best * size + size])
            mutate(fresh[plan * size : plan * size + size], climb, rng)
        trace = traces[plan * room : plan * room + room]
        value = play_plan(
            table, actions, model, judging, root, state, spare, memory, opponent_memory, moves, joint, values,
            genes[plan * size : plan * size + size], fresh[plan * size : plan * size + size], trace, work, rng,
        )  # fmt: skip
        traced[plan] = work.traced
        # A plan that the budget ended is not to be compared with others; but if it is the first, it has to do.
        whole = work.cut == 0 or climb.tried == 0
        if whole:
            note_first(legal, totals, visits, trace, work, value)
            score(fitness, tries, plan, value, climb.tried > 0 and not changed)
        if changed:
            if whole and value >= fitness[best]:
                climb.best = plan
            climb.again = climb.rescore
        else:
            climb.again = 0
        if changed or climb.tried == 0:
            climb.tried += 1
        done += 1
    return done
