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
    Frame,
    Root,
    Search,
    calls_left,
    close_frame,
    open_frame,
    take_value,
)
from ludarium.agents.leaves import Leaves
from ludarium.agents.transpositions import AT_LEAST, EXACT, NO_MOVE, SOLVED, Entry, find
from ludarium.kernel import Kernel, Stream, Table, copy, ctz, f64, i64, kernel, u8, u32, u64, view


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
    def search_frames(
        table: Table,
        states: view[u8],
        frames: view[Frame],
        moves: view[u64],
        lines: view[u64],
        entries: view[Entry],
        tags: view[u32],
        killers: view[u64],
        history: view[i64],
        roots: view[Root],
        search: Search,
        joint: view[u64],
        values: view[f64],
        memory: view[u8],
        leaves: Leaves,
        rng: Stream,
        iterations: i64,
    ) -> i64:
        """Visit nodes until their count or the forward calls run out, or the depth is finished."""
        done = 0
        size = table.state_size
        width = table.max_moves + 1
        me = search.me
        whole = search.quiescence == 0 and search.best_reply == 0
        wide = width * (width + 1)
        most = 1 + search.judging
        while iterations > 0:
            ply = search.ply
            frame = frames[ply]
            if frame.next >= frame.count:
                if ply == 0:
                    search.finished = 1
                    break
                close_frame(entries, tags, frame, search)
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
                elif depth == 1 and whole and iterations - done >= width and calls_left(search) > width * most:
                    listed = moves[(ply + 1) * width : (ply + 2) * width - 1]
                    spare = states[(ply + 2) * size : (ply + 3) * size]
                    last = killers[2 * ply + 2 : 2 * ply + 4]
                    done += leaves.one(
                        table, state, spare, child, listed, last, search, mover, joint, values, memory, rng
                    )
                    search.deepest = max(search.deepest, ply + 2)
                    value = child.best
                    horizon = i64(child.horizon)
                    lines[(ply + 1) * search.room] = child.move
                    deeper = 1
                else:
                    known = -1
                    if depth >= search.probed and len(entries) > 0:
                        child.key = table.hash(state) ^ (u64(free) * 0xD6E8FEB86659FD93)
                        known = find(entries, tags, child.key)
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
                        if depth == 2 and whole and iterations - done >= wide and calls_left(search) > wide * most:
                            both = states[(ply + 1) * size : (ply + 4) * size]
                            listed = moves[(ply + 1) * width : (ply + 3) * width]
                            line = lines[(ply + 1) * search.room : (ply + 1) * search.room + 2]
                            last = killers[2 * ply + 2 : 2 * ply + 6]
                            done += leaves.two(
                                table, both, child, frames[ply + 2], listed, line, last, history, search, mover, best,
                                joint, values, memory, rng,
                            )  # fmt: skip
                            search.deepest = max(search.deepest, ply + 3)
                            close_frame(entries, tags, child, search)
                            value = child.best
                            horizon = i64(child.horizon)
                            deeper = i64(child.line)
                        else:
                            open_frame(table, state, frames, moves, killers, history, search, ply + 1, mover, best)
                            search.ply = ply + 1
                            continue
            take_value(frames, moves, lines, killers, history, roots, search, ply, width, value, horizon, deeper)
        return done

    return search_frames
