"""The last ply of a search that looks ahead: most nodes are there, so it is a kernel of its own, made for the game.

Where a game is made of kernels they are compiled into it, and nothing is called through the table. A killer that the game
can tell to be legal is tried before any move is listed: most of the time it is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from ludarium.agents.actions import action_kernels, address, wire
from ludarium.agents.frames import HISTORY, LEAST, Frame, Search, class_of, swap_to_front, to_front
from ludarium.agents.transpositions import NO_MOVE
from ludarium.core import Game
from ludarium.evaluate import Judge
from ludarium.kernel import (
    Kernel,
    KernelGame,
    Record,
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


class Leaves(Record):
    """How a node is searched whose children are leaves."""

    one: fn[
        [Table, view[u8], view[u8], Frame, view[u64], view[u64], Search, i64, view[u64], view[f64], view[u8], Stream],
        i64,
    ]
    two: fn[
        [
            Table,
            view[u8],
            Frame,
            Frame,
            view[u64],
            view[u64],
            view[u64],
            view[i64],
            Search,
            i64,
            u64,
            view[u64],
            view[f64],
            view[u8],
            Stream,
        ],
        i64,
    ]


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
    """Make the kernels: `judge(table, state, acting, out, memory, rng) -> forward calls` judges an unfinished state."""
    movers, legal, apply, utilities = rules.movers, rules.legal, rules.apply, rules.utilities
    fits, tells, known = rules.fits or no_fit, int(rules.fits is not None), rules.size

    @kernel
    def search_leaves(
        table: Table,
        state: view[u8],
        child: view[u8],
        frame: Frame,
        listed: view[u64],
        killers: view[u64],
        search: Search,
        mover: i64,
        joint: view[u64],
        values: view[f64],
        memory: view[u8],
        rng: Stream,
    ) -> i64:
        """Search a node whose children are leaves, all at once, and count them."""
        me = search.me
        mine = mover == me
        alpha = frame.alpha
        beta = frame.beta
        best = -1.0 if mine else 2.0
        move = u64(NO_MOVE)
        horizon = 0
        tried = 0
        place = 0
        count = 0
        whole = False
        size = known if known > 0 else table.state_size
        calls = search.calls
        limit = search.call_limit - search.judging
        if tells == 1 and search.killers == 1 and killers[0] != NO_MOVE:
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
                if search.killers == 1:
                    swap_to_front(listed[0:count], killers[0])
                # What is legal may not be listed, where a game has too many moves.
                place = 1 if tried == 1 and listed[0] == killers[0] else 0
                if place >= count:
                    break
            copy(child[0:size], state[0:size])
            joint[mover] = listed[place]
            apply(table, child, joint, rng)
            calls += 1
            value = 0.0
            unfinished = 0
            acting = movers(table, child)
            if acting == 0:
                utilities(table, child, values)
                value = values[me]
            else:
                if calls <= limit:
                    calls += judge(table, child, acting, values, memory, rng)
                else:
                    utilities(table, child, values)
                value = min(max(values[me], LEAST), 1.0 - LEAST)
                unfinished = 1
            horizon |= unfinished
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
        search.calls = calls
        if alpha >= beta and search.killers == 1 and killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
        search.nodes += tried
        frame.best = best
        frame.move = move
        frame.horizon = horizon
        return tried

    @kernel
    def search_two(
        table: Table,
        states: view[u8],
        frame: Frame,
        below: Frame,
        moves: view[u64],
        line: view[u64],
        killers: view[u64],
        history: view[i64],
        search: Search,
        mover: i64,
        first: u64,
        joint: view[u64],
        values: view[f64],
        memory: view[u8],
        rng: Stream,
    ) -> i64:
        """Search a node whose grandchildren are leaves, as frames would be, and count what is below it."""
        size = known if known > 0 else table.state_size
        width = table.max_moves + 1
        state = states[0:size]
        child = states[size : 2 * size]
        me = search.me
        mine = mover == me
        alpha = frame.alpha
        beta = frame.beta
        frame.lowest = alpha
        frame.highest = beta
        best = -1.0 if mine else 2.0
        found = u64(NO_MOVE)
        length = 0
        horizon = 0
        done = 0
        count = legal(table, state, mover, moves[0 : width - 1])
        assert count > 0, "a mover has no legal move"
        order(moves[0:count], first, killers, search)
        for k in range(count):
            move = moves[k]
            copy(child, state)
            joint[mover] = move
            apply(table, child, joint, rng)
            joint[mover] = 0
            search.calls += 1
            search.nodes += 1
            done += 1
            acting = movers(table, child)
            value = 0.0
            unsure = 0
            deeper = 0
            if acting == 0:
                utilities(table, child, values)
                value = values[me]
            else:
                assert acting & (acting - 1) == 0, "it says turn_taking, but several roles move at once"
                below.alpha = alpha
                below.beta = beta
                done += search_leaves(
                    table, child, states[2 * size : 3 * size], below, moves[width : 2 * width - 1], killers[2:4], search,
                    ctz(acting), joint, values, memory, rng,
                )  # fmt: skip
                value = below.best
                unsure = i64(below.horizon)
                deeper = 1
            horizon |= unsure
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
                if whole and deeper == 1 and len(line) > 1:
                    line[1] = below.move
                    length = 2
                if alpha >= beta:
                    horizon = unsure
                    if search.history == 1:
                        history[mover * HISTORY + class_of(move)] += 4
                    if search.killers == 1 and killers[0] != move:
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
def order(moves: view[u64], first: u64, killers: view[u64], search: Search) -> None:
    """Put the best known move and the killers in front."""
    front = 0
    if search.hash_move == 1 and first != NO_MOVE:
        front = to_front(moves, front, first)
    if search.killers == 1:
        front = to_front(moves, front, killers[0])
        front = to_front(moves, front, killers[1])


def leaves_of(game: Game, judge: Judge) -> Leaves:
    """Fill in how the last ply is searched; do so anew before each search, for code may have moved."""
    made = _MADE.setdefault(game, {})
    known = (judge.kernel, judge.by_count)
    if known not in made:
        made[known] = last_plies(*(_inlined(game, judge) if isinstance(game, KernelGame) else _called(judge)))
    record = Leaves()
    one, two = made[known]
    wire(record, one=address(one), two=address(two))
    return record


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
        acting: i64 = own_movers(state)
        return acting

    @kernel
    def legal(table: Table, state: view[u8], role: i64, out: buffer[u64]) -> i64:
        count: i64 = own_legal(state, role, out)
        return count

    @kernel
    def apply(table: Table, state: view[u8], joint: view[u64], rng: Stream) -> None:
        own_apply(state, joint, rng)

    @kernel
    def utilities(table: Table, state: view[u8], out: view[f64]) -> None:
        own_utilities(state, out)

    hooks = action_kernels(game)
    fits = hooks["fits"] if game.is_legal is not None else None
    rules = Rules(movers, legal, apply, utilities, fits, game.state_size)
    if judge.by_count is None:
        return rules, judge_unfinished(judge.kernel)
    return rules, judge.by_count(hooks["count"] if game.count_moves is not None else legal, len(game.roles))


@cache
def judge_unfinished(judge: Kernel[int]) -> Kernel[int]:
    """Make a judge that is told who moves of one that is not."""

    @kernel
    def judge_state(table: Table, state: view[u8], acting: i64, out: view[f64], memory: view[u8], rng: Stream) -> i64:
        calls: i64 = judge(table, state, out, memory, rng)
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
