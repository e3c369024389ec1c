"""Evolution of a population of plans: the best stay, the others are bred from parents that won a tournament."""

from __future__ import annotations

from ludarium.agents.rolling.plans import Openings, Planning, Rows, play_plan, take_in
from ludarium.kernel import Record, Stream, Table, below, f64, i64, kernel, uniform, view

CROSSOVERS = ("none", "one-point", "uniform")
NONE, ONE_POINT, UNIFORM = range(len(CROSSOVERS))


class Evolution(Record):
    """How plans are bred, and how far the search is: the first half of the plans are parents, the other children."""

    population: i64
    elites: i64
    tournament: i64
    crossover: i64
    rate: f64
    """The probability that a gene is drawn anew; one always is."""
    evaluations: i64
    tried: i64
    best: i64
    generation: i64
    filled: i64
    rescore: bool
    """Whether the elites are tried again in each generation, and their tries are averaged."""


@kernel
def winner(fitness: view[f64], evolution: Evolution, rng: Stream) -> i64:
    """Draw parents for a tournament, and choose the best."""
    chosen = below(rng, evolution.population)
    for _ in range(evolution.tournament - 1):
        other = below(rng, evolution.population)
        if fitness[other] > fitness[chosen]:
            chosen = other
    return chosen


@kernel
def breed(rows: Rows, child: i64, evolution: Evolution, rng: Stream) -> None:
    """Make a child of two parents, and mark the genes that are to be drawn anew."""
    size = rows.length
    fresh = rows.fresh[child * size : (child + 1) * size]
    first = winner(rows.fitness, evolution, rng)
    second = winner(rows.fitness, evolution, rng)
    point = size
    if evolution.crossover == ONE_POINT and size > 1:
        point = 1 + below(rng, size - 1)
    reach = 0
    for place in range(size):
        parent = first if place < point else second
        if evolution.crossover == UNIFORM and below(rng, 2) == 1:
            parent = second
        rows.genes[child * size + place] = rows.genes[parent * size + place]
        fresh[place] = rows.fresh[parent * size + place]
        if reach == place and fresh[place] == 0:
            reach += 1
    changed = False
    for place in range(size):
        if uniform(rng) < evolution.rate:
            fresh[place] = 1
            changed = changed or place < reach
    if not changed:
        fresh[below(rng, max(1, reach))] = 1


@kernel
def next_generation(rows: Rows, evolution: Evolution) -> None:
    """Make parents of the children, and put copies of the best first among the children to come."""
    fitness = rows.fitness
    count = evolution.population
    if evolution.generation > 0:
        for k in range(count):
            rows.copy_plan(k, count + k)
    evolution.best = 0
    for k in range(count):
        if fitness[k] > fitness[evolution.best]:
            evolution.best = k
    last = 1e9
    after = -1
    for elite in range(evolution.elites):
        # The next in the order of fitness; among equals, of place.
        chosen = -1
        for k in range(count):
            behind = fitness[k] < last or (fitness[k] == last and k > after)
            if behind and (chosen < 0 or fitness[k] > fitness[chosen]):
                chosen = k
        last = fitness[chosen]
        after = chosen
        rows.copy_plan(count + elite, chosen)
    evolution.generation += 1
    evolution.filled = 0 if evolution.rescore else evolution.elites


@kernel
def evolve_plans(
    table: Table, planning: Planning, rows: Rows, openings: Openings, evolution: Evolution, rng: Stream, iterations: i64
) -> i64:
    """Try plans until the count or the forward calls run out; say how many were tried."""
    done = 0
    count = evolution.population
    if evolution.tried == 0:
        evolution.generation = 0
        evolution.filled = 0
    while done < iterations and planning.goes_on():
        plan = evolution.filled
        if evolution.generation > 0:
            plan += count
            if evolution.filled >= evolution.elites:
                breed(rows, plan, evolution, rng)
        value = play_plan(table, planning, rows, plan, rng)
        evolution.tried += 1
        done += 1
        # A plan that the budget ended is not to be compared with others; but if it is the first, it has to do.
        if not planning.cut or evolution.tried == 1:
            again = evolution.generation > 0 and evolution.filled < evolution.elites
            take_in(planning, rows, openings, plan, value, again)
            if evolution.tried == 1 or rows.fitness[plan] > rows.fitness[evolution.best]:
                evolution.best = plan
        else:
            rows.fitness[plan] = -1.0
        evolution.filled += 1
        if evolution.filled == count:
            next_generation(rows, evolution)
    return done
