"""The kernel that scores states: features of a state, weighted and squashed into what it is worth to each role.

It exists once. Which features there are, and all that it has to know of a game, lies in the memory that comes with it, so
one compiled search serves all evaluators and all games.
"""

from __future__ import annotations

from functools import cache

from ludarium.evaluate.degrees import work_out
from ludarium.kernel import (
    Kernel,
    Record,
    Stream,
    Table,
    array,
    copy,
    ctz,
    f64,
    i64,
    kernel,
    popcount,
    recast,
    tanh,
    u8,
    u64,
    view,
)

REACH = 0.475
"""How far from a half a state can be judged that is not final; Ludii keeps 5 % of the range free, too."""

MOBILITY, ADVANCED, MATERIAL, GOALS = range(4)

MEMOS = 1024
"""A power of two: how many judgements are remembered by what was counted."""

MEMO_ROLES, MEMO_MOVES, MEMO_MASKS = 3, 1 << 12, 1 << 10
"""Remembered are judgements for so many roles at most, fewer moves than that and fewer words with pieces."""


class Head(Record):
    """How much there is of everything, and where it begins, in bytes."""

    terms: i64
    features: i64
    columns: i64
    masks: i64
    padded: i64
    countable: i64
    """Whether pieces, moves and the mover are all that is looked at."""
    mobile: i64
    """Whether moves are."""
    terms_at: i64
    masks_at: i64
    nets_at: i64
    weights_at: i64
    columns_at: i64
    facts_at: i64
    values_at: i64
    moves_at: i64
    joint_at: i64
    state_at: i64
    after_at: i64
    memos_at: i64
    end: i64


class Term(Record):
    """Features of one kind, one per role from the feature `first` on, and what they need to know."""

    kind: i64
    first: i64
    begin: i64
    stop: i64


class Mask(Record):
    """Bits in a word of a state that are pieces, counted for the feature `feature`."""

    bits: u64
    word: i64
    feature: i64


@kernel
def count_moves(table: Table, state: view[u8], acting: i64, moves: view[u64], out: view[f64]) -> None:
    """Count the legal moves of the roles that move."""
    for role in range(table.roles):
        out[role] = 0.0
        if (acting >> role) & 1 == 1:
            out[role] = f64(table.legal(state, role, moves))


@kernel
def look_ahead(
    table: Table,
    state: view[u8],
    acting: i64,
    head: Head,
    memory: view[u8],
    looks: i64,
    out: view[f64],
    rng: Stream,
) -> i64:
    """Count the legal moves of all roles; of those that do not move now, if they have no choice, in the states that come next."""
    moves = recast(u64, memory[head.moves_at : head.joint_at])
    joint = recast(u64, memory[head.joint_at : head.state_at])
    waiting = 0
    for role in range(table.roles):
        count = table.legal(state, role, moves)
        out[role] = f64(count)
        if (acting >> role) & 1 == 0 and count <= 1:
            out[role] = 0.0
            waiting |= 1 << role
    if waiting == 0:
        return 0
    after = memory[head.after_at : head.after_at + table.state_size]
    for look in range(looks):
        copy(after, state)
        for role in range(table.roles):
            joint[role] = 0
            if (acting >> role) & 1 == 1:
                count = table.legal(state, role, moves)
                assert count > 0, "a mover has no legal move"
                joint[role] = moves[(2 * look + 1) * count // (2 * looks)]
        table.apply(after, joint, rng)
        next_acting = table.movers(after)
        for role in range(table.roles):
            if (waiting >> role) & (next_acting >> role) & 1 == 1:
                out[role] += f64(table.legal(after, role, moves)) / f64(looks)
    return looks


@kernel
def count_pieces(masks: view[Mask], words: view[u64], out: view[f64]) -> None:
    """Count the pieces of each role."""
    for role in range(len(out)):
        out[role] = 0.0
    for k in range(len(masks)):
        out[masks[k].feature] += f64(popcount(words[masks[k].word] & masks[k].bits))


@kernel
def features(table: Table, state: view[u8], acting: i64, memory: view[u8], rng: Stream) -> i64:
    """Write the features of a state into the memory; answers the forward calls that it took."""
    head = Head(memory)
    terms = recast(Term, memory[head.terms_at : head.masks_at])
    values = recast(f64, memory[head.values_at : head.moves_at])
    words = recast(u64, state)
    if head.padded == 1:
        copy(memory[head.state_at : head.state_at + table.state_size], state)
        words = recast(u64, memory[head.state_at : head.after_at])
    calls = 0
    for k in range(head.terms):
        term = terms[k]
        out = values[term.first : term.first + table.roles]
        if term.kind == MATERIAL:
            masks = recast(Mask, memory[head.masks_at : head.nets_at])
            count_pieces(masks[term.begin : term.stop], words, out)
        elif term.kind == MOBILITY:
            count_moves(table, state, acting, recast(u64, memory[head.moves_at : head.joint_at]), out)
        elif term.kind == ADVANCED:
            calls += look_ahead(table, state, acting, head, memory, term.begin, out, rng)
        else:
            for role in range(table.roles):
                out[role] = 0.0
            work_out(memory[term.begin : term.stop], words, out)
    return calls


@kernel
def weigh(table: Table, state: view[u8], acting: i64, out: view[f64], memory: view[u8], rng: Stream) -> i64:
    """Judge a state that is not final by its weighted features; answers the forward calls that it took."""
    calls = features(table, state, acting, memory, rng)
    head = Head(memory)
    values = recast(f64, memory[head.values_at : head.moves_at])
    weights = recast(f64, memory[head.weights_at : head.columns_at])
    row = 0
    for role in range(table.roles):
        total = weights[row]
        for k in range(head.features):
            total += weights[row + 1 + k] * values[k]
        out[role] = total
        row += 1 + head.features
    if head.columns > 0:
        add_facts(head, state, memory, out)
    done = 0.0
    squashed = 0.0
    for role in range(table.roles):
        # Two roles are as far from a half as each other, and the hyperbolic tangent is slow.
        if out[role] != done:
            squashed = -squashed if out[role] == -done else REACH * tanh(out[role])
            done = out[role]
        out[role] = 0.5 + squashed
    return calls


@kernel
def add_facts(head: Head, state: view[u8], memory: view[u8], out: view[f64]) -> None:
    """Add the weights of the facts that hold."""
    words = recast(u64, state)
    if head.padded == 1:
        copy(memory[head.state_at : head.state_at + len(state)], state)
        words = recast(u64, memory[head.state_at : head.after_at])
    columns = recast(u64, memory[head.columns_at : head.facts_at])
    weights = recast(f64, memory[head.facts_at : head.values_at])
    roles = len(out)
    base = 0
    for k in range(head.columns):
        bits = words[i64(columns[2 * k])] & columns[2 * k + 1]
        while bits != 0:
            row = (base + ctz(bits)) * roles
            bits &= bits - 1
            for role in range(roles):
                out[role] += weights[row + role]
        base += 64


class Memo(Record):
    """What states are worth of which a key says what was counted."""

    key: u64
    values = array(f64, MEMO_ROLES)


@kernel
def count_listed(table: Table, state: view[u8], role: i64, moves: view[u64]) -> i64:
    """Count the legal moves of a role by listing them."""
    return i64(table.legal(state, role, moves))


@cache
def scoring(count: Kernel[int], known_roles: int = 0) -> Kernel[int]:
    """Make the kernel that judges unfinished states, by a way to count moves; where few things count, it remembers.

    What it is told of a game, here the number of roles, it need not ask.
    """

    @kernel
    def score_unfinished(
        table: Table, state: view[u8], acting: i64, out: view[f64], memory: view[u8], rng: Stream
    ) -> i64:
        """Judge a state that is not final; answers the forward calls that it took."""
        head = Head(memory)
        if head.countable == 0 or acting & (acting - 1) != 0:
            return weigh(table, state, acting, out, memory, rng)
        words = recast(u64, state)
        if head.padded == 1:
            copy(memory[head.state_at : head.state_at + table.state_size], state)
            words = recast(u64, memory[head.state_at : head.after_at])
        key = u64(acting) << 60
        if head.mobile == 1:
            moves = recast(u64, memory[head.moves_at : head.joint_at])
            key |= u64(count(table, state, ctz(acting), moves)) << 48
        masks = recast(Mask, memory[head.masks_at : head.nets_at])
        for k in range(head.masks):
            key += u64(popcount(words[masks[k].word] & masks[k].bits)) << (16 * masks[k].feature)
        roles = known_roles if known_roles > 0 else table.roles
        memo = recast(Memo, memory[head.memos_at : head.end])[i64((key * 0x9E3779B97F4A7C15) >> 54)]
        if memo.key != key:
            weigh(table, state, acting, out, memory, rng)
            memo.key = key
            for role in range(roles):
                memo.values[role] = out[role]
        for role in range(roles):
            out[role] = memo.values[role]
        return 0

    return score_unfinished


score_listed = scoring(count_listed)


@kernel
def score(table: Table, state: view[u8], out: view[f64], memory: view[u8], rng: Stream) -> i64:
    """Judge a state: utilities at the end, else the weighted features; answers the forward calls that it took."""
    acting = table.movers(state)
    if acting == 0:
        table.utilities(state, out)
        return 0
    return score_listed(table, state, acting, out, memory, rng)
