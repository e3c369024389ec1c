"""What moves were worth wherever they were played: a hash table that playouts, selection and learning share.

Keys are mixed from what a statistic is about (a role and a move; a node, a role and a move; several moves in a row);
two things share a key with a chance of 2**-64.
"""

from __future__ import annotations

from ludarium.agents.nodes import Node, Search, Step
from ludarium.kernel import Record, copy, f64, i64, kernel, recast, u8, u64, view

FEW = 10.0
"""Statistics with fewer visits than this are dropped when they fade, as in Ludii."""


class Credit(Record):
    """How often something was seen, and the sum of what came of it."""

    key: u64
    total: f64
    visits: f64
    weight: f64
    """What a policy has worked out from the two before, until they change; 0 if nothing."""


@kernel
def joined_key(first: u64, second: u64) -> u64:
    """Mix two keys, in this order; never 0."""
    key = (first + (second << 1)) * 0xD6E8FEB86659FD93
    return (key ^ (key >> 32)) | 1


@kernel
def find_credit(ledger: view[Credit], key: u64) -> i64:
    """Find the place of a key: its own, or an empty one (key 0)."""
    mask = len(ledger) - 1
    place = i64(key >> 1) & mask
    while ledger[place].key != key and ledger[place].key != 0:
        place = (place + 1) & mask
    return place


@kernel
def add_credit(ledger: view[Credit], search: Search, key: u64, value: f64) -> None:
    """Count a value; a table that gets full says so, and takes in no new keys until it has grown."""
    credit = ledger[find_credit(ledger, key)]
    if credit.key == 0:
        if 2 * search.learnt >= len(ledger):
            search.full = 2
        if 4 * search.learnt >= 3 * len(ledger):
            return
        credit.key = key
        search.learnt += 1
    credit.total += value
    credit.visits += 1.0
    credit.weight = 0.0


@kernel
def fade(old: view[u8], new: view[u8], factor: f64, least: f64) -> i64:
    """Copy a table into an empty one, all of it weaker, without what has become rare; say how much is left."""
    before = recast(Credit, old)
    after = recast(Credit, new)
    left = 0
    for k in range(len(before)):
        if before[k].key != 0 and before[k].visits * factor >= least:
            kept = after[find_credit(after, before[k].key)]
            copy(kept, before[k])
            kept.total *= factor
            kept.visits *= factor
            kept.weight = 0.0
            left += 1
    return left


@kernel
def learn_moves(
    search: Search,
    nodes: view[Node],
    path: view[i64],
    trail: view[Step],
    values: view[f64],
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> None:
    """Credit every move that was played with what came of it for its role."""
    ledger = recast(Credit, memory)
    for k in range(search.played):
        step = trail[k]
        add_credit(ledger, search, step.key, values[step.role])


@kernel
def learn_sequences(
    search: Search,
    nodes: view[Node],
    path: view[i64],
    trail: view[Step],
    values: view[f64],
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> None:
    """Credit every move, every two and every three moves in a row, with what came of it for the last mover."""
    ledger = recast(Credit, memory)
    one = u64(0)
    two = u64(0)
    for k in range(search.played):
        step = trail[k]
        value = values[step.role]
        add_credit(ledger, search, step.key, value)
        if k > 0:
            add_credit(ledger, search, joined_key(step.key, one), value)
        if k > 1:
            add_credit(ledger, search, joined_key(joined_key(step.key, one), two), value)
        two = one
        one = step.key
