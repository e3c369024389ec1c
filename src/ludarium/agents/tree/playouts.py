"""How tree searches play a state to its end: each policy is a part of the tree search."""

from __future__ import annotations

from functools import cache

from ludarium.agents.tree.credit import find_credit, joined_key
from ludarium.agents.tree.play import Play, move_key
from ludarium.kernel import Kernel, Stream, Table, below, exp, i64, kernel, u64, uniform


@kernel
def random_playout(table: Table, play: Play, rng: Stream) -> i64:
    """Play uniformly random moves, as fast as the game can."""
    return i64(table.playout(play.state, rng, play.allowed()))


@kernel
def best_credit(play: Play, role: i64, count: i64, before: i64, rng: Stream) -> i64:
    """MAST, epsilon-greedy: mostly the move that was worth most wherever it was played; unseen moves count 1.

    The first `count` moves are to choose from; `before` moves were recorded before this turn.
    """
    if uniform(rng) < play.settings.epsilon:
        return below(rng, count)
    ledger = play.ledger
    moves = play.moves
    best = -1.0
    ties = 0
    chosen = 0
    for k in range(count):
        credit = ledger[find_credit(ledger, move_key(role, moves[k]))]
        value = credit.total / credit.visits if credit.visits > 0.0 else 1.0
        if value > best:
            best = value
            chosen = k
            ties = 1
        elif value == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = k
    return chosen


@kernel
def gibbs_credit(play: Play, role: i64, count: i64, before: i64, rng: Stream) -> i64:
    """MAST, Gibbs: moves are as likely as exp(worth / temperature); unseen moves count 1."""
    ledger = play.ledger
    moves = play.moves
    whole = 0.0
    chosen = 0
    for k in range(count):
        credit = ledger[find_credit(ledger, move_key(role, moves[k]))]
        weight = 1.0
        if credit.visits > 0.0:
            weight = credit.weight
            if weight == 0.0:
                weight = exp((credit.total / credit.visits - 1.0) / play.settings.temperature)
                credit.weight = weight
        whole += weight
        if uniform(rng) * whole < weight:
            chosen = k
    return chosen


@kernel
def best_sequence(play: Play, role: i64, count: i64, before: i64, rng: Stream) -> i64:
    """NST, epsilon-greedy: the average worth of the move alone, after the last move, and after the last two."""
    if uniform(rng) < play.settings.epsilon:
        return below(rng, count)
    ledger = play.ledger
    moves = play.moves
    one = play.trail[before - 1].key if before > 0 else u64(0)
    two = play.trail[before - 2].key if before > 1 else u64(0)
    best = -1.0
    ties = 0
    chosen = 0
    for k in range(count):
        key = move_key(role, moves[k])
        value = 0.0
        grams = 0.0
        credit = ledger[find_credit(ledger, key)]
        if credit.visits > 0.0:
            value += credit.total / credit.visits
            grams += 1.0
            if before > 0:
                key = joined_key(key, one)
                credit = ledger[find_credit(ledger, key)]
                if credit.visits > 0.0:
                    value += credit.total / credit.visits
                    grams += 1.0
                    if before > 1:
                        credit = ledger[find_credit(ledger, joined_key(key, two))]
                        if credit.visits > 0.0:
                            value += credit.total / credit.visits
                            grams += 1.0
        value = value / grams if grams > 0.0 else 1.0
        if value > best:
            best = value
            chosen = k
            ties = 1
        elif value == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = k
    return chosen


@cache
def recorded_playout(choose: Kernel[int]) -> Kernel[int]:
    """Make a playout part that chooses every move by a policy, and keeps a trail of them."""

    @kernel
    def play_out(table: Table, play: Play, rng: Stream) -> i64:
        """Play until the end, the playout limit or the last forward call."""
        limit = play.allowed()
        roles = table.roles
        state = play.state
        moves = play.moves
        joint = play.joint
        plies = 0
        for role in range(roles):
            joint[role] = 0
        while plies < limit:
            acting = table.movers(state)
            if acting == 0:
                break
            before = play.recorded
            for role in range(roles):
                if (acting >> role) & 1 == 1:
                    count = table.legal(state, role, moves)
                    assert count > 0, "a mover has no legal move"
                    place = choose(play, role, count, before, rng)
                    joint[role] = moves[place]
                    play.record(role, moves[place])
            table.apply(state, joint, rng)
            for role in range(roles):
                joint[role] = 0
            plies += 1
        return plies

    return play_out


mast_greedy = recorded_playout(best_credit)
mast_gibbs = recorded_playout(gibbs_credit)
nst_greedy = recorded_playout(best_sequence)
