"""How tree searches play a state to its end: each policy is a part of the tree search."""

from __future__ import annotations

from functools import cache

from ludarium.agents.actions import Actions
from ludarium.agents.credit import Credit, find_credit, joined_key
from ludarium.agents.nodes import Search, Step, move_key, record_step
from ludarium.kernel import Kernel, Stream, Table, below, exp, f64, i64, kernel, recast, u8, u64, uniform, view


@kernel
def allowed(search: Search) -> i64:
    """How many plies a playout may have."""
    return max(0, min(search.playout_limit, search.call_limit - search.calls - search.reserve))


@kernel
def random_playout(
    table: Table,
    actions: Actions,
    state: view[u8],
    search: Search,
    trail: view[Step],
    moves: view[u64],
    joint: view[u64],
    parameters: view[f64],
    memory: view[u8],
    rng: Stream,
) -> i64:
    """Play uniformly random moves, as fast as the game can."""
    return i64(table.playout(state, rng, allowed(search)))


@kernel
def best_credit(
    role: i64, moves: view[u64], trail: view[Step], played: i64, parameters: view[f64], memory: view[u8], rng: Stream
) -> i64:
    """MAST, epsilon-greedy: mostly the move that was worth most wherever it was played; unseen moves count 1."""
    if uniform(rng) < parameters[2]:
        return below(rng, len(moves))
    ledger = recast(Credit, memory)
    best = -1.0
    ties = 0
    chosen = 0
    for k in range(len(moves)):
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
def gibbs_credit(
    role: i64, moves: view[u64], trail: view[Step], played: i64, parameters: view[f64], memory: view[u8], rng: Stream
) -> i64:
    """MAST, Gibbs: moves are as likely as exp(worth / temperature); unseen moves count 1."""
    ledger = recast(Credit, memory)
    whole = 0.0
    chosen = 0
    for k in range(len(moves)):
        credit = ledger[find_credit(ledger, move_key(role, moves[k]))]
        weight = 1.0
        if credit.visits > 0.0:
            weight = credit.weight
            if weight == 0.0:
                weight = exp((credit.total / credit.visits - 1.0) / parameters[3])
                credit.weight = weight
        whole += weight
        if uniform(rng) * whole < weight:
            chosen = k
    return chosen


@kernel
def best_sequence(
    role: i64, moves: view[u64], trail: view[Step], played: i64, parameters: view[f64], memory: view[u8], rng: Stream
) -> i64:
    """NST, epsilon-greedy: the average worth of the move alone, after the last move, and after the last two."""
    if uniform(rng) < parameters[2]:
        return below(rng, len(moves))
    ledger = recast(Credit, memory)
    one = trail[played - 1].key if played > 0 else u64(0)
    two = trail[played - 2].key if played > 1 else u64(0)
    best = -1.0
    ties = 0
    chosen = 0
    for k in range(len(moves)):
        key = move_key(role, moves[k])
        value = 0.0
        grams = 0.0
        credit = ledger[find_credit(ledger, key)]
        if credit.visits > 0.0:
            value += credit.total / credit.visits
            grams += 1.0
            if played > 0:
                key = joined_key(key, one)
                credit = ledger[find_credit(ledger, key)]
                if credit.visits > 0.0:
                    value += credit.total / credit.visits
                    grams += 1.0
                    if played > 1:
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
    def play_out(
        table: Table,
        actions: Actions,
        state: view[u8],
        search: Search,
        trail: view[Step],
        moves: view[u64],
        joint: view[u64],
        parameters: view[f64],
        memory: view[u8],
        rng: Stream,
    ) -> i64:
        """Play until the end, the playout limit or the last forward call."""
        limit = allowed(search)
        roles = table.roles
        plies = 0
        for role in range(roles):
            joint[role] = 0
        while plies < limit:
            acting = table.movers(state)
            if acting == 0:
                break
            before = search.played
            for role in range(roles):
                if (acting >> role) & 1 == 1:
                    count = table.legal(state, role, moves)
                    assert count > 0, "a mover has no legal move"
                    place = choose(role, moves[0:count], trail, before, parameters, memory, rng)
                    joint[role] = moves[place]
                    record_step(search, trail, role, moves[place])
            table.apply(state, joint, rng)
            for role in range(roles):
                joint[role] = 0
            plies += 1
        return plies

    return play_out


mast_greedy = recorded_playout(best_credit)
mast_gibbs = recorded_playout(gibbs_credit)
nst_greedy = recorded_playout(best_sequence)
