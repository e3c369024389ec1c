"""Hill climbing over one plan: change it somewhere, and keep what is not worse (a (1+1) evolution strategy)."""

from __future__ import annotations

from ludarium.agents.rolling.plans import Openings, Planning, Rows, play_plan, take_in
from ludarium.kernel import Record, Stream, Table, below, cos, f64, floor, i64, kernel, log, sqrt, u8, uniform, view

MUTATIONS = ("none", "fresh", "uniform", "decay", "gaussian", "gene", "rate")
"""Ways to change a plan; from `uniform` to `gaussian` they draw a point from which on everything is sampled anew."""

NONE, FRESH, UNIFORM, DECAY, GAUSSIAN, GENE, RATE = range(len(MUTATIONS))


class Climb(Record):
    """How plans change, and how far the search is."""

    mutation: i64
    rate: f64
    """The probability of a change: of each gene, or with `decay` of a branch at the first gene."""
    mean: f64
    deviation: f64
    evaluations: i64
    """Changed plans to try, at most."""
    tried: i64
    best: i64
    at_least_one: bool
    """Whether a plan that would stay as it is changes in one gene."""
    rescore: bool
    """Whether the best plan is tried again after each other one, and its tries are averaged."""
    again: bool
    """Whether the best plan comes next."""


@kernel
def mutation_point(reach: i64, climb: Climb, rng: Stream) -> i64:
    """Draw the gene from which on a plan of `reach` genes is sampled anew; `reach` itself for none."""
    if climb.mutation == FRESH:
        return 0
    if climb.mutation == UNIFORM:
        return below(rng, reach)
    if climb.mutation == DECAY:
        chance = climb.rate
        for place in range(reach):
            if uniform(rng) < chance:
                return place
            chance *= climb.rate
        return reach
    if climb.mutation == GAUSSIAN:
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
    if climb.mutation == GENE:
        fresh[below(rng, reach)] = 1
        changed = True
    if climb.mutation == RATE:
        for place in range(reach):
            if uniform(rng) < climb.rate:
                fresh[place] = 1
                changed = True
    if climb.at_least_one and not changed and climb.mutation != NONE:
        fresh[reach - 1 if climb.mutation == DECAY else below(rng, reach)] = 1


@kernel
def climb_plans(
    table: Table, planning: Planning, rows: Rows, openings: Openings, climb: Climb, rng: Stream, iterations: i64
) -> i64:
    """Try plans until the count or the forward calls run out; say how many were tried."""
    done = 0
    while done < iterations and planning.goes_on() and climb.tried <= climb.evaluations:
        best = climb.best
        changed = climb.tried > 0 and not climb.again
        plan = best
        if changed:
            plan = 1 - best
            rows.copy_genes(plan, best)
            mutate(rows.fresh[plan * rows.length : (plan + 1) * rows.length], climb, rng)
        value = play_plan(table, planning, rows, plan, rng)
        # A plan that the budget ended is not to be compared with others; but if it is the first, it has to do.
        whole = not planning.cut or climb.tried == 0
        if whole:
            take_in(planning, rows, openings, plan, value, climb.tried > 0 and not changed)
        if changed and whole and value >= rows.fitness[best]:
            climb.best = plan
        climb.again = changed and climb.rescore
        if changed or climb.tried == 0:
            climb.tried += 1
        done += 1
    return done
