"""The kernel that scores states: features of a state, weighted and squashed into what it is worth to each role.

It exists once. Which features there are, and all that it has to know of a game, lies in the sheet that comes with it, so
one compiled search serves all evaluators and all games.
"""

from __future__ import annotations

from functools import cache

from ludarium.evaluate.degrees import work_out
from ludarium.evaluate.layout import (
    ADVANCED,
    AMOUNTS,
    GOALS,
    INFLUENCE,
    LINES,
    MATERIAL,
    MOBILITY,
    PLACES,
    SAFE,
    TURN,
    Mask,
    Sheet,
)
from ludarium.evaluate.looking import add_amounts, as_mover, count_safe, count_targets, judge_lines
from ludarium.kernel import (
    Bundle,
    Kernel,
    Stream,
    Table,
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
    sheet: Sheet,
    looks: i64,
    out: view[f64],
    rng: Stream,
) -> i64:
    """Count the legal moves of all roles; of those that do not move now as if they did, where a game can say that.

    Elsewhere they are asked all the same; if they have no choice, their moves are counted in the states that come next.
    """
    moves = sheet.moves
    joint = sheet.joint
    waiting = 0
    if sheet.mover >= 0:
        for role in range(table.roles):
            if (acting >> role) & 1 == 1:
                out[role] = f64(table.legal(state, role, moves))
            else:
                as_mover(sheet, state, role)
                out[role] = f64(table.legal(sheet.after, role, moves))
        return 0
    for role in range(table.roles):
        count = table.legal(state, role, moves)
        out[role] = f64(count)
        if (acting >> role) & 1 == 0 and count <= 1:
            out[role] = 0.0
            waiting |= 1 << role
    if waiting == 0:
        return 0
    after = sheet.after
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
    """Count the pieces of each role, each as much as it is worth."""
    for role in range(len(out)):
        out[role] = 0.0
    for k in range(len(masks)):
        out[masks[k].feature] += masks[k].worth * f64(popcount(words[masks[k].word] & masks[k].bits))


@kernel
def features(table: Table, state: view[u8], acting: i64, sheet: Sheet, rng: Stream) -> i64:
    """Write the features of a state into the sheet; answers the forward calls that it took."""
    words = recast(u64, state)
    if sheet.padded:
        copy(sheet.state, state)
        words = sheet.words
    calls = 0
    for k in range(len(sheet.terms)):
        term = sheet.terms[k]
        out = sheet.values[term.first : term.first + table.roles]
        if term.kind == MATERIAL or term.kind == PLACES or term.kind == AMOUNTS:
            count_pieces(sheet.masks[term.begin : term.stop], words, out)
            if term.kind == AMOUNTS:
                add_amounts(sheet.numbers[term.row : term.end], state, out)
        elif term.kind == MOBILITY:
            count_moves(table, state, acting, sheet.moves, out)
        elif term.kind == ADVANCED:
            calls += look_ahead(table, state, acting, sheet, term.looks, out, rng)
        elif term.kind == INFLUENCE:
            count_targets(table, state, acting, sheet, k, out)
        elif term.kind == LINES:
            judge_lines(sheet, k, words, out)
        elif term.kind == SAFE:
            calls += count_safe(table, state, acting, sheet, k, out, rng)
        else:
            for role in range(table.roles):
                out[role] = 0.0
                if term.kind == TURN and (acting >> role) & 1 == 1:
                    out[role] = 1.0
            if term.kind == GOALS:
                work_out(sheet.net, words, term.truth, term.power, out)
    return calls


@kernel
def weigh(table: Table, state: view[u8], acting: i64, out: view[f64], sheet: Sheet, rng: Stream) -> i64:
    """Judge a state that is not final by its weighted features; answers the forward calls that it took."""
    calls = features(table, state, acting, sheet, rng)
    weights = sheet.weights
    count = len(sheet.values)
    row = 0
    for role in range(table.roles):
        total = weights[row]
        for k in range(count):
            total += weights[row + 1 + k] * sheet.values[k]
        out[role] = total
        row += 1 + count
    if len(sheet.columns) > 0:
        add_facts(sheet, state, out)
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
def add_facts(sheet: Sheet, state: view[u8], out: view[f64]) -> None:
    """Add the weights of the facts that hold."""
    words = recast(u64, state)
    if sheet.padded:
        copy(sheet.state, state)
        words = sheet.words
    roles = len(out)
    base = 0
    for k in range(0, len(sheet.columns), 2):
        bits = words[i64(sheet.columns[k])] & sheet.columns[k + 1]
        while bits != 0:
            row = (base + ctz(bits)) * roles
            bits &= bits - 1
            for role in range(roles):
                out[role] += sheet.facts[row + role]
        base += 64


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
        table: Table, state: view[u8], acting: i64, out: view[f64], judging: Bundle, rng: Stream
    ) -> i64:
        """Judge a state that is not final; answers the forward calls that it took."""
        sheet = Sheet.of(judging)
        if not sheet.countable or acting & (acting - 1) != 0:
            return weigh(table, state, acting, out, sheet, rng)
        words = recast(u64, state)
        if sheet.padded:
            copy(sheet.state, state)
            words = sheet.words
        key = u64(acting) << 60
        if sheet.mobile:
            key |= u64(count(table, state, ctz(acting), sheet.moves)) << 48
        masks = sheet.masks
        for k in range(len(masks)):
            key += u64(popcount(words[masks[k].word] & masks[k].bits)) << (16 * masks[k].feature)
        roles = known_roles if known_roles > 0 else table.roles
        memo = sheet.memos[i64((key * 0x9E3779B97F4A7C15) >> 54)]
        if memo.key != key:
            weigh(table, state, acting, out, sheet, rng)
            memo.key = key
            for role in range(roles):
                memo.values[role] = out[role]
        for role in range(roles):
            out[role] = memo.values[role]
        return 0

    return score_unfinished


score_listed = scoring(count_listed)


@kernel
def score(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Judge a state: utilities at the end, else the weighted features; answers the forward calls that it took."""
    acting = table.movers(state)
    if acting == 0:
        table.utilities(state, out)
        return 0
    return score_listed(table, state, acting, out, judging, rng)
