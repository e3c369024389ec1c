"""The loop of the contests of Rinascimento: kernels that play whole games, with the searches of the agents inside."""

from __future__ import annotations

from functools import cache

from ludarium.agents.osla import OneStep, best_place
from ludarium.agents.rolling.climb import Climb, climb_plans
from ludarium.agents.rolling.plans import Openings, Planning, Rows
from ludarium.agents.rolling.widening_kernels import Widening, grow_wider, recommended
from ludarium.agents.search.actions import sampled
from ludarium.agents.search.trial import Trial
from ludarium.kernel import Bundle, Kernel, Stream, Table, below, buffer, copy, ctz, f64, fn, i64, kernel, u8, u64, view

PLANS, TREE, STEP = range(3)
_ALL = 1 << 60


class Round(Bundle):
    """What is played and by whom, and what came of it."""

    game: view[u8]
    """The state of the game."""
    seen: buffer[u8]
    root: view[u8]
    """A state that the planner imagines, from which all its searches begin."""
    planning: Planning
    rows: Rows
    openings: Openings
    climb: Climb
    tree: Widening
    step: OneStep
    judge: fn[[Table, view[u8], view[f64], Bundle, Stream], i64]
    """How the others judge."""
    judging: Bundle
    games: i64
    seat: i64
    """Of the planner in the first game; it moves on by one from game to game."""
    calls: i64
    """Forward calls for each move."""
    kind: i64
    """How the planner searches: it changes `PLANS`, grows a `TREE`, or looks one `STEP` ahead."""
    final: i64
    """The rule by which a tree says what to play."""
    wins: i64
    stale: i64
    plies: i64
    looking: bool
    """Whether the others look one step ahead; else they draw one action."""
    shift: bool
    """Whether plans are kept for the next move."""


@kernel
def look_ahead(table: Table, round_: Round, role: i64, rng: Stream) -> u64:
    """Draw actions as long as there are calls, and give the best; of equals, each draw counts the same.

    This is `osla(moves=sample)` without a list of moves: it keeps the best draw instead of averages, which is the same where
    a move has the same value each time, as with points.
    """
    stage = round_.planning.stage
    values = stage.values
    best = -1.0
    ties = 0
    chosen = u64(0)
    for _ in range(round_.calls):
        move = sampled(table, stage.actions, round_.game, role, stage.moves, rng)
        copy(stage.spare, round_.game)
        stage.joint[role] = move
        table.apply(stage.spare, stage.joint, rng)
        round_.judge(table, stage.spare, values, round_.judging, rng)
        if values[role] > best:
            best = values[role]
            ties = 0
        if values[role] == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = move
    return chosen


@kernel
def prepare(table: Table, trial: Trial, role: i64, calls: i64, rng: Stream) -> None:
    """List moves in random order, as `Rng.shuffle` does, and forget what they were worth."""
    listed = trial.moves
    trial.count = table.legal(trial.root, role, listed)
    for last in range(trial.count - 1, 0, -1):
        other = below(rng, last + 1)
        move = listed[last]
        listed[last] = listed[other]
        listed[other] = move
    for place in range(trial.count):
        trial.worth[place] = 0.0
        trial.visits[place] = 0
    trial.role = role
    trial.tries = 0
    trial.calls = 0
    trial.call_limit = calls


@kernel
def go_on(rows: Rows, best: i64, keep: bool) -> None:
    """Keep the best plan but its first gene, which has been played; or forget all."""
    size = rows.length
    for place in range(len(rows.fresh)):
        if place >= size - 1 or not keep:
            rows.fresh[place] = 1
        else:
            rows.genes[place] = rows.genes[best * size + place + 1]
            rows.fresh[place] = rows.fresh[best * size + place + 1]


@kernel
def change_plans(table: Table, round_: Round, role: i64, rng: Stream) -> u64:
    """Choose a move by changing plans."""
    round_.climb.tried = 0
    round_.climb.best = 0
    climb_plans(table, round_.planning, round_.rows, round_.openings, round_.climb, rng, _ALL)
    found, move = round_.rows.first_own(round_.climb.best, role)
    return move if found else u64(0)


@kernel
def grow_tree(table: Table, round_: Round, rng: Stream) -> u64:
    """Choose a move by growing a tree."""
    round_.tree.clear()
    grow_wider(table, round_.planning, round_.tree, rng, _ALL)
    return round_.tree.nodes[recommended(round_.tree, round_.final, rng)].move


@cache
def contest_kernel(deal: Kernel[int], look: Kernel[int]) -> Kernel[None]:
    """Make the loop over games from the kernels that deal anew what a role cannot know, and that look one step ahead."""

    @kernel
    def planned(table: Table, round_: Round, role: i64, rng: Stream) -> u64:
        """Let the planner choose, from a state that it imagines."""
        planning = round_.planning
        table.observe(round_.game, role, round_.seen)
        deal(round_.seen[0 : len(round_.root)], role, round_.root, rng)
        planning.calls = 0
        planning.call_limit = round_.calls
        if round_.kind == TREE:
            return grow_tree(table, round_, rng)
        if round_.kind == PLANS:
            return change_plans(table, round_, role, rng)
        trial = round_.step.trial
        prepare(table, trial, role, round_.calls, rng)
        look(table, round_.step, rng, _ALL)
        return trial.moves[best_place(round_.step, rng)]

    @kernel
    def contest(table: Table, round_: Round, rng: Stream) -> None:
        """Play games, and count what the planner wins, alone or with others."""
        game = round_.game
        planning = round_.planning
        stage = planning.stage
        for number in range(round_.games):
            table.init(game, rng)
            planning.role = (round_.seat + number) % table.roles
            for place in range(len(round_.rows.fresh)):
                round_.rows.fresh[place] = 1
            round_.climb.best = 0
            acting = table.movers(game)
            while acting != 0:
                role = ctz(acting)
                move = u64(0)
                if table.legal(game, role, stage.moves) == 1:
                    move = stage.moves[0]
                elif role == planning.role:
                    move = planned(table, round_, role, rng)
                elif round_.looking:
                    move = look_ahead(table, round_, role, rng)
                else:
                    move = sampled(table, stage.actions, game, role, stage.moves, rng)
                if role == planning.role and round_.kind == PLANS:
                    go_on(round_.rows, round_.climb.best, round_.shift)
                    round_.climb.best = 0
                stage.joint[role] = move
                table.apply(game, stage.joint, rng)
                round_.plies += 1
                acting = table.movers(game)
            table.utilities(game, stage.values)
            top = 0.0
            for role in range(table.roles):
                top = max(top, stage.values[role])
            round_.wins += 1 if stage.values[planning.role] == 1.0 else 0
            round_.stale += 1 if top < 1.0 else 0

    return contest
