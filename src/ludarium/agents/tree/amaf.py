"""All moves as first: what a move was worth whenever it was played below a node.

Moves get numbers, in the order in which they are first played. Sums by number are kept for the nodes that are asked
about them: the root, and nodes with more visits than the reference. Most nodes never get there. Until one does it only
notes which iterations came through it, and a diary holds what was played in each; then its notes are added up, once.
The sums are the same as if they had been kept from the beginning.

The diary is a row of words. An iteration is the number of its moves, a value per role, and a word per move:
its number and its role. A note is three words: where the iteration is, the first of its moves below the node,
and where the note before is. Sums are a word for their room, and two words per move: the total and the visits.
"""

from __future__ import annotations

from ludarium.agents.tree.credit import find_credit, has_room
from ludarium.agents.tree.nodes import Node, Tree
from ludarium.agents.tree.play import Play
from ludarium.kernel import copy, f64, i64, kernel, u64, view

_NOTE = 3  # words
_LEAST = 16  # moves that sums have room for at first


@kernel
def number_of(play: Play, key: u64) -> i64:
    """Give the number of a move, a new one if it has none; -1 if there is no room for new ones."""
    known = play.ledger[find_credit(play.ledger, key)]
    if known.key == 0:
        if not has_room(play):
            return -1
        known.key = key
        known.total = f64(play.learnt)  # the number is kept where a sum would be
        known.visits = 1.0
        play.learnt += 1
    return i64(known.total)


@kernel
def make_room(tree: Tree, node: Node, number: i64) -> bool:
    """Give a node sums with room for a number, and take over the old ones; False if the diary is too short."""
    words = tree.diary
    old = i64(words[node.notes]) if node.summed else 0
    room = max(_LEAST, 2 * old)
    while room <= number:
        room *= 2
    place = tree.diary_end
    if place + 1 + 2 * room > len(words):
        return False
    words[place] = u64(room)
    for k in range(place + 1, place + 1 + 2 * room):
        words[k] = 0
    if node.summed:
        copy(words[place + 1 : place + 1 + 2 * old], words[node.notes + 1 : node.notes + 1 + 2 * old])
    node.summed = True
    node.notes = place
    tree.diary_end = place + 1 + 2 * room
    return True


@kernel
def add_below(tree: Tree, node: Node, entry: i64, begin: i64, values: view[f64]) -> None:
    """Add the moves of an iteration from one on to the sums of a node."""
    words = tree.diary
    sums = tree.diary_values
    moves = entry + 1 + len(values)
    learnt = tree.play.learnt
    if learnt > i64(words[node.notes]) and not make_room(tree, node, learnt - 1):
        tree.diary_full = True
        return
    first = node.notes + 1
    for k in range(moves + begin, moves + i64(words[entry])):
        place = first + 2 * i64(words[k] >> 6)
        sums[place] += values[i64(words[k] & 63)]
        sums[place + 1] += 1.0


@kernel
def write_down(tree: Tree) -> i64:
    """Write an iteration into the diary; say where."""
    play = tree.play
    roles = len(play.values)
    entry = tree.diary_end
    moves = entry + 1 + roles
    for role in range(roles):
        tree.diary_values[entry + 1 + role] = play.values[role]
    count = 0
    for k in range(play.recorded):
        number = number_of(play, play.trail[k].key)
        if number < 0:
            break
        tree.diary[moves + k] = u64(number << 6 | play.trail[k].role)
        count += 1
    tree.diary[entry] = u64(count)
    tree.diary_end = moves + count
    return entry


@kernel
def add_notes(tree: Tree, node: Node) -> None:
    """Turn the notes of a node into sums; it stays with notes if the diary has to grow for that."""
    words = tree.diary
    roles = len(tree.play.values)
    note = node.notes
    if not make_room(tree, node, tree.play.learnt):
        return
    while note != 0:
        then = i64(words[note])
        add_below(tree, node, then, i64(words[note + 1]), tree.diary_values[then + 1 : then + 1 + roles])
        note = i64(words[note + 2])


@kernel
def learn_below(tree: Tree) -> None:
    """Write down an iteration, and add it to the sums or the notes of every node that it came through."""
    words = tree.diary
    play = tree.play
    entry = write_down(tree)
    begin = 0
    for k in range(tree.steps):
        if tree.path[k] >= 0:
            begin += 1
        else:
            place = -1 - tree.path[k]
            node = tree.nodes[place]
            if node.summed:
                add_below(tree, node, entry, begin, play.values)
            else:
                note = tree.diary_end
                words[note] = u64(entry)
                words[note + 1] = u64(begin)
                words[note + 2] = u64(node.notes)
                node.notes = note
                tree.diary_end += _NOTE
                if place == tree.top or f64(node.visits) > play.settings.reference:
                    add_notes(tree, node)
    # The longest iteration, a note for every node and sums for a few must fit next time.
    longest = 1 + len(play.values) + len(play.trail) + _NOTE * len(tree.path)
    if tree.diary_end + longest + 64 * play.learnt + 4096 > len(words):
        tree.diary_full = True
