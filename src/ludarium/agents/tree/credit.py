"""What moves were worth wherever they were played: a hash table that playouts, selection and learning share.

Keys are mixed from what a statistic is about (a role and a move; a node, a role and a move; several moves in a row);
two things share a key with a chance of 2**-64.
"""

from __future__ import annotations

from ludarium.agents.tree.nodes import Tree
from ludarium.agents.tree.play import Credit, Play
from ludarium.kernel import copy, f64, i64, kernel, u64, view

FEW = 10.0
"""Statistics with fewer visits than this are dropped when they fade, as in Ludii."""


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
def has_room(play: Play) -> bool:
    """Whether the ledger takes in a new key; one that gets full says so, and takes in none until it has grown."""
    if 2 * play.learnt >= len(play.ledger):
        play.ledger_full = True
    return 4 * play.learnt < 3 * len(play.ledger)


@kernel
def add_credit(play: Play, key: u64, value: f64) -> None:
    """Count a value."""
    credit = play.ledger[find_credit(play.ledger, key)]
    if credit.key == 0:
        if not has_room(play):
            return
        credit.key = key
        play.learnt += 1
    credit.total += value
    credit.visits += 1.0
    credit.weight = 0.0


@kernel
def fade(old: view[Credit], new: view[Credit], factor: f64, least: f64) -> i64:
    """Copy a table into an empty one, all of it weaker, without what has become rare; say how much is left."""
    left = 0
    for k in range(len(old)):
        if old[k].key != 0 and old[k].visits * factor >= least:
            kept = new[find_credit(new, old[k].key)]
            copy(kept, old[k])
            kept.total *= factor
            kept.visits *= factor
            kept.weight = 0.0
            left += 1
    return left


@kernel
def credit_moves(play: Play) -> None:
    """Credit every move that was played with what came of it for its role."""
    for k in range(play.recorded):
        step = play.trail[k]
        add_credit(play, step.key, play.values[step.role])


@kernel
def learn_moves(tree: Tree) -> None:
    """Learn what moves are worth."""
    credit_moves(tree.play)


@kernel
def learn_sequences(tree: Tree) -> None:
    """Credit every move, every two and every three moves in a row, with what came of it for the last mover."""
    play = tree.play
    one = u64(0)
    two = u64(0)
    for k in range(play.recorded):
        step = play.trail[k]
        value = play.values[step.role]
        add_credit(play, step.key, value)
        if k > 0:
            add_credit(play, joined_key(step.key, one), value)
        if k > 1:
            add_credit(play, joined_key(joined_key(step.key, one), two), value)
        two = one
        one = step.key
