"""All moves as first: what a move was worth whenever it was played below a node.

Moves get numbers, in the order in which they are first played. Sums by number are kept for the nodes that are asked
about them: the root, and nodes with more visits than the reference. Most nodes never get there. Until one does it only
notes which iterations came through it, and a diary tells what was played in each; then its notes are added up, once.
The sums are the same as if they had been kept from the beginning.

The diary is a row of words. An iteration is told as the number of its moves, a value per role, and a word per move:
its number and its role. A note is three words: where the iteration is told, the first of its moves below the node,
and where the note before is. Sums are a word for their room, and two words per move: the total and the visits.
"""

from __future__ import annotations

from ludarium.agents.credit import Credit, find_credit
from ludarium.agents.nodes import Node, Search, Step
from ludarium.kernel import copy, f64, i64, kernel, recast, u8, u64, view

_NOTE = 3  # words
_LEAST = 16  # moves that sums have room for at first


@kernel
def number_of(ledger: view[Credit], search: Search, key: u64) -> i64:
    """Give the number of a move, a new one if it has none; -1 if there is no room for new ones."""
    known = ledger[find_credit(ledger, key)]
    if known.key == 0:
        if 2 * search.learnt >= len(ledger):
            search.full = 2
        if 4 * search.learnt >= 3 * len(ledger):
            return -1
        known.key = key
        known.total = f64(search.learnt)  # the number is kept where a sum would be
        known.visits = 1.0
        search.learnt += 1
    return i64(known.total)


@kernel
def make_room(search: Search, node: Node, words: view[u64], number: i64) -> bool:
    """Give a node sums with room for a number, and take over the old ones; False if the diary is too short."""
    old = i64(words[node.notes]) if node.summed == 1 else 0
    room = max(_LEAST, 2 * old)
    while room <= number:
        room *= 2
    place = search.noted
    if place + 1 + 2 * room > len(words):
        return False
    words[place] = u64(room)
    for k in range(place + 1, place + 1 + 2 * room):
        words[k] = 0
    if node.summed == 1:
        copy(words[place + 1 : place + 1 + 2 * old], words[node.notes + 1 : node.notes + 1 + 2 * old])
    node.summed = 1
    node.notes = place
    search.noted = place + 1 + 2 * room
    return True


@kernel
def add_below(
    search: Search, node: Node, words: view[u64], sums: view[f64], entry: i64, begin: i64, values: view[f64]
) -> None:
    """Add the moves of an iteration from one on to the sums of a node."""
    told = entry + 1 + len(values)
    if search.learnt > i64(words[node.notes]) and not make_room(search, node, words, search.learnt - 1):
        search.full = 3
        return
    first = node.notes + 1
    for k in range(told + begin, told + i64(words[entry])):
        place = first + 2 * i64(words[k] >> 6)
        sums[place] += values[i64(words[k] & 63)]
        sums[place + 1] += 1.0


@kernel
def learn_below(
    search: Search,
    nodes: view[Node],
    path: view[i64],
    trail: view[Step],
    values: view[f64],
    parameters: view[f64],
    memory: view[u8],
    diary: view[u8],
) -> None:
    """Write down an iteration, and add it to the sums or the notes of every node that it came through."""
    ledger = recast(Credit, memory)
    words = recast(u64, diary)
    sums = recast(f64, diary)
    roles = len(values)
    entry = search.noted
    told = entry + 1 + roles
    for role in range(roles):
        sums[entry + 1 + role] = values[role]
    count = 0
    for k in range(search.played):
        number = number_of(ledger, search, trail[k].key)
        if number < 0:
            break
        words[told + k] = u64(number << 6 | trail[k].role)
        count += 1
    words[entry] = u64(count)
    search.noted = told + count
    begin = 0
    for k in range(search.steps):
        if path[k] >= 0:
            begin += 1
        else:
            node = nodes[-1 - path[k]]
            if node.summed == 1:
                add_below(search, node, words, sums, entry, begin, values)
            else:
                note = search.noted
                words[note] = u64(entry)
                words[note + 1] = u64(begin)
                words[note + 2] = u64(node.notes)
                node.notes = note
                search.noted += _NOTE
                if -1 - path[k] == search.root or f64(node.visits) > parameters[4]:
                    if not make_room(search, node, words, search.learnt):
                        note = 0  # it stays with notes until the diary has grown
                    while note != 0:
                        then = i64(words[note])
                        whole = sums[then + 1 : then + 1 + roles]
                        add_below(search, node, words, sums, then, i64(words[note + 1]), whole)
                        note = i64(words[note + 2])
    # The longest iteration, a note for every node and sums for a few must fit next time.
    if search.noted + 1 + roles + len(trail) + _NOTE * len(path) + 64 * search.learnt + 4096 > len(words):
        search.full = 3
