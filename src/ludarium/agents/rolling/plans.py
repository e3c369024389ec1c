"""Rolling horizons: plan a few own moves ahead, judge where the plan ends, play its first move, and plan again.

A plan is a row of genes, one for each own move. A gene is a move, which is replaced by a random one where it is not
legal (repaired); or it is a seed, from which the move is drawn where it is needed. Chance is rolled anew each time a plan is
played, and the other roles move as their model says. A plan is judged when the role would have to move once more, so the
answers to its last move count; or when the game is over.
"""

from __future__ import annotations

from ludarium.agents.rolling.opponents_kernels import Model, Stage
from ludarium.agents.search.actions import sampled
from ludarium.kernel import Bundle, Stream, Table, copy, ctz, draw, f64, fn, i64, kernel, u8, u64, view


class Planning(Bundle):
    """How a plan is played and judged, how far the search is, and how far it may go."""

    stage: Stage
    model: Model
    judge: fn[[Table, view[u8], view[f64], Bundle, Stream], i64]
    """The kernel of a `Judge`."""
    judging: Bundle
    root: view[u8]
    role: i64
    length: i64
    discount: f64
    """How much less each later state counts in the average over the plan; 0 judges the end alone."""
    patience: i64
    """Plies after which a plan ends that never gets to its next move."""
    opponent_calls: i64
    """Forward calls that an opponent model may use for a move."""
    reserve: i64
    """The most forward calls that judging a state takes: so many are kept back for the end of the plan."""
    calls: i64
    call_limit: i64
    plies: i64
    depth: i64
    traced: i64
    seeds: bool
    """Whether genes are seeds."""
    idle: bool
    """Whether opponents do nothing where the game knows how to."""
    cut: bool
    """Whether the budget ended the plan."""

    @kernel
    def start(self: Planning) -> None:
        """Go back to the root."""
        copy(self.stage.state, self.root)
        self.cut = False
        self.plies = 0
        self.traced = 0

    @kernel
    def goes_on(self: Planning) -> bool:
        """Whether there are forward calls for a move, and to judge what comes of it."""
        return self.calls + self.reserve < self.call_limit


class Rows(Bundle):
    """Plans: a row of genes each, and what came of it."""

    genes: view[u64]
    fresh: view[u8]
    """Whether a gene is still to be drawn."""
    traces: view[u64]
    """What was played when a plan was tried last: roles and moves in turn."""
    traced: view[i64]
    """How many moves that were."""
    fitness: view[f64]
    tries: view[i64]
    length: i64
    room: i64
    """The numbers that a trace may have."""

    @kernel
    def copy_genes(self: Rows, target: i64, source: i64) -> None:
        """Copy the genes of a plan over those of another one."""
        size = self.length
        copy(self.genes[target * size : (target + 1) * size], self.genes[source * size : (source + 1) * size])
        copy(self.fresh[target * size : (target + 1) * size], self.fresh[source * size : (source + 1) * size])

    @kernel
    def copy_plan(self: Rows, target: i64, source: i64) -> None:
        """Copy a plan and what came of it over another one."""
        room = self.room
        self.copy_genes(target, source)
        copy(self.traces[target * room : (target + 1) * room], self.traces[source * room : (source + 1) * room])
        self.traced[target] = self.traced[source]
        self.fitness[target] = self.fitness[source]
        self.tries[target] = self.tries[source]

    @kernel
    def score(self: Rows, plan: i64, value: f64, again: bool) -> None:
        """Enter what came of a plan: the average of all tries, if it was tried before."""
        self.tries[plan] = self.tries[plan] + 1 if again else 1
        if not again:
            self.fitness[plan] = 0.0
        self.fitness[plan] += (value - self.fitness[plan]) / f64(self.tries[plan])

    @kernel
    def first_own(self: Rows, plan: i64, role: i64) -> tuple[bool, u64]:
        """Find the first own move of what was played when a plan was tried last."""
        trace = self.traces[plan * self.room : (plan + 1) * self.room]
        for k in range(self.traced[plan]):
            if i64(trace[2 * k]) == role:
                return True, trace[2 * k + 1]
        return False, u64(0)


class Openings(Bundle):
    """What came of plans, by their first own move; empty if nobody wants to know."""

    moves: view[u64]
    totals: view[f64]
    visits: view[i64]

    @kernel
    def note(self: Openings, move: u64, value: f64) -> None:
        """Count what came of a move."""
        for place in range(len(self.moves)):
            if self.moves[place] == move:
                self.totals[place] += value
                self.visits[place] += 1


@kernel
def seeded(rng: Stream, seed: u64) -> None:
    """Start a stream from a seed, as `Rng` does."""
    for k in range(4):
        seed += 0x9E3779B97F4A7C15
        word = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB
        rng.words[k] = word ^ (word >> 31)


@kernel
def next_move(table: Table, planning: Planning, genes: view[u64], fresh: view[u8], place: i64, rng: Stream) -> u64:
    """Read the own move from a gene, which is drawn if it is fresh and repaired if it is not legal."""
    stage = planning.stage
    role = planning.role
    if planning.seeds:
        if fresh[place] == 1:
            genes[place] = draw(rng)
            fresh[place] = 0
        own = Stream()
        seeded(own, genes[place])
        return sampled(table, stage.actions, stage.state, role, stage.moves, own)
    keep = fresh[place] == 0 and stage.actions.fits(table, stage.state, role, genes[place], stage.moves) != 0
    if not keep:
        genes[place] = sampled(table, stage.actions, stage.state, role, stage.moves, rng)
        fresh[place] = 0
    return genes[place]


@kernel
def play_turn(table: Table, planning: Planning, trace: view[u64], acting: i64, own: u64, rng: Stream) -> bool:
    """Play a ply: the own move if the role moves now, the model's moves for others; False if the budget ended before."""
    stage = planning.stage
    joint = stage.joint
    alone = acting & (acting - 1) == 0
    if planning.idle and alone and acting != 1 << planning.role:
        if stage.actions.idle(table, stage.state, ctz(acting), rng) != 0:
            planning.plies += 1
            return True
    if not planning.goes_on():
        return False
    for role in range(table.roles):
        joint[role] = 0
        if role == planning.role:
            joint[role] = own if (acting >> role) & 1 == 1 else 0
        elif (acting >> role) & 1 == 1:
            left = planning.call_limit - planning.calls - planning.reserve - 1
            used, stop = planning.model.choose(table, stage, role, min(planning.opponent_calls, left), rng)
            planning.calls += used
            if stop:
                return False
            joint[role] = stage.moves[0]
        if (acting >> role) & 1 == 1 and 2 * planning.traced + 1 < len(trace):
            trace[2 * planning.traced] = u64(role)
            trace[2 * planning.traced + 1] = joint[role]
            planning.traced += 1
    table.apply(stage.state, joint, rng)
    planning.calls += 1
    planning.plies += 1
    return True


@kernel
def judged(table: Table, planning: Planning, rng: Stream) -> f64:
    """Say what the state is worth to the role, and leave it as it is."""
    stage = planning.stage
    copy(stage.spare, stage.state)
    planning.calls += planning.judge(table, stage.spare, stage.values, planning.judging, rng)
    return stage.values[planning.role]


@kernel
def play_plan(table: Table, planning: Planning, rows: Rows, plan: i64, rng: Stream) -> f64:
    """Play a plan from the root and judge it; its genes are repaired on the way."""
    genes = rows.genes[plan * rows.length : (plan + 1) * rows.length]
    fresh = rows.fresh[plan * rows.length : (plan + 1) * rows.length]
    trace = rows.traces[plan * rows.room : (plan + 1) * rows.room]
    planning.start()
    own = 0
    waited = 0
    total = 0.0
    weight = 1.0
    weights = 0.0
    while True:
        acting = table.movers(planning.stage.state)
        mine = (acting >> planning.role) & 1 == 1
        if acting == 0 or (mine and own == planning.length) or waited >= planning.patience:
            break
        move = u64(0)
        if mine:
            if own > 0 and planning.discount > 0.0:
                if planning.calls + 2 * planning.reserve >= planning.call_limit:
                    planning.cut = True
                    break
                total += weight * judged(table, planning, rng)
                weights += weight
                weight *= planning.discount
            move = next_move(table, planning, genes, fresh, own, rng)
        if not play_turn(table, planning, trace, acting, move, rng):
            planning.cut = True
            break
        own += 1 if mine else 0
        waited = 0 if mine else waited + 1
    rows.traced[plan] = planning.traced
    value = judged(table, planning, rng)
    if planning.discount > 0.0:
        # A game that is over stays what it is worth for the rest of the plan.
        for _ in range(max(1, planning.length - own + 1)):
            total += weight * value
            weights += weight
            weight *= planning.discount
        value = total / weights
    planning.depth = max(planning.depth, planning.plies)
    return value


@kernel
def take_in(planning: Planning, rows: Rows, openings: Openings, plan: i64, value: f64, again: bool) -> None:
    """Enter what came of a plan, and of its first own move."""
    found, move = rows.first_own(plan, planning.role)
    if found:
        openings.note(move, value)
    rows.score(plan, value, again)
