"""Evolution of a population of plans: the best stay, the others are bred from parents that won a tournament."""

from __future__ import annotations

from ludarium.agents.actions import Actions
from ludarium.agents.opponent_models import Model
from ludarium.agents.rolling import Judging, Work, play_plan
from ludarium.agents.rolling_climb import note_first, score
from ludarium.kernel import (
    Record,
    Stream,
    Table,
    below,
    buffer,
    copy,
    f64,
    i64,
    kernel,
    u8,
    u64,
    uniform,
    view,
)

CROSSOVERS = ("none", "one-point", "uniform")


class Evolution(Record):
    """How plans are bred, and how far the search is: the first half of the plans are parents, the other children."""

    population: i64
    elites: i64
    tournament: i64
    crossover: i64
    rate: f64
    """The probability that a gene is drawn anew; one always is."""
    rescore: i64
    """Whether the elites are tried again in each generation, and their tries are averaged."""
    evaluations: i64
    tried: i64
    best: i64
    again: i64
    generation: i64
    filled: i64


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
def breed(
    genes: view[u64], fresh: view[u8], fitness: view[f64], child: i64, size: i64, evolution: Evolution, rng: Stream
) -> None:
    """Make a child of two parents, and mark the genes that are to be drawn anew."""
    first = winner(fitness, evolution, rng)
    second = winner(fitness, evolution, rng)
    point = size
    if evolution.crossover == 1 and size > 1:
        point = 1 + below(rng, size - 1)
    reach = 0
    for place in range(size):
        parent = first if place < point else second
        if evolution.crossover == 2 and below(rng, 2) == 1:
            parent = second
        genes[child * size + place] = genes[parent * size + place]
        fresh[child * size + place] = fresh[parent * size + place]
        if reach == place and fresh[child * size + place] == 0:
            reach += 1
    changed = False
    for place in range(size):
        if uniform(rng) < evolution.rate:
            fresh[child * size + place] = 1
            changed = changed or place < reach
    if not changed:
        fresh[child * size + below(rng, max(1, reach))] = 1


@kernel
def move_plan(
    genes: view[u64],
    fresh: view[u8],
    traces: view[u64],
    traced: view[i64],
    fitness: view[f64],
    tries: view[i64],
    target: i64,
    source: i64,
    size: i64,
    room: i64,
) -> None:
    """Copy a plan over another one."""
    copy(genes[target * size : target * size + size], genes[source * size : source * size + size])
    copy(fresh[target * size : target * size + size], fresh[source * size : source * size + size])
    copy(traces[target * room : target * room + room], traces[source * room : source * room + room])
    traced[target] = traced[source]
    fitness[target] = fitness[source]
    tries[target] = tries[source]


@kernel
def next_generation(
    genes: view[u64],
    fresh: view[u8],
    traces: view[u64],
    traced: view[i64],
    fitness: view[f64],
    tries: view[i64],
    size: i64,
    room: i64,
    evolution: Evolution,
) -> None:
    """Make parents of the children, and put copies of the best first among the children to come."""
    count = evolution.population
    if evolution.generation > 0:
        for k in range(count):
            move_plan(genes, fresh, traces, traced, fitness, tries, k, count + k, size, room)
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
        move_plan(genes, fresh, traces, traced, fitness, tries, count + elite, chosen, size, room)
    evolution.generation += 1
    evolution.filled = 0 if evolution.rescore == 1 else evolution.elites


@kernel
def evolve_plans(
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
    evolution: Evolution,
    work: Work,
    rng: Stream,
    iterations: i64,
) -> i64:
    """Try plans until the count or the forward calls run out; say how many were tried."""
    done = 0
    size = work.length
    count = evolution.population
    room = len(traces) // (2 * count)
    if evolution.tried == 0:
        evolution.generation = 0
        evolution.filled = 0
    while done < iterations and work.calls + work.price < work.call_limit:
        plan = evolution.filled
        if evolution.generation > 0:
            plan += count
            if evolution.filled >= evolution.elites:
                breed(genes, fresh, fitness, plan, size, evolution, rng)
        trace = traces[plan * room : plan * room + room]
        value = play_plan(
            table, actions, model, judging, root, state, spare, memory, opponent_memory, moves, joint, values,
            genes[plan * size : plan * size + size], fresh[plan * size : plan * size + size], trace, work, rng,
        )  # fmt: skip
        traced[plan] = work.traced
        evolution.tried += 1
        done += 1
        # A plan that the budget ended is not to be compared with others; but if it is the first, it has to do.
        if work.cut == 0 or evolution.tried == 1:
            note_first(legal, totals, visits, trace, work, value)
            score(fitness, tries, plan, value, evolution.generation > 0 and evolution.filled < evolution.elites)
            if evolution.tried == 1 or fitness[plan] > fitness[evolution.best]:
                evolution.best = plan
        else:
            fitness[plan] = -1.0
        evolution.filled += 1
        if evolution.filled == count:
            next_generation(genes, fresh, traces, traced, fitness, tries, size, room, evolution)
    return done
