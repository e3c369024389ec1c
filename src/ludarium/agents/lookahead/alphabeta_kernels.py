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

from ludarium.agents.lookahead.frames import LEAST, Frame, Lookahead, close_frame, open_frame, take_value
from ludarium.agents.lookahead.leaves import Leaves
from ludarium.agents.lookahead.transpositions import AT_LEAST, EXACT, NO_MOVE, SOLVED, find
from ludarium.kernel import Kernel, Stream, Table, copy, ctz, f64, i64, kernel, u8, u64, view


@kernel
def stand_still(ahead: Lookahead, ply: i64, mine: bool, value: f64) -> None:
    """Let a node beyond the horizon be worth at least what it is worth as it stands."""
    frame = ahead.frames[ply]
    frame.stand = value
    frame.best = value
    frame.horizon = True
    if mine:
        frame.alpha = max(frame.alpha, value)
    else:
        frame.beta = min(frame.beta, value)
    if frame.alpha >= frame.beta:
        frame.next = frame.count


@kernel
def choose_freely(ahead: Lookahead, frame: Frame, place: i64, mover: i64) -> i64:
    """Say who may choose freely below a move in best-reply search: one more than the role, or 0 for nobody so far."""
    ply = ahead.ply
    if frame.free == 0 and place == 0 and mover != frame.role:
        # The first move once more, as the one that is not a free choice.
        frame.extra = frame.count
        ahead.moves[ply * ahead.width + frame.count] = ahead.moves[ply * ahead.width]
        frame.count += 1
    if frame.free == 0 and place != frame.extra:
        return frame.role + 1
    return i64(frame.free)


@kernel
def look_up(ahead: Lookahead, child: Frame) -> tuple[bool, bool, i64]:
    """Look a node up; says whether its value is settled, whether it depends on an evaluation, and the place of its entry."""
    known = find(ahead.entries, ahead.tags, child.key)
    if known < 0:
        return False, True, known
    entry = ahead.entries[known]
    settled = False
    if entry.depth >= child.depth:
        if entry.bound == EXACT:
            settled = True
        elif entry.bound == AT_LEAST:
            settled = entry.value >= child.beta
        else:
            settled = entry.value <= child.alpha
    return settled, entry.depth != SOLVED, known


@cache
def alphabeta_search(judge: Kernel[int]) -> Kernel[int]:
    """Make the search kernel for a way to judge states: `judge(table, state, out, judging, rng) -> forward calls`."""

    @kernel
    def judged(table: Table, ahead: Lookahead, state: view[u8], rng: Stream) -> f64:
        """Judge an unfinished game; by its utilities if the forward calls that are left do not allow more."""
        if ahead.calls + ahead.reserve <= ahead.call_limit:
            ahead.calls += judge(table, state, ahead.values, ahead.judging, rng)
        else:
            table.utilities(state, ahead.values)
        return min(max(ahead.values[ahead.me], LEAST), 1.0 - LEAST)

    @kernel
    def search_frames(table: Table, ahead: Lookahead, leaves: Leaves, rng: Stream, iterations: i64) -> i64:
        """Visit nodes until their count or the forward calls run out, or the depth is finished."""
        done = 0
        options = ahead.options
        states = ahead.states
        joint = ahead.joint
        size = table.state_size
        width = ahead.width
        me = ahead.me
        whole = options.quiescence == 0 and not options.best_reply
        wide = width * (width + 1)
        most = 1 + ahead.reserve
        while iterations > 0:
            ply = ahead.ply
            frame = ahead.frames[ply]
            if frame.next >= frame.count:
                if ply == 0:
                    ahead.finished = True
                    break
                close_frame(ahead, frame)
                ahead.ply = ply - 1
                take_value(ahead, ply - 1, frame.best, frame.horizon, i64(frame.line))
                continue
            if done >= iterations or ahead.calls >= ahead.call_limit:
                break
            place = frame.next
            frame.next = place + 1
            role = i64(frame.role)
            state = states[(ply + 1) * size : (ply + 2) * size]
            copy(state, states[ply * size : (ply + 1) * size])
            joint[role] = ahead.moves[ply * width + place]
            table.apply(state, joint, rng)
            joint[role] = 0
            ahead.calls += 1
            ahead.nodes += 1
            done += 1
            acting = table.movers(state)
            value = 0.0
            horizon = False
            deeper = 0
            depth = frame.depth - 1
            if acting == 0:
                table.utilities(state, ahead.values)
                value = ahead.values[me]
            else:
                assert acting & (acting - 1) == 0, "it says turn_taking, but several roles move at once"
                mover = ctz(acting)
                horizon = True
                child = ahead.frames[ply + 1]
                child.free = 0
                if options.best_reply and role != me and mover != me:
                    child.free = choose_freely(ahead, frame, place, mover)
                child.depth = depth
                child.alpha = frame.alpha
                child.beta = frame.beta
                if depth <= 0:
                    if options.quiescence == 0:
                        value = judged(table, ahead, state, rng)
                    else:
                        spare = states[(ply + 2) * size : (ply + 3) * size]
                        copy(spare, state)
                        value = judged(table, ahead, spare, rng)
                        if depth < 0 and abs(value - frame.stand) <= options.swing:
                            continue  # a quiet move is no better than to stand still
                        if depth > -options.quiescence:
                            open_frame(table, ahead, ply + 1, mover, u64(NO_MOVE))
                            stand_still(ahead, ply + 1, mover == me, value)
                            ahead.ply = ply + 1
                            continue
                elif depth == 1 and whole and iterations - done >= width and ahead.calls_left() > width * most:
                    done += leaves.one(table, ahead, ply + 1, mover, rng)
                    ahead.deepest = max(ahead.deepest, ply + 2)
                    value = child.best
                    horizon = child.horizon
                    ahead.lines[(ply + 1) * ahead.room] = child.move
                    deeper = 1
                else:
                    best = u64(NO_MOVE)
                    settled = False
                    if depth >= ahead.probed and len(ahead.entries) > 0:
                        child.key = table.hash(state) ^ (u64(child.free) * 0xD6E8FEB86659FD93)
                        settled, horizon, known = look_up(ahead, child)
                        if known >= 0:
                            best = ahead.entries[known].move
                            value = ahead.entries[known].value
                    if settled:
                        ahead.lines[(ply + 1) * ahead.room] = best
                        deeper = 1 if best != NO_MOVE else 0
                    elif depth == 2 and whole and iterations - done >= wide and ahead.calls_left() > wide * most:
                        done += leaves.two(table, ahead, ply + 1, mover, best, rng)
                        ahead.deepest = max(ahead.deepest, ply + 3)
                        close_frame(ahead, child)
                        value = child.best
                        horizon = child.horizon
                        deeper = i64(child.line)
                    else:
                        open_frame(table, ahead, ply + 1, mover, best)
                        ahead.ply = ply + 1
                        continue
            take_value(ahead, ply, value, horizon, deeper)
        return done

    return search_frames
