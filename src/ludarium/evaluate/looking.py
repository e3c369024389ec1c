"""What the kernel that scores states looks at beside moves, pieces and goals: where moves go, lines, threats and amounts."""

from __future__ import annotations

from ludarium.evaluate.layout import Sheet
from ludarium.kernel import Stream, Table, copy, ctz, f64, i64, kernel, popcount, recast, shared, u8, u64, view

AMOUNT = 4
"""The numbers of an amount: its role, its byte, how many bytes it has, and the bit on which it depends, or -1."""

TARGET = 3
"""The numbers of a rule of moves: the lowest bit of the site in a move, how many bits, and what is added."""


@kernel
def as_mover(sheet: Sheet, state: view[u8], role: i64) -> None:
    """Copy a state as if another role were to move: who is to move now has moved before it."""
    after = sheet.after
    copy(after, state)
    after[sheet.before] = state[sheet.mover]
    after[sheet.mover] = u8(role + 1)


@shared
def add_amounts(rows: view[i64], state: view[u8], out: view[f64]) -> None:
    """Add numbers that a state holds, each for its role."""
    for k in range(0, len(rows), AMOUNT):
        given = rows[k + 3]
        if given < 0 or (state[given >> 3] >> (given & 7)) & 1 == 1:
            bits = 8 * rows[k + 2]
            value = 0
            for byte in range(rows[k + 2]):
                value |= i64(state[rows[k + 1] + byte]) << (8 * byte)
            if (value >> (bits - 1)) & 1 == 1:
                value -= 1 << bits
            out[rows[k]] += f64(value)


@shared
def count_targets(table: Table, state: view[u8], acting: i64, sheet: Sheet, k: i64, out: view[f64]) -> None:
    """Count the different sites that moves of a role go to, as a share of all; of roles that do not move only if wanted."""
    numbers = sheet.numbers[sheet.terms[k].row : sheet.terms[k].end]
    rules = (1 << numbers[0]) - 1
    words = (numbers[2] + 63) >> 6
    seen = sheet.seen
    moves = sheet.moves
    for role in range(table.roles):
        out[role] = 0.0
        count = 0
        if (acting >> role) & 1 == 1:
            count = i64(table.legal(state, role, moves))
        elif sheet.terms[k].looks > 0 and sheet.mover >= 0:
            as_mover(sheet, state, role)
            count = i64(table.legal(sheet.after, role, moves))
        for word in range(words):
            seen[word] = u64(0)
        found = 0
        for move in range(count):
            row = 3 + TARGET * (i64(moves[move]) & rules)
            site = (i64(moves[move] >> u64(numbers[row])) & ((1 << numbers[row + 1]) - 1)) - 1
            if site >= 0:
                site += numbers[row + 2]
                if (seen[site >> 6] >> u64(site & 63)) & u64(1) == u64(0):
                    seen[site >> 6] |= u64(1) << u64(site & 63)
                    found += 1
        out[role] = f64(found) / f64(numbers[1])


@shared
def judge_lines(sheet: Sheet, k: i64, words: view[u64], out: view[f64]) -> None:
    """Judge lines that hold pieces of one role only: the best one, and half of the second.

    A line is worth its share of pieces, half of it if another stands behind an end, a quarter if others stand behind both.
    """
    term = sheet.terms[k]
    numbers = sheet.numbers[term.row : term.end]
    length = numbers[0]
    cells = numbers[1]
    board = sheet.seen
    for cell in range(cells):
        board[cell] = u64(0)
    table = 2
    for m in range(term.begin, term.stop):
        bits = words[sheet.masks[m].word] & sheet.masks[m].bits
        while bits != u64(0):
            board[numbers[table + i64(ctz(bits))]] = u64(sheet.masks[m].feature + 1)
            bits &= bits - u64(1)
        table += 64
    for role in range(len(out)):
        out[role] = 0.0
    second = sheet.seen[cells : cells + len(out)]
    for role in range(len(out)):
        second[role] = u64(0)
    worths = 4 * length
    for line in range((len(numbers) - table) // (length + 2)):
        at = table + line * (length + 2)
        who = u64(0)
        count = 0
        mixed = False
        for place in range(at, at + length):
            there = board[numbers[place]]
            if there != u64(0):
                if who != u64(0) and there != who:
                    mixed = True
                    break
                who = there
                count += 1
        if mixed or who == u64(0) or i64(who) > len(out):
            continue
        worth = 4 * count
        for place in range(at + length, at + length + 2):
            end = numbers[place]
            if end >= 0 and board[end] != u64(0) and board[end] != who:
                worth >>= 1
        role = i64(who) - 1
        if f64(worth) > out[role]:
            second[role] = u64(i64(out[role]))
            out[role] = f64(worth)
        elif u64(worth) > second[role]:
            second[role] = u64(worth)
    for role in range(len(out)):
        out[role] = (out[role] + 0.5 * f64(second[role])) / f64(worths)


@shared
def count_safe(table: Table, state: view[u8], acting: i64, sheet: Sheet, k: i64, out: view[f64], rng: Stream) -> i64:
    """Count the pieces that no move of another role takes away; answers the forward calls that it took."""
    term = sheet.terms[k]
    masks = sheet.masks[term.begin : term.stop]
    count = len(masks)
    there = sheet.seen[0:count]
    lost = sheet.seen[count : 2 * count]
    joint = sheet.joint
    moves = sheet.moves
    after = sheet.after
    words = recast(u64, state)
    if sheet.padded:
        copy(sheet.state, state)
        words = sheet.words
    for m in range(count):
        there[m] = words[masks[m].word] & masks[m].bits
        lost[m] = u64(0)
    calls = 0
    for role in range(table.roles):
        joint[role] = u64(0)
    for role in range(table.roles):
        moves_now = (acting >> role) & 1 == 1
        if not moves_now and sheet.mover < 0:
            continue
        if moves_now:
            copy(after, state)
        else:
            as_mover(sheet, state, role)
        listed = i64(table.legal(after, role, moves))
        tried = min(term.looks, listed)
        for look in range(tried):
            if moves_now:
                copy(after, state)
            else:
                as_mover(sheet, state, role)
            joint[role] = moves[(2 * look + 1) * listed // (2 * tried)]
            table.apply(after, joint, rng)
            calls += 1
            now = recast(u64, after)
            if sheet.padded:
                copy(sheet.state, after)
                now = sheet.words
            for m in range(count):
                if masks[m].feature != role:
                    lost[m] |= there[m] & ~now[masks[m].word]
        joint[role] = u64(0)
    for role in range(table.roles):
        out[role] = 0.0
    for m in range(count):
        out[masks[m].feature] += f64(popcount(there[m] & ~lost[m]))
    return calls
