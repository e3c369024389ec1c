"""The last ply of a search that looks ahead: most nodes are there, so it is a kernel of its own, made for the game.

Where a game is made of kernels they are compiled into it, and nothing is called through the table. A killer that the game
can tell to be legal is tried before any move is listed: most of the time it is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from ludarium.agents.lookahead.frames import HISTORY, LEAST, Lookahead, class_of, swap_to_front, to_front
from ludarium.agents.lookahead.transpositions import NO_MOVE
from ludarium.agents.search.actions import action_kernels
from ludarium.core import ActionKernels, Game
from ludarium.evaluate import Judge
from ludarium.kernel import (
    Bundle,
    Kernel,
    KernelGame,
    Stream,
    Table,
    buffer,
    copy,
    ctz,
    f64,
    fn,
    i64,
    kernel,
    u8,
    u64,
    view,
)


class Leaves(Bundle):
    """How a node is searched whose children are leaves (`one`), or its grandchildren (`two`).

    Whoever asks has seen to it that there are nodes and forward calls for all of them.
    """

    one: fn[[Table, Lookahead, i64, i64, Stream], i64]
    two: fn[[Table, Lookahead, i64, i64, u64, Stream], i64]


@dataclass(frozen=True)
class Rules:
    """What the last ply asks of a game, each with the table first; `fits` only if the game can tell without a list."""

    movers: Kernel[int]
    legal: Kernel[int]
    apply: Kernel[None]
    utilities: Kernel[None]
    fits: Kernel[int] | None = None
    size: int = 0
    """The bytes of a state, if they are known: fewer of them are copied in place."""


@cache
def last_plies(rules: Rules, judge: Kernel[int]) -> tuple[Kernel[int], Kernel[int]]:
    """Make the kernels: `judge(table, state, acting, out, judging, rng) -> forward calls` judges an unfinished state."""
    movers, legal, apply, utilities = rules.movers, rules.legal, rules.apply, rules.utilities
    fits, tells, known = rules.fits or no_fit, rules.fits is not None, rules.size

    @kernel
    def search_leaves(table: Table, ahead: Lookahead, ply: i64, mover: i64, rng: Stream) -> i64:
        """Search a node whose children are leaves, all at once, and count them."""
        size = known if known > 0 else table.state_size
        state = ahead.states[ply * size : (ply + 1) * size]
        child = ahead.states[(ply + 1) * size : (ply + 2) * size]
        listed = ahead.moves[ply * ahead.width : (ply + 1) * ahead.width - 1]
        killers = ahead.killers[2 * ply : 2 * ply + 2]
        joint = ahead.joint
        values = ahead.values
        frame = ahead.frames[ply]
        me = ahead.me
        mine = mover == me
        ordered = ahead.options.killers
        alpha = frame.alpha
        beta = frame.beta
        best = -1.0 if mine else 2.0
        move = u64(NO_MOVE)
        horizon = False
        tried = 0
        place = 0
        count = 0
        whole = False
        calls = ahead.calls
        if tells and ordered and killers[0] != NO_MOVE:
            if fits(table, state, mover, killers[0], listed) == 1:
                listed[0] = killers[0]
                count = 1
        while alpha < beta:
            if place >= count:
                if whole:
                    break
                whole = True
                count = legal(table, state, mover, listed)
                assert count > 0, "a mover has no legal move"
                if ordered:
                    swap_to_front(listed[0:count], killers[0])
                # What is legal may not be listed, where a game has too many moves.
                place = 1 if tried == 1 and listed[0] == killers[0] else 0
                if place >= count:
                    break
            copy(child, state)
            joint[mover] = listed[place]
            apply(table, child, joint, rng)
            calls += 1
            value = 0.0
            unfinished = False
            acting = movers(table, child)
            if acting == 0:
                utilities(table, child, values)
                value = values[me]
            else:
                calls += judge(table, child, acting, values, ahead.judging, rng)
                value = min(max(values[me], LEAST), 1.0 - LEAST)
                unfinished = True
            horizon = horizon or unfinished
            if mine:
                if value > best:
                    best = value
                    move = listed[place]
                    if value > alpha:
                        alpha = value
                        horizon = unfinished if alpha >= beta else horizon
            elif value < best:
                best = value
                move = listed[place]
                if value < beta:
                    beta = value
                    horizon = unfinished if alpha >= beta else horizon
            tried += 1
            place += 1
        joint[mover] = 0
        ahead.calls = calls
        if alpha >= beta and ordered and killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
        ahead.nodes += tried
        frame.best = best
        frame.move = move
        frame.horizon = horizon
        return tried

    @kernel
    def search_two(table: Table, ahead: Lookahead, ply: i64, mover: i64, first: u64, rng: Stream) -> i64:
        """Search a node whose grandchildren are leaves, as frames would be, and count what is below it."""
        size = known if known > 0 else table.state_size
        width = ahead.width
        state = ahead.states[ply * size : (ply + 1) * size]
        child = ahead.states[(ply + 1) * size : (ply + 2) * size]
        moves = ahead.moves[ply * width : (ply + 1) * width - 1]
        line = ahead.lines[ply * ahead.room : (ply + 1) * ahead.room]
        killers = ahead.killers[2 * ply : 2 * ply + 2]
        joint = ahead.joint
        values = ahead.values
        frame = ahead.frames[ply]
        below = ahead.frames[ply + 1]
        me = ahead.me
        mine = mover == me
        alpha = frame.alpha
        beta = frame.beta
        frame.lowest = alpha
        frame.highest = beta
        best = -1.0 if mine else 2.0
        found = u64(NO_MOVE)
        length = 0
        horizon = False
        done = 0
        count = legal(table, state, mover, moves)
        assert count > 0, "a mover has no legal move"
        order(ahead, moves[0:count], first, killers)
        for k in range(count):
            move = moves[k]
            copy(child, state)
            joint[mover] = move
            apply(table, child, joint, rng)
            joint[mover] = 0
            ahead.calls += 1
            ahead.nodes += 1
            done += 1
            acting = movers(table, child)
            value = 0.0
            unsure = False
            deeper = False
            if acting == 0:
                utilities(table, child, values)
                value = values[me]
            else:
                assert acting & (acting - 1) == 0, "it says turn_taking, but several roles move at once"
                below.alpha = alpha
                below.beta = beta
                done += search_leaves(table, ahead, ply + 1, ctz(acting), rng)
                value = below.best
                unsure = below.horizon
                deeper = True
            horizon = horizon or unsure
            if (mine and value > best) or (not mine and value < best):
                best = value
                found = move
                whole = value >= 1.0 or value <= 0.0
                if mine and value > alpha:
                    alpha = value
                    whole = True
                elif not mine and value < beta:
                    beta = value
                    whole = True
                line[0] = move
                length = 1
                if whole and deeper and len(line) > 1:
                    line[1] = below.move
                    length = 2
                if alpha >= beta:
                    horizon = unsure
                    if ahead.options.history:
                        ahead.history[mover * HISTORY + class_of(move)] += 4
                    if ahead.options.killers and killers[0] != move:
                        killers[1] = killers[0]
                        killers[0] = move
                    break
        frame.best = best
        frame.move = found
        frame.horizon = horizon
        frame.line = length
        return done

    return search_leaves, search_two


@kernel
def order(ahead: Lookahead, moves: view[u64], first: u64, killers: view[u64]) -> None:
    """Put the best known move and the killers in front."""
    front = 0
    if ahead.options.hash_move and first != NO_MOVE:
        front = to_front(moves, front, first)
    if ahead.options.killers:
        front = to_front(moves, front, killers[0])
        front = to_front(moves, front, killers[1])


def leaves_of(game: Game, judge: Judge) -> Leaves:
    """Fill in how the last plies are searched."""
    made = _MADE.setdefault(game, {})
    known = (judge.kernel, judge.by_count)
    if known not in made:
        made[known] = last_plies(*(_inlined(game, judge) if isinstance(game, KernelGame) else _called(judge)))
    one, two = made[known]
    return Leaves(one=one, two=two)


_MADE: WeakKeyDictionary[Game, dict[Any, tuple[Kernel[int], Kernel[int]]]] = WeakKeyDictionary()


def _called(judge: Judge) -> tuple[Rules, Kernel[int]]:
    """Ask through the table."""
    return _TABLE, judge_unfinished(judge.kernel)


def _inlined(game: KernelGame, judge: Judge) -> tuple[Rules, Kernel[int]]:
    """Ask the kernels of the game."""
    given = game.functions()
    own_movers, own_legal, own_apply, own_utilities = (
        given[name] for name in ("movers", "legal", "apply", "utilities")
    )

    @kernel
    def movers(table: Table, state: view[u8]) -> i64:
        acting: i64 = own_movers(state, table.scratch)
        return acting

    @kernel
    def legal(table: Table, state: view[u8], role: i64, out: buffer[u64]) -> i64:
        count: i64 = own_legal(state, role, out, table.scratch)
        return count

    @kernel
    def apply(table: Table, state: view[u8], joint: view[u64], rng: Stream) -> None:
        own_apply(state, joint, rng, table.scratch)

    @kernel
    def utilities(table: Table, state: view[u8], out: view[f64]) -> None:
        own_utilities(state, out, table.scratch)

    hooks = action_kernels(game)
    offered = game.offers.actions() if game.offers.actions else ActionKernels()
    fits = hooks["fits"] if offered.is_legal is not None else None
    rules = Rules(movers, legal, apply, utilities, fits, game.state_size)
    if judge.by_count is None:
        return rules, judge_unfinished(judge.kernel)
    return rules, judge.by_count(hooks["count"] if offered.count_moves is not None else legal, len(game.roles))


@cache
def judge_unfinished(judge: Kernel[int]) -> Kernel[int]:
    """Make a judge that is told who moves of one that is not."""

    @kernel
    def judge_state(table: Table, state: view[u8], acting: i64, out: view[f64], judging: Bundle, rng: Stream) -> i64:
        calls: i64 = judge(table, state, out, judging, rng)
        return calls

    return judge_state


@kernel
def table_movers(table: Table, state: view[u8]) -> i64:
    """Ask the table who moves."""
    return i64(table.movers(state))


@kernel
def table_legal(table: Table, state: view[u8], role: i64, out: buffer[u64]) -> i64:
    """Ask the table what is legal."""
    return i64(table.legal(state, role, out))


@kernel
def table_apply(table: Table, state: view[u8], joint: view[u64], rng: Stream) -> None:
    """Ask the table what comes next."""
    table.apply(state, joint, rng)


@kernel
def table_utilities(table: Table, state: view[u8], out: view[f64]) -> None:
    """Ask the table what a state is worth."""
    table.utilities(state, out)


@kernel
def no_fit(table: Table, state: view[u8], role: i64, move: u64, out: buffer[u64]) -> i64:
    """Know of no move that it is legal."""
    return 0


_TABLE = Rules(table_movers, table_legal, table_apply, table_utilities)
