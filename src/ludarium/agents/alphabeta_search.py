"""The alpha-beta search: an explicit stack of frames, so that it can stop after any node and go on later.

Values are what the searching role gets, from 0 to 1: where it moves they are maximised, where anybody else moves
they are minimised (with more than two roles that is the paranoid assumption). The root window is [0, 1], so a
proven win or loss ends a node at once; evaluations of unfinished games stay strictly inside.

With `best_reply` only one opponent between two moves of the searching role is free to choose; the others play the
move that is ordered first: BRS+, Esser, Gras, Winands, Schadd and Lanctot, "Improving best-reply search" (2013).

A frame remembers whether its value depends on an evaluation (`horizon`): if it does not, it is a proof.
"""

from __future__ import annotations

from functools import cache

from ludarium.agents.frames import (
    LEAST,
    PROBED,
    Frame,
    Root,
    Search,
    close_frame,
    open_frame,
    swap_to_front,
    take_value,
)
from ludarium.agents.transpositions import AT_LEAST, EXACT, NO_MOVE, SOLVED, Entry, find
from ludarium.kernel import Kernel, Stream, Table, copy, ctz, f64, i64, kernel, u8, u64, view


@cache
def alphabeta_search(judge: Kernel[int]) -> Kernel[int]:
    """Make the search kernel for a way to judge states: `judge(table, state, out, memory, rng) -> forward calls`."""

    @kernel
    def judged(table: Table, state: view[u8], search: Search, values: view[f64], memory: view[u8], rng: Stream) -> f64:
        """Judge an unfinished game; by its utilities if the forward calls that are left do not allow more."""
        if search.calls + search.judging <= search.call_limit:
            search.calls += judge(table, state, values, memory, rng)
        else:
            table.utilities(state, values)
        return min(max(values[search.me], LEAST), 1.0 - LEAST)

    @kernel
    def last_ply(
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
        """Search a node whose children are leaves, all at once: most nodes are such leaves; count them."""
        count = table.legal(state, mover, listed)
        assert count > 0, "a mover has no legal move"
        if search.killers == 1:
            swap_to_front(listed[0:count], killers[0])
        me = search.me
        mine = mover == me
        alpha = frame.alpha
        beta = frame.beta
        best = -1.0 if mine else 2.0
        move = listed[0]
        horizon = 0
        tried = 0
        while tried < count and alpha < beta:
            copy(child, state)
            joint[mover] = listed[tried]
            table.apply(child, joint, rng)
            search.calls += 1
            value = 0.0
            unfinished = 0
            if table.movers(child) == 0:
                table.utilities(child, values)
                value = values[me]
            else:
                value = judged(table, child, search, values, memory, rng)
                unfinished = 1
            horizon |= unfinished
            if mine:
                if value > best:
                    best = value
                    move = listed[tried]
                    if value > alpha:
                        alpha = value
                        horizon = unfinished if alpha >= beta else horizon
            elif value < best:
                best = value
                move = listed[tried]
                if value < beta:
                    beta = value
                    horizon = unfinished if alpha >= beta else horizon
            tried += 1
        joint[mover] = 0
        if alpha >= beta and search.killers == 1 and killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
        search.nodes += tried
        frame.best = best
        frame.move = move
        frame.horizon = horizon
        return tried

    @kernel
    def search_frames(
        table: Table,
        states: view[u8],
        frames: view[Frame],
        moves: view[u64],
        lines: view[u64],
        entries: view[Entry],
        killers: view[u64],
        history: view[i64],
        roots: view[Root],
        search: Search,
        joint: view[u64],
        values: view[f64],
        memory: view[u8],
        rng: Stream,
        iterations: i64,
    ) -> i64:
        """Visit nodes until their count or the forward calls run out, or the depth is finished."""
        done = 0
        size = table.state_size
        width = table.max_moves + 1
        me = search.me
        whole = search.quiescence == 0 and search.best_reply == 0
        while iterations > 0:
            ply = search.ply
            frame = frames[ply]
            if frame.next >= frame.count:
                if ply == 0:
                    search.finished = 1
                    break
                close_frame(entries, frame)
                search.ply = ply - 1
                take_value(
                    frames, moves, lines, killers, history, roots, search, ply - 1, width,
                    frame.best, frame.horizon, frame.line,
                )  # fmt: skip
                continue
            if done >= iterations or search.calls >= search.call_limit:
                break
            place = frame.next
            frame.next = place + 1
            move = moves[ply * width + place]
            role = i64(frame.role)
            state = states[(ply + 1) * size : (ply + 2) * size]
            copy(state, states[ply * size : (ply + 1) * size])
            joint[role] = move
            table.apply(state, joint, rng)
            joint[role] = 0
            search.calls += 1
            search.nodes += 1
            done += 1
            acting = table.movers(state)
            value = 0.0
            horizon = 0
            deeper = 0
            depth = frame.depth - 1
            if acting == 0:
                table.utilities(state, values)
                value = values[me]
            else:
                assert acting & (acting - 1) == 0, "it says turn_taking, but several roles move at once"
                mover = ctz(acting)
                free = 0
                if search.best_reply == 1 and role != me and mover != me:
                    if frame.free == 0 and place == 0 and mover != role:
                        # The first move once more, as the one that is not a free choice.
                        frame.extra = frame.count
                        moves[ply * width + frame.count] = move
                        frame.count += 1
                    free = i64(frame.free)
                    if free == 0 and place != frame.extra:
                        free = role + 1
                horizon = 1
                child = frames[ply + 1]
                child.free = free
                child.depth = depth
                child.alpha = frame.alpha
                child.beta = frame.beta
                best = u64(NO_MOVE)
                if depth <= 0:
                    if search.quiescence == 0:
                        value = judged(table, state, search, values, memory, rng)
                    else:
                        spare = states[(ply + 2) * size : (ply + 3) * size]
                        copy(spare, state)
                        value = judged(table, spare, search, values, memory, rng)
                        if depth < 0 and abs(value - frame.stand) <= search.swing:
                            continue  # a quiet move is no better than to stand still
                        if depth > -search.quiescence:
                            open_frame(table, state, frames, moves, killers, history, search, ply + 1, mover, best)
                            child.stand = value
                            child.best = value
                            child.horizon = 1
                            if mover == me:
                                child.alpha = max(child.alpha, value)
                            else:
                                child.beta = min(child.beta, value)
                            if child.alpha >= child.beta:
                                child.next = child.count
                            search.ply = ply + 1
                            continue
                elif (
                    depth == 1
                    and whole
                    and iterations - done >= width
                    and (search.call_limit - search.calls > width * (1 + search.judging))
                ):
                    listed = moves[(ply + 1) * width : (ply + 2) * width - 1]
                    spare = states[(ply + 2) * size : (ply + 3) * size]
                    last = killers[2 * ply + 2 : 2 * ply + 4]
                    done += last_ply(
                        table, state, spare, child, listed, last, search, mover, joint, values, memory, rng
                    )
                    search.deepest = max(search.deepest, ply + 2)
                    value = child.best
                    horizon = i64(child.horizon)
                    lines[(ply + 1) * search.room] = child.move
                    deeper = 1
                else:
                    known = -1
                    if depth >= PROBED and len(entries) > 0:
                        child.key = table.hash(state) ^ (u64(free) * 0xD6E8FEB86659FD93)
                        known = find(entries, child.key)
                    settled = False
                    if known >= 0:
                        entry = entries[known]
                        best = entry.move
                        value = entry.value
                        if entry.depth >= depth:
                            if entry.bound == EXACT:
                                settled = True
                            elif entry.bound == AT_LEAST:
                                settled = value >= child.beta
                            else:
                                settled = value <= child.alpha
                            if entry.depth == SOLVED:
                                horizon = 0
                            lines[(ply + 1) * search.room] = best
                            deeper = 1 if best != NO_MOVE else 0
                    if not settled:
                        open_frame(table, state, frames, moves, killers, history, search, ply + 1, mover, best)
                        search.ply = ply + 1
                        continue
            take_value(frames, moves, lines, killers, history, roots, search, ply, width, value, horizon, deeper)
        return done

    return search_frames
